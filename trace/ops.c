#include "trace/ops.h"

#include <string.h>

/* ORDER TraceOp: ops.h says how many there are, and a missing one is an error here */
const char *const TRACE_OP_TEXT[] = {"r",    "w",    "acq", "rel",  "fork", "join", "begin", "end", "start",
                                     "exit", "free", "rmw", "sacq", "srel", "try",  "stry",  "sig", "wait"};
const uint8_t TRACE_SORT[] = {
    TRACE_ON_VARIABLE, TRACE_ON_VARIABLE, TRACE_ON_LOCK,    TRACE_ON_LOCK,    TRACE_ON_THREAD,   TRACE_ON_THREAD,
    TRACE_ON_LABEL,    TRACE_ON_NOTHING,  TRACE_ON_NOTHING, TRACE_ON_NOTHING, TRACE_ON_VARIABLE, TRACE_ON_VARIABLE,
    TRACE_ON_LOCK,     TRACE_ON_LOCK,     TRACE_ON_LOCK,    TRACE_ON_LOCK,    TRACE_ON_HANDOVER, TRACE_ON_HANDOVER};

/* ORDER TraceSort */
static const OpObject OBJECTS[TRACE_SORTS] = {OP_ALWAYS, OP_ALWAYS, OP_ALWAYS, OP_ALWAYS, OP_MAYBE, OP_NEVER};
static const TraceNameKind NAMES[TRACE_SORTS] = {TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME,
                                                 TRACE_THREAD_NAME, TRACE_LABEL_NAME,  TRACE_LABEL_NAME};

OpObject ops_object(uint32_t op) { return OBJECTS[TRACE_SORT[op]]; }
TraceNameKind ops_name(uint32_t op) { return NAMES[TRACE_SORT[op]]; }

uint8_t ops_find(const char *word, size_t length) {
  for (int op = 0; op < TRACE_OPS; op++)
    if (strlen(TRACE_OP_TEXT[op]) == length && memcmp(TRACE_OP_TEXT[op], word, length) == 0) return (uint8_t)op;
  return TRACE_OPS;
}

/* Of other tools' runs: the outcome of a test in the program; nothing at all. */
static bool is_nothing(const char *word, size_t length) {
  return (length == 6 && memcmp(word, "branch", 6) == 0) || (length == 5 && memcmp(word, "dummy", 5) == 0);
}

bool ops_is_word(const char *word, size_t length) {
  return ops_find(word, length) != TRACE_OPS || is_nothing(word, length);
}

bool ops_begins(const char *at, const char *end, const char *behind) {
  const char *start = at;
  while (at < end && !strchr(behind, *at)) at++;
  return ops_is_word(start, (size_t)(at - start));
}

const char *ops_parse(const char *text, size_t length, OpText *result) {
  const char *open = memchr(text, '(', length);
  const size_t word = open ? (size_t)(open - text) : length;
  const uint8_t op = ops_find(text, word);
  if (op == TRACE_OPS && !is_nothing(text, word))
    return "expected an operation: r, w, rmw, acq, rel, sacq, srel, try, stry, fork, join, sig, wait, begin, end, "
           "start, exit or free";
  if (open && text[length - 1] != ')') return "expected ')' after the object";
  if (op == TRACE_OPS) return *result = (OpText){.op = OP_NOTHING}, NULL;
  Part object = {0};
  if (open && ops_object(op) != OP_NEVER) object = (Part){open + 1, (size_t)(text + length - 2 - open)};
  if (!object.length) object.at = NULL;
  if (!object.at && ops_object(op) == OP_ALWAYS) return "expected an object in parentheses after the operation";
  *result = (OpText){op, object};
  return NULL;
}
