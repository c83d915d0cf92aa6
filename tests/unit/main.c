/* main.c: runs the unit tests. `unit` runs all suites, `unit NAME...` those of tests/unit/test_NAME.c.
 *
 * suites.h is written by make, one line `SUITE(NAME)` per file tests/unit/test_NAME.c, each of which defines
 * `void suite_NAME(void)` that registers its suites with CUnit. The last line of the output is for tests/check.sh:
 * "unit: N passed, N failed", counting CUnit tests. Exit 1 if one failed, or if none was run. */
#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SUITE(name) void suite_##name(void);
#include "suites.h"
#undef SUITE

typedef struct {
  const char *name;
  void (*add)(void);
} Suite;

static const Suite SUITES[] = {
#define SUITE(name) {#name, suite_##name},
#include "suites.h"
#undef SUITE
};
enum { N_SUITES = sizeof SUITES / sizeof *SUITES };

static bool is_wanted(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], name) == 0) return true;
  return argc == 1;
}

static bool is_suite(const char *name) {
  for (size_t i = 0; i < N_SUITES; i++)
    if (strcmp(SUITES[i].name, name) == 0) return true;
  return false;
}

/* False, with a word on stderr, if a suite does not exist or cannot be registered. */
static bool add_suites(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!is_suite(argv[i])) return fprintf(stderr, "unit: there is no tests/unit/test_%s.c\n", argv[i]), false;
  for (size_t i = 0; i < N_SUITES; i++)
    if (is_wanted(SUITES[i].name, argc, argv)) SUITES[i].add();
  if (CU_get_error() == CUE_SUCCESS) return true;
  return fprintf(stderr, "unit: cannot register a suite: %s\n", CU_get_error_msg()), false;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0); /* what was run before a crash shall be seen */
  if (CU_initialize_registry() != CUE_SUCCESS) return 1;
  bool good = add_suites(argc, argv);
  if (good) {
    CU_basic_set_mode(CU_BRM_NORMAL);
    good = CU_basic_run_tests() == CUE_SUCCESS;
    const unsigned run = CU_get_number_of_tests_run(), failed = CU_get_number_of_tests_failed();
    /* a suite that could not be set up has run none of its tests: that is a failure too */
    const unsigned broken = CU_get_number_of_suites_failed();
    printf("unit: %u passed, %u failed\n", run - failed, failed + broken);
    good = good && run > 0 && failed + broken == 0;
  }
  CU_cleanup_registry();
  return good ? 0 : 1;
}
