/* ops.h: how operations are written in STD and CSV. */
#ifndef TRACE_OPS_H
#define TRACE_OPS_H

#include "trace/trace.h"

#include <stddef.h>

/* ORDER TraceOp */
extern const char *const TRACE_OP_TEXT[TRACE_OPS];

/* Has the operation an object: none, perhaps one, or always one? */
typedef enum { OP_NEVER, OP_MAYBE, OP_ALWAYS } OpObject;
OpObject ops_object(uint32_t op);

/* What the object is a name of; of what has none, a label. */
TraceNameKind ops_name(uint32_t op);

/* The TraceOp, or TRACE_OPS if the word is not an operation. */
uint8_t ops_find(const char *word, size_t length);

/* Is the word a TraceOp, or an event that means nothing here? */
bool ops_is_word(const char *word, size_t length);

/* Is what stands from `at` to `end` a TraceOp, or such an event, and then the end or one of the bytes after it? */
bool ops_begins(const char *at, const char *end, const char *behind);

/* A part of a line. */
typedef struct {
  const char *at; /* NULL: it is not there */
  size_t length;
} Part;

/* OP [ "(" OBJECT ")" ], the object from the first "(" to the last byte, which must be ")". */
typedef struct {
  uint8_t op; /* TraceOp, or OP_NOTHING: `dummy` and `branch`, which are passed over */
  Part object;
} OpText;

enum { OP_NOTHING = TRACE_OPS };

/* NULL, or what was expected instead. */
const char *ops_parse(const char *text, size_t length, OpText *result);

#endif
