/* log.h: the binary log's constants. docs/traces.md has the format. */
#ifndef TRACE_LOG_H
#define TRACE_LOG_H

#include <stdint.h>

#define TRACE_MAGIC "CAUSAL\x02\n"
#define TRACE_MAGIC_LENGTH 8

/* The low four bits of a record's first byte: its kind, for a short event the operation. */
enum { LOG_KIND = 0x0f, LOG_NAME = 11, LOG_COMMENT = 12, LOG_EVENT = 13, LOG_END = 15 };

/* A short event is a word: the operation, the thread, the differences of location and object. */
enum { LOG_WORD = 4, LOG_OP_BITS = 4, LOG_THREAD_BITS = 10, LOG_LOCATION_BITS = 7, LOG_OBJECT_BITS = 11 };

/* What an object is told from: of each thread, the one of its last event with the same number here. ORDER TraceOp (trace/trace.h) */
enum { LOG_PLACES = 16, LOG_OTHER_THREAD = LOG_PLACES, LOG_LABEL, LOG_NOTHING, LOG_NO_EVENT, LOG_BEFORES };

typedef struct {
  uint8_t number, mask; /* the number, plus the bits of the location under the mask */
} LogBefore;

static const LogBefore LOG_BEFORE[LOG_KIND + 1] = {
    {0, LOG_PLACES - 1}, {0, LOG_PLACES - 1}, {0, LOG_PLACES - 1}, {0, LOG_PLACES - 1}, {LOG_OTHER_THREAD, 0}, {LOG_OTHER_THREAD, 0},
    {LOG_LABEL, 0},      {LOG_NOTHING, 0},    {LOG_NOTHING, 0},    {LOG_NOTHING, 0},    {0, LOG_PLACES - 1},   {LOG_NO_EVENT, 0},
    {LOG_NO_EVENT, 0},   {LOG_NO_EVENT, 0},   {LOG_NO_EVENT, 0},   {LOG_NO_EVENT, 0}};

static inline uint32_t log_before(uint32_t op, uint32_t location) {
  return LOG_BEFORE[op].number + (location & LOG_BEFORE[op].mask);
}

#endif
