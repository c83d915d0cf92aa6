/* G. S. Tseitin's translation (1968): a variable for each part, equivalent to what it says. A sum is counted summand by
 * summand: variable (i, j) says that at least j of the first i are true (C. Sinz, CP 2005). */
#include "unfold/formula_sat.h"

typedef struct {
  SatSolver *solver;
  Heap *heap;
  const Prefix *prefix;
  const SatLiteral *event, *consumed;
  const Formula *formula;
  SatLiteral true_;
  SatLiteral *marked; /* per place: it is marked; SAT_NONE as long as nobody has asked */
} Translation;

static SatLiteral join(Translation *t, SatLiteral a, SatLiteral b, bool both) {
  const SatLiteral x = sat_add_variable(t->solver), sign = both ? x : sat_not(x);
  if (!both) a = sat_not(a), b = sat_not(b);
  sat_add_2(t->solver, sat_not(sign), a);
  sat_add_2(t->solver, sat_not(sign), b);
  sat_add_3(t->solver, sign, sat_not(a), sat_not(b));
  return x;
}

static SatLiteral both_of(Translation *t, SatLiteral a, SatLiteral b) { return join(t, a, b, true); }
static SatLiteral one_of(Translation *t, SatLiteral a, SatLiteral b) { return join(t, a, b, false); }

/* ---- places ---- */

/* The condition is in the cut. */
static SatLiteral is_cut(Translation *t, uint32_t b) {
  const EventId producer = t->prefix->producer[b];
  const SatLiteral made = producer.v == EVENT_NONE.v ? t->true_ : t->event[producer.v];
  return t->consumed[b].v == SAT_NONE.v ? made : both_of(t, made, sat_not(t->consumed[b]));
}

static bool is_ever_made(const Translation *t, uint32_t b) {
  const EventId producer = t->prefix->producer[b];
  return producer.v == EVENT_NONE.v || t->event[producer.v].v != SAT_NONE.v;
}

/* All places of the formula, in one pass over the conditions. */
static void find_marked(Translation *t) {
  const Formula *formula = t->formula;
  bool *wanted = heap_zeroed(t->heap, t->prefix->net->n_places);
  for (uint32_t i = 0; i < formula->places.n; i++) wanted[formula->places.at[i].v] = true;
  for (uint32_t b = 0; b < t->prefix->n_conditions; b++) {
    const uint32_t p = t->prefix->condition_place[b].v;
    if (!wanted[p] || !is_ever_made(t, b)) continue;
    const SatLiteral cut = is_cut(t, b);
    t->marked[p] = t->marked[p].v == SAT_NONE.v ? cut : one_of(t, t->marked[p], cut);
  }
  heap_release(t->heap, wanted);
}

static SatLiteral is_marked(const Translation *t, PlaceId place) {
  return t->marked[place.v].v == SAT_NONE.v ? sat_not(t->true_) : t->marked[place.v];
}

/* ---- parts ---- */

static SatLiteral add_sum(Translation *t, const FormulaPart *sum) {
  const uint32_t k = sum->bound;
  if (k > sum->n_summands) return sat_not(t->true_);
  SatLiteral *least = heap_alloc(t->heap, ((size_t)k + 1) * sizeof *least); /* least[j]: at least j so far */
  least[0] = t->true_;
  for (uint32_t j = 1; j <= k; j++) least[j] = sat_not(t->true_);
  for (uint32_t i = 0; i < sum->n_summands; i++) {
    const SatLiteral x = is_marked(t, t->formula->places.at[sum->first + i]);
    for (uint32_t j = k < i + 1 ? k : i + 1; j > 0; j--) least[j] = one_of(t, least[j], both_of(t, x, least[j - 1]));
  }
  const SatLiteral result = least[k];
  heap_release(t->heap, least);
  return result;
}

static SatLiteral add_part(Translation *t, const FormulaPart *part, const SatLiteral *parts) {
  switch (part->kind) {
  case FORMULA_SUM: return add_sum(t, part);
  case FORMULA_NOT: return sat_not(parts[part->left]);
  case FORMULA_AND: return both_of(t, parts[part->left], parts[part->right]);
  case FORMULA_OR: return one_of(t, parts[part->left], parts[part->right]);
  }
  return SAT_NONE;
}

SatLiteral formula_sat(SatSolver *solver, Heap *heap, const Prefix *prefix, const SatLiteral *event,
                       const SatLiteral *consumed, const Formula *formula) {
  Translation t = {.solver = solver,
                   .heap = heap,
                   .prefix = prefix,
                   .event = event,
                   .consumed = consumed,
                   .formula = formula,
                   .true_ = sat_add_variable(solver)};
  sat_add_1(solver, t.true_);
  t.marked = heap_zeroed(heap, heap_product(heap, prefix->net->n_places, sizeof *t.marked));
  SatLiteral *parts = heap_alloc(heap, heap_product(heap, formula->parts.n, sizeof *parts));
  find_marked(&t);
  for (uint32_t i = 0; i < formula->parts.n; i++) parts[i] = add_part(&t, &formula->parts.at[i], parts);
  const SatLiteral result = parts[formula->parts.n - 1];
  heap_release(heap, parts);
  heap_release(heap, t.marked);
  return result;
}
