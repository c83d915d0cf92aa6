/* comparing.h: tracecheck --compare: each analysis of a run by itself, with memory of its own, one after another. */
#ifndef TOOLS_COMPARING_H
#define TOOLS_COMPARING_H

#include "base/arena.h"
#include "base/vec.h"
#include "report/comparison.h"
#include "tools/spool.h"
#include "tools/work.h"

typedef struct {
  Arena arena;
  TraceNames *names;   /* of labels and locations */
  Comparison comparison;
  VEC(CompareRow) rows;
} ComparingResult;

/* False, with *err, if the run cannot be read, or a self-check fails. A limit of memory or events is that of each analysis, the clock
 * that of all. */
bool comparing_run(Heap *heap, const Spool *spool, const TraceOptions *trace, const WorkOptions *work, ComparingResult *result, Err *err);
void comparing_fini(Heap *heap, ComparingResult *result);

#endif
