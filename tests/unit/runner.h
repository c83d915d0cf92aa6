/* runner.h: runs CUnit's tests one by one, watched. */
#ifndef TESTS_UNIT_RUNNER_H
#define TESTS_UNIT_RUNNER_H

#include <stdint.h>

/* A file of tests: add() registers its suites with CUnit. */
typedef struct {
  const char *name;
  void (*add)(void);
} Suite;

/* Runs the suites named by the arguments, or all; with "--test=TEXT" among them only tests whose names contain the
 * text. One line "unit: FAILED: SUITE: TEST: WHY" per failure, a crash or a hang included; the tests behind it still
 * run. The last line is "unit: N passed, N failed, N skipped"; a test that calls skip() is not one that passed. The
 * exit code: 1 if a test failed or none was run, 3 if there is no such suite or test. In gdb: set follow-fork-mode
 * child. */
int run_suites(const Suite *suites, uint32_t n_suites, int argc, char **argv);

#endif
