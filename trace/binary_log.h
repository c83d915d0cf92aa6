/* binary_log.h: the binary log's constants, and how its numbers and events are written. docs/traces.md has the format.
 */
#ifndef TRACE_BINARY_LOG_H
#define TRACE_BINARY_LOG_H

#include <stdbool.h>
#include <stdint.h>

/* Logs of older versions are read as well. Version 3 has no loops, version 2 no later operations, either. */
#define TRACE_MAGIC "CAUSAL\x04\n"
#define TRACE_MAGIC_3 "CAUSAL\x03\n"
#define TRACE_MAGIC_2 "CAUSAL\x02\n"
#define TRACE_MAGIC_LENGTH 8

/* The low four bits of a record's first byte: its kind, for a short event the operation, or that it is a later one,
 * which follows in some of the bits that the others have for the thread. */
enum { LOG_KIND = 0x0f, LOG_NAME = 11, LOG_COMMENT = 12, LOG_EVENT = 13, LOG_LATER = 14, LOG_END = 15 };

/* The first byte of a loop; the words and the events that it has at most. */
enum { LOG_LOOP = 0x1f, LOG_LOOP_WORDS = 16, LOG_LOOP_MOST = 1 << 16 };

/* The operations below have kinds; they, and those from there on, are TraceOps. */
enum { LOG_FIRST_LATER = 11, LOG_OPS = 18 };

/* A short event is a word: the operation, the thread, the differences of location and object. */
enum {
  LOG_WORD = 4,
  LOG_OP_BITS = 4,
  LOG_THREAD_BITS = 10,
  LOG_LATER_OP_BITS = 3,
  LOG_LATER_THREAD_BITS = LOG_THREAD_BITS - LOG_LATER_OP_BITS,
  LOG_LOCATION_BITS = 7,
  LOG_OBJECT_BITS = 11
};

/* What an object is counted from: of each thread, the one of its last event with the same number here. ORDER TraceOp
 * (trace/trace.h) */
enum { LOG_PLACES = 16, LOG_OTHER_THREAD = LOG_PLACES, LOG_LABEL, LOG_NOTHING, LOG_BEFORES };

/* Of an operation: which of LogState.object its object is counted from. */
typedef struct {
  uint8_t number, mask; /* the number, plus the bits of the location under the mask */
} LogBefore;

static const LogBefore LOG_BEFORE[] = {
    {0, LOG_PLACES - 1},   {0, LOG_PLACES - 1}, {0, LOG_PLACES - 1}, {0, LOG_PLACES - 1}, {LOG_OTHER_THREAD, 0},
    {LOG_OTHER_THREAD, 0}, {LOG_LABEL, 0},      {LOG_NOTHING, 0},    {LOG_NOTHING, 0},    {LOG_NOTHING, 0},
    {0, LOG_PLACES - 1},   {0, LOG_PLACES - 1}, {0, LOG_PLACES - 1}, {0, LOG_PLACES - 1}, {0, LOG_PLACES - 1},
    {0, LOG_PLACES - 1},   {0, LOG_PLACES - 1}, {0, LOG_PLACES - 1}};
_Static_assert(sizeof LOG_BEFORE / sizeof *LOG_BEFORE == LOG_OPS, "a row for each operation");

/* Which of LogState.object the operation's object is counted from; `location` counts from 1. Less than LOG_BEFORES. */
static inline uint32_t trace_log_before(uint32_t op, uint32_t location) {
  return LOG_BEFORE[op].number + (location & LOG_BEFORE[op].mask);
}

/* Of a thread, what its next event is counted from; numbers count from 1. */
typedef struct {
  uint32_t object[LOG_BEFORES], location, unused[12]; /* 128 bytes are found faster than 80 */
} LogState;
_Static_assert(sizeof(LogState) == 128, "a power of two");

/* ---- writing: bytes at `to`, where there is room; what comes after them ---- */

