/* Each time that OBJECT_UNKNOWN comes to a value, or into memory, for the first time, it is written down which
 * instruction was being solved. So these arrivals are in an order, and each one but the first ones has its reason among
 * those before it: an operand of that instruction, what is stored where it loads, or what its callee returns. To go
 * back from one to the next ends, as the numbers of arrivals go down. A set that was given up as it was too large is a
 * first one.
 *
 * An address that leads nowhere was loaded where nothing is stored, or comes from one that was: that is followed by
 * operands alone, for some steps. */
#include "frontend/c/causes.h"

#include <string.h>

enum { MOST_STEPS = 64 }; /* back from an address that leads nowhere */

static const CInstruction *instruction_of(const Points *p, uint32_t node, uint32_t *number) {
  const CContext *c = &p->contexts.at[p->owners.at[node]];
  *number = p->module->functions.at[c->function].start + (node - c->base);
  return &p->module->instructions.at[*number];
}

/* ---- arrivals ---- */

void cause_comes(Points *p, uint32_t node, bool full) {
  if (p->came.n <= node) vec_resize_zeroed(p->heap, &p->came, p->nodes.n);
  if (p->came.at[node]) return;
  vec_push(p->heap, &p->arrivals, ((CArrival){p->at, full}));
  p->came.at[node] = p->arrivals.n;
}

void cause_is_put(Points *p, uint32_t target, bool full) {
  if (p->put.n <= target) vec_resize_zeroed(p->heap, &p->put, p->targets.n);
  if (p->put.at[target]) return;
  vec_push(p->heap, &p->arrivals, ((CArrival){p->at, full}));
  p->put.at[target] = p->arrivals.n;
}

static uint32_t arrival_at(const Points *p, uint32_t node) { return node < p->came.n ? p->came.at[node] : 0; }

/* The later one of two that come before `limit`. */
static uint32_t later(uint32_t one, uint32_t other, uint32_t limit) {
  if (other >= limit) return one;
  return other > one ? other : one;
}

static uint32_t operand_arrival(const Points *p, uint32_t context, const CInstruction *i, uint32_t n) {
  const COperand *operand = n < i->n_operands ? cmodule_operand(p->module, i, n) : NULL;
  return operand && operand->kind == C_VALUE ? arrival_at(p, points_node(p, context, operand->n)) : 0;
}

/* What its callees return. */
static uint32_t returned_before(const Points *p, uint32_t context, uint32_t number, uint32_t limit) {
  uint32_t found = 0;
  for (uint32_t e = points_edges(p, context, number); e != C_NONE; e = p->edges.at[e].next) {
    const CContext *callee = &p->contexts.at[p->edges.at[e].callee];
    const CFunction *f = &p->module->functions.at[callee->function];
    for (uint32_t k = f->start; k < f->end; k++)
      if (p->module->instructions.at[k].kind == C_RETURN)
        found = later(found, operand_arrival(p, p->edges.at[e].callee, &p->module->instructions.at[k], 0), limit);
  }
  return found;
}

/* What is stored where operand n leads. */
static uint32_t stored_before(Points *p, uint32_t context, const CInstruction *i, uint32_t n, uint32_t limit) {
  uint32_t found = 0;
  const U32Vec set = points_of(p, context, i, n);
  for (uint32_t k = 0; k < set.n; k++) {
    const CObject *o = &p->objects.at[p->targets.at[set.at[k]].object];
    for (uint32_t t = 0; t < o->targets.n; t++)
      if (o->targets.at[t] < p->put.n) found = later(found, p->put.at[o->targets.at[t]], limit);
  }
  return found;
}

/* An arrival before that one, which is its reason; 0: it is a first one. */
static uint32_t reason_of(Points *p, uint32_t arrival) {
  uint32_t number, found = 0;
  const uint32_t node = p->arrivals.at[arrival - 1].by;
  if (node == C_NONE || p->arrivals.at[arrival - 1].full) return 0;
  const CInstruction *i = instruction_of(p, node, &number);
  const uint32_t context = p->owners.at[node];
  for (uint32_t n = 0; n < i->n_operands; n++) found = later(found, operand_arrival(p, context, i, n), arrival);
  if (i->kind == C_CALL) found = later(found, returned_before(p, context, number, arrival), arrival);
  for (uint32_t n = 0; n < i->n_operands && !found; n++) found = stored_before(p, context, i, n, arrival);
  return found;
}

