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

/* Calls back for each block to which control may go from the end of that one. */
typedef void Going(Points *p, uint32_t context, uint32_t to, void *data);

static void each_going(Points *p, uint32_t context, uint32_t block, Going *going, void *data) {
  const CBlock *b = &p->module->blocks.at[block];
  const CInstruction *last = &p->module->instructions.at[b->end - 1];
  const uint32_t *to = p->module->successors.at + b->successors;
  CNumber condition = number_any();
  if (last->kind == C_BRANCH) condition = number_of(p, context, cmodule_operand(p->module, last, 0));
  for (uint32_t n = 0; n < b->n_successors; n++)
    if (condition.kind == NUMBER_ANY || (condition.kind == NUMBER_ONE && (condition.value != 0) == (n == 0)))
      going(p, context, to[n], data);
}

static void reach_next(Points *p, uint32_t context, uint32_t to, void *data) {
  (void)data;
  reach(p, context, to);
}

void reach_on(Points *p, uint32_t context, uint32_t block) { each_going(p, context, block, reach_next, NULL); }

typedef struct {
  uint32_t to;
  bool goes;
} Way;

static void see_way(Points *p, uint32_t context, uint32_t to, void *data) {
  Way *way = data;
  (void)p, (void)context;
  way->goes |= way->to == to;
}

bool reach_comes(Points *p, uint32_t context, uint32_t from, uint32_t to) {
  Way way = {to, false};
  if (points_reaches(p, context, from)) each_going(p, context, from, see_way, &way);
  return way.goes;
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

uint32_t points_callee(const Points *p, uint32_t context, uint32_t call) {
  const uint32_t edge = points_edges(p, context, call);
  return edge == C_NONE || p->edges.at[edge].next != C_NONE ? C_NONE : p->edges.at[edge].callee;
}
