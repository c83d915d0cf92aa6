/* Model checking serializability against playing every run of tiny programs. */
#include "base/hash.h"
#include "base/vec.h"
#include "check/conflict.h"
#include "petri/token.h"
#include "serial/model_check.h"
#include "tests/oracle/drawn_text.h"
#include "tests/oracle/random_sml.h"
#include "tests/unit/hand_net.h"
#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- every run ---- */

typedef struct {
  Heap *heap;
  const Net *net;
  VEC(TransId) run;
  uint32_t n_runs, budget;
  bool violated;
  uint32_t shortest; /* the length of the shortest prefix that is a violation */
} Runs;

static bool is_violation(const Runs *runs, uint32_t n) {
  ConflictCycle cycle;
  Err err;
  if (!n || !conflict_judge(runs->heap, runs->net, NULL, runs->run.at, n, &cycle, &err)) return false;
  conflict_cycle_fini(&cycle);
  return true;
}

/* The conflict graph of a run has that of each prefix in it. */
static void judge_run(Runs *runs) {
  runs->n_runs++;
  if (!is_violation(runs, runs->run.n)) return;
  runs->violated = true;
  uint32_t n = runs->run.n;
  while (is_violation(runs, n - 1)) n--;
  if (n < runs->shortest) runs->shortest = n;
}

static void play(Runs *runs, const uint64_t *marking) {
  const size_t words = marking_words(runs->net);
  uint64_t next[16];
  bool stuck = true;
  if (runs->n_runs > runs->budget) return;
  for (uint32_t t = 0; t < runs->net->n_trans; t++) {
    if (!token_enabled(runs->net, marking, (TransId){t})) continue;
    stuck = false;
    memcpy(next, marking, words * sizeof *next);
    token_fire(runs->net, next, (TransId){t});
    vec_push(runs->heap, &runs->run, (TransId){t});
    play(runs, next);
    runs->run.n--;
  }
  if (stuck) judge_run(runs);
}

/* False if there are too many. */
static bool play_all(Heap *heap, const Net *net, uint32_t budget, Runs *runs) {
  uint64_t marking[16];
  *runs = (Runs){.heap = heap, .net = net, .budget = budget, .shortest = UINT32_MAX};
  if (marking_words(net) > 16) return false;
  token_initial(net, marking);
  play(runs, marking);
  vec_fini(heap, &runs->run);
  return runs->n_runs <= budget;
}

/* ---- comparisons ---- */

static ModelResult check(Heap *heap, const Net *net, ModelOptions options) {
  ModelResult result = {0};
  Err err = {0};
  const bool good = model_check(heap, net, &options, &result, &err);
  if (!good) printf("\n%s\n", err.text);
  CU_ASSERT_TRUE_FATAL(good);
  return result;
}

static bool is_proved(Heap *heap, const Net *net, const ModelResult *result) {
  ConflictCycle cycle;
  Err err;
  if (!conflict_judge(heap, net, NULL, result->run, result->n_run, &cycle, &err)) return false;
  conflict_cycle_fini(&cycle);
  return true;
}

static const char *compare(Heap *heap, const Net *net, const Runs *runs) {
  ModelResult result = check(heap, net, (ModelOptions){0});
  const char *wrong = NULL;
  if ((result.status == MODEL_VIOLATED) != runs->violated) wrong = "the verdict";
  else if (runs->violated && result.n_run != runs->shortest) wrong = "the run is not a shortest one";
  else if (runs->violated && !is_proved(heap, net, &result)) wrong = "the run proves nothing";
  heap_release(heap, result.run);
  return wrong;
}

enum { N_WITH_VALUES = 500, N_WITHOUT = 1000, BUDGET = 600 };

/* Programs with locks, and with values or (this is what tracepredict --sync=locks asks) without. */
static void all_runs_agree(bool abstract) {
  const uint32_t n = abstract ? N_WITHOUT : N_WITH_VALUES;
  uint32_t n_compared = 0, n_violated = 0;
  for (uint64_t seed = 1; n_compared < n; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0};
    Runs runs;
    random_sml(heap, seed, RANDOM_TINY, &text);
    vec_push(heap, &text, '\0');
    text.n--;
    SmlCase c = abstract ? sml_case_abstract(text.at, text.n)
                         : sml_case_with(text.at, text.n, GRANULARITY_STATEMENT, ENCODING_COMPACT);
    if (c.net && play_all(c.heap, c.net, BUDGET, &runs)) {
      const char *wrong = compare(c.heap, c.net, &runs);
      if (wrong) printf("\nseed %u: %s\n%.*s\n", (unsigned)seed, wrong, (int)text.n, text.at);
      CU_ASSERT_PTR_NULL(wrong);
      n_compared++;
      n_violated += runs.violated;
    }
    sml_case_end(&c);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n_violated > n / 10 && n_violated < n * 9 / 10);
}

static void all_runs_agree_with_values(void) { all_runs_agree(false); }
static void all_runs_agree_without_values(void) { all_runs_agree(true); }

/* ---- data abstracted, but not what is waited for ---- */

