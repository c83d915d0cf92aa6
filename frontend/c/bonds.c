/* One lock for several elements of another array: counts[i] under locks[i % 8]. The same number i is in both indices,
 * so the one that a thread has to do with says which lock it is. docs/c.md has what that means of foci. */
#include "frontend/c/foci_inside.h"

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
static bool find_steps(const Foci *f, uint32_t n, uint32_t *context, const COperand **index, int64_t *shift,
                       CSteps *steps) {
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

/* An element of a global array: its index in a context. */
typedef struct {
  uint32_t global, context;
  uint64_t stride;
  int64_t shift; /* elements from there on */
  const COperand *index;
} Element;

/* Does the instruction go from a global to one of its elements? */
static bool is_element(const Points *p, uint32_t context, const CInstruction *i, Element *element) {
  if (i->kind != C_OFFSET || i->n_operands != 3) return false;
  const COperand *base = cmodule_operand(p->module, i, 0), *scale = cmodule_operand(p->module, i, 2);
  if (base->kind != C_GLOBAL || p->module->globals.at[base->n].is_local || scale->number <= 0) return false;
  *element = (Element){.global = base->n,
                       .context = context,
                       .stride = (uint64_t)scale->number,
                       .shift = foci_quotient(base->number + i->number, scale->number),
                       .index = cmodule_operand(p->module, i, 1)};
  return true;
}

static uint32_t fold_of(const CFoldVec *folds, uint32_t global) {
  uint32_t n = 0;
  while (n < folds->n && (folds->at[n].kind != OBJECT_GLOBAL || folds->at[n].n != global)) n++;
  return n;
}

static uint32_t object_of(const Points *p, uint32_t global) {
  uint32_t o = 0;
  while (o < p->objects.n && (p->objects.at[o].kind != OBJECT_GLOBAL || p->objects.at[o].n != global)) o++;
  return o;
}

static bool has_bond(const CBondVec *bonds, uint32_t array) {
  for (uint32_t i = 0; i < bonds->n; i++)
    if (bonds->at[i].array == array) return true;
  return false;
}

/* With more threads the keepers of all foci are too many to choose. */
enum { MOST_KEPT = 4 };

static bool may_keep(const Points *p) { return p->threads.n <= MOST_KEPT && p->threads.n <= p->precision->foci; }

/* Short arrays are known; of a long one only the foci are, which are not all that a short one may need. */
static bool may_be_bond(const Points *p, const CBond *b, uint64_t array_stride, uint64_t keeper_stride) {
  const CModule *m = p->module;
  const uint64_t array = m->globals.at[b->array].size / array_stride,
                 keeper = m->globals.at[b->keeper].size / keeper_stride;
  if (!may_keep(p) || array < 2 || array > MOST_NUMBER || keeper > MOST_NUMBER || !is_known(&b->steps, array))
    return false;
  if (!b->steps.n) return array == keeper;
  return array > foci_most_elements(p) || keeper <= foci_most_elements(p);
}

/* An element of an array without locks, by a value and `shift` more. */
typedef struct {
  uint32_t global;
  CSpot index;
  int64_t shift;
  uint64_t stride;
} Place;

typedef VEC(Place) PlaceVec;

typedef struct {
  Foci *f;
  CFoldVec *folds;
  CBondVec *bonds;
  uint32_t n_folds; /* with locks */
  PlaceVec places;
} Search;

static void find_place(Search *s, Element *e) {
  const Points *p = s->f->points;
  const uint32_t object = object_of(p, e->global);
  bool exact;
  if (fold_of(s->folds, e->global) < s->folds->n || object == p->objects.n || !p->objects.at[object].is_single) return;
  if (!foci_find_index(s->f, false, &e->context, &e->index, &e->shift, &exact) || e->index->kind != C_VALUE) return;
  vec_push(p->heap, &s->places, ((Place){e->global, {e->context, e->index->n}, e->shift, e->stride}));
}

static void add_bond(Search *s, const CBond *bond, uint64_t stride) {
  Points *p = s->f->points;
  foci_add_fold(p, s->folds, object_of(p, bond->array));
  if (fold_of(s->folds, bond->array) == s->folds->n) return;
  if (vec_last(s->folds).stride == stride) vec_push(p->heap, s->bonds, *bond);
  else s->folds->n--;
}

/* The index of the lock is computed of a value, and `shift` more; the same one is an index of another array. */
static void find_arrays(Search *s, const Element *lock, CSpot spot, int64_t shift, const CSteps *steps) {
  for (uint32_t i = 0; i < s->places.n; i++) {
    const Place *place = &s->places.at[i];
    const CBond bond = {.array = place->global, .keeper = lock->global, .steps = *steps};
    if (place->index.context == spot.context && place->index.value == spot.value && place->shift == shift &&
        !has_bond(s->bonds, place->global) && may_be_bond(s->f->points, &bond, place->stride, lock->stride))
      add_bond(s, &bond, place->stride);
  }
}

/* Of an element with a lock, by whatever steps its index is computed. */
static void find_of_element(Search *s, const Element *e) {
  const uint32_t fold = fold_of(s->folds, e->global);
  if (fold >= s->n_folds || s->folds->at[fold].stride != e->stride) return;
  for (uint32_t n = 0; n <= C_STEPS; n++) {
    Element at = *e;
    CSteps steps;
    if (find_steps(s->f, n, &at.context, &at.index, &at.shift, &steps))
      find_arrays(s, e, (CSpot){at.context, at.index->n}, at.shift, &steps);
  }
}

void bonds_find(Points *p, CFoldVec *folds, CBondVec *bonds) {
  Foci foci = {.points = p, .heap = p->heap};
  Search s = {.f = &foci, .folds = folds, .bonds = bonds, .n_folds = folds->n};
  Element e;
  if (!may_keep(p) || !folds->n) return;
  for (PointsWalk at = {0}; points_next(p, &at);)
    if (is_element(p, at.context, instruction(p, at.number), &e)) find_place(&s, &e);
  for (PointsWalk at = {0}; s.places.n && points_next(p, &at);)
    if (is_element(p, at.context, instruction(p, at.number), &e)) find_of_element(&s, &e);
  vec_fini(p->heap, &s.places);
}

/* ---- instances ---- */

const CObject *foci_array(const Foci *f, const CBond *b) {
  return &f->points->objects.at[object_of(f->points, b->array)];
}

const CObject *foci_keeper(const Foci *f, const CBond *b) {
  return &f->points->objects.at[object_of(f->points, b->keeper)];
}

void bonds_mark(Foci *f) {
  Points *p = f->points;
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->bonds->n; i++) {
    const CBond bond = f->bonds->at[i];
    const uint32_t array = object_of(p, bond.array), keeper = object_of(p, bond.keeper);
    if (array == p->objects.n || keeper == p->objects.n) continue;
    if (!p->objects.at[keeper].instances || !p->objects.at[array].stride ||
        !may_be_bond(p, &bond, p->objects.at[array].stride, p->objects.at[keeper].stride))
      continue;
    p->objects.at[array].instances = 1;
    f->bonds->at[n++] = bond;
  }
  f->bonds->n = n;
}

