/* log.h: writes the binary log of docs/traces.md. Numbers here count as they do there: threads from 0, all else from 1. */
#ifndef DISTIL_LOG_H
#define DISTIL_LOG_H

#include "base/heap.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ORDER TraceOp (trace/trace.h) */
typedef enum { LOG_READ, LOG_WRITE, LOG_ACQUIRE, LOG_RELEASE, LOG_FORK, LOG_JOIN, LOG_BEGIN, LOG_END, LOG_START, LOG_EXIT, LOG_FREE } LogOp;
typedef enum { LOG_THREAD_NAME, LOG_OBJECT_NAME, LOG_LABEL_NAME, LOG_LOCATION_NAME } LogName;

typedef struct Log Log;

/* Begins a log for threads 0 to n_threads - 1. Errors of the stream are the caller's to see. */
Log *log_new(Heap *heap, FILE *out, uint32_t n_threads);
void log_name(Log *log, LogName kind, const char *name, size_t length);
void log_comment(Log *log, const char *text);
/* Ends and frees it; the number of events. */
uint64_t log_end(Log *log);

/* --- events --- */

enum { LOG_BUFFER = 1 << 18, LOG_ROOM = 16 /* bytes of an event, at most */ };
enum { LOG_THREAD_BITS = 10, LOG_LOCATION_BITS = 7, LOG_OBJECT_BITS = 11, LOG_LOCATION_AT = 4 + LOG_THREAD_BITS, LOG_OBJECT_AT = LOG_LOCATION_AT + LOG_LOCATION_BITS };

/* What an object is told from: the one before, of variables and locks at places with the same low bits, of threads, of labels. */
enum { LOG_PLACES = 16, LOG_THREADS = LOG_PLACES, LOG_LABELS, LOG_NOTHING, LOG_BEFORES };

typedef struct {
  uint32_t object[LOG_BEFORES], location, unused[12]; /* 128 bytes are found faster than 80 */
} LogBefore;

struct Log {
  Heap *heap;
  FILE *out;
  LogBefore *before; /* by thread */
  uint64_t n_events;
  size_t used;
  unsigned char buffer[LOG_BUFFER];
};

void log_flush(Log *log);
void log_long_event(Log *log, uint32_t thread, LogOp op, int32_t step, int32_t place);

static inline uint32_t log_before(LogOp op, uint32_t location) {
  static const uint8_t OTHER[] = {[LOG_FORK] = LOG_THREADS,  [LOG_JOIN] = LOG_THREADS, [LOG_BEGIN] = LOG_LABELS, [LOG_END] = LOG_NOTHING,
                                  [LOG_START] = LOG_NOTHING, [LOG_EXIT] = LOG_NOTHING, [LOG_FREE] = 0};
  return op < LOG_FORK || !OTHER[op] ? location % LOG_PLACES : OTHER[op];
}

/* Is the difference, of numbers below 2^31, a signed number of so many bits? */
static inline bool log_fits(uint32_t difference, unsigned bits) { return difference + (1u << (bits - 1)) < 1u << bits; }

/* Objects and locations are below 2^31. */
static inline void log_event(Log *log, uint32_t thread, LogOp op, uint32_t object, uint32_t location) {
  LogBefore *before = &log->before[thread];
  uint32_t *last = &before->object[log_before(op, location)];
  const uint32_t place = location - before->location, step = object - *last;
  before->location = location;
  *last = object;
  log->n_events++;
  if (log->used > LOG_BUFFER - LOG_ROOM) log_flush(log);
  if (thread >> LOG_THREAD_BITS == 0 && log_fits(place, LOG_LOCATION_BITS) && log_fits(step, LOG_OBJECT_BITS)) {
    const uint32_t word = htole32(op | thread << 4 | (place & ((1 << LOG_LOCATION_BITS) - 1)) << LOG_LOCATION_AT | step << LOG_OBJECT_AT);
    memcpy(log->buffer + log->used, &word, sizeof word);
    log->used += sizeof word;
  } else {
    log_long_event(log, thread, op, (int32_t)step, (int32_t)place);
  }
}

#endif