static void put_statement(DrawnText *out, bool may_fork) {
  static const char *const STATEMENTS[] = {"x := X",    "X := 1",    "X := X + 1", "F := 1", "await (F = 1)",
                                           "p(s)",      "v(s)",      "Y := X",     "y := Y", "rdlock(r)",
                                           "wrlock(r)", "unlock(r)", "fork w",     "join w"};
  drawn_put(out, "%s", STATEMENTS[drawn_number(out, may_fork ? 14 : 12)]);
}

/* Blocks of two statements, with some in front and after. */
static void put_thread(DrawnText *out, bool may_fork) {
  static const char *const AROUND[][2] = {{"skip", "skip"},
                                          {"p(s)", "v(s)"},
                                          {"rdlock(r)", "unlock(r)"},
                                          {"wrlock(r)", "unlock(r)"},
                                          {"p(s)", "skip"},
                                          {"skip", "skip"},
                                          {"if (F = 0) { X := 2 } else { y := Y }", "skip"}};
  const char *const *around = AROUND[drawn_number(out, 7)];
  drawn_put(out, "%s; ", around[0]);
  if (may_fork && drawn_chance(out, 60)) drawn_put(out, "fork w; ");
  drawn_put(out, "begin ");
  put_statement(out, may_fork);
  drawn_put(out, "; ");
  put_statement(out, may_fork);
  drawn_put(out, " end; %s", around[1]);
  if (may_fork && drawn_chance(out, 40)) drawn_put(out, "; join w; y := Y");
}

/* `data`: how F is declared. */
static void put_program(Heap *heap, uint64_t seed, const char *data, CharVec *text) {
  DrawnText out = {.heap = heap, .text = text, .seed = hash_word(seed)};
  drawn_put(&out, "int X, Y; %s F; sem s = %u; rwlock r;\n", data, drawn_number(&out, 2));
  put_thread(&out, true);
  drawn_put(&out, "\n||\nthread w { ");
  put_thread(&out, false);
  drawn_put(&out, " }\n");
  if (drawn_chance(&out, 30)) drawn_put(&out, "||\nX := 1\n");
  vec_push(heap, text, '\0');
  text->n--;
}

/* The net of a program that says itself that its data is abstract. */
static bool is_net_of(const Net *net, const CharVec *abstract) {
  SmlCase c = sml_case_with(abstract->at, abstract->n, GRANULARITY_STATEMENT, ENCODING_COMPACT);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  char *ours = net_lines(net), *theirs = net_lines(c.net);
  const bool same = strcmp(ours, theirs) == 0;
  free(ours);
  free(theirs);
  sml_case_end(&c);
  return same;
}

/* tracepredict --sync=locks respects semaphores, reader-writer locks, fork and join. */
static void waiting_programs_agree(void) {
  uint32_t n_compared = 0, n_violated = 0;
  for (uint64_t seed = 1; n_compared < 600; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0}, abstract = {0};
    Runs runs;
    put_program(heap, seed, "int[2]", &text);
    put_program(heap, seed, "int   ", &abstract);
    SmlCase c = sml_case_waiting(text.at, text.n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
    const char *wrong = is_net_of(c.net, &abstract) ? NULL : "the net";
    if (!wrong && play_all(c.heap, c.net, 8 * BUDGET, &runs)) {
      wrong = compare(c.heap, c.net, &runs);
      n_compared++;
      n_violated += runs.violated;
    }
    if (wrong) printf("\nseed %u: %s\n%.*s\n", (unsigned)seed, wrong, (int)text.n, text.at);
    CU_ASSERT_PTR_NULL_FATAL(wrong);
    sml_case_end(&c);
    heap_free(heap);
  }
  printf("(%u violated) ", n_violated);
  CU_ASSERT_TRUE(n_violated > n_compared / 20);
}

static ModelStatus status_under(const char *program, ModelOptions options, const Stop *stop) {
  SmlCase c = sml_case(program);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  heap_watch(c.heap, stop);
  ModelResult result = check(c.heap, c.net, options);
  if (result.status == MODEL_VIOLATED) CU_ASSERT_TRUE(is_proved(c.heap, c.net, &result));
  heap_release(c.heap, result.run);
  sml_case_end(&c);
  return result.status;
}

static ModelStatus status_of(const char *program, ModelOptions options) { return status_under(program, options, NULL); }

/* Figure 1 of "Causal Atomicity": both blocks are causally atomic. */
static void figure_1_is_not_serializable(void) {
  static const char program[] =
      "int X, Y, Z, T;\nbegin:B X := 1; t := T end\n||\nx := X; Y := 1\n||\nbegin:C Z := 1; y := Y end\n||\nz := Z; T := 1\n";
  CU_ASSERT_EQUAL(status_of(program, (ModelOptions){0}), MODEL_VIOLATED);
  CU_ASSERT_EQUAL(status_of(program, (ModelOptions){.blocks = (const bool[]){true, false}}), MODEL_SERIALIZABLE);
}

