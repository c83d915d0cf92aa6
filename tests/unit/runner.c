#include "tests/unit/runner.h"

#include "tests/unit/skip.h"
#include "tests/watch.h"

#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  Watch *watch;
  const char *wanted; /* part of the names of tests; NULL: all */
  uint64_t first;     /* the tests before it have been run */
} Run;

static const char OPTION[] = "--test=";

static bool is_option(const char *argument) { return strncmp(argument, OPTION, sizeof OPTION - 1) == 0; }

static bool is_suite(const Suite *suites, uint32_t n_suites, const char *name) {
  for (uint32_t i = 0; i < n_suites; i++)
    if (strcmp(suites[i].name, name) == 0) return true;
  return false;
}

static bool is_wanted(const char *suite, int argc, char **argv) {
  bool all = true;
  for (int i = 1; i < argc; i++) {
    if (is_option(argv[i])) continue;
    if (strcmp(argv[i], suite) == 0) return true;
    all = false;
  }
  return all;
}

/* False, with a word on stderr, if a suite does not exist or cannot be registered. */
static bool add_suites(const Suite *suites, uint32_t n_suites, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!is_option(argv[i]) && !is_suite(suites, n_suites, argv[i]))
      return fprintf(stderr, "unit: there is no suite '%s'\n", argv[i]), false;
  for (uint32_t i = 0; i < n_suites; i++)
    if (is_wanted(suites[i].name, argc, argv)) suites[i].add();
  if (CU_get_error() == CUE_SUCCESS) return true;
  return fprintf(stderr, "unit: cannot register a suite: %s\n", CU_get_error_msg()), false;
}

/* ---- one test ---- */

enum { SHOWN = 5 };

static void print_failures(CU_pSuite suite, CU_pTest test) {
  const unsigned n = CU_get_number_of_failure_records();
  unsigned i = 0;
  for (CU_pFailureRecord f = CU_get_failure_list(); f && i < SHOWN; f = f->pNext, i++)
    printf("\nunit: FAILED: %s: %s: %s:%u: %s\n", suite->pName, test->pName, f->strFileName ? f->strFileName : "?",
           f->uiLineNumber, f->strCondition ? f->strCondition : "?");
  if (n > SHOWN) printf("and %u more assertions of this test\n", n - SHOWN);
}

static bool is_wanted_test(const Run *run, CU_pTest test) { return !run->wanted || strstr(test->pName, run->wanted); }

static void run_test(Watch *watch, uint64_t at, CU_pSuite suite, CU_pTest test) {
  char name[256];
  const unsigned skips = skip_count();
  snprintf(name, sizeof name, "%s: %s", suite->pName, test->pName);
  watch_start(watch, at, name);
  const bool ran = CU_run_test(suite, test) == CUE_SUCCESS;
  const unsigned skipped = skip_count() - skips;
  /* CUnit counts a suite that cannot be set up or cleaned up as a failure, too */
  const bool bad = !ran || CU_get_number_of_failure_records() > 0;
  if (bad) print_failures(suite, test);
  watch->failed += bad;
  watch->skipped += skipped;
  watch->passed += !bad && !skipped;
}

static bool run_tests(void *context) {
  const Run *run = context;
  uint64_t at = 0;
  for (CU_pSuite suite = CU_get_registry()->pSuite; suite; suite = suite->pNext) {
    printf("%s: ", suite->pName);
    for (CU_pTest test = suite->pTest; test; test = test->pNext) {
      if (!is_wanted_test(run, test)) continue;
      if (at >= run->first) run_test(run->watch, at, suite, test);
      at++;
    }
    printf("\n");
  }
  watch_start(run->watch, at, "the end of the tests");
  CU_cleanup_registry();
  return true;
}

static uint64_t count_tests(const Run *run) {
  uint64_t n = 0;
  for (CU_pSuite suite = CU_get_registry()->pSuite; suite; suite = suite->pNext)
    for (CU_pTest test = suite->pTest; test; test = test->pNext) n += is_wanted_test(run, test);
  return n;
}

static int run_watched(Run *run) {
  char reason[100];
  Watch *watch = run->watch;
  const uint64_t n = count_tests(run);
  if (n == 0) return fprintf(stderr, "unit: there is no test '%s'\n", run->wanted ? run->wanted : ""), 3;
  while (run->first <= n && !watch_run(watch, run_tests, run, reason)) {
    printf("\nunit: FAILED: %s: %s\n", watch->name, reason);
    watch->failed++;
    if (run->first > watch->at) break; /* no test was begun */
    run->first = watch->at + 1;
  }
  printf("unit: %llu passed, %llu failed, %llu skipped\n", (unsigned long long)watch->passed,
         (unsigned long long)watch->failed, (unsigned long long)watch->skipped);
  return watch->failed ? 1 : 0;
}

int run_suites(const Suite *suites, uint32_t n_suites, int argc, char **argv) {
  Run run = {.watch = watch_new()};
  setvbuf(stdout, NULL, _IOLBF, 0); /* what was run before a crash shall be seen */
  for (int i = 1; i < argc; i++)
    if (is_option(argv[i]) && argv[i][sizeof OPTION - 1]) run.wanted = argv[i] + sizeof OPTION - 1;
  if (!run.watch || CU_initialize_registry() != CUE_SUCCESS) return 1;
  const int code = add_suites(suites, n_suites, argc, argv) ? run_watched(&run) : 3;
  CU_cleanup_registry();
  return code;
}
