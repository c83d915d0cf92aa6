/* One lock for several elements of another array: counts[i] under locks[i % 8]. The same number i is in both indices,
 * so the one that a thread has to do with says which lock it is. docs/c.md has what that means of foci. */
#include "frontend/c/arrays.h"
#include "frontend/c/same.h"

/* Numbers are less than this, so that no conversion or arithmetic changes them. */
enum { MOST_NUMBER = 1 << 30, MOST_SHIFT = 1 << 20 };

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

/* ---- how an index is computed ---- */

static bool add_step(CSteps *steps, CMix mix, int64_t number) {
  if (steps->n == C_STEPS) return false;
  steps->at[steps->n].mix = mix;
  steps->at[steps->n++].number = number;
  return true;
}

static bool is_step(const Points *p, uint32_t context, const CInstruction *i, int64_t *number) {
  const CMix mix = (CMix)i->number;
  return i->kind == C_MIX && i->n_operands == 2 && i->size >= 32 &&
         (mix == C_MIX_REMAINDER || mix == C_MIX_DIVIDE || mix == C_MIX_AND || mix == C_MIX_SHIFT) &&
         points_known(p, context, cmodule_operand(p->module, i, 1), number) && *number < MOST_NUMBER;
}

/* An index that is computed, by steps of which n are no sums, of the value at *context, *index, and *shift more. */
bool bonds_steps(const Foci *f, uint32_t n, uint32_t *context, const COperand **index, int64_t *shift, CSteps *steps) {
  const Points *p = f->points;
  bool exact = true;
  int64_t number;
  for (steps->n = 0;;) {
    if (!foci_find_index(f, false, context, index, shift, &exact) || (*index)->kind != C_VALUE) return false;
    if (*shift > MOST_SHIFT || *shift < -MOST_SHIFT) return false;
    const CInstruction *i = instruction(p, (*index)->n);
    if (!n--) return exact;
    if (!is_step(p, *context, i, &number)) return false;
    if ((*shift && !add_step(steps, C_MIX_ADD, *shift)) || !add_step(steps, (CMix)i->number, number)) return false;
    *index = cmodule_operand(p->module, i, 0);
    *shift = 0;
    exact = true;
  }
}

static bool is_same(const CSteps *a, const CSteps *b) {
  for (uint32_t i = 0; i < a->n; i++)
    if (i >= b->n || a->at[i].mix != b->at[i].mix || a->at[i].number != b->at[i].number) return false;
  return a->n == b->n;
}

/* What a number that is not negative becomes; -1: that is not known. */
static int64_t step_from(CMix mix, int64_t number, int64_t x) {
  const int64_t sum = x + number;
  switch (mix) {
  case C_MIX_ADD: return sum >= 0 && sum < MOST_NUMBER ? sum : -1;
  case C_MIX_REMAINDER: return number > 0 ? x % number : -1;
  case C_MIX_DIVIDE: return number > 0 ? x / number : -1;
  case C_MIX_AND: return x & number;
  case C_MIX_SHIFT: return number < 30 ? x >> number : -1;
  case C_MIX_SOMEHOW:
  case C_MIX_SUBTRACT:
  case C_MIX_MULTIPLY:
  case C_MIX_XOR: break;
  }
  return -1;
}

static int64_t compute(const CSteps *steps, int64_t x) {
  for (uint32_t i = steps->n; i-- > 0 && x >= 0;) x = step_from(steps->at[i].mix, steps->at[i].number, x);
  return x;
}

/* Is it known for all elements of an array, so that no other way to compute it comes to another number? */
static bool is_known(const CSteps *steps, uint64_t elements) {
  int64_t least = 0, most = (int64_t)elements - 1;
  for (uint32_t i = steps->n; i-- > 0;) {
    const int64_t number = steps->at[i].number;
    const CMix mix = steps->at[i].mix;
    least = mix == C_MIX_ADD ? step_from(mix, number, least) : 0;
    most = mix == C_MIX_REMAINDER && number > 0 && most >= number ? number - 1
           : mix == C_MIX_REMAINDER && number > 0                 ? most
           : mix == C_MIX_AND                                     ? number
                                                                  : step_from(mix, number, most);
    if (least < 0 || most < 0) return false;
  }
  return true;
}

/* ---- which arrays have to do with each other ---- */

/* With more threads the keepers of all foci are too many to choose. */
enum { MOST_KEPT = 4 };

bool bonds_allow(const Points *p) { return p->threads.n <= MOST_KEPT && p->threads.n <= p->precision->foci; }

/* Short arrays are known; of a long one only the foci are, which are not all that a short one may need. */
bool bonds_may_be(const Points *p, const CBond *b, uint64_t array_stride, uint64_t keeper_stride) {
  const uint64_t array = arrays_length(p, b->array, array_stride), keeper = arrays_length(p, b->keeper, keeper_stride);
  if (!bonds_allow(p) || array < 2 || array > MOST_NUMBER || !keeper || keeper > MOST_NUMBER ||
      !is_known(&b->steps, array))
    return false;
  return array > foci_most_elements(p) || keeper <= foci_most_elements(p);
}

