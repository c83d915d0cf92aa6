/* random_run.h: runs for tests, made without the readers and writers. */
#ifndef TESTS_UNIT_RANDOM_RUN_H
#define TESTS_UNIT_RANDOM_RUN_H

#include "trace/trace.h"

#include <stddef.h>

/* How the operations are written in STD. ORDER TraceOp */
extern const char *const RUN_OPS[TRACE_OPS];

/* What the names may be: T3 and the like; of any bytes that all formats can say; of any length. */
typedef enum { NAMES_PLAIN, NAMES_ODD, NAMES_LONG, NAMES_SORTS } NameSort;

/* A run as a text in STD; malloc'd. The same seed gives the same text. With `all_ops` there are also operations that
 * RoadRunner text cannot represent. */
char *random_std(uint64_t seed, NameSort names, uint32_t n_events, bool all_ops);

/* The same for a binary log, which is malloc'd, too: what it says, as run_text, is in *text; with comments, numbers
 * that are longer than they must be, things without a name. */
uint8_t *random_log(uint64_t seed, uint32_t n_events, size_t *length, char **text);

/* The whole run as a text, a line "THREAD OP OBJECT LOCATION" per event, names in quotation marks, "-" for none;
 * malloc'd. NULL, with *err, where it cannot be read; then *text is what came before, if text is not NULL. */
char *run_text(Heap *heap, const char *path, const TraceOptions *options, char **text, Err *err);

#endif
