/* Two instructions are compared in the function from which both are called, or are: there each stands for the call that
 * it is done in. What is done in a call has been done behind it if it is done on each way through its function. */
#include "frontend/c/order.h"

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static uint32_t block_of(const Points *p, uint32_t i) { return instruction(p, i)->block; }

/* ---- the function from which both are called ---- */

typedef struct {
  uint32_t context;
  uint32_t first, other; /* the instructions there */
} Both;

/* The instruction of a context in which that one of a context below it is done; C_NONE: it is not below. */
static uint32_t place_in(const Points *p, uint32_t context, CSpot it) {
  while (it.context != context) {
    const CContext *c = &p->contexts.at[it.context];
    if (c->parent == C_NONE) return C_NONE;
    it = (CSpot){c->parent, c->call};
  }
  return it.value;
}

static bool find_both(const Points *p, CSpot first, CSpot other, Both *both) {
  for (uint32_t c = first.context; c != C_NONE; c = p->contexts.at[c].parent) {
    const uint32_t there = place_in(p, c, other);
    if (there == C_NONE) continue;
    *both = (Both){c, place_in(p, c, first), there};
    return true;
  }
  return false;
}

/* ---- what is done in calls ---- */

static bool is_on_each_way(const Points *p, const Dominators *d, CSpot it) {
  const CFunction *f = &p->module->functions.at[p->contexts.at[it.context].function];
  for (uint32_t b = f->blocks; b < f->blocks_end; b++) {
    const uint32_t last = p->module->blocks.at[b].end - 1;
    if (instruction(p, last)->kind == C_RETURN && points_reaches(p, it.context, b) &&
        !dominators_is_before(d, it.value, last))
      return false;
  }
  return true;
}

/* Has it been done whenever the call there returns that it is done in? */
static bool is_done_behind(const Points *p, const Dominators *d, CSpot it, uint32_t context) {
  while (it.context != context) {
    const CContext *c = &p->contexts.at[it.context];
    if (!is_on_each_way(p, d, it) || points_callee(p, c->parent, c->call) != it.context) return false;
    it = (CSpot){c->parent, c->call};
  }
  return true;
}

/* Is it done once at most in each call there? */
static bool is_done_once(const Points *p, CSpot it, uint32_t context) {
  while (it.context != context) {
    if (p->module->blocks.at[block_of(p, it.value)].repeats) return false;
    it = (CSpot){p->contexts.at[it.context].parent, p->contexts.at[it.context].call};
  }
  return true;
}

/* ---- ways ---- */

/* Can control come from behind an instruction to another one, without passing that block from its beginning? */
static bool comes(const Points *p, uint32_t from, uint32_t to, uint32_t without) {
  const uint32_t start = block_of(p, from), end = block_of(p, to);
  return (start == end && from < to) || cmodule_comes(p->module, start, end, without);
}

/* Values that are merged in one block are computed at once. */
static bool are_at_once(const Points *p, uint32_t a, uint32_t b) {
  return block_of(p, a) == block_of(p, b) && instruction(p, b)->kind == C_MERGE;
}

/* ---- the whole ---- */

bool order_is_behind(const Points *p, const Dominators *d, CSpot first, CSpot place, bool is_result) {
  Both both;
  if (!find_both(p, first, place, &both)) return false;
  const bool inside = first.context != both.context;
  if (both.first == both.other)
    return is_result && inside && place.context == both.context && is_done_behind(p, d, first, both.context);
  return !are_at_once(p, both.first, both.other) && dominators_is_before(d, both.first, both.other) &&
         is_done_behind(p, d, first, both.context);
}

bool order_is_ahead(const Points *p, const Dominators *d, CSpot value, CSpot first) {
  Both both;
  if (!find_both(p, first, value, &both) || both.first == both.other) return false;
  return !are_at_once(p, both.other, both.first) && dominators_is_before(d, both.other, both.first) &&
         is_done_once(p, first, both.context) && !comes(p, both.first, both.first, block_of(p, both.other));
}

bool order_is_still_ahead(const Points *p, CSpot value, CSpot first, uint32_t use) {
  Both both;
  if (!find_both(p, first, value, &both)) return false;
  return value.context != both.context || !comes(p, both.first, use, block_of(p, value.value));
}
