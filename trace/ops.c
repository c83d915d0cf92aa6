#include "trace/ops.h"

#include <string.h>

/* ORDER TraceOp: ops.h says how many there are, and a missing one is an error here */
const char *const TRACE_OP_TEXT[] = {"r", "w", "acq", "rel", "fork", "join", "begin", "end", "start", "exit", "free"};
const OpObject TRACE_OP_OBJECT[] = {OP_ALWAYS, OP_ALWAYS, OP_ALWAYS, OP_ALWAYS, OP_ALWAYS, OP_ALWAYS,
                                    OP_MAYBE,  OP_NEVER,  OP_NEVER,  OP_NEVER,  OP_ALWAYS};
const TraceNameKind TRACE_OP_NAME[] = {TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME, TRACE_OBJECT_NAME,
                                       TRACE_THREAD_NAME, TRACE_THREAD_NAME, TRACE_LABEL_NAME,  TRACE_LABEL_NAME,
                                       TRACE_LABEL_NAME,  TRACE_LABEL_NAME,  TRACE_OBJECT_NAME};

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
    return "expected an operation: r, w, acq, rel, fork, join, begin, end, start, exit or free";
  if (open && text[length - 1] != ')') return "expected ')' after the object";
  if (op == TRACE_OPS) return *result = (OpText){.op = OP_NOTHING}, NULL;
  Part object = {0};
  if (open && TRACE_OP_OBJECT[op] != OP_NEVER) object = (Part){open + 1, (size_t)(text + length - 2 - open)};
  if (!object.length) object.at = NULL;
  if (!object.at && TRACE_OP_OBJECT[op] == OP_ALWAYS) return "expected an object in parentheses after the operation";
  *result = (OpText){op, object};
  return NULL;
}
