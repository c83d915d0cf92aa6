#include "frontend/c/same.h"

static const CInstruction *instruction(const Foci *f, uint32_t i) { return &f->points->module->instructions.at[i]; }

/* An operand in a context. */
typedef struct {
  uint32_t context;
  const COperand *operand;
} Number;

/* No more is compared for two values. */
enum { MOST_COMPARED = 400, MOST_CALLS = 8 };

typedef struct {
  const Foci *f;
  uint32_t left; /* so many comparisons */
} Comparison;

/* ---- functions that only compute ---- */

static bool only_computes(const Foci *f, uint32_t function, uint32_t depth);

static bool is_computation(const Foci *f, const CInstruction *i, uint32_t depth) {
  switch (i->kind) {
  case C_PARAMETER:
  case C_OFFSET:
  case C_SAME:
  case C_MERGE:
  case C_SELECT:
  case C_COMPARE:
  case C_GOTO:
  case C_BRANCH:
  case C_SWITCH:
  case C_RETURN:
  case C_STOP: return true;
  case C_MIX: return !i->is_free;
  case C_CALL: {
    const COperand *callee = cmodule_operand(f->points->module, i, 0);
    return callee->kind == C_FUNCTION && only_computes(f, callee->n, depth + 1);
  }
  case C_ALLOCATE:
  case C_LOAD:
  case C_STORE:
  case C_UPDATE:
  case C_SWAP:
  case C_PICK:
  case C_COPY:
  case C_FILL:
  case C_STRANGE: break;
  }
  return false;
}

static bool only_computes(const Foci *f, uint32_t function, uint32_t depth) {
  const CFunction *it = &f->points->module->functions.at[function];
  if (!it->is_defined || it->is_variadic || depth > MOST_CALLS) return false;
  for (uint32_t i = it->start; i < it->end; i++)
    if (!is_computation(f, instruction(f, i), depth)) return false;
  return true;
}

/* ---- is it the same number? ---- */

static bool is_same(Comparison *c, Number a, Number b);

/* To what a parameter was given, and what a call returns. */
static void go_to_origin(const Foci *f, Number *number) {
  while (number->operand->kind == C_VALUE) {
    const CKind kind = instruction(f, number->operand->n)->kind;
    if ((kind != C_PARAMETER && kind != C_CALL) || !foci_origin(f, &number->context, &number->operand, 64)) return;
  }
}

/* The same value in two calls of a function that only computes, of the same arguments, once in each call at most. */
static bool is_of_same_calls(Comparison *c, Number a, Number b) {
  const Points *p = c->f->points;
  const CContext *one = &p->contexts.at[a.context], *other = &p->contexts.at[b.context];
  const CFunction *function = &p->module->functions.at[one->function];
  if (a.operand->n != b.operand->n || one->parent == C_NONE || other->parent == C_NONE) return false;
  if (p->module->blocks.at[instruction(c->f, a.operand->n)->block].repeats || !only_computes(c->f, one->function, 0))
    return false;
  const CInstruction *call = instruction(c->f, one->call), *again = instruction(c->f, other->call);
  for (uint32_t n = 1; n <= function->n_parameters; n++) {
    if (n >= call->n_operands || n >= again->n_operands ||
        !is_same(c, (Number){one->parent, cmodule_operand(p->module, call, n)},
                 (Number){other->parent, cmodule_operand(p->module, again, n)}))
      return false;
  }
  return true;
}

static bool is_arithmetic(const CInstruction *i) {
  if (i->kind == C_MIX) return i->number != C_MIX_SOMEHOW;
  if (i->kind == C_SAME) return i->n_operands == 1 && i->size >= 8;
  return i->kind == C_OFFSET && i->n_operands == 1 && i->size >= 8;
}

/* Computed in the same way, of the same numbers. */
static bool is_computed_alike(Comparison *c, Number a, Number b) {
  const CModule *m = c->f->points->module;
  const CInstruction *one = instruction(c->f, a.operand->n), *other = instruction(c->f, b.operand->n);
  if (!is_arithmetic(one) || one->kind != other->kind || one->number != other->number || one->size != other->size ||
      one->is_signed != other->is_signed || one->is_cut != other->is_cut || one->n_operands != other->n_operands)
    return false;
  for (uint32_t n = 0; n < one->n_operands; n++)
    if (!is_same(c, (Number){a.context, cmodule_operand(m, one, n)}, (Number){b.context, cmodule_operand(m, other, n)}))
      return false;
  return true;
}

