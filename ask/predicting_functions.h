/* predicting_functions.h: which functions of runs can other runs of the same threads split, each asked about by
 * itself, nested calls as well? */
#ifndef ASK_PREDICTING_FUNCTIONS_H
#define ASK_PREDICTING_FUNCTIONS_H

#include "ask/predicting.h"

/* A function. */
typedef struct {
  uint32_t label; /* in `names`; or TRACE_NONE: calls without a name */
  uint64_t calls;
  bool asked;              /* else there was no time for it */
  PredictingResult result; /* of prediction where its outermost calls are the only transactions, as with --atomic; if it
                              was asked. One run at most */
} PredictedFunction;

/* What is reported. It points into the result. */
typedef struct {
  const TraceNames *names;
  Verdict verdict; /* violated: a call can be split, other than where it forks or joins */
  Sync sync;
  const PredictedFunction *const *rows; /* those that can be split here first, then those that can inside, then those
                                           that can where they fork or join, then those that cannot, and those of which
                                           it is not known; in the order of their first calls */
  uint32_t n_rows;
  const char *why; /* not all of the run was looked at, or not all functions were asked about; or NULL */
  uint64_t events, threads, entities;
  LeftOutReport suppressed;
} PredictedFunctionsReport;

/* The functions of a run. */
typedef struct {
  Heap *heap;
  Arena arena;
  RunInput input;
  VEC(PredictedFunction) functions; /* in the order of their first calls */
  PredictedFunctionsReport report;
  double seconds;
} PredictedFunctions;

/* Asks about the functions that source->chosen names, of runs that can be read again. False, with *err, if it cannot
 * be read, or (ERR_CHECK) if what is predicted is not so. */
bool predicting_functions(Heap *heap, const RunSource *source, const PredictingOptions *options,
                          const AskLimits *limits, PredictedFunctions *result, Err *err);
void predicting_functions_fini(PredictedFunctions *result);

/* Of a function that was asked about: can it be split, and is that of account? */
bool predicting_function_counts(const PredictedFunction *function);

#endif
