/* log_writer.h: writes the binary log of docs/traces.md. Numbers here count as they do there: threads from 0, all else
 * from 1. */
#ifndef DISTIL_LOG_WRITER_H
#define DISTIL_LOG_WRITER_H

#include "base/heap.h"
#include "trace/binary_log.h"
#include "trace/trace.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A log that is being written. */
typedef struct Log Log;

/* Begins a log for threads 0 to n_threads - 1. */
Log *log_new(Heap *heap, FILE *out, uint32_t n_threads);
void log_name(Log *log, TraceNameKind kind, const char *name, size_t length);
/* From now on the thread's events at the location, from 1, are in a function that was called from these, the innermost
 * first; n is at most LOG_CALLERS. */
void log_calls(Log *log, uint32_t thread, uint32_t location, const uint32_t *callers, uint32_t n);
/* Where things are, for those who follow a run (docs/confirming.md). A module is the next one, from 1, with this
 * build-id, of at most LOG_ID bytes; codes are return addresses, from where it was loaded. */
void log_module(Log *log, const uint8_t *id, uint32_t n);
void log_code(Log *log, uint32_t location, TraceOp op, uint32_t module, uint64_t code);
void log_object(Log *log, uint32_t object, uint32_t module, uint64_t at, uint64_t size);
/* Accesses are left out: in words, which are there, of which at most LOG_PART_MOST bytes count; and the log begins in
 * the middle of the run. */
void log_part(Log *log, const char *words);
void log_late(Log *log);
/* Ends and frees it; the number of events. `whole`: it says that it ends here. */
uint64_t log_end(Log *log, bool whole);

/* --- events --- */

enum { LOG_BUFFER = 1 << 18 };

struct Log {
  Heap *heap;
  FILE *out;
  LogState *before; /* by thread */
  uint64_t n_events;
  int error; /* of the stream: the errno of the first one; or 0 */
  size_t used;
  uint8_t buffer[LOG_BUFFER];
};

/* Events of these n words, at most LOG_LOOP_WORDS, by turns; n_events is at most LOG_LOOP_MOST. What the thread's next
 * event is counted from stays as it was: it is the caller's to change. */
void log_loop(Log *log, const uint32_t *words, uint32_t n, uint32_t n_events);
/* Writes what is in the buffer to the stream; a fault is kept in log->error. */
void log_flush(Log *log);
/* Appends an event that does not fit into a word. There must be LOG_EVENT_ROOM bytes left in the buffer. */
void log_long_event(Log *log, TraceOp op, uint32_t thread, int32_t location, int32_t object);

/* Makes room in the buffer for so many events, at most LOG_MOST_ROOM; where the next one goes. */
enum { LOG_MOST_ROOM = LOG_BUFFER / LOG_EVENT_ROOM };
static inline uint8_t *log_make_room(Log *log, uint32_t n) {
  if (log->used > LOG_BUFFER - (size_t)n * LOG_EVENT_ROOM) log_flush(log);
  return log->buffer + log->used;
}

/* Events of one thread that come again and again, one after the other, as each of them is. */
typedef struct {
  uint32_t word;       /* without the object */
  bool is_short;       /* that much of it fits into the word */
  uint32_t op, before; /* the operation; trace_log_before */
  int32_t place;       /* from the location of the one before it */
} LogStep;

static inline LogStep log_step_of(uint32_t thread, TraceOp op, uint32_t location, uint32_t location_before) {
  const int32_t place = (int32_t)(location - location_before);
  return (LogStep){trace_log_word(op, thread, place, 0), trace_log_is_short(op, thread, place, 0), op,
                   trace_log_before(op, location), place};
}

/* Does the event that is so far from the one before it in its object fit into a word? That word. */
static inline bool log_step_word(const LogStep *next, int64_t object, uint32_t *word) {
  *word = next->word | trace_log_file_order((uint32_t)object << (32 - LOG_OBJECT_BITS));
  return next->is_short && trace_log_fits(object, LOG_OBJECT_BITS);
}

/* Writes the event where log_make_room has said; after it. `before` is the thread's, whose location stays as it was. */
static inline uint8_t *log_step(uint8_t *to, LogState *before, uint32_t thread, const LogStep *next, uint32_t object) {
  const int32_t step = (int32_t)(object - before->object[next->before]);
  before->object[next->before] = object;
  uint32_t word;
  if (!log_step_word(next, step, &word)) return trace_log_put_long_event(to, next->op, thread, next->place, step);
  memcpy(to, &word, sizeof word);
  return to + sizeof word;
}

/* So many were written, up to here. */
static inline void log_steps_done(Log *log, const uint8_t *to, uint32_t n) {
  log->used = (size_t)(to - log->buffer);
  log->n_events += n;
}

/* Objects and locations are below 2^31. */
static inline void log_event(Log *log, uint32_t thread, TraceOp op, uint32_t object, uint32_t location) {
  LogState *before = &log->before[thread];
  uint32_t *last = &before->object[trace_log_before(op, location)];
  const int32_t place = (int32_t)(location - before->location), step = (int32_t)(object - *last);
  before->location = location;
  *last = object;
  log->n_events++;
  if (log->used > LOG_BUFFER - LOG_EVENT_ROOM) log_flush(log);
  if (trace_log_is_short(op, thread, place, step)) {
    const uint32_t word = trace_log_word(op, thread, place, step);
    memcpy(log->buffer + log->used, &word, sizeof word);
    log->used += sizeof word;
  } else {
    log_long_event(log, op, thread, place, step);
  }
}

#endif
