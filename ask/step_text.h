/* step_text.h: what step files (docs/confirming.md) say of a log's modules, codes and objects; for ask/steps.c, which
 * makes them of a prediction, and tools/tracerec/placing.c, which makes them of a witness. Texts are the arena's. */
#ifndef ASK_STEP_TEXT_H
#define ASK_STEP_TEXT_H

#include "base/arena.h"
#include "trace/trace.h"

enum { STEP_MODULES = 8, STEP_CODES = 16 }; /* docs/confirming.md: at most */

/* The first line, and one for each module. */
const char *step_head(Arena *arena, const TraceWhere *where);

/* Is the code one of the event's? */
typedef bool StepIs(const void *event, const TraceCode *code);

/* "1 1a2b,1a3c" for all code of the event; NULL: there is none, or it is too much, or of several modules, or of one
 * that has no line. */
const char *step_codes(Arena *arena, const TraceWhere *where, StepIs *is, const void *event);

/* "1+3c190:4" */
const char *step_object(Arena *arena, const TraceObject *object);

#endif
