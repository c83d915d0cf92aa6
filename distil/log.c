#include "distil/log.h"

#include <string.h>

enum { NAME = 11, COMMENT = 12, EVENT = 13, END = 15 }; /* kinds of records */
enum { THREAD_BITS = 10, LOCATION_BITS = 7, OBJECT_BITS = 11, LOCATION_AT = 4 + THREAD_BITS, OBJECT_AT = LOCATION_AT + LOCATION_BITS };
enum { BUFFER = 1 << 16, LONGEST = 64 /* bytes of an event, at most */ };

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
  uint64_t n_events;
  size_t used;
  unsigned char buffer[BUFFER];
};

Log *log_new(Heap *heap, FILE *out, uint32_t n_threads) {
  Log *log = heap_alloc(heap, sizeof *log);
  log->heap = heap;
  log->out = out;
  log->before = heap_zeroed(heap, heap_product(heap, n_threads + (size_t)1, sizeof *log->before));
  log->n_events = 0;
  memcpy(log->buffer, "CAUSAL\x02\n", 8);
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

static void put_signed(Log *log, int64_t number) { put_number(log, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0)); }

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

/* Is it a signed number of so many bits? */
static bool fits(int64_t number, unsigned bits) { return (uint64_t)(number + (1 << (bits - 1))) < 1u << bits; }

static void put_word(Log *log, uint32_t word) {
  for (unsigned i = 0; i < 4; i++) log->buffer[log->used + i] = (unsigned char)(word >> 8 * i);
  log->used += 4;
}

void log_event(Log *log, uint32_t thread, LogOp op, uint32_t object, uint32_t location) {
  if (log->used > BUFFER - LONGEST) flush(log);
  Before *before = &log->before[thread];
  uint32_t *last = &before->object[SORT[op]];
  const int64_t place = (int64_t)location - before->location, step = (int64_t)object - *last;
  if (thread >> THREAD_BITS == 0 && fits(place, LOCATION_BITS) && fits(step, OBJECT_BITS)) {
    const uint32_t bits = (uint32_t)place & ((1 << LOCATION_BITS) - 1);
    put_word(log, op | thread << 4 | bits << LOCATION_AT | (uint32_t)step << OBJECT_AT);
  } else {
    log->buffer[log->used++] = (unsigned char)(EVENT | op << 4);
    put_number(log, thread);
    put_signed(log, place);
    put_signed(log, step);
  }
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
