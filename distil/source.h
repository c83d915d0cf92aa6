/* source.h: the raw log of record/, event by event, all threads merged into one order.
 *
 * It is read through a mapping, from front to back of each thread, any number of times; memory grows with the number
 * of threads and chunks alone. What of it matters may be picked out by a filter, which works on all cores, ahead of the
 * reader (sieve.h). */
#ifndef DISTIL_SOURCE_H
#define DISTIL_SOURCE_H

#include "base/err.h"
#include "base/heap.h"
#include "distil/sieve.h"
#include "record/raw.h"

#include <stdbool.h>

/* An event of the raw log, with all that it stands on put in. */
typedef struct {
  uint64_t address; /* of what the event is about; a stack pointer for frames; the function for RAW_START */
  uint64_t code;    /* program counter, a return address */
  uint64_t
      size; /* bytes of an access or a free; 0: the address is the number of an object, by a filter; of others the
             * second word: 1 + a thread's number, or 1 + a name's; a RawSync; of RAW_LINE_READ, _WRITE the bytes */
  uint32_t thread;
  uint32_t flags;    /* of an atomic operation: RAW_CLAIMS, RAW_AWAITED */
  uint32_t old, new; /* likewise: the values, of raw_value; of RAW_SYNC: new is its number */
  uint8_t kind; /* RawKind, where sizes are taken off: RAW_READ, RAW_WRITE and RAW_UPDATE for all sizes and ranges */
} RawEvent;

/* A raw log that is open for reading. */
typedef struct Source Source;
struct Live;

/* NULL, with *err, if that is no raw log. The source is the heap's. `scratch`: the folder for what source_shrink keeps;
 * or NULL. */
Source *source_open(Heap *heap, const char *path, const char *scratch, Err *err);
void source_close(Source *source); /* NULL is allowed */

/* The raw log of a program that is running, which outlives the source. It is read in rounds: from source_round on the
 * events below the floor come, which is all, up to their end for now. Not for source_begin and filters. */
Source *source_of_live(Heap *heap, struct Live *live);
void source_round(Source *source, uint64_t floor);

/* The header of the log; valid until source_close. */
const RawHeader *source_header(const Source *source);

/* Goes (back) to the start. The words of the chunks go through the filter, each of whose threads has a state in
 * `states`; NULL: no filter. */
void source_begin(Source *source, SieveFilter filter, void *const states[SIEVE_THREADS]);

/* For a filter, whose words of a whole chunk these are: from the next source_begin on the chunk has these words
 * instead, n of them, which may be changed here. They must be fewer, and stand in for all that a later filter would
 * take from the chunk. Where there is no room for them it has its own. */
void source_shrink(Source *source, const uint64_t *words, uint64_t *shorter, uint32_t n);

/* False, with *err: what was read so far is not all, or not what was recorded. */
bool source_is_sound(const Source *source, Err *err);
uint32_t source_silent(const Source *source); /* threads that have left nothing, where nothing was lost */
uint64_t source_lost(const Source *source);   /* events come from above this clock on; 0: all of them */

/* The next event; false at the end. */
bool source_next(Source *source, RawEvent *event);

/* What a thread does next, as it stands in the log: words of one chunk. */
typedef struct {
  const uint64_t *at;
  uint32_t n; /* may be 0; they may be of any kind, and end before n with a zero word */
  uint32_t thread;
  bool picked;                        /* by the filter: there may be known accesses, and loops of its own */
  uint64_t region[RAW_REGIONS], code; /* the bases of addresses, and of program counters */
} RawWords;

/* The words that source_next would give next; false at the end. Those that are taken from the front must be plain or
 * known accesses, or loops that the filter has put there, as a whole. */
bool source_words(const Source *source, RawWords *words);
void source_take(Source *source, uint32_t n);

/* A plain access is of a power of two of bytes at one place; this word alone says all. A filter may make it a known
 * one, which has the number of its only object in place of the address. */
