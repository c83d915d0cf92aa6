#include "distil/log.h"

#include <endian.h>
#include <string.h>

enum { NAME = 11, COMMENT = 12, EVENT = 13, END = 15 }; /* kinds of records */
enum { THREAD_BITS = 10, LOCATION_BITS = 7, OBJECT_BITS = 11, LOCATION_AT = 4 + THREAD_BITS, OBJECT_AT = LOCATION_AT + LOCATION_BITS };
enum { BUFFER = 1 << 18, LONGEST = 16 /* bytes of an event, at most */ };

/* What an object is told from: the one before, of variables and locks at places with the same low bits, of threads, of labels. */
enum { PLACES = 16, THREADS = PLACES, LABELS, NOTHING, BEFORES };

static uint32_t before_of(LogOp op, uint32_t location) {
  static const uint8_t OTHER[] = {[LOG_FORK] = THREADS, [LOG_JOIN] = THREADS, [LOG_BEGIN] = LABELS, [LOG_END] = NOTHING,
                                  [LOG_START] = NOTHING, [LOG_EXIT] = NOTHING, [LOG_FREE] = 0};
  return op < LOG_FORK || !OTHER[op] ? location % PLACES : OTHER[op];
}

typedef struct {
  uint32_t object[BEFORES], location, unused[12]; /* 128 bytes are found faster than 80 */
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

/* Is the difference, of numbers below 2^31, a signed number of so many bits? */
static inline bool fits(uint32_t difference, unsigned bits) { return difference + (1u << (bits - 1)) < 1u << bits; }

static void put_long_event(Log *log, uint32_t thread, LogOp op, int32_t step, int32_t place) {
  log->buffer[log->used++] = (unsigned char)(EVENT | op << 4);
  put_number(log, thread);
  put_signed(log, place);
  put_signed(log, step);
}

/* Where the event is to be written; behind it. */
static inline unsigned char *put_event(Log *log, unsigned char *to, Before *before, uint32_t thread, LogOp op, uint32_t object, uint32_t location) {
  uint32_t *last = &before->object[before_of(op, location)];
  const uint32_t place = location - before->location, step = object - *last;
  before->location = location;
  *last = object;
  if (thread >> THREAD_BITS == 0 && fits(place, LOCATION_BITS) && fits(step, OBJECT_BITS)) {
    const uint32_t word = htole32(op | thread << 4 | (place & ((1 << LOCATION_BITS) - 1)) << LOCATION_AT | step << OBJECT_AT);
    memcpy(to, &word, sizeof word);
    return to + sizeof word;
  }
  log->used = (size_t)(to - log->buffer);
  put_long_event(log, thread, op, (int32_t)step, (int32_t)place);
  return log->buffer + log->used;
}

void log_event(Log *log, uint32_t thread, LogOp op, uint32_t object, uint32_t location) {
  if (log->used > BUFFER - LONGEST) flush(log);
  log->used = (size_t)(put_event(log, log->buffer + log->used, &log->before[thread], thread, op, object, location) - log->buffer);
  log->n_events++;
}

void log_accesses(Log *log, uint32_t thread, const LogAccess *accesses, uint32_t n) {
  Before *before = &log->before[thread];
  log->n_events += n;
  while (n) {
    if (log->used > BUFFER - LONGEST) flush(log);
    const uint32_t room = (uint32_t)(BUFFER - log->used) / LONGEST, some = n < room ? n : room;
    unsigned char *to = log->buffer + log->used;
    for (uint32_t i = 0; i < some; i++)
      to = put_event(log, to, before, thread, accesses[i].location_op & 1 ? LOG_WRITE : LOG_READ, accesses[i].object, accesses[i].location_op >> 1);
    log->used = (size_t)(to - log->buffer);
    accesses += some;
    n -= some;
  }
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
