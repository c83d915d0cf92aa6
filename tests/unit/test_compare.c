#include "tests/compare.h"

#include "tests/oracle/net_script.h"
#include "tests/oracle/random_sml.h"
#include "tests/oracle/random_units.h"

#include <CUnit/CUnit.h>
#include <string.h>

static const char TORN[] = "int X;\n"
                           "int Y;\n"
                           "lock l;\n"
                           "acquire(l);\n"
                           "begin:B\n"
                           "  X := 1;\n"
                           "  if (Y = 2) {\n"
                           "    X := X + 2;\n"
                           "  }\n"
                           "end;\n"
                           "release(l);\n"
                           "||\n"
                           "acquire(l);\n"
                           "Y := 7;\n"
                           "release(l);\n"
                           "||\n"
                           "Y := 3;\n"
                           "x := X + Y;\n";

static Comparison with_liar(void) { return (Comparison){.engines = {&ENGINES[0], &LYING_ENGINE}, .n_engines = 2}; }

static void engines_that_agree_pass(void) {
  const Comparison comparison = {.engines = {&ENGINES[0], &ENGINES[0]}, .n_engines = 2};
  const Outcome outcome = compare_engines(&comparison, TORN, strlen(TORN));
  CU_ASSERT_TRUE(outcome.agreed && outcome.legal);
  CU_ASSERT_STRING_EQUAL(outcome.text, "");
  CU_ASSERT_EQUAL(outcome.n[ANSWER_VIOLATED], 1);
  CU_ASSERT_EQUAL(outcome.n[ANSWER_ATOMIC] + outcome.n[ANSWER_UNKNOWN], 0);
}

static void a_lie_is_seen(void) {
  const Comparison comparison = with_liar();
  const Outcome outcome = compare_engines(&comparison, TORN, strlen(TORN));
  CU_ASSERT_FALSE(outcome.agreed);
  CU_ASSERT_TRUE(outcome.legal);
  CU_ASSERT_PTR_NOT_NULL(strstr(outcome.text, "block 1 at 5:"));
  CU_ASSERT_PTR_NOT_NULL(strstr(outcome.text, "liar says atomic"));
}

static void a_lie_is_shrunk(void) {
  const Comparison comparison = with_liar();
  Heap *heap = heap_new(0);
  CharVec text = {0};
  for (const char *at = TORN; *at; at++) vec_push(heap, &text, *at);
  compare_shrink(&comparison, heap, &text);
  vec_push(heap, &text, '\0');
  uint32_t lines = 0;
  for (const char *at = text.at; *at; at++) lines += *at == '\n';
  CU_ASSERT_TRUE(lines <= 7); /* int X; begin X := .. X := .. end || x := X */
  CU_ASSERT_FALSE(compare_engines(&comparison, text.at, text.n - 1).agreed);
  heap_free(heap);
}

static void a_program_with_errors_fails(void) {
  const Comparison comparison = with_liar();
  const char *program = "int X;\nbegin X := ; end\n";
  const Outcome outcome = compare_engines(&comparison, program, strlen(program));
  CU_ASSERT_FALSE(outcome.agreed || outcome.legal);
  CU_ASSERT_PTR_NOT_NULL(strstr(outcome.text, "sml_compile"));
}

static void random_programs_are_legal(void) {
  const Comparison comparison = {.engines = {&LYING_ENGINE}, .n_engines = 1};
  Heap *heap = heap_new(0);
  for (uint64_t seed = 1; seed <= 100; seed++) {
    CharVec text = {0};
    random_sml(heap, seed, seed % 2 ? RANDOM_TINY : RANDOM_SMALL, &text);
    const Outcome outcome = compare_engines(&comparison, text.at, text.n);
    CU_ASSERT_TRUE(outcome.legal);
    CU_ASSERT_STRING_EQUAL(outcome.text, "");
    CU_ASSERT_TRUE(outcome.n[ANSWER_ATOMIC] > 0); /* a block at least */
  }
  heap_free(heap);
}

/* ---- nets of other tools ---- */

/* begin; x; x with x in between in u1, and arcs that have nothing to do with it. */
static const char TORN_NET[] = "p0 u0 *\np1 u0\np2 u0\np3 u1 *\np4 -\np5 - *\n"
                               "p0 -> t0\nt0 -> p1\np5 -> t0\nt0 -> p5\n"
                               "p1 -> t1\nt1 -> p2\np5 -> t1\nt1 -> p5\n"
                               "p3 -> t2\nt2 -> p3\np5 -> t2\nt2 -> p5\n"
                               "p2 -> t3\nt3 -> p4\n"
                               "--begin=t0\n--end=t3\n";

static Comparison of_nets(const Engine *second) {
  return (Comparison){.engines = {&ENGINES[0], second}, .n_engines = 2, .input = INPUT_NET};
}

static void nets_are_compared(void) {
  const Comparison honest = of_nets(&ENGINES[0]), lying = of_nets(&LYING_ENGINE);
  Outcome outcome = compare_engines(&honest, TORN_NET, strlen(TORN_NET));
  CU_ASSERT_TRUE(outcome.agreed && outcome.legal && outcome.kind == NET_GOOD);
  CU_ASSERT_EQUAL(outcome.n[ANSWER_VIOLATED], 1);
  outcome = compare_engines(&lying, TORN_NET, strlen(TORN_NET));
  CU_ASSERT_FALSE(outcome.agreed);
  CU_ASSERT_STRING_EQUAL(outcome.text, "block 1, 't0': colouring says violated, but liar says atomic");
  Heap *heap = heap_new(0);
  CharVec text = {0};
  for (const char *at = TORN_NET; *at; at++) vec_push(heap, &text, *at);
  compare_shrink(&lying, heap, &text);
  CU_ASSERT_TRUE(text.n < strlen(TORN_NET) * 4 / 5);
  CU_ASSERT_FALSE(compare_engines(&lying, text.at, text.n).agreed);
  heap_free(heap);
}

