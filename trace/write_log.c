/* write_log.c: the binary log. */
#include "trace/writer.h"

#include "base/vec.h"
#include "trace/binary_log.h"

#include <assert.h>
#include <string.h>

enum { ROOM = 1 << 16 };

struct LogWriter {
  uint64_t n_events;
  uint32_t n_known[TRACE_NAME_KINDS]; /* the numbers below were named, or used */
  VEC(LogState) before;               /* by thread */
  uint32_t n;                         /* bytes that wait to be written */
  uint8_t bytes[ROOM];
};

/* What the object of an operation is. ORDER TraceOp */
static const TraceNameKind KIND[] = {
    TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_THREAD_NAME, TRACE_THREAD_NAME,
    TRACE_LABEL_NAME,  TRACE_LABEL_NAME,  TRACE_LABEL_NAME,  TRACE_LABEL_NAME,  TRACE_OBJECT_NAME};
_Static_assert(sizeof KIND / sizeof *KIND == TRACE_OPS, "ORDER TraceOp");

/* ---- bytes ---- */

static void flush(TraceWriter *writer) {
  fwrite(writer->log->bytes, 1, writer->log->n, writer->out);
  writer->log->n = 0;
}

static void put_number(LogWriter *log, uint64_t number) {
  log->n = (uint32_t)(log_put_number(log->bytes + log->n, number) - log->bytes);
}

static void put_name(TraceWriter *writer, TraceNameKind kind, const char *name) {
  LogWriter *log = writer->log;
  const size_t length = strlen(name);
  assert(log->n + 2 + 10 <= ROOM);
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
  name_below(writer, TRACE_THREAD_NAME, event->thread + 1);
  if (event->location != TRACE_NONE) name_below(writer, TRACE_LOCATION_NAME, event->location + 1);
  if (event->object != TRACE_NONE) name_below(writer, KIND[event->op], event->object + 1);
}

void log_write(TraceWriter *writer, const TraceEvent *event) {
  assert(event->op < TRACE_OPS && event->thread != TRACE_NONE);
  LogWriter *log = writer->log;
  if (log->n > ROOM - LOG_EVENT_ROOM - 16) flush(writer);
  name_parts(writer, event);
  if (event->thread >= log->before.n) vec_resize_zeroed(writer->heap, &log->before, event->thread + 1);
  LogState *before = &log->before.at[event->thread];
  uint32_t *object_before = &before->object[log_before(event->op, event->location + 1)];
  const int64_t location = (int64_t)(event->location + 1) - before->location;
  const int64_t object = (int64_t)(event->object + 1) - *object_before;
  if (log_is_short(event->thread, location, object)) {
    const uint32_t word = log_word(event->op, event->thread, location, object);
    memcpy(log->bytes + log->n, &word, LOG_WORD);
    log->n += LOG_WORD;
  } else {
    log->n = (uint32_t)(log_put_long_event(log->bytes + log->n, event->op, event->thread, location, object) - log->bytes);
  }
  before->location = event->location + 1;
  assert(log->n <= ROOM);
  *object_before = event->object + 1;
  log->n_events++;
}

void log_write_begin(TraceWriter *writer) {
  assert(!writer->log);
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
