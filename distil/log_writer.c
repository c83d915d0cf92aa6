#include "distil/log_writer.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

Log *log_new(Heap *heap, FILE *out, uint32_t n_threads) {
  Log *log = heap_alloc(heap, sizeof *log);
  log->heap = heap;
  log->out = out;
  log->before = heap_zeroed(heap, heap_product(heap, n_threads + (size_t)1, sizeof *log->before));
  log->n_events = 0;
  log->error = 0;
  memcpy(log->buffer, TRACE_MAGIC, TRACE_MAGIC_LENGTH);
  log->used = TRACE_MAGIC_LENGTH;
  return log;
}

static void put(Log *log, const void *bytes, size_t length) {
  errno = 0;
  if (fwrite(bytes, 1, length, log->out) < length && !log->error) log->error = errno ? errno : EIO;
}

void log_flush(Log *log) {
  assert(log->used <= LOG_BUFFER);
  put(log, log->buffer, log->used);
  log->used = 0;
}

static void put_number(Log *log, uint64_t number) {
  log->used = (size_t)(trace_log_put_number(log->buffer + log->used, number) - log->buffer);
}

static void put_bytes(Log *log, const char *bytes, size_t length) {
  put_number(log, length);
  log_flush(log);
  put(log, bytes, length);
}

void log_name(Log *log, TraceNameKind kind, const char *name, size_t length) {
  assert(kind < TRACE_NAME_KINDS && !memchr(name, '\0', length));
  if (log->used > LOG_BUFFER - LOG_EVENT_ROOM - length % LOG_BUFFER) log_flush(log);
  log->buffer[log->used++] = LOG_NAME;
  log->buffer[log->used++] = (uint8_t)kind;
  if (length > LOG_BUFFER - LOG_EVENT_ROOM - log->used) {
    put_bytes(log, name, length);
    return;
  }
  put_number(log, length);
  memcpy(log->buffer + log->used, name, length);
  log->used += length;
}

void log_loop(Log *log, const uint32_t *words, uint32_t n, uint32_t n_events) {
  assert(n && n <= LOG_LOOP_WORDS && n_events && n_events <= LOG_LOOP_MOST);
  if (log->used > LOG_BUFFER - LOG_LOOP_ROOM) log_flush(log);
  log->buffer[log->used++] = LOG_LOOP;
  put_number(log, n);
  put_number(log, n_events);
  memcpy(log->buffer + log->used, words, n * sizeof *words);
  log->used += n * sizeof *words;
  log->n_events += n_events;
}

void log_long_event(Log *log, TraceOp op, uint32_t thread, int32_t location, int32_t object) {
  assert(log->used <= LOG_BUFFER - LOG_EVENT_ROOM);
  log->used = (size_t)(trace_log_put_long_event(log->buffer + log->used, op, thread, location, object) - log->buffer);
}

static void put_comment(Log *log, const uint8_t *text, size_t n) {
  if (log->used > LOG_BUFFER - LOG_EVENT_ROOM - n) log_flush(log);
  log->buffer[log->used++] = LOG_COMMENT;
  put_number(log, n);
  memcpy(log->buffer + log->used, text, n);
  log->used += n;
}

void log_module(Log *log, const uint8_t *id, uint32_t n) {
  uint8_t text[1 + LOG_ID] = {LOG_MODULE};
  assert(n <= LOG_ID);
  memcpy(text + 1, id, n);
  put_comment(log, text, n + (size_t)1);
}

static void put_note(Log *log, uint8_t what, const uint64_t numbers[4]) {
  uint8_t text[LOG_NOTE_ROOM] = {what}, *to = text + 1;
  for (uint32_t i = 0; i < 4; i++) to = trace_log_put_number(to, numbers[i]);
  put_comment(log, text, (size_t)(to - text));
}

void log_code(Log *log, uint32_t location, TraceOp op, uint32_t module, uint64_t code) {
  put_note(log, LOG_CODE, (const uint64_t[]){location, op, module, code});
}

void log_object(Log *log, uint32_t object, uint32_t module, uint64_t at, uint64_t size) {
  put_note(log, LOG_OBJECT, (const uint64_t[]){object, module, at, size});
}

void log_calls(Log *log, uint32_t thread, uint32_t location, const uint32_t *callers, uint32_t n) {
  uint8_t text[LOG_CALLS_ROOM] = {LOG_CALLS};
  assert(n <= LOG_CALLERS);
  uint8_t *to = trace_log_put_number(trace_log_put_number(text + 1, thread), location);
  for (uint32_t i = 0; i < n; i++) to = trace_log_put_number(to, callers[i]);
  put_comment(log, text, (size_t)(to - text));
}

void log_part(Log *log, const char *words) {
  uint8_t text[1 + LOG_PART_MOST] = {LOG_PART};
  const size_t n = strnlen(words, LOG_PART_MOST);
  memcpy(text + 1, words, n);
  put_comment(log, text, n + 1);
}

void log_late(Log *log) { put_comment(log, (const uint8_t[]){LOG_LATE}, 1); }

uint64_t log_end(Log *log, bool whole) {
  if (log->used > LOG_BUFFER - LOG_EVENT_ROOM) log_flush(log);
  const uint64_t n = log->n_events;
  if (whole) {
    log->buffer[log->used++] = LOG_END;
    put_number(log, n);
  }
  log_flush(log);
  heap_release(log->heap, log->before);
  heap_release(log->heap, log);
  return n;
}
