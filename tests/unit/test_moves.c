/* Moves with fewer tests: in every state they do what the program's moves do, and their runs are runs of the program.
 */
#include "colour/moves.h"

#include "petri/token.h"
#include "tests/oracle/random_sml.h"
#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <string.h>

enum { N_STEPS = 60 };

typedef struct {
  SmlCase sml;
  ThreadView program;
  ColourMoves all, merged;
  uint32_t *local, *value; /* per thread; per object */
  uint64_t random;
} Walk;

static void walk_init(Walk *w, const char *text, size_t length, uint64_t seed) {
  Err err;
  *w = (Walk){.sml =
                  sml_case_with(text, length, seed % 2 ? GRANULARITY_ACCESS : GRANULARITY_STATEMENT, ENCODING_COMPACT),
              .random = seed};
  CU_ASSERT_TRUE_FATAL(w->sml.net && thread_view_init(&w->program, w->sml.heap, w->sml.net, &err));
  moves_init(&w->all, w->sml.heap, &w->program, false);
  moves_init(&w->merged, w->sml.heap, &w->program, true);
  w->local = heap_zeroed(w->sml.heap, (w->program.n_threads + 1) * sizeof *w->local);
  w->value = heap_zeroed(w->sml.heap, (w->program.objects.n + 1) * sizeof *w->value);
  for (uint32_t i = 0; i < w->program.n_threads; i++) w->local[i] = w->program.state_start[i];
  for (uint32_t o = 0; o < w->program.objects.n; o++) w->value[o] = w->program.objects.at[o].initial;
}

static void walk_fini(Walk *w) {
  moves_fini(&w->all);
  moves_fini(&w->merged);
  heap_release(w->sml.heap, w->local);
  heap_release(w->sml.heap, w->value);
  thread_view_fini(&w->program);
  sml_case_end(&w->sml);
}

static uint32_t below(Walk *w, uint32_t n) {
  w->random = w->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((w->random >> 33) % n);
}

static bool is_enabled(const Walk *w, const ColourMove *move) {
  for (uint32_t i = 0; i < move->n_accesses; i++) {
    const ViewAccess *access = &move->accesses[i];
    if (access->pre != VALUE_ABSENT && access->pre != VALUE_ANY && access->pre != w->value[access->object])
      return false;
  }
  return true;
}

static uint32_t value_after(const Walk *w, const ViewAccess *access) {
  return access->post == VALUE_ANY ? w->value[access->object] : access->post;
}

/* Both are enabled. Do they touch the same, and lead to the same state? */
static bool do_same(const Walk *w, const ColourMove *a, const ColourMove *b) {
  const TransNote *x = &w->sml.net->notes->transitions[a->transition.v],
                  *y = &w->sml.net->notes->transitions[b->transition.v];
  if (a->to != b->to || a->n_accesses != b->n_accesses || x->begin != y->begin || x->end != y->end) return false;
  for (uint32_t i = 0; i < a->n_accesses; i++)
    if (a->accesses[i].object != b->accesses[i].object || a->accesses[i].writes != b->accesses[i].writes ||
        value_after(w, &a->accesses[i]) != value_after(w, &b->accesses[i]))
      return false;
  return true;
}

/* Is there for each move of the state that can be taken one of the others that does the same? */
static bool are_among(const Walk *w, const ColourMoves *some, const ColourMoves *others, uint32_t local) {
  for (uint32_t i = some->start.at[local]; i < some->start.at[local + 1]; i++) {
    if (!is_enabled(w, &some->moves.at[i])) continue;
    bool found = false;
    for (uint32_t k = others->start.at[local]; k < others->start.at[local + 1] && !found; k++)
      found = is_enabled(w, &others->moves.at[k]) && do_same(w, &some->moves.at[i], &others->moves.at[k]);
    if (!found) return false;
  }
  return true;
}

/* One of the moves with fewer tests, of any thread, or NULL. */
static const ColourMove *any_move(Walk *w) {
  const ColourMove *chosen = NULL;
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->program.n_threads; i++)
    for (uint32_t k = w->merged.start.at[w->local[i]]; k < w->merged.start.at[w->local[i] + 1]; k++)
      if (is_enabled(w, &w->merged.moves.at[k]) && !below(w, ++n)) chosen = &w->merged.moves.at[k];
  return chosen;
}

