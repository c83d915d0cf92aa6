/* main.c: the unit tests. `unit` runs all suites, `unit NAME...` those of tests/unit/test_NAME.c, `unit --test=TEXT
 * NAME` the tests of it whose names contain the text.
 *
 * suites.h is written by make, one line `SUITE(NAME)` per file tests/unit/test_NAME.c, each of which defines
 * `void suite_NAME(void)` that registers its suites with CUnit. */
#include "tests/unit/runner.h"

#define SUITE(name) void suite_##name(void);
#include "suites.h"
#undef SUITE

static const Suite SUITES[] = {
#define SUITE(name) {#name, suite_##name},
#include "suites.h"
#undef SUITE
};

int main(int argc, char **argv) { return run_suites(SUITES, sizeof SUITES / sizeof *SUITES, argc, argv); }
