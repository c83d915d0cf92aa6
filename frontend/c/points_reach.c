/* To which blocks of a context control may come. More and more of them, as numbers are found to be any. */
#include "frontend/c/points_inside.h"

static uint32_t place_of(const Points *p, uint32_t context, uint32_t block) {
  const CContext *c = &p->contexts.at[context];
  return c->reached + (block - p->module->functions.at[c->function].blocks);
}

bool points_reaches(const Points *p, uint32_t context, uint32_t block) {
  return p->reached.at[place_of(p, context, block)];
}

static void reach(Points *p, uint32_t context, uint32_t block) {
  char *reached = &p->reached.at[place_of(p, context, block)];
  p->changed |= !*reached;
  *reached = 1;
}

void reach_enter(Points *p, uint32_t context) {
  const CFunction *f = &p->module->functions.at[p->contexts.at[context].function];
  if (f->blocks < f->blocks_end) reach(p, context, f->blocks);
}

/* Which of its two ways the last instruction of a block may go, if it is a branch; of any other one all of them. */
static CNumber way_of(const Points *p, uint32_t context, const CBlock *block) {
  const CInstruction *last = &p->module->instructions.at[block->end - 1];
  return last->kind == C_BRANCH ? number_of(p, context, cmodule_operand(p->module, last, 0)) : number_any();
}

void reach_on(Points *p, uint32_t context, uint32_t block) {
  const CBlock *b = &p->module->blocks.at[block];
  const CNumber way = way_of(p, context, b);
  for (uint32_t n = 0; n < b->n_successors; n++)
    if (number_may_be(way, n == 0)) reach(p, context, p->module->successors.at[b->successors + n]);
}

bool reach_comes(const Points *p, uint32_t context, uint32_t from, uint32_t to) {
  const CBlock *b = &p->module->blocks.at[from];
  const CNumber way = way_of(p, context, b);
  if (!points_reaches(p, context, from)) return false;
  for (uint32_t n = 0; n < b->n_successors; n++)
    if (p->module->successors.at[b->successors + n] == to && number_may_be(way, n == 0)) return true;
  return false;
}

/* The first one from there on, up to the end of the function, whose block may be come to. */
static uint32_t find_reached(const Points *p, uint32_t context, uint32_t number, uint32_t end) {
  while (number < end && !points_reaches(p, context, p->module->instructions.at[number].block))
    number = p->module->blocks.at[p->module->instructions.at[number].block].end;
  return number;
}

bool points_next(const Points *p, PointsWalk *w) {
  for (; w->context < p->contexts.n; w->context++, w->is_inside = false) {
    const CFunction *f = &p->module->functions.at[p->contexts.at[w->context].function];
    if (!w->is_inside) heap_poll(p->heap);
    w->number = w->is_inside ? w->number + 1 : f->start + f->n_parameters;
    w->is_inside = true;
    w->number = find_reached(p, w->context, w->number, f->end);
    if (w->number < f->end) return true;
  }
  return false;
}

/* Is it a function that the call itself runs? If not, one of the library does that the call runs. */
static bool runs_itself(const Points *p, uint32_t context, uint32_t call, uint32_t function) {
  const COperand *o = cmodule_operand(p->module, &p->module->instructions.at[call], 0);
  if (o->kind != C_VALUE) return o->kind == C_FUNCTION && o->n == function;
  const U32Vec *set = &p->nodes.at[points_node(p, context, o->n)];
  for (uint32_t k = 0; k < set->n; k++) {
    const CObject *to = &p->objects.at[p->targets.at[set->at[k]].object];
    if (to->kind == OBJECT_CODE && to->n == function) return true;
  }
  return false;
}

uint32_t points_callee(const Points *p, uint32_t context, uint32_t call) {
  const uint32_t edge = points_edges(p, context, call);
  if (edge == C_NONE || p->edges.at[edge].next != C_NONE) return C_NONE;
  const uint32_t callee = p->edges.at[edge].callee;
  return runs_itself(p, context, call, p->contexts.at[callee].function) ? callee : C_NONE;
}
