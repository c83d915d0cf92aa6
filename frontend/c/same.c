#include "frontend/c/same.h"

#include "frontend/c/arrays.h"
#include "frontend/c/loads.h"

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

static uint32_t origin_of(const Foci *f, uint32_t context, uint32_t load) {
  return f->origins ? f->origins->same[points_node(f->points, context, load)] : 0;
}

/* ---- functions that only compute ---- */

static bool only_compute(const Foci *f, uint32_t one, uint32_t other, uint32_t depth);

/* Of the contexts that a call runs, one in each. */
static bool run_computations(const Foci *f, uint32_t one, uint32_t other, uint32_t call, uint32_t depth) {
  const CInstruction *i = instruction(f, call);
  if (cmodule_operand(f->points->module, i, 0)->kind != C_FUNCTION) return false;
  const uint32_t a = points_callee(f->points, one, call), b = points_callee(f->points, other, call);
  return a != C_NONE && b != C_NONE && only_compute(f, a, b, depth + 1);
}

static bool is_computation(const Foci *f, uint32_t one, uint32_t other, uint32_t number, uint32_t depth) {
  const CInstruction *i = instruction(f, number);
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
  case C_CALL: return run_computations(f, one, other, number, depth);
  case C_LOAD: return origin_of(f, one, number) && origin_of(f, one, number) == origin_of(f, other, number);
  case C_ALLOCATE:
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

/* In both contexts, and do they find the same in the same place? */
static bool only_compute(const Foci *f, uint32_t one, uint32_t other, uint32_t depth) {
  const uint32_t function = f->points->contexts.at[one].function;
  const CFunction *it = &f->points->module->functions.at[function];
  if (f->points->contexts.at[other].function != function || !it->is_defined || it->is_variadic || depth > MOST_CALLS)
    return false;
  for (uint32_t i = it->start; i < it->end; i++)
    if (!is_computation(f, one, other, i, depth)) return false;
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
  if (p->module->blocks.at[instruction(c->f, a.operand->n)->block].repeats ||
      !only_compute(c->f, a.context, b.context, 0))
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
  return i->kind == C_OFFSET && (!i->size || (i->n_operands == 1 && i->size >= 8));
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

/* Do both find what one store leaves, which is done once in a run, or what is at the same place, and does not change?
 */
static bool is_loaded_alike(Comparison *c, Number a, Number b) {
  const CModule *m = c->f->points->module;
  const CInstruction *one = instruction(c->f, a.operand->n), *other = instruction(c->f, b.operand->n);
  if (one->kind != C_LOAD || other->kind != C_LOAD || one->size != other->size) return false;
  const uint32_t origin = origin_of(c->f, a.context, a.operand->n);
  if (!origin || origin != origin_of(c->f, b.context, b.operand->n)) return false;
  return origin != ORIGIN_SETTLED ||
         is_same(c, (Number){a.context, cmodule_operand(m, one, 0)}, (Number){b.context, cmodule_operand(m, other, 0)});
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
  return is_loaded_alike(c, a, b) || is_of_same_calls(c, a, b) || is_computed_alike(c, a, b);
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

static bool is_same_spot(CSpot a, CSpot b) { return a.context == b.context && a.value == b.value; }

/* The last one that is before it, or C_NONE. */
static uint32_t find_before(const Same *s, uint32_t array, CSpot value) {
  uint32_t last = C_NONE;
  for (uint32_t i = 0; i < s->indices.n; i++) {
    const CIndex *it = &s->indices.at[i];
    if (it->array == array && !is_same_spot(it->value, value) && is_first(s, it->value, value) &&
        (last == C_NONE || is_first(s, s->indices.at[last].value, it->value)))
      last = i;
  }
  return last;
}

/* From the one to those before it, up to one where a lock is taken. */
static CSpot first_of(const Same *s, uint32_t array, CSpot value) {
  for (uint32_t n = 0; n < s->indices.n; n++) {
    const uint32_t before = find_before(s, array, value);
    if (before == C_NONE) break;
    value = s->indices.at[before].value;
    if (s->indices.at[before].is_taken) break;
  }
  return value;
}

static CSpot find_first(const Same *s, uint32_t array, CSpot value) {
  for (uint32_t i = 0; i < s->indices.n; i++)
    if (s->indices.at[i].array == array && is_same_spot(s->indices.at[i].value, value)) return s->indices.at[i].first;
  return first_of(s, array, value);
}

/* Is the index of a keeper computed of one by which an element is accessed that it keeps? Then that says what it is. */
static bool is_bound(const Foci *f, uint32_t keeper, CSpot value) {
  const COperand operand = {C_VALUE, value.value, 0};
  for (uint32_t i = 0; i < f->bonds->all.n; i++) {
    const CBond *b = &f->bonds->all.at[i];
    const COperand *index = &operand;
    uint32_t context = value.context, n = 0;
    int64_t shift = 0;
    CSteps steps;
    for (uint32_t k = 0; k < b->steps.n; k++) n += b->steps.at[k].mix != C_MIX_ADD;
    if (arrays_object(f->points, b->keeper) != keeper || !bonds_steps(f, n, &context, &index, &shift, &steps)) continue;
    const uint32_t array = arrays_object(f->points, b->array);
    const CSpot root = find_first(f->same, array, (CSpot){context, index->n});
    for (uint32_t k = 0; k < f->same->indices.n; k++) {
      const CIndex *it = &f->same->indices.at[k];
      if (it->array == array && it->is_own && is_same_spot(it->first, root)) return true;
    }
  }
  return false;
}

CSpot same_first(const Foci *f, uint32_t array, CSpot value) {
  return !f->same || is_bound(f, array, value) ? value : find_first(f->same, array, value);
}

/* ---- the indices ---- */

/* Of more nothing is sought. */
enum { MOST_INDICES = 512 };

static void add_index(Same *s, uint32_t array, CSpot value, bool is_own, bool is_taken) {
  for (uint32_t i = 0; i < s->indices.n; i++)
    if (s->indices.at[i].array == array && is_same_spot(s->indices.at[i].value, value)) {
      s->indices.at[i].is_taken |= is_taken;
      s->indices.at[i].is_own |= is_own;
      return;
    }
  vec_push(s->foci->heap, &s->indices, ((CIndex){value, value, array, is_own, is_taken}));
}

static bool takes_lock(CallKind kind) {
  switch ((int)kind) {
  case CALL_LOCK:
  case CALL_TRY_LOCK:
  case CALL_READ_LOCK:
  case CALL_WRITE_LOCK:
  case CALL_TRY_READ_LOCK:
  case CALL_TRY_WRITE_LOCK: return true;
  default: return false;
  }
}

/* From an address back to where an index leads to the element that it is in. */
static bool find_element(const Foci *f, uint32_t context, const COperand *operand, CSpot *element) {
  for (uint32_t n = 0; n < MOST_COMPARED && operand->kind == C_VALUE; n++) {
    const CInstruction *i = instruction(f, operand->n);
    *element = (CSpot){context, operand->n};
    if (i->kind == C_OFFSET && i->n_operands >= 3) return true;
    if (i->kind == C_OFFSET) operand = cmodule_operand(f->points->module, i, 0);
    else if (!foci_origin(f, &context, &operand, 64)) return false;
  }
  return false;
}

static void see_lock(Same *s, uint32_t context, const COperand *operand) {
  CSpot element;
  if (find_element(s->foci, context, operand, &element)) vec_push(s->foci->heap, &s->taken, element);
}

/* Of more nothing is sought. */
enum { MOST_USES = 2048 };

static void see_use(Same *s, CSpot place) {
  const CModule *m = s->foci->points->module;
  const CInstruction *i = instruction(s->foci, place.value);
  const bool accesses = i->kind == C_LOAD || i->kind == C_STORE || i->kind == C_UPDATE || i->kind == C_SWAP;
  CSpot element;
  if (accesses && s->uses.n < MOST_USES &&
      find_element(s->foci, place.context, cmodule_operand(m, i, i->kind == C_STORE), &element))
    vec_push(s->foci->heap, &s->uses, ((CUse){element, place}));
}

static void find_taken(Same *s) {
  Points *p = s->foci->points;
  for (PointsWalk at = {0}; points_next(p, &at);) {
    const CInstruction *i = instruction(s->foci, at.number);
    const Effect *effect = i->kind == C_CALL ? points_library(p, at.context, i) : NULL;
    if (effect && i->n_operands > 1 && takes_lock(effect->kind))
      see_lock(s, at.context, cmodule_operand(p->module, i, 1));
    see_use(s, (CSpot){at.context, at.number});
  }
}

static bool is_taken_at(const Same *s, uint32_t context, uint32_t address) {
  for (uint32_t i = 0; i < s->taken.n; i++)
    if (is_same_spot(s->taken.at[i], (CSpot){context, address})) return true;
  return false;
}

/* What an index of a keeper is computed of is one of what it keeps. */
static void add_kept(Same *s, uint32_t keeper, CSpot value, bool is_taken) {
  const Foci *f = s->foci;
  for (uint32_t i = 0; i < f->bonds->all.n; i++)
    if (arrays_object(f->points, f->bonds->all.at[i].keeper) == keeper)
      add_index(s, arrays_object(f->points, f->bonds->all.at[i].array), value, false, is_taken);
}

static void see_index(Same *s, uint32_t array, uint32_t context, const COperand *index, bool is_taken) {
  for (uint32_t n = 0; n <= C_STEPS; n++) {
    int64_t shift = 0;
    bool exact;
    if (!foci_find_index(s->foci, false, &context, &index, &shift, &exact) || index->kind != C_VALUE) return;
    if (array == C_NONE || !n) add_index(s, array, (CSpot){context, index->n}, !n, is_taken);
    else add_kept(s, array, (CSpot){context, index->n}, is_taken);
    const CInstruction *i = instruction(s->foci, index->n);
    if (i->kind != C_MIX || i->number == C_MIX_SOMEHOW) return;
    index = cmodule_operand(s->foci->points->module, i, 0);
  }
}

static void see_indices(Same *s, bool all, uint32_t context, uint32_t number) {
  const Points *p = s->foci->points;
  const CInstruction *i = instruction(s->foci, number);
  uint32_t object = C_NONE;
  CArray array;
  int64_t offset;
  if (i->kind != C_OFFSET || i->n_operands < 3) return;
  if (!all) {
    if (!arrays_base(s->foci, context, cmodule_operand(p->module, i, 0), &array, &offset)) return;
    object = arrays_object(p, array);
    if (object == C_NONE || !p->objects.at[object].instances) return;
    object = (uint32_t)(foci_first(s->foci, &p->objects.at[object]) - p->objects.at);
  }
  const bool is_taken = is_taken_at(s, context, number);
  for (uint32_t n = 1; n + 1 < i->n_operands; n += 2)
    see_index(s, object, context, cmodule_operand(p->module, i, n), is_taken);
}

/* ---- locks that are taken by a number that was there before ---- */

/* Is it an index of the element that the address is in? */
static bool is_index_of(const Same *s, const CIndex *index, CSpot address) {
  const CModule *m = s->foci->points->module;
  const CInstruction *i = instruction(s->foci, address.value);
  for (uint32_t n = 1; n + 1 < i->n_operands; n += 2) {
    const COperand *operand = cmodule_operand(m, i, n);
    uint32_t context = address.context;
    int64_t shift = 0;
    bool exact;
    if (foci_find_index(s->foci, false, &context, &operand, &shift, &exact) && operand->kind == C_VALUE &&
        is_same_spot(index->value, (CSpot){context, operand->n}))
      return true;
  }
  return false;
}

/* Is something accessed, once the lock is taken by that index, by another one that is before it? */
static bool is_used_behind(const Same *s, const CIndex *lock) {
  for (uint32_t i = 0; i < s->indices.n; i++) {
    const CIndex *it = &s->indices.at[i];
    if (it->array != lock->array || is_same_spot(it->value, lock->value) || !is_first(s, it->value, lock->value))
      continue;
    for (uint32_t u = 0; u < s->uses.n; u++)
      if (is_index_of(s, it, s->uses.at[u].address) &&
          order_is_behind(s->foci->points, &s->dominators, lock->value, s->uses.at[u].place, false))
        return true;
  }
  return false;
}

/* `p = &t[k % N]; lock(&t[k % N].lock); p->n++`: it does not stand for itself then. */
static void join_locks(Same *s) {
  for (uint32_t i = 0; i < s->indices.n; i++) {
    heap_poll(s->foci->heap);
    if (s->indices.at[i].is_taken && is_used_behind(s, &s->indices.at[i])) s->indices.at[i].is_taken = false;
  }
}

void same_find(Foci *f, bool all) {
  const Points *p = f->points;
  Same *s = f->same = heap_zeroed(f->heap, sizeof *s);
  s->foci = f;
  dominators_init(&s->dominators, p->module);
  find_taken(s);
  for (PointsWalk at = {0}; points_next(p, &at) && s->indices.n <= MOST_INDICES;)
    see_indices(s, all, at.context, at.number);
  if (s->indices.n > MOST_INDICES) s->indices.n = 0;
  join_locks(s);
  for (uint32_t i = 0; i < s->indices.n; i++) {
    heap_poll(f->heap);
    CIndex *it = &s->indices.at[i];
    if (!it->is_taken) it->first = first_of(s, it->array, it->value);
  }
}

void same_fini(Foci *f) {
  Same *s = f->same;
  if (!s) return;
  dominators_fini(&s->dominators);
  vec_fini(f->heap, &s->indices);
  vec_fini(f->heap, &s->taken);
  vec_fini(f->heap, &s->uses);
  heap_release(f->heap, s);
  f->same = NULL;
}
