/* Breadth first, each marking is asked whether one of the formulas holds that have not held yet: the first one where it
 * does is nearest. Where all markings have been looked at, the others hold nowhere.
 *
 * A net may have more markings than can be searched. So the search ends when it has cost a few times what a search of
 * its own costs a formula at least (unfold/deadlock.c), for each of them. What is still open then has its own search,
 * as it would have had without this one. */
#include "ask/together.h"

#include "unfold/states.h"

enum {
  MAX_MARKINGS = 1 << 21,
  PORTION = 1 << 16,     /* of work, between two looks at how much it has been */
  PER_FORMULA = 3 << 20, /* of work, some 60 milliseconds */
  LEAST_ALONE = 1 << 26, /* where no formula has a search of its own */
  MOST_WORK = 1 << 28
};

/* A formula that is asked. */
typedef struct {
  Answer *answer;
  StatesFormula formula;
  uint32_t at; /* the marking where it holds; UINT32_MAX: none has been found */
} Asked;

typedef VEC(Asked) AskedVec;

typedef struct {
  Heap *heap;
  AskedVec asked;
  bool alone;
  uint32_t n_open;    /* of them */
  uint64_t spent;     /* work, on markings */
  uint64_t looks;     /* at places, for formulas */
  UnfoldOptions told; /* what `limits` looks at */
  Limits limits;
  States states;
  StatesStatus status;
} Search;

/* What is passed to the goal, which may not change the search's other parts. */
typedef struct {
  Search *search;
} Goal;

/* A StatesGoal: have all of them held? */
static bool have_all_held(const void *argument, const States *states) {
  Search *s = ((const Goal *)argument)->search;
  for (uint32_t i = 0; i < s->asked.n; i++) {
    Asked *a = &s->asked.at[i];
    if (a->at != UINT32_MAX) continue;
    s->looks += a->formula.formula->places.n + a->formula.formula->parts.n;
    if (!states_satisfy(&a->formula, states)) continue;
    a->at = states->at;
    s->n_open--;
  }
  return s->n_open == 0;
}

/* A look at a place is cheap. */
static bool is_enough(const Search *s) {
  const uint64_t work = s->spent + s->looks / 4;
  const uint64_t least = s->alone ? LEAST_ALONE : 0, wanted = (uint64_t)s->asked.n * PER_FORMULA;
  return work >= MOST_WORK || work >= (wanted > least ? wanted : least);
}

static void explore(void *search) {
  Search *s = search;
  const Goal goal = {s};
  for (s->status = STATES_MORE; s->status == STATES_MORE && !is_enough(s); s->spent += PORTION)
    s->status = states_explore(&s->states, have_all_held, &goal, PORTION);
}

static void take(const Search *s, const Asked *a) {
  if (a->at == UINT32_MAX) {
    if (s->status == STATES_ALL) a->answer->answer = VERDICT_HOLDS;
    return;
  }
  const uint32_t n = states_run(&s->states, a->at, NULL);
  a->answer->run = heap_alloc(s->heap, heap_product(s->heap, n, sizeof *a->answer->run));
  a->answer->n_run = states_run(&s->states, a->at, a->answer->run);
  a->answer->shortest = true;
  a->answer->answer = VERDICT_VIOLATED;
}

/* Where memory runs out, what the search held may do for the searches of their own. */
static void search_all(Search *s, const Net *net) {
  limits_init(&s->limits, s->heap, &s->told);
  states_init(&s->states, s->heap, net, &s->limits, MAX_MARKINGS);
  if (heap_try(s->heap, explore, s)) {
    for (uint32_t i = 0; i < s->asked.n; i++) take(s, &s->asked.at[i]);
  } else if (heap_why(s->heap) != STOP_MEMORY) {
    heap_pass_on(s->heap);
  }
  states_fini(&s->states);
}

void together_search(Heap *heap, const Net *net, Answer *answers, uint32_t n, bool alone) {
  Search s = {.heap = heap, .alone = alone};
  for (uint32_t i = 0; i < n; i++) {
    if (answers[i].kind != QUESTION_FORMULA || answers[i].answer != VERDICT_UNKNOWN) continue;
    Asked asked = {&answers[i], {0}, UINT32_MAX};
    states_formula_init(&asked.formula, heap, answers[i].formula);
    vec_push(heap, &s.asked, asked);
  }
  s.n_open = s.asked.n;
  if (s.n_open > 1 || (alone && s.n_open)) search_all(&s, net);
  for (uint32_t i = 0; i < s.asked.n; i++) states_formula_fini(&s.asked.at[i].formula, heap);
  vec_fini(heap, &s.asked);
}
