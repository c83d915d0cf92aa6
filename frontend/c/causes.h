/* causes.h: where an address comes from of which nothing is known: for who is told of it. Nothing that is proved hangs
 * on this. */
#ifndef FRONTEND_C_CAUSES_H
#define FRONTEND_C_CAUSES_H

#include "frontend/c/points.h"

/* The instruction that it comes from, in a context, and what that does. */
typedef struct {
  uint32_t context, instruction; /* C_NONE: that is not known */
  const char *what;              /* "what 'get' returns"; the points' arena's, or lives longer */
} CCause;

/* Of operand n of an instruction in a context, which may lead to OBJECT_UNKNOWN, or leads nowhere. Points are solved.
 */
CCause cause_of(Points *points, uint32_t context, const CInstruction *i, uint32_t n);

/* ---- while points are solved ---- */

/* What is not known has come to a node, or to what is stored at a target: by the node that is solved now. `full`: since
 * the set was too large. */
void cause_comes(Points *points, uint32_t node, bool full);
void cause_is_put(Points *points, uint32_t target, bool full);

#endif
