/* Which arrays have to do with those that have locks: the element that a thread accesses has the number of the lock, or
 * one from which that of the lock is computed. In the first case both are one object that is told apart, as if the
 * arrays were one, of structures; in the second there is a bond (bonds.c). */
#include "frontend/c/arrays.h"
#include "frontend/c/same.h"

/* An element, by a value and `shift` more. */
typedef struct {
  CArray array;
  CSpot index;
  int64_t shift;
  uint64_t stride;
} Place;

typedef VEC(Place) PlaceVec;

typedef struct {
  Foci *f;
  CFoldVec *folds;
  uint32_t n_locks; /* of the folds */
  PlaceVec places;  /* in arrays that are not folded for their locks */
  PlaceVec told;    /* in those that are */
} Search;

/* Of more places nothing is sought. */
enum { MOST_PLACES = 4096 };

static uint32_t fold_of(const CFoldVec *folds, CArray array) {
  uint32_t n = 0;
  while (n < folds->n && !carray_is_same(array, (CArray){folds->at[n].kind, folds->at[n].n, folds->at[n].part})) n++;
  return n;
}

static bool is_taken(const CBonds *bonds, CArray array) {
  for (uint32_t i = 0; i < bonds->all.n; i++)
    if (carray_is_same(bonds->all.at[i].array, array)) return true;
  for (uint32_t i = 0; i < bonds->parallel.n; i++)
    if (carray_is_same(bonds->parallel.at[i].array, array)) return true;
  return false;
}

static bool is_same_place(const Place *a, const Place *b) {
  return a->index.context == b->index.context && a->index.value == b->index.value && a->shift == b->shift;
}

/* ---- where elements are accessed ---- */

/* An element by that number; *told: of an array that has locks. */
static bool place_of(const Search *s, CElement *e, Place *place, bool *told) {
  const Points *p = s->f->points;
  const uint32_t object = arrays_object(p, e->array), fold = fold_of(s->folds, e->array);
  bool exact;
  *told = fold < s->n_locks;
  if (object == C_NONE || !p->objects.at[object].is_single) return false;
  if (!foci_find_index(s->f, false, &e->context, &e->index, &e->shift, &exact) || e->index->kind != C_VALUE)
    return false;
  if (*told && s->folds->at[fold].stride != e->stride) return false;
  *place = (Place){e->array, same_first(s->f, C_NONE, (CSpot){e->context, e->index->n}), e->shift, e->stride};
  return true;
}

/* The lock of one of several numbers, as of the lower one of two, may be that of each. */
static void find_place(Search *s, CElement *e, int depth) {
  enum { DEEPEST = 2 };
  const CModule *m = s->f->points->module;
  Place place;
  bool told;
  if (!place_of(s, e, &place, &told)) return;
  if (told) vec_push(s->f->heap, &s->told, place);
  else vec_push(s->f->heap, &s->places, place);
  const CInstruction *i = &m->instructions.at[e->index->n];
  if (!told || depth == DEEPEST || (i->kind != C_MERGE && i->kind != C_SELECT)) return;
  for (uint32_t n = i->kind == C_SELECT; n < i->n_operands; n++) {
    CElement it = *e;
    it.index = cmodule_operand(m, i, n);
    if (it.index->kind == C_VALUE) find_place(s, &it, depth + 1);
  }
}

static void find_places(Search *s) {
  const Points *p = s->f->points;
  CElement e;
  for (PointsWalk at = {0}; points_next(p, &at);)
    if (arrays_element(s->f, at.context, &p->module->instructions.at[at.number], &e)) find_place(s, &e, 0);
}

/* Folds the array, if all steps in it are of that length at most. */
static bool fold(Search *s, CArray array, uint64_t stride) {
  Points *p = s->f->points;
  const uint32_t before = s->folds->n;
  foci_add_fold(p, s->folds, arrays_object(p, array));
  if (s->folds->n == before) return false;
  if (vec_last(s->folds).stride == stride) return true;
  s->folds->n--;
  return false;
}

/* ---- bonds ---- */

