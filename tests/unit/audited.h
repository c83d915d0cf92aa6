/* audited.h: random runs for what audits itself, and what is expected of audits. */
#ifndef TESTS_UNIT_AUDITED_H
#define TESTS_UNIT_AUDITED_H

#include "base/err.h"
#include "tests/oracle/serial_runs.h"

#include <CUnit/CUnit.h>

enum { AUDITED_RUNS = 1500 };

/* Of threads that share objects and locks, fork and join; a few locations. At most SERIAL_MAX events; returns how many.
 */
uint32_t audited_run(uint64_t seed, TraceEvent *events);

/* The audit said yes; else its word is printed. */
void expect_sound(bool good, const Err *err, uint64_t seed);

/* The audit said no, and these words of what was wrong. */
void expect_fault(bool good, const Err *err, const char *what);

#endif
