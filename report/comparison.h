/* comparison.h: what all analyses say of a run, as one table: a line per transaction of the source, a column per analysis. */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include "base/heap.h"
#include "base/verdict.h"
#include "trace/trace.h"

#include <stdio.h>

typedef enum { COMPARE_MONITOR, COMPARE_PREDICT, COMPARE_PREDICT_LOCKS, COMPARE_REDUCTION, COMPARE_BLOCKS, COMPARE_COLUMNS } CompareColumn;

typedef struct {
  uint32_t label, location; /* of its begin; numbers of the names, or TRACE_NONE */
  uint64_t count;           /* transactions */
  Verdict cells[COMPARE_COLUMNS]; /* holds: monitored and not violated, none predicted, proved atomic; violated: also possibly not atomic */
} CompareRow;

typedef struct {
  double seconds[COMPARE_COLUMNS];
  uint64_t bytes[COMPARE_COLUMNS];   /* the most memory in use */
  const char *why[COMPARE_COLUMNS];  /* why it did not come to an end; or NULL */
  const TraceNames *names;
  const CompareRow *rows;
  uint32_t n;
  uint64_t events, threads, entities;
} Comparison;

/* Of all analyses together. One that did not come to an end is unknown, also where there is no row yet. */
Verdict comparison_verdict(const Comparison *comparison);

void comparison_text(Heap *heap, const Comparison *comparison, FILE *out);
void comparison_json(Heap *heap, const Comparison *comparison, FILE *out);

#endif
