#include "tests/compare.h"

#include "tests/oracle/random_sml.h"

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

static Comparison with_liar(void) {
  return (Comparison){.engines = {&ENGINES[0], &LYING_ENGINE}, .n_engines = 2};
}

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

void suite_compare(void);
void suite_compare(void) {
  CU_pSuite suite = CU_add_suite("comparison of engines", NULL, NULL);
  CU_ADD_TEST(suite, engines_that_agree_pass);
  CU_ADD_TEST(suite, a_lie_is_seen);
  CU_ADD_TEST(suite, a_lie_is_shrunk);
  CU_ADD_TEST(suite, a_program_with_errors_fails);
  CU_ADD_TEST(suite, random_programs_are_legal);
}
