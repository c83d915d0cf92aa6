/* trace_case.h: what is read of a run in a file, for tests. */
#ifndef TESTS_UNIT_TRACE_CASE_H
#define TESTS_UNIT_TRACE_CASE_H

#include "tests/unit/random_run.h"
#include "tests/unit/temp.h"

/* Any format; no line is passed over. */
extern const TraceOptions TRACE_STRICT;

/* The run in the file, as run_text; "" if it cannot be read, which fails, with a printed message. malloc'd. */
char *read_text(const char *from, const TraceOptions *options);

/* The texts are the same; else both are printed. */
void expect_text(const char *got, const char *expected);

/* A file with these bytes, at temp_path[0], is read as that run. */
void expect_read(const char *bytes, size_t length, const char *expected);

/* Some of the bytes become others that formats give a meaning. */
void mutate_text(char *text, size_t length, uint64_t seed);

#endif
