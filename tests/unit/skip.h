/* skip.h: parts of unit tests that cannot be run on this machine. */
#ifndef TESTS_UNIT_SKIP_H
#define TESTS_UNIT_SKIP_H

/* Prints "unit: SKIP: TEST: REASON" for the test that runs, with the reason as by printf, and counts it. */
void skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How often skip was called. */
unsigned skip_count(void);

#endif
