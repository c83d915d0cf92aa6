#include "base/verdict.h"

#include <CUnit/CUnit.h>

/* Each number of verdicts of each kind, up to two. */
static void join_of_each_tally(void) {
  for (uint64_t unknown = 0; unknown < 3; unknown++)
    for (uint64_t holds = 0; holds < 3; holds++)
      for (uint64_t violated = 0; violated < 3; violated++) {
        VerdictTally tally = {0};
        for (uint64_t i = 0; i < unknown; i++) verdict_count(&tally, VERDICT_UNKNOWN);
        for (uint64_t i = 0; i < holds; i++) verdict_count(&tally, VERDICT_HOLDS);
        for (uint64_t i = 0; i < violated; i++) verdict_count(&tally, VERDICT_VIOLATED);
        const Verdict joint = verdict_join(&tally);
        CU_ASSERT_EQUAL(joint == VERDICT_VIOLATED, violated > 0);
        CU_ASSERT_EQUAL(joint == VERDICT_HOLDS, holds > 0 && unknown == 0 && violated == 0);
      }
}

static void nothing_is_unknown(void) {
  const Verdict never_set = (Verdict){0};
  CU_ASSERT_EQUAL(never_set, VERDICT_UNKNOWN);
  CU_ASSERT_EQUAL(verdict_join(&(VerdictTally){0}), VERDICT_UNKNOWN);
}

static void exit_codes_are_those_of_the_manual(void) {
  CU_ASSERT_EQUAL(verdict_exit_code(VERDICT_HOLDS), 0);
  CU_ASSERT_EQUAL(verdict_exit_code(VERDICT_VIOLATED), 1);
  CU_ASSERT_EQUAL(verdict_exit_code(VERDICT_UNKNOWN), 2);
}

void suite_verdict(void) {
  CU_pSuite suite = CU_add_suite("base/verdict", NULL, NULL);
  CU_ADD_TEST(suite, join_of_each_tally);
  CU_ADD_TEST(suite, nothing_is_unknown);
  CU_ADD_TEST(suite, exit_codes_are_those_of_the_manual);
}
