/* points_inside.h: what the files of points share. */
#ifndef FRONTEND_C_POINTS_INSIDE_H
#define FRONTEND_C_POINTS_INSIDE_H

#include "frontend/c/points.h"

/* The node of an instruction in a context. */
static inline uint32_t node_of(const Points *p, uint32_t context, uint32_t i) {
  const CContext *c = &p->contexts.at[context];
  return c->base + (i - p->module->functions.at[c->function].start);
}

/* ---- where control may come: points_reach.c ---- */

/* The context's entry is come to. */
void reach_enter(Points *p, uint32_t context);

/* Control is at the end of the block: goes on from there. */
void reach_on(Points *p, uint32_t context, uint32_t block);

/* ---- numbers: points_number.c ---- */

static inline CNumber number_any(void) { return (CNumber){NUMBER_ANY, 0}; }

/* What number an operand is in a context, as far as it is known in this round. */
CNumber number_of(const Points *p, uint32_t context, const COperand *operand);

/* The node's value may be that number, too. */
void number_add(Points *p, uint32_t node, CNumber number);

/* Adds what the instruction computes to its node; what calls give comes by number_add. */
void number_solve(Points *p, uint32_t context, const CInstruction *i, uint32_t node);

#endif
