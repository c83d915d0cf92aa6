/* Whatever makes the formula true is tried: of "or" one side, of a sum as many places as it takes. Places are added to
 * a set as long as all of it can be marked together. */
#include "check/never_judge.h"

/* What is to be true; all that follow, too. */
typedef struct Wish {
  const struct Wish *next;
  uint32_t part;
  bool wanted; /* else: it is to be false */
} Wish;

typedef struct {
  Cosets *cosets;
  const Formula *formula;
  const uint32_t *complement;
  VEC(PlaceId) term; /* places that are to be marked, ascending */
  Err why;           /* what is marked together, which nobody asks about: the search is deep */
  Err *err;
} Never;

static bool never_all(Never *n, const Wish *wish);

/* Is the place one of the term; where is it, or should it be? */
static bool is_in_term(const Never *n, PlaceId place, uint32_t *at) {
  uint32_t i = 0;
  while (i < n->term.n && n->term.at[i].v < place.v) i++;
  *at = i;
  return i < n->term.n && n->term.at[i].v == place.v;
}

static void insert(Never *n, uint32_t at, PlaceId place) {
  vec_push(n->cosets->process->heap, &n->term, place);
  for (uint32_t i = n->term.n - 1; i > at; i--) n->term.at[i] = n->term.at[i - 1];
  n->term.at[at] = place;
}

static void remove_at(Never *n, uint32_t at) {
  for (uint32_t i = at; i + 1 < n->term.n; i++) n->term.at[i] = n->term.at[i + 1];
  n->term.n--;
}

/* `missing` more places of the sum, from `from` on, are marked (or unmarked), and all that follows is true. */
static bool never_sum(Never *n, const Wish *wish, uint32_t from, uint32_t missing);

static bool never_with(Never *n, const Wish *wish, uint32_t from, uint32_t missing, PlaceId place) {
  uint32_t at;
  if (is_in_term(n, place, &at)) return never_sum(n, wish, from, missing);
  insert(n, at, place);
  heap_poll(n->cosets->process->heap);
  const bool good = cosets_uncovered(n->cosets, n->term.at, n->term.n, &n->why) || never_sum(n, wish, from, missing);
  remove_at(n, at);
  return good;
}

static bool never_sum(Never *n, const Wish *wish, uint32_t from, uint32_t missing) {
  const FormulaPart *part = &n->formula->parts.at[wish->part];
  if (!missing) return never_all(n, wish->next);
  for (uint32_t i = from; i < part->n_summands && missing <= part->n_summands - i; i++) {
    PlaceId place = n->formula->places.at[part->first + i];
    if (!wish->wanted) place.v = n->complement[place.v];
    if (place.v == PROCESS_NONE) return err_set(n->err, ERR_CHECK, "a place has no complement, and is to be unmarked");
    if (!never_with(n, wish, i + 1, missing - 1, place)) return false;
  }
  return true;
}

/* Fewer than `bound` of n are marked if more than n - bound are not. */
static uint32_t count_wanted(const FormulaPart *part, bool wanted) {
  if (wanted) return part->bound;
  return part->bound > part->n_summands ? 0 : part->n_summands - part->bound + 1;
}

/* Never all of it. */
static bool never_all(Never *n, const Wish *wish) {
  if (!wish) return err_set(n->err, ERR_CHECK, "the formula can hold");
  const FormulaPart *part = &n->formula->parts.at[wish->part];
  const Wish right = {wish->next, part->right, wish->wanted};
  const Wish both = {&right, part->left, wish->wanted}, left = {wish->next, part->left, wish->wanted};
  const Wish opposite = {wish->next, part->left, !wish->wanted};
  switch (part->kind) {
  case FORMULA_SUM: return never_sum(n, wish, 0, count_wanted(part, wish->wanted));
  case FORMULA_NOT: return never_all(n, &opposite);
  case FORMULA_AND:
  case FORMULA_OR: break;
  }
  if ((part->kind == FORMULA_AND) == wish->wanted) return never_all(n, &both);
  return never_all(n, &left) && never_all(n, &right);
}

bool never_judge(Cosets *cosets, const Formula *formula, const uint32_t *complement, Err *err) {
  Never n = {.cosets = cosets, .formula = formula, .complement = complement, .err = err};
  const Wish all = {NULL, formula->parts.n - 1, true};
  const bool good = never_all(&n, &all);
  vec_fini(cosets->process->heap, &n.term);
  return good;
}
