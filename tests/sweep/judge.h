/* judge.h: is what a disturbed run has left behind honest? */
#ifndef TESTS_SWEEP_JUDGE_H
#define TESTS_SWEEP_JUDGE_H

#include "tests/sweep/command.h"

/* NULL if it is; else what is wrong. `whole` is the run that nothing disturbed; `undone` the exit code of one that
 * was. */
const char *judge(const Outcome *whole, const Outcome *run, int undone);

#endif