/* ---- instances ---- */

const CObject *foci_array(const Foci *f, const CBond *b) {
  return &f->points->objects.at[arrays_object(f->points, b->array)];
}

const CObject *foci_keeper(const Foci *f, const CBond *b) {
  return &f->points->objects.at[arrays_object(f->points, b->keeper)];
}

static void mark_bonds(Foci *f) {
  Points *p = f->points;
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->bonds->all.n; i++) {
    const CBond bond = f->bonds->all.at[i];
    const uint32_t array = arrays_object(p, bond.array), keeper = arrays_object(p, bond.keeper);
    if (array == C_NONE || keeper == C_NONE) continue;
    if (!p->objects.at[keeper].instances || !p->objects.at[array].stride ||
        !bonds_may_be(p, &bond, p->objects.at[array].stride, p->objects.at[keeper].stride))
      continue;
    p->objects.at[array].instances = 1;
    f->bonds->all.at[n++] = bond;
  }
  f->bonds->all.n = n;
}

/* As many elements are told apart of all of them. */
static void mark_parallel(Points *p, const CParallel *parallel) {
  const uint32_t array = arrays_object(p, parallel->array), first = arrays_object(p, parallel->first);
  if (array == C_NONE || first == C_NONE) return;
  CObject *a = &p->objects.at[array];
  const CObject *b = &p->objects.at[first];
  if (!b->instances || !a->stride || !b->stride || a->instances || foci_elements(p, a) != foci_elements(p, b)) return;
  a->instances = 1;
  a->parallel = first + 1;
}

void bonds_mark(Foci *f) {
  mark_bonds(f);
  for (uint32_t i = 0; i < f->bonds->parallel.n; i++) mark_parallel(f->points, &f->bonds->parallel.at[i]);
}

/* All foci of a swept array are there, also those that no bond leads to. */
bool bonds_allow_sweep(const Foci *f, const CObject *o) {
  for (uint32_t i = 0; i < f->bonds->all.n; i++)
    if (foci_array(f, &f->bonds->all.at[i]) == foci_first(f, o) && o->has_rest) return false;
  return true;
}

/* Are the foci of a keeper in the order of its elements? */
static bool is_ordered(const Foci *f, const CObject *keeper) {
  for (uint32_t t = 0; t < f->tokens.n; t++) {
    if (!f->tokens.at[t].is_swept) continue;
    if (foci_first(f, &f->points->objects.at[f->tokens.at[t].object]) == keeper) return true;
  }
  return false;
}

void foci_owners(const Foci *f, const CBond *b, uint32_t instance, U32Vec *owners) {
  const CObject *array = foci_array(f, b), *keeper = foci_keeper(f, b);
  const uint32_t k = instance - array->first;
  uint32_t from = 0, to = keeper->instances;
  vec_clear(owners);
  if (!array->has_rest) {
    const int64_t element = compute(&b->steps, k);
    from = element >= 0 && element < keeper->instances ? (uint32_t)element : keeper->instances;
    to = from < keeper->instances ? from + 1 : from;
  } else if (keeper->has_rest && !is_ordered(f, keeper)) {
    to = k + 1;
  }
  for (uint32_t i = from; i < to; i++) vec_push(f->heap, owners, keeper->first + i);
}

/* ---- tokens ---- */

/* The token of an array by the same number as the keeper's index is computed of. */
static void find_by(Foci *f, CToken *t, uint32_t bond) {
  CBond *b = &f->bonds->all.at[bond];
  CToken by = {.base = {C_NONE, arrays_object(f->points, b->array)}, .shift = t->shift};
  const COperand value = {C_VALUE, t->index.value, 0}, *index = &value;
  uint32_t context = t->index.context, n = 0;
  CSteps steps;
  for (uint32_t i = 0; i < b->steps.n; i++) n += b->steps.at[i].mix != C_MIX_ADD;
  if (!bonds_steps(f, n, &context, &index, &by.shift, &steps) || !is_same(&steps, &b->steps)) return;
  by.index = same_first(f, by.base.value, (CSpot){context, index->n});
  const uint32_t found = foci_find_token(f, &by);
  if (found == f->tokens.n) return;
  t->bond = bond;
  t->by = found;
  b->is_used = true;
}

void bonds_close(Foci *f) {
  for (uint32_t i = 0; i < f->bonds->all.n; i++) {
    const uint32_t keeper = arrays_object(f->points, f->bonds->all.at[i].keeper);
    for (uint32_t t = 0; t < f->tokens.n; t++) {
      CToken *token = &f->tokens.at[t];
      if (!token->is_truth && token->bond == C_NONE && token->index.context != C_NONE &&
          token->base.context == C_NONE && token->base.value == keeper)
        find_by(f, token, i);
    }
  }
}