/* All foci of a swept array are there, also those that no bond leads to. */
bool bonds_allow_sweep(const Foci *f, const CObject *o) {
  for (uint32_t i = 0; i < f->bonds->n; i++)
    if (f->bonds->at[i].steps.n && foci_array(f, &f->bonds->at[i]) == o && o->has_rest) return false;
  return true;
}

/* Are the foci of a keeper in the order of its elements? */
static bool is_ordered(const Foci *f, const CObject *keeper) {
  for (uint32_t t = 0; t < f->tokens.n; t++) {
    if (!f->tokens.at[t].is_swept) continue;
    const CObject *o = &f->points->objects.at[f->tokens.at[t].object];
    if (o == keeper) return true;
    for (uint32_t i = 0; i < f->bonds->n; i++)
      if (foci_array(f, &f->bonds->at[i]) == o && foci_keeper(f, &f->bonds->at[i]) == keeper) return true;
  }
  return false;
}

void foci_owners(const Foci *f, const CBond *b, uint32_t instance, U32Vec *owners) {
  const CObject *array = foci_array(f, b), *keeper = foci_keeper(f, b);
  const uint32_t k = instance - array->first;
  uint32_t from = 0, to = keeper->instances;
  vec_clear(owners);
  if (!b->steps.n) {
    from = k;
    to = k + 1;
  } else if (!array->has_rest) {
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
  CBond *b = &f->bonds->at[bond];
  CToken by = {.base = {C_NONE, b->array}, .shift = t->shift};
  const COperand value = {C_VALUE, t->index.value, 0}, *index = &value;
  uint32_t context = t->index.context, n = 0;
  CSteps steps;
  for (uint32_t i = 0; i < b->steps.n; i++) n += b->steps.at[i].mix != C_MIX_ADD;
  if (!find_steps(f, n, &context, &index, &by.shift, &steps) || !is_same(&steps, &b->steps)) return;
  by.index = (CSpot){context, index->n};
  const uint32_t found = foci_find_token(f, &by);
  if (found == f->tokens.n) return;
  t->bond = bond;
  t->by = found;
  b->is_used = true;
}

void bonds_close(Foci *f) {
  for (uint32_t i = 0; i < f->bonds->n; i++) {
    const CBond *b = &f->bonds->at[i];
    for (uint32_t t = 0; t < f->tokens.n; t++) {
      CToken *token = &f->tokens.at[t];
      if (!token->is_truth && token->bond == C_NONE && token->index.context != C_NONE &&
          token->base.context == C_NONE && token->base.value == b->keeper)
        find_by(f, token, i);
    }
  }
}