static void locks_and_values_count(void) {
  CU_ASSERT_EQUAL(
      status_of("int X; lock l;\n2 * { acquire(l) begin x := X; X := x end release(l) }\n", (ModelOptions){0}),
      MODEL_SERIALIZABLE);
  CU_ASSERT_EQUAL(status_of("int X; lock l;\n2 * { begin x := X; X := x end }\n", (ModelOptions){0}), MODEL_VIOLATED);
  CU_ASSERT_EQUAL(
      status_of("int X; bool F;\nbegin x := X; X := x end; F := true\n||\nawait (F) ; X := 1\n", (ModelOptions){0}),
      MODEL_SERIALIZABLE);
  CU_ASSERT_EQUAL(
      status_of("int X;\nwhile (true) { begin x := X; X := x end }\n||\nwhile (true) { y := X }\n", (ModelOptions){0}),
      MODEL_SERIALIZABLE);
  CU_ASSERT_EQUAL(
      status_of("int X;\nwhile (true) { begin X := 1; X := 2 end }\n||\nwhile (true) { y := X }\n", (ModelOptions){0}),
      MODEL_VIOLATED);
}

/* Transitions may stand in any order: here the first thread accesses the variable first and last. */
static void order_of_transitions_does_not_matter(void) {
  Heap *heap = heap_new(0);
  Hand hand;
  hand_start(&hand, heap, "turns.sml");
  const uint32_t a = hand_thread(&hand, "A", 0, 1), b = hand_thread(&hand, "B", 1, 2);
  const uint32_t x = hand_variable(&hand, "X"), block = hand_block(&hand, "twice", 1, 1, 3);
  hand_begin(&hand, a, 1, block);
  hand_write(&hand, hand_event(&hand, a, 1, "X := 1"), x);
  hand_read(&hand, hand_event(&hand, b, 2, "y := X"), b, x);
  hand_write(&hand, hand_event(&hand, a, 1, "X := 2"), x);
  hand_end(&hand, a, 3, block);
  ModelResult result = check(heap, hand_finish(&hand), (ModelOptions){0});
  CU_ASSERT_EQUAL(result.status, MODEL_VIOLATED);
  CU_ASSERT_EQUAL(result.n_run, 4);
  heap_free(heap);
}

static void limits_are_kept(void) {
  static const char program[] = "int X; lock l;\n3 * { acquire(l) begin x := X; X := x end release(l) }\n";
  CU_ASSERT_EQUAL(status_of(program, (ModelOptions){.max_states = 5}), MODEL_LIMIT);
  CU_ASSERT_EQUAL(status_under(program, (ModelOptions){0}, &(Stop){.asked = STOP_TIME}), MODEL_CANCELLED);
}

/* Without its accesses, or without the roles of its places, the net shows no conflict. */
static void silent_notes_are_refused(void) {
  for (uint32_t without_roles = 0; without_roles < 2; without_roles++) {
    SmlCase c = sml_case("int X;\nbegin X := 1; X := 2 end\n||\ny := X\n");
    Notes notes = *c.net->notes;
    Net net = *c.net;
    net.notes = &notes;
    uint32_t *none = heap_zeroed(c.heap, (net.n_trans + 1) * sizeof *none);
    notes.access_start = none;
    PlaceNote *places = heap_alloc(c.heap, net.n_places * sizeof *places);
    for (uint32_t p = 0; p < net.n_places; p++) places[p] = without_roles ? NO_PLACE_NOTE : c.net->notes->places[p];
    notes.places = places;
    ModelResult result;
    Err err;
    const ModelOptions options = {0};
    CU_ASSERT_FALSE(model_check(c.heap, &net, &options, &result, &err));
    CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "read and write 'X'"));
    heap_release(c.heap, places);
    heap_release(c.heap, none);
    sml_case_end(&c);
  }
}

static void serializable_runs_prove_nothing(void) {
  SmlCase c = sml_case("int X;\nbegin X := 1; X := 2 end\n||\ny := X\n");
  ConflictCycle cycle;
  Err err;
  const TransId run[] = {{0}, {1}, {2}, {3}};
  CU_ASSERT_FALSE(conflict_judge(c.heap, c.net, NULL, run, 4, &cycle, &err));
  CU_ASSERT_EQUAL(err.kind, ERR_CHECK);
  CU_ASSERT_FALSE(conflict_judge(c.heap, c.net, NULL, run + 1, 2, &cycle, &err));
  sml_case_end(&c);
}

void suite_model(void) {
  CU_pSuite suite = CU_add_suite("model", NULL, NULL);
  CU_ADD_TEST(suite, all_runs_agree_with_values);
  CU_ADD_TEST(suite, all_runs_agree_without_values);
  CU_ADD_TEST(suite, waiting_programs_agree);
  CU_ADD_TEST(suite, figure_1_is_not_serializable);
  CU_ADD_TEST(suite, locks_and_values_count);
  CU_ADD_TEST(suite, order_of_transitions_does_not_matter);
  CU_ADD_TEST(suite, limits_are_kept);
  CU_ADD_TEST(suite, silent_notes_are_refused);
  CU_ADD_TEST(suite, serializable_runs_prove_nothing);
}
