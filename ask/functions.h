/* functions.h: which functions are atomic in a run, each asked about by itself (serial/calls.h), and what is found is
 * judged. */
#ifndef ASK_FUNCTIONS_H
#define ASK_FUNCTIONS_H

#include "ask/run_input.h"
#include "base/arena.h"
#include "base/verdict.h"
#include "serial/monitor.h"

/* A function. */
typedef struct {
  CallsRow calls;
  const MonitorFinding *finding; /* of CALLS_SPLIT: a cycle through its first call that is split; else NULL */
} FunctionRow;

/* What is reported. It points into the FunctionsResult, and lives as long as that. */
typedef struct {
  const TraceNames *names;
  Verdict verdict;         /* violated: a call of some function is split */
  const FunctionRow *rows; /* those that are split first, then those that inherit, then the atomic ones; within these in
                              the order of their first calls */
  uint32_t n_rows;
  const char
      *why; /* not all of the run was looked at, or what was found not judged (then there are no rows); or NULL */
  uint64_t events, threads, entities, skipped;
  LeftOutReport suppressed;
} FunctionsReport;

/* A run, its functions and the report on both. */
typedef struct {
  Arena arena;
  RunInput input;
  Calls calls;
  FunctionsReport report;
  double seconds;
} FunctionsResult;

/* Reads the run, which must be one that can be read again, once for all functions; and if some are split, twice more:
 * one call of each goes through the summarized conflict graph, and the cycles are judged. False, with *err, if the run
 * cannot be read, or (ERR_CHECK) one of the cycles is none. */
bool functions_run(Heap *heap, const RunSource *source, bool lock_conflicts, const AskLimits *limits,
                   FunctionsResult *result, Err *err);
void functions_fini(FunctionsResult *result);

#endif