enum { LOG_NUMBER_ROOM = 10, LOG_EVENT_ROOM = 2 + 3 * LOG_NUMBER_ROOM };
enum { LOG_LOOP_ROOM = 1 + 2 * LOG_NUMBER_ROOM + LOG_WORD * LOG_LOOP_WORDS };

/* What a comment begins with that is a call stack; the callers that it has at most; the bytes of all of it. */
enum { LOG_CALLS = 1, LOG_CALLERS = 3, LOG_CALLS_ROOM = 1 + (2 + LOG_CALLERS) * LOG_NUMBER_ROOM };

/* What comments begin with that say where an event's code or an object is in which module; the bytes of a build-id at
 * most, and of all of such a comment. */
enum { LOG_MODULE = 2, LOG_CODE = 3, LOG_OBJECT = 4, LOG_ID = 32, LOG_NOTE_ROOM = 1 + 4 * LOG_NUMBER_ROOM };

/* What comments begin with that say that the log is of a part of the run only: accesses are left out, text says which
 * are there, of so many bytes at most; or it begins in the middle. */
enum { LOG_PART = 5, LOG_LATE = 6, LOG_PART_MOST = 200 };

/* At most LOG_NUMBER_ROOM bytes, as for a signed number. */
static inline uint8_t *trace_log_put_number(uint8_t *to, uint64_t number) {
  for (; number >= 0x80; number >>= 7) *to++ = (uint8_t)(number | 0x80);
  *to++ = (uint8_t)number;
  return to;
}

/* At most LOG_NUMBER_ROOM bytes: the sign is in the lowest bit, so numbers near 0 are short. */
static inline uint8_t *trace_log_put_signed(uint8_t *to, int64_t number) {
  return trace_log_put_number(to, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}

/* Is it a signed number of so many bits? */
static inline bool trace_log_fits(int64_t number, uint32_t bits) {
  return (uint64_t)(number + (INT64_C(1) << (bits - 1))) >> bits == 0;
}

/* Does the event, by the differences of its location and its object, fit into a word? */
static inline bool trace_log_is_short(uint32_t op, uint32_t thread, int64_t location, int64_t object) {
  const uint32_t thread_bits = op < LOG_FIRST_LATER ? LOG_THREAD_BITS : LOG_LATER_THREAD_BITS;
  return thread >> thread_bits == 0 && trace_log_fits(location, LOG_LOCATION_BITS) &&
         trace_log_fits(object, LOG_OBJECT_BITS);
}

/* The word whose bytes in memory are those of the file: the lowest first. */
static inline uint32_t trace_log_file_order(uint32_t word) {
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap32(word);
}

/* An event, by the differences of its location and its object, if it is short, in the order of the file. */
static inline uint32_t trace_log_word(uint32_t op, uint32_t thread, int64_t location, int64_t object) {
  const uint32_t bits = (uint32_t)location & ((1 << LOG_LOCATION_BITS) - 1);
  const uint32_t low = op < LOG_FIRST_LATER ? op | thread << LOG_OP_BITS
                                            : LOG_LATER | (op - LOG_FIRST_LATER) << LOG_OP_BITS |
                                                  thread << (LOG_OP_BITS + LOG_LATER_OP_BITS);
  return trace_log_file_order(low | bits << (LOG_OP_BITS + LOG_THREAD_BITS) |
                              (uint32_t)object << (32 - LOG_OBJECT_BITS));
}

/* At most LOG_EVENT_ROOM bytes. */
static inline uint8_t *trace_log_put_long_event(uint8_t *to, uint32_t op, uint32_t thread, int64_t location,
                                                int64_t object) {
  if (op < LOG_FIRST_LATER) *to++ = (uint8_t)(LOG_EVENT | op << LOG_OP_BITS);
  else *to++ = LOG_EVENT | LOG_LATER << LOG_OP_BITS, *to++ = (uint8_t)op;
  to = trace_log_put_number(to, thread);
  to = trace_log_put_signed(to, location);
  return trace_log_put_signed(to, object);
}

#endif
