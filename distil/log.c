#include "distil/log.h"

#include <string.h>

enum {
  NAME = 11,
  COMMENT = 12,
  END = 15,
  OTHER_THREAD = 0x10,
  OTHER_LOCATION = 0x20,
  SAME = 0x40,
  ONE_MORE = 0x80,
  ONE_LESS = 0xc0,
  BUFFER = 1 << 16,
  LONGEST = 64 /* bytes of an event, at most */
};

/* What an object is told from: the one before, of variables and locks, of threads, of labels. ORDER LogOp */
enum { OBJECTS, THREADS, LABELS, NOTHING, SORTS };
static const uint8_t SORT[] = {OBJECTS, OBJECTS, OBJECTS, OBJECTS, THREADS, THREADS, LABELS, NOTHING, NOTHING, NOTHING, OBJECTS};

typedef struct {
  uint32_t object[SORTS], location;
} Before;

struct Log {
  Heap *heap;
  FILE *out;
  Before *before; /* by thread */
  uint32_t thread; /* of the last event */
  uint64_t n_events;
  size_t used;
  unsigned char buffer[BUFFER];
};

Log *log_new(Heap *heap, FILE *out, uint32_t n_threads) {
  Log *log = heap_alloc(heap, sizeof *log);
  log->heap = heap;
  log->out = out;
  log->before = heap_zeroed(heap, heap_product(heap, n_threads + (size_t)1, sizeof *log->before));
  log->thread = UINT32_MAX;
  log->n_events = 0;
  memcpy(log->buffer, "CAUSAL\x01\n", 8);
  log->used = 8;
  return log;
}

static void flush(Log *log) {
  fwrite(log->buffer, 1, log->used, log->out);
  log->used = 0;
}

static void put_number(Log *log, uint64_t number) {
  for (; number >= 0x80; number >>= 7) log->buffer[log->used++] = (unsigned char)(number | 0x80);
  log->buffer[log->used++] = (unsigned char)number;
}

static void put_difference(Log *log, uint32_t from, uint32_t to) {
  const int64_t difference = (int64_t)to - (int64_t)from;
  put_number(log, (uint64_t)difference << 1 ^ (uint64_t)(difference >> 63));
}

static void put_bytes(Log *log, const char *bytes, size_t length) {
  put_number(log, length);
  flush(log);
  fwrite(bytes, 1, length, log->out);
}

void log_name(Log *log, LogName kind, const char *name, size_t length) {
  if (log->used > BUFFER - LONGEST - length % BUFFER) flush(log);
  log->buffer[log->used++] = NAME;
  log->buffer[log->used++] = (unsigned char)kind;
  if (length > BUFFER - LONGEST - log->used) {
    put_bytes(log, name, length);
    return;
  }
  put_number(log, length);
  memcpy(log->buffer + log->used, name, length);
  log->used += length;
}

void log_comment(Log *log, const char *text) {
  if (log->used > BUFFER - LONGEST) flush(log);
  log->buffer[log->used++] = COMMENT;
  put_bytes(log, text, strlen(text));
}

static unsigned object_bits(uint32_t before, uint32_t object) {
  return object == before ? SAME : object == before + 1 ? ONE_MORE : object + 1 == before ? ONE_LESS : 0;
}

void log_event(Log *log, uint32_t thread, LogOp op, uint32_t object, uint32_t location) {
  if (log->used > BUFFER - LONGEST) flush(log);
  Before *before = &log->before[thread];
  uint32_t *last = &before->object[SORT[op]];
  const unsigned how = object_bits(*last, object);
  unsigned char *head = &log->buffer[log->used++];
  *head = (unsigned char)(op | how | (thread != log->thread ? OTHER_THREAD : 0) | (location != before->location ? OTHER_LOCATION : 0));
  if (thread != log->thread) put_number(log, thread);
  if (location != before->location) put_difference(log, before->location, location);
  if (!how) put_difference(log, *last, object);
  log->thread = thread;
  before->location = location;
  *last = object;
  log->n_events++;
}

uint64_t log_end(Log *log) {
  if (log->used > BUFFER - LONGEST) flush(log);
  const uint64_t n = log->n_events;
  log->buffer[log->used++] = END;
  put_number(log, n);
  flush(log);
  heap_release(log->heap, log->before);
  heap_release(log->heap, log);
  return n;
}
