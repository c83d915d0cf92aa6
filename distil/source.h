/* source.h: the raw log of record/, event by event, all threads merged into one order.
 *
 * It is read through a mapping, from front to back of each thread, as often as one likes; memory grows with the number of threads
 * and chunks alone. */
#ifndef DISTIL_SOURCE_H
#define DISTIL_SOURCE_H

#include "base/err.h"
#include "base/heap.h"
#include "record/raw.h"

#include <stdbool.h>

typedef struct {
  uint64_t address; /* of what the event is about; a stack pointer for frames; the function for RAW_START */
  uint64_t code;    /* program counter, a return address */
  uint64_t size;    /* bytes of an access or a free; of others the second word: a thread's number, or a name's number + 1 */
  uint32_t thread;
  uint8_t kind;     /* RawKind, where sizes are taken off: RAW_READ, RAW_WRITE and RAW_UPDATE for all sizes and ranges */
} RawEvent;

typedef struct Source Source;

/* NULL, with *err, if that is no raw log. The source is the heap's. */
Source *source_open(Heap *heap, const char *path, Err *err);
void source_close(Source *source); /* NULL is allowed */

const RawHeader *source_header(const Source *source);

/* Goes (back) to the start. */
void source_rewind(Source *source);

/* The next event; false at the end. */
bool source_next(Source *source, RawEvent *event);

/* What a thread does next, as it stands in the log: words of one chunk. Those in front that are plain accesses, of a power of two of bytes at one
 * place, can be understood by what is here. */
typedef struct {
  const uint64_t *at;
  uint32_t n;      /* may be 0; they may be of any kind, and end before n with a zero word */
  uint32_t thread;
  uint64_t region[RAW_REGIONS], code; /* the bases of addresses, and of program counters */
} RawWords;

/* The words that source_next would give next; false at the end. Those that are taken from the front must be plain accesses. */
bool source_words(const Source *source, RawWords *words);
void source_take(Source *source, uint32_t n);

static inline uint32_t raw_kind(uint64_t word) { return word & ((1u << RAW_KIND_BITS) - 1); }
static inline bool raw_is_plain(uint64_t word) { return raw_kind(word) - 1 < RAW_READ_RANGE - 1; }

/* Of a plain access: its RawKind without its size, and its size in bytes. */
static inline uint8_t raw_plain_kind(uint64_t word) {
  static const uint8_t KIND[RAW_READ_RANGE] = {0,         RAW_READ,  RAW_READ,  RAW_READ,   RAW_READ,   RAW_READ,   RAW_WRITE, RAW_WRITE,
                                               RAW_WRITE, RAW_WRITE, RAW_WRITE, RAW_UPDATE, RAW_UPDATE, RAW_UPDATE, RAW_UPDATE, RAW_UPDATE};
  return KIND[raw_kind(word)];
}

static inline uint32_t raw_plain_size(uint64_t word) {
  static const uint8_t SIZE[RAW_READ_RANGE] = {0, 1, 2, 4, 8, 16, 1, 2, 4, 8, 16, 1, 2, 4, 8, 16};
  return SIZE[raw_kind(word)];
}

static inline uint64_t raw_address(const uint64_t *region, uint64_t word) {
  return region[word >> RAW_REGION_SHIFT] | (word >> RAW_ADDRESS_SHIFT & ((UINT64_C(1) << RAW_OFFSET_BITS) - 1));
}

static inline uint64_t raw_code(uint64_t base, uint64_t word) {
  return base | (word >> RAW_KIND_BITS & ((1u << RAW_CODE_BITS) - 1));
}

#endif