static Outcome compare_text(const Engine *engine, const char *text) {
  const Comparison comparison = {.engines = {engine}, .n_engines = 1, .input = INPUT_NET};
  return compare_engines(&comparison, text, strlen(text));
}

static const Engine *engine_named(const char *name) {
  for (uint32_t i = 0; i < N_ENGINES; i++)
    if (strcmp(ENGINES[i].name, name) == 0) return &ENGINES[i];
  return NULL;
}

static void what_is_no_thread_must_be_refused(void) {
  static const char *const texts[] = {"p0 u0 *\np1 u0 *\np0 -> t0\nt0 -> p0\n--begin=t0\n",
                                      "p0 u0 *\np1 u0\np0 -> t0\nt0 -> p0\nt0 -> p1\n--begin=t0\n",
                                      "p0 u0 *\np1 u0\np0 -> t0\np1 -> t0\n--begin=t0\n",
                                      "p0 u0 *\np0 -> t0\nt0 -> p0\np1 - *\np1 -> t1\nt1 -> p0\n--begin=t0\n"};
  Engine gullible = LYING_ENGINE;
  gullible.takes |= REFUSES;
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Outcome outcome = compare_text(engine_named("chain"), texts[i]);
    CU_ASSERT_TRUE(outcome.agreed && outcome.kind == NET_REFUSED);
    CU_ASSERT_EQUAL(outcome.n[ANSWER_ATOMIC], 0);
    outcome = compare_text(&gullible, texts[i]);
    CU_ASSERT_FALSE(outcome.agreed);
  }
}

static void what_is_not_safe_is_not_compared(void) {
  const Outcome outcome = compare_text(&LYING_ENGINE, "p0 u0 *\np1 - *\np0 -> t0\nt0 -> p1\n--begin=t0\n");
  CU_ASSERT_TRUE(outcome.agreed && outcome.kind == NET_UNSAFE);
  CU_ASSERT_EQUAL(outcome.n[ANSWER_ATOMIC], 0);
}

static void scripts_with_errors_are_refused(void) {
  static const char *const texts[] = {"p0 u0 *\n",                                 /* no block */
                                      "p0 u0 *\nt0 -> p0\n--begin=t0\n",           /* takes nothing */
                                      "p0 u0 *\np0 -> t0\n--begin=t1\n",           /* no such transition */
                                      "p0 u0 *\np0 -> t0\np0 -> t0\n--begin=t0\n", /* an arc twice */
                                      "p0 u0 *\np0 u1\np0 -> t0\n--begin=t0\n",
                                      "p0 u0 *\np1 -> t0\n--begin=t0\n",
                                      "p0 u0 *\np0 -> p0\n--begin=t0\n",
                                      "p0 u0 *\np0 - *\np0 -> t0\n--begin=t0\n",
                                      "p0 u0 +\np0 -> t0\n--begin=t0\n",
                                      "p0 - *\np0 -> t0\n--begin=t0\n"}; /* in no unit */
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const Outcome outcome = compare_text(&LYING_ENGINE, texts[i]);
    CU_ASSERT_FALSE(outcome.legal || outcome.agreed);
  }
}

static void most_random_nets_are_good(void) {
  const Comparison comparison = {.engines = {&ENGINES[0]}, .n_engines = 1, .input = INPUT_NET};
  Heap *heap = heap_new(0);
  uint32_t kinds[3] = {0}, n[3] = {0};
  for (uint64_t seed = 1; seed <= 300; seed++) {
    CharVec text = {0};
    random_units(heap, seed, &text);
    const Outcome outcome = compare_engines(&comparison, text.at, text.n);
    CU_ASSERT_TRUE(outcome.legal && outcome.agreed);
    kinds[outcome.kind]++;
    for (uint32_t i = 0; i < 3; i++) n[i] += outcome.n[i];
  }
  CU_ASSERT_TRUE(kinds[NET_GOOD] > 225 && kinds[NET_REFUSED] > 3 && kinds[NET_UNSAFE] > 10);
  CU_ASSERT_TRUE(n[ANSWER_ATOMIC] > 100 && n[ANSWER_VIOLATED] > 50);
  heap_free(heap);
}

void suite_compare(void);
void suite_compare(void) {
  CU_pSuite suite = CU_add_suite("comparison of engines", NULL, NULL);
  CU_ADD_TEST(suite, engines_that_agree_pass);
  CU_ADD_TEST(suite, a_lie_is_seen);
  CU_ADD_TEST(suite, a_lie_is_shrunk);
  CU_ADD_TEST(suite, a_program_with_errors_fails);
  CU_ADD_TEST(suite, random_programs_are_legal);
  CU_ADD_TEST(suite, nets_are_compared);
  CU_ADD_TEST(suite, what_is_no_thread_must_be_refused);
  CU_ADD_TEST(suite, what_is_not_safe_is_not_compared);
  CU_ADD_TEST(suite, scripts_with_errors_are_refused);
  CU_ADD_TEST(suite, most_random_nets_are_good);
}