enum { RAW_KNOWN = 3 << (RAW_KIND_BITS - 2) };
_Static_assert((int)RAW_READ_RANGE <= 16 && (int)RAW_KINDS <= RAW_KNOWN,
               "the kinds of plain accesses fit into four bits");

/* The RawKind of a word that is no known access; is it a plain access, is it a known one? */
static inline uint32_t raw_kind(uint64_t word) { return word & ((1u << RAW_KIND_BITS) - 1); }
static inline bool raw_is_plain(uint64_t word) { return raw_kind(word) - 1 < RAW_READ_RANGE - 1; }
static inline bool raw_is_known(uint64_t word) { return (word & RAW_KNOWN) == RAW_KNOWN; }

#define RAW_CODE_MASK (((UINT64_C(1) << RAW_CODE_BITS) - 1) << RAW_KIND_BITS)

/* The known access that stands for a plain one, to the object of that number alone. */
static inline uint64_t raw_known(uint64_t plain, uint32_t object) {
  return (plain & ((UINT64_C(1) << RAW_ADDRESS_SHIFT) - 1)) | RAW_KNOWN | (uint64_t)object << RAW_ADDRESS_SHIFT;
}

/* The number of the object of a known access. */
static inline uint32_t raw_known_object(uint64_t known) { return (uint32_t)(known >> RAW_ADDRESS_SHIFT); }

/* Is it one of accesses to a line? */
static inline bool raw_is_line(uint32_t kind) { return kind == RAW_LINE_READ || kind == RAW_LINE_WRITE; }

/* Does a second word belong to each event of this RawKind? */
static inline bool raw_has_second(uint32_t kind) {
  return kind == RAW_READ_RANGE || kind == RAW_WRITE_RANGE || kind == RAW_FREE || kind == RAW_ALLOC ||
         kind == RAW_BEGIN || kind == RAW_FORK || kind == RAW_JOIN || (kind >= RAW_ATOMIC_READ && kind <= RAW_SYNC) ||
         raw_is_line(kind);
}

/* Is it one of these? */
static inline bool raw_is_atomic(uint32_t kind) { return kind >= RAW_ATOMIC_READ && kind <= RAW_ATOMIC_UPDATE; }

/* Of a plain or a known access: its RawKind without its size, and its size in bytes. */
static inline uint8_t raw_plain_kind(uint64_t word) {
  static const uint8_t KIND[RAW_READ_RANGE] = {0,          RAW_READ,   RAW_READ,   RAW_READ,  RAW_READ,  RAW_READ,
                                               RAW_WRITE,  RAW_WRITE,  RAW_WRITE,  RAW_WRITE, RAW_WRITE, RAW_UPDATE,
                                               RAW_UPDATE, RAW_UPDATE, RAW_UPDATE, RAW_UPDATE};
  return KIND[raw_kind(word) % RAW_READ_RANGE];
}

/* Of a plain or a known access: its size in bytes, 1 to 16. */
static inline uint32_t raw_plain_size(uint64_t word) {
  static const uint8_t SIZE[RAW_READ_RANGE] = {0, 1, 2, 4, 8, 16, 1, 2, 4, 8, 16, 1, 2, 4, 8, 16};
  return SIZE[raw_kind(word) % RAW_READ_RANGE];
}

/* The address of the event; `region` has the bases of the thread's regions. */
static inline uint64_t raw_address(const uint64_t *region, uint64_t word) {
  return region[word >> RAW_REGION_SHIFT] | (word >> RAW_ADDRESS_SHIFT & ((UINT64_C(1) << RAW_OFFSET_BITS) - 1));
}

/* Of a RAW_REGION: the base of its addresses. */
static inline uint64_t raw_region(uint64_t word) { return (word >> RAW_ADDRESS_SHIFT & UINT16_MAX) << RAW_OFFSET_BITS; }

/* The program counter of the event; `base` is that of the last RAW_CODE. */
static inline uint64_t raw_code(uint64_t base, uint64_t word) {
  return base | (word >> RAW_KIND_BITS & ((1u << RAW_CODE_BITS) - 1));
}

#endif
