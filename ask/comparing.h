/* comparing.h: each analysis of a run by itself, with memory of its own, one after another. */
#ifndef ASK_COMPARING_H
#define ASK_COMPARING_H

#include "ask/run_input.h"
#include "base/arena.h"
#include "base/vec.h"
#include "base/verdict.h"

/* The analyses that are compared: the columns of the table. COMPARE_COLUMNS is how many there are. */
typedef enum {
  COMPARE_MONITOR,
  COMPARE_PREDICT,
  COMPARE_PREDICT_LOCKS,
  COMPARE_REDUCTION,
  COMPARE_BLOCKS,
  COMPARE_COLUMNS
} CompareColumn;

/* A kind of transaction: those whose begins have the same label and location, and what each analysis says of them. */
typedef struct {
  uint32_t label, location;       /* of its begin; numbers of the names, or TRACE_NONE */
  uint64_t count;                 /* transactions */
  Verdict cells[COMPARE_COLUMNS]; /* holds: monitored and not violated, none predicted, proved atomic; violated: also
                                     possibly not atomic */
} CompareRow;

/* The table. What it points to belongs to the ComparingResult. */
typedef struct {
  double seconds[COMPARE_COLUMNS];
  uint64_t bytes[COMPARE_COLUMNS];  /* the most memory in use */
  const char *why[COMPARE_COLUMNS]; /* why it did not come to an end; or NULL */
  const TraceNames *names;
  const CompareRow *rows;
  uint32_t n;
  uint64_t events, threads, entities;
  LeftOutReport suppressed;
} Comparison;

/* A comparison with the memory that it stands in. */
typedef struct {
  Arena arena;
  TraceNames *names; /* of labels and locations */
  Comparison comparison;
  VEC(CompareRow) rows;
} ComparingResult;

/* Each analysis reads the run by itself, so it must be one that can be read again. False, with *err, if it cannot
 * be read, or a self-check fails. A limit of memory or events is that of each analysis, the clock that of all. */
bool comparing_run(Heap *heap, const RunSource *source, const AskLimits *limits, ComparingResult *result, Err *err);
/* Of all analyses together. One that did not come to an end is unknown, also where there is no row yet. */
Verdict comparing_verdict(const Comparison *comparison);

/* Frees the rows and the names; `heap` is the one that the result was made with. */
void comparing_fini(Heap *heap, ComparingResult *result);

#endif
