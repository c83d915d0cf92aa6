/* watched.c: tests for tests/check_test.sh, run as the unit tests are; the third does what the argument says. */
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <unistd.h>

static void good(void) { CU_ASSERT(1 == 1); }
static void bad(void) { CU_ASSERT(1 == 2); }
static void wait_forever(void) {
  for (;;) pause();
}
static void leave(void) { exit(0); }
static void omit(void) { skip("it is not here"); }

static void add(CU_TestFunc third, const char *name) {
  CU_pSuite suite = CU_add_suite("watched", NULL, NULL);
  CU_add_test(suite, "first", good);
  CU_add_test(suite, "second", good);
  CU_add_test(suite, name, third);
  CU_add_test(suite, "fourth", good);
}

static void add_pass(void) { add(good, "pass"); }
static void add_fail(void) { add(bad, "fail"); }
static void add_crash(void) { add(abort, "crash"); }
static void add_hang(void) { add(wait_forever, "hang"); }
static void add_leave(void) { add(leave, "leave"); }
static void add_omit(void) { add(omit, "omit"); }

static const Suite SUITES[] = {{"pass", add_pass}, {"fail", add_fail},   {"crash", add_crash},
                               {"hang", add_hang}, {"leave", add_leave}, {"omit", add_omit}};

int main(int argc, char **argv) { return run_suites(SUITES, sizeof SUITES / sizeof *SUITES, argc, argv); }
