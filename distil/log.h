/* log.h: writes the binary log of docs/traces.md. Numbers here count as they do there: threads from 0, all else from 1. */
#ifndef DISTIL_LOG_H
#define DISTIL_LOG_H

#include "base/heap.h"
#include "trace/log.h"
#include "trace/trace.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct Log Log;

/* Begins a log for threads 0 to n_threads - 1. Errors of the stream are the caller's to see. */
Log *log_new(Heap *heap, FILE *out, uint32_t n_threads);
void log_name(Log *log, TraceNameKind kind, const char *name, size_t length);
void log_comment(Log *log, const char *text);
/* Ends and frees it; the number of events. */
uint64_t log_end(Log *log);

/* --- events --- */

enum { LOG_BUFFER = 1 << 18, LOG_ROOM = 16 /* bytes of an event, at most */ };

/* Of a thread, what its next event is told from. */
typedef struct {
  uint32_t object[LOG_BEFORES], location, unused[11]; /* 128 bytes are found faster than 84 */
} LogState;

struct Log {
  Heap *heap;
  FILE *out;
  LogState *before; /* by thread */
  uint64_t n_events;
  size_t used;
  unsigned char buffer[LOG_BUFFER];
};

void log_flush(Log *log);
void log_long_event(Log *log, uint32_t thread, TraceOp op, int32_t step, int32_t place);

/* Is the difference, of numbers below 2^31, a signed number of so many bits? */
static inline bool log_fits(uint32_t difference, unsigned bits) { return difference + (1u << (bits - 1)) < 1u << bits; }

/* Objects and locations are below 2^31. */
static inline void log_event(Log *log, uint32_t thread, TraceOp op, uint32_t object, uint32_t location) {
  LogState *before = &log->before[thread];
  uint32_t *last = &before->object[log_before(op, location)];
  const uint32_t place = location - before->location, step = object - *last;
  before->location = location;
  *last = object;
  log->n_events++;
  if (log->used > LOG_BUFFER - LOG_ROOM) log_flush(log);
  if (thread >> LOG_THREAD_BITS == 0 && log_fits(place, LOG_LOCATION_BITS) && log_fits(step, LOG_OBJECT_BITS)) {
    const uint32_t word = htole32(op | thread << LOG_OP_BITS | (place & ((1 << LOG_LOCATION_BITS) - 1)) << (LOG_OP_BITS + LOG_THREAD_BITS) |
                                  step << (32 - LOG_OBJECT_BITS));
    memcpy(log->buffer + log->used, &word, sizeof word);
    log->used += sizeof word;
  } else {
    log_long_event(log, thread, op, (int32_t)step, (int32_t)place);
  }
}

#endif