/* ---- words ---- */

static const char *called(Points *p, uint32_t context, const CInstruction *i) {
  const U32Vec set = points_of(p, context, i, 0);
  const CObject *o = set.n == 1 ? &p->objects.at[p->targets.at[set.at[0]].object] : NULL;
  if (!o || o->kind != OBJECT_CODE) return "what a function returns or writes";
  return arena_format(&p->arena, "what '%s' returns or writes", p->module->functions.at[o->n].shown);
}

static const char *words_of(Points *p, const CInstruction *i, uint32_t context) {
  switch ((int)i->kind) {
  case C_CALL: return called(p, context, i);
  case C_STRANGE: return i->text;
  case C_MIX: return "a number that becomes an address";
  case C_LOAD: return "what is found there";
  default: return "an address of which nothing is known";
  }
}

static CCause cause_at(Points *p, uint32_t node, const char *words) {
  uint32_t number;
  const CInstruction *i = instruction_of(p, node, &number);
  return (CCause){p->owners.at[node], number, words ? words : words_of(p, i, p->owners.at[node])};
}

/* ---- the way back ---- */

static CCause cause_of_arrival(Points *p, uint32_t arrival) {
  CArrival last = {C_NONE, false};
  for (; arrival; arrival = reason_of(p, arrival))
    if (p->arrivals.at[arrival - 1].by != C_NONE) last = p->arrivals.at[arrival - 1];
  if (last.by == C_NONE) return (CCause){C_NONE, C_NONE, ""};
  return cause_at(p, last.by, last.full ? "with it there are too many places that it may lead to" : NULL);
}

/* The node of an operand that leads nowhere. */
static uint32_t empty_operand(Points *p, uint32_t context, const CInstruction *i, uint32_t n) {
  const COperand *operand = n < i->n_operands ? cmodule_operand(p->module, i, n) : NULL;
  if (!operand || operand->kind != C_VALUE) return C_NONE;
  const uint32_t node = points_node(p, context, operand->n);
  return p->nodes.at[node].n ? C_NONE : node;
}

/* What the parameter is given by a call. */
static uint32_t empty_argument(Points *p, uint32_t node) {
  const CContext *c = &p->contexts.at[p->owners.at[node]];
  const CEdge *edge = c->callers == C_NONE ? NULL : &p->edges.at[c->callers];
  if (!edge) return C_NONE;
  return empty_operand(p, edge->context, &p->module->instructions.at[edge->call], node - c->base + 1);
}

/* What the callee returns. */
static uint32_t empty_result(Points *p, uint32_t context, uint32_t number) {
  const uint32_t edge = points_edges(p, context, number);
  if (edge == C_NONE) return C_NONE;
  const CFunction *f = &p->module->functions.at[p->contexts.at[p->edges.at[edge].callee].function];
  for (uint32_t k = f->start; k < f->end; k++) {
    const CInstruction *i = &p->module->instructions.at[k];
    const uint32_t node = i->kind == C_RETURN ? empty_operand(p, p->edges.at[edge].callee, i, 0) : C_NONE;
    if (node != C_NONE) return node;
  }
  return C_NONE;
}

static CCause cause_of_nothing(Points *p, uint32_t node) {
  for (uint32_t steps = 0; steps < MOST_STEPS; steps++) {
    uint32_t number, next = C_NONE;
    const CInstruction *i = instruction_of(p, node, &number);
    if (i->kind == C_PARAMETER) next = empty_argument(p, node);
    if (i->kind == C_CALL) next = empty_result(p, p->owners.at[node], number);
    for (uint32_t n = 0; n < i->n_operands && next == C_NONE; n++)
      if (i->kind != C_CALL) next = empty_operand(p, p->owners.at[node], i, n);
    if (next == C_NONE || next == node) break;
    node = next;
  }
  uint32_t number;
  const bool is_load = instruction_of(p, node, &number)->kind == C_LOAD;
  return cause_at(p, node, is_load ? "no address that is known is stored there" : NULL);
}

CCause cause_of(Points *p, uint32_t context, const CInstruction *i, uint32_t n) {
  const uint32_t arrival = operand_arrival(p, context, i, n), empty = empty_operand(p, context, i, n);
  if (arrival) return cause_of_arrival(p, arrival);
  return empty == C_NONE ? (CCause){C_NONE, C_NONE, ""} : cause_of_nothing(p, empty);
}