static bool is_same(Comparison *c, Number a, Number b) {
  int64_t x, y;
  if (!c->left) return false;
  c->left--;
  go_to_origin(c->f, &a);
  go_to_origin(c->f, &b);
  if (points_known(c->f->points, a.context, a.operand, &x) && points_known(c->f->points, b.context, b.operand, &y))
    return x == y;
  if (a.operand->kind != b.operand->kind || a.operand->kind == C_ANYTHING) return false;
  if (a.operand->kind != C_VALUE) return a.operand->n == b.operand->n && a.operand->number == b.operand->number;
  if (a.context == b.context && a.operand->n == b.operand->n) return true;
  return is_of_same_calls(c, a, b) || is_computed_alike(c, a, b);
}

/* ---- the first one ---- */

/* Is the one always computed before the other one, of the same numbers? */
static bool is_first(const Same *s, CSpot first, CSpot other) {
  const COperand one = {C_VALUE, first.value, 0}, two = {C_VALUE, other.value, 0};
  Comparison c = {s->foci, MOST_COMPARED};
  if (instruction(s->foci, first.value)->kind != instruction(s->foci, other.value)->kind) return false;
  return is_same(&c, (Number){first.context, &one}, (Number){other.context, &two}) &&
         order_is_behind(s->foci->points, &s->dominators, first, other, false);
}

/* One that is before it, or C_NONE. */
static uint32_t find_before(const Same *s, CSpot value) {
  for (uint32_t i = 0; i < s->spots.n; i++) {
    const CSpot it = s->spots.at[i];
    if ((it.context != value.context || it.value != value.value) && is_first(s, it, value)) return i;
  }
  return C_NONE;
}

static CSpot first_of(const Same *s, CSpot value) {
  for (uint32_t n = 0; n < s->spots.n; n++) {
    const uint32_t before = find_before(s, value);
    if (before == C_NONE) break;
    value = s->spots.at[before];
  }
  return value;
}

CSpot same_first(const Foci *f, CSpot value) {
  const Same *s = f->same;
  if (!s) return value;
  for (uint32_t i = 0; i < s->firsts.n; i++)
    if (s->spots.at[i].context == value.context && s->spots.at[i].value == value.value) return s->firsts.at[i];
  return first_of(s, value);
}

/* ---- the indices ---- */

/* Of more nothing is sought. */
enum { MOST_SPOTS = 256 };

static void add_spot(Same *s, CSpot spot) {
  for (uint32_t i = 0; i < s->spots.n; i++)
    if (s->spots.at[i].context == spot.context && s->spots.at[i].value == spot.value) return;
  vec_push(s->foci->heap, &s->spots, spot);
}

/* And what it is computed of, as bonds have it. */
static void see_index(Same *s, uint32_t context, const COperand *index) {
  const CModule *m = s->foci->points->module;
  for (uint32_t n = 0; n <= C_STEPS; n++) {
    int64_t shift = 0;
    bool exact;
    if (!foci_find_index(s->foci, false, &context, &index, &shift, &exact) || index->kind != C_VALUE) return;
    add_spot(s, (CSpot){context, index->n});
    const CInstruction *i = instruction(s->foci, index->n);
    if (i->kind != C_MIX || i->number == C_MIX_SOMEHOW) return;
    index = cmodule_operand(m, i, 0);
  }
}

static void see_indices(Same *s, uint32_t context, const CInstruction *i) {
  for (uint32_t n = 1; i->kind == C_OFFSET && n + 1 < i->n_operands; n += 2)
    see_index(s, context, cmodule_operand(s->foci->points->module, i, n));
}

void same_find(Foci *f) {
  const Points *p = f->points;
  Same *s = f->same = heap_zeroed(f->heap, sizeof *s);
  s->foci = f;
  dominators_init(&s->dominators, p->module);
  for (PointsWalk at = {0}; points_next(p, &at) && s->spots.n <= MOST_SPOTS;)
    see_indices(s, at.context, instruction(f, at.number));
  if (s->spots.n > MOST_SPOTS) s->spots.n = 0;
  for (uint32_t i = 0; i < s->spots.n; i++) {
    heap_poll(f->heap);
    vec_push(f->heap, &s->firsts, first_of(s, s->spots.at[i]));
  }
}

void same_fini(Foci *f) {
  Same *s = f->same;
  if (!s) return;
  dominators_fini(&s->dominators);
  vec_fini(f->heap, &s->spots);
  vec_fini(f->heap, &s->firsts);
  heap_release(f->heap, s);
  f->same = NULL;
}