static void add_bonds(Search *s, const Place *lock, CSpot index, int64_t shift, const CSteps *steps) {
  const Place by = {.index = index, .shift = shift};
  for (uint32_t i = 0; i < s->places.n; i++) {
    const Place *place = &s->places.at[i];
    const CBond bond = {.array = place->array, .keeper = lock->array, .steps = *steps};
    if (is_same_place(place, &by) && !is_taken(s->f->bonds, place->array) &&
        bonds_may_be(s->f->points, &bond, place->stride, lock->stride) && fold(s, place->array, place->stride))
      vec_push(s->f->heap, &s->f->bonds->all, bond);
  }
}

/* Its index is computed by so many steps that are no sums. */
static void find_bonds(Search *s, const Place *lock) {
  const COperand value = {C_VALUE, lock->index.value, 0};
  for (uint32_t n = 1; n <= C_STEPS; n++) {
    const COperand *index = &value;
    uint32_t context = lock->index.context;
    int64_t shift = lock->shift;
    CSteps steps;
    if (bonds_steps(s->f, n, &context, &index, &shift, &steps))
      add_bonds(s, lock, same_first(s->f, C_NONE, (CSpot){context, index->n}), shift, &steps);
  }
}

/* ---- parallel arrays ---- */

static bool has_same(const Search *s, const Place *place, CArray first) {
  for (uint32_t i = 0; i < s->told.n; i++)
    if (carray_is_same(s->told.at[i].array, first) && is_same_place(&s->told.at[i], place)) return true;
  return false;
}

/* Does each thread but the main one that accesses an element access the one of the same number, too? Else it may have
 * elements of its own, which are better not told apart by their locks. */
static bool is_accompanied(const Search *s, CArray array, CArray first) {
  const Points *p = s->f->points;
  for (uint32_t i = 0; i < s->places.n; i++)
    if (carray_is_same(s->places.at[i].array, array) && p->contexts.at[s->places.at[i].index.context].thread &&
        !has_same(s, &s->places.at[i], first))
      return false;
  return true;
}

static bool may_be_parallel(const Search *s, const Place *place, const Place *first) {
  Points *p = s->f->points;
  const uint64_t length = arrays_length(p, place->array, place->stride);
  if (length == 1 || length != arrays_length(p, first->array, first->stride)) return false;
  if (!arrays_is_plain(p, arrays_object(p, place->array))) return false;
  if (bonds_allow(p) && place->array.kind == OBJECT_GLOBAL && first->array.kind == OBJECT_GLOBAL) return true;
  return is_accompanied(s, place->array, first->array);
}

static void find_parallel(Search *s, const Place *first) {
  for (uint32_t i = 0; i < s->places.n; i++) {
    const Place *place = &s->places.at[i];
    if (is_same_place(place, first) && !is_taken(s->f->bonds, place->array) && may_be_parallel(s, place, first) &&
        fold(s, place->array, place->stride))
      vec_push(s->f->heap, &s->f->bonds->parallel, ((CParallel){place->array, first->array}));
  }
}

/* ---- the whole ---- */

/* Those that bonds have told apart, too. */
static void tell_places(Search *s) {
  for (uint32_t i = 0; i < s->places.n; i++)
    if (is_taken(s->f->bonds, s->places.at[i].array)) vec_push(s->f->heap, &s->told, s->places.at[i]);
}

static void find_all(Search *s) {
  vec_clear(&s->places);
  vec_clear(&s->told);
  find_places(s);
  if (s->places.n > MOST_PLACES || s->told.n > MOST_PLACES) return;
  const uint32_t n = s->told.n;
  for (uint32_t i = 0; i < n; i++) find_parallel(s, &s->told.at[i]);
  for (uint32_t i = 0; i < n && bonds_allow(s->f->points); i++) find_bonds(s, &s->told.at[i]);
  if (s->f->bonds->all.n) tell_places(s);
  for (uint32_t i = n; i < s->told.n; i++) find_parallel(s, &s->told.at[i]);
}

/* First by one value that is used twice, then by one that is computed twice: that may be by chance. */
void parallel_find(Points *p, const COrigins *origins, CFoldVec *folds, CBonds *bonds) {
  Foci foci = {.points = p, .heap = p->heap, .origins = origins, .bonds = bonds};
  Search s = {.f = &foci, .folds = folds, .n_locks = folds->n};
  if (!folds->n) return;
  arrays_find_bases(p, bonds);
  find_all(&s);
  same_find(&foci, true);
  find_all(&s);
  same_fini(&foci);
  vec_fini(p->heap, &s.places);
  vec_fini(p->heap, &s.told);
}
