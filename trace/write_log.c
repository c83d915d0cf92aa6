/* write_log.c: the binary log. */
#include "trace/writer.h"

#include "base/vec.h"
#include "trace/log.h"

#include <string.h>

enum { ROOM = 1 << 16, LONGEST_EVENT = 1 + 3 * 10, SORTS = 3 };

/* Of a thread, what its next event is told from; numbers count from 1. */
typedef struct {
  uint32_t object[SORTS], location;
} Before;

struct LogWriter {
  uint64_t n_events;
  uint32_t thread;                    /* of the event before */
  uint32_t n_known[TRACE_NAME_KINDS]; /* the numbers below were named, or used */
  VEC(Before) before;                 /* by thread */
  uint32_t n;                         /* bytes that wait to be written */
  uint8_t bytes[ROOM];
};

/* Where an operation's object before is, and what it is. ORDER TraceOp */
static const uint8_t SORT[TRACE_OPS] = {0, 0, 0, 0, 1, 1, 2, SORTS, SORTS, SORTS, 0};
static const TraceNameKind KIND[SORTS] = {TRACE_OBJECT_NAME, TRACE_THREAD_NAME, TRACE_LABEL_NAME};

/* ---- bytes ---- */

static void flush(TraceWriter *writer) {
  fwrite(writer->log->bytes, 1, writer->log->n, writer->out);
  writer->log->n = 0;
}

static void put_number(LogWriter *log, uint64_t number) {
  for (; number >= 0x80; number >>= 7) log->bytes[log->n++] = (uint8_t)(number | 0x80);
  log->bytes[log->n++] = (uint8_t)number;
}

static void put_signed(LogWriter *log, int64_t number) {
  put_number(log, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}

static void put_name(TraceWriter *writer, TraceNameKind kind, const char *name) {
  LogWriter *log = writer->log;
  const size_t length = strlen(name);
  log->bytes[log->n++] = LOG_NAME;
  log->bytes[log->n++] = (uint8_t)kind;
  put_number(log, length);
  flush(writer);
  fwrite(name, 1, length, writer->out);
}

/* Names what has a number below n; also what has no name, since an event may use two new numbers of a kind. */
static void name_below(TraceWriter *writer, TraceNameKind kind, uint32_t n) {
  uint32_t *known = &writer->log->n_known[kind];
  const uint32_t n_named = writer->names ? trace_name_count(writer->names, kind) : 0;
  for (; *known < n; ++*known) put_name(writer, kind, *known < n_named ? trace_name(writer->names, kind, *known) : "");
}

/* ---- events ---- */

static void name_parts(TraceWriter *writer, const TraceEvent *event) {
  const uint8_t sort = SORT[event->op];
  name_below(writer, TRACE_THREAD_NAME, event->thread + 1);
  if (event->location != TRACE_NONE) name_below(writer, TRACE_LOCATION_NAME, event->location + 1);
  if (sort < SORTS && event->object != TRACE_NONE) name_below(writer, KIND[sort], event->object + 1);
}

/* How the object is told from the one before. */
static uint8_t object_bits(uint32_t before, uint32_t object) {
  return object == before ? LOG_SAME : object == before + 1 ? LOG_NEXT : object + 1 == before ? LOG_PREVIOUS : LOG_DIFFERENCE;
}

void log_write(TraceWriter *writer, const TraceEvent *event) {
  LogWriter *log = writer->log;
  if (log->n > ROOM - LONGEST_EVENT - 16) flush(writer);
  name_parts(writer, event);
  if (event->thread >= log->before.n) vec_resize_zeroed(writer->heap, &log->before, event->thread + 1);
  Before *before = &log->before.at[event->thread];
  const uint32_t location = event->location + 1, object = event->object + 1;
  const uint8_t sort = SORT[event->op], bits = sort < SORTS ? object_bits(before->object[sort], object) : LOG_SAME;
  const bool new_thread = !log->n_events || event->thread != log->thread, new_location = location != before->location;
  log->bytes[log->n++] = (uint8_t)(event->op | bits | (new_thread ? LOG_THREAD : 0) | (new_location ? LOG_LOCATION : 0));
  if (new_thread) put_number(log, event->thread);
  if (new_location) put_signed(log, (int64_t)location - before->location);
  if (bits == LOG_DIFFERENCE) put_signed(log, (int64_t)object - before->object[sort]);
  before->location = location;
  if (sort < SORTS) before->object[sort] = object;
  log->thread = event->thread;
  log->n_events++;
}

void log_write_begin(TraceWriter *writer) {
  writer->log = heap_zeroed(writer->heap, sizeof *writer->log);
  fwrite(TRACE_MAGIC, 1, TRACE_MAGIC_LENGTH, writer->out);
}

void log_write_end(TraceWriter *writer) {
  LogWriter *log = writer->log;
  for (TraceNameKind kind = 0; writer->names && kind < TRACE_NAME_KINDS; kind++) {
    name_below(writer, kind, trace_name_count(writer->names, kind));
    flush(writer);
  }
  log->bytes[log->n++] = LOG_END;
  put_number(log, log->n_events);
  flush(writer);
  vec_fini(writer->heap, &log->before);
  heap_release(writer->heap, log);
}
