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

#endif