static void take(Walk *w, const ColourMove *move) {
  w->local[w->program.thread_of[move->transition.v]] = move->to;
  for (uint32_t i = 0; i < move->n_accesses; i++)
    w->value[move->accesses[i].object] = value_after(w, &move->accesses[i]);
}

/* Can the net fire the run? */
static bool is_run(const Walk *w, const TransId *run, uint32_t n) {
  const Net *net = w->sml.net;
  uint64_t *marking = heap_zeroed(w->sml.heap, marking_words(net) * sizeof *marking);
  bool good = true;
  token_initial(net, marking);
  for (uint32_t i = 0; i < n && good; i++) {
    good = token_enabled(net, marking, run[i]);
    if (good) token_fire(net, marking, run[i]);
  }
  heap_release(w->sml.heap, marking);
  return good;
}

/* A random run of the moves with fewer tests; in each state that it comes to they are compared with all. */
static void walk(Walk *w) {
  TransId run[N_STEPS];
  uint32_t n = 0;
  Err err;
  for (const ColourMove *move; n < N_STEPS && (move = any_move(w)); n++) {
    for (uint32_t i = 0; i < w->program.n_threads; i++) {
      CU_ASSERT_TRUE(are_among(w, &w->all, &w->merged, w->local[i]));
      CU_ASSERT_TRUE(are_among(w, &w->merged, &w->all, w->local[i]));
    }
    run[n] = move->transition;
    take(w, move);
  }
  CU_ASSERT_TRUE(moves_settle(&w->program, run, n, &err));
  CU_ASSERT_TRUE(is_run(w, run, n));
}

static void they_do_what_all_moves_do(void) {
  uint32_t n_all = 0, n_merged = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0};
    Walk w;
    random_sml(heap, seed, seed % 3 ? RANDOM_SMALL : RANDOM_WIDE, &text);
    walk_init(&w, text.at, text.n, seed);
    n_all += w.all.moves.n;
    n_merged += w.merged.moves.n;
    walk(&w);
    walk_fini(&w);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n_merged < n_all);
}

/* One for each value of a but 0, and one for b = c = 0, whatever a is. */
static void a_condition_has_few_moves(void) {
  static const char text[] = "int[5] a, b, c; await (a != 0 || (b < 1 && c < 1)) || a := 3; b := 2 || c := 4; a := 0";
  Walk w;
  walk_init(&w, text, sizeof text - 1, 2);
  CU_ASSERT_EQUAL(w.all.start.at[1], 4 * 5 * 5 + 1);
  CU_ASSERT_EQUAL(w.merged.start.at[1], 4 + 1);
  walk(&w);
  walk_fini(&w);
}

/* Where the value decides what is touched, and how, it is asked for. */
static void what_is_touched_stays(void) {
  static const char *const texts[] = {
      "bool f; int X, Y; atomic { if (f) { x := X } else { x := Y } } || X := 1; Y := 1 || f := true",
      "bool f; int X; atomic { if (f) { x := X } else { X := 1 } } || X := 2; y := X || f := true"};
  for (uint32_t i = 0; i < 2; i++) {
    Walk w;
    walk_init(&w, texts[i], strlen(texts[i]), 2);
    CU_ASSERT_EQUAL(w.merged.start.at[1], 2);
    walk(&w);
    walk_fini(&w);
  }
}

/* A transition that cannot be taken, and for which no other one stands. */
static void no_run_is_made_up(void) {
  static const char text[] = "bool f; await (f); f := false || f := true";
  Walk w;
  Err err;
  walk_init(&w, text, sizeof text - 1, 2);
  TransId run[] = {w.all.moves.at[0].transition};
  CU_ASSERT_FALSE(moves_settle(&w.program, run, 1, &err));
  CU_ASSERT_EQUAL(err.kind, ERR_CHECK);
  walk_fini(&w);
}

void suite_moves(void) {
  CU_pSuite suite = CU_add_suite("moves", NULL, NULL);
  CU_ADD_TEST(suite, they_do_what_all_moves_do);
  CU_ADD_TEST(suite, a_condition_has_few_moves);
  CU_ADD_TEST(suite, what_is_touched_stays);
  CU_ADD_TEST(suite, no_run_is_made_up);
}
