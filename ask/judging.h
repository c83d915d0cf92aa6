/* judging.h: runs and their cycles, in the words of their judge (check/run_judge.h), which knows no traces. */
#ifndef ASK_JUDGING_H
#define ASK_JUDGING_H

#include "check/run_judge.h"
#include "serial/monitor.h"

/* The cycle, whose events are counted from number `base`. Its memory is the heap's, until released. */
JudgeCycle judging_cycle(Heap *heap, const MonitorFinding *finding, uint64_t base);
void judging_release(Heap *heap, const JudgeCycle *cycle);

/* Shows the judge n events; `calls`: those that they are in, NULL: all 0. False if no more of them are needed. */
bool judging_show(RunJudge *judge, const TraceEvent *events, const uint32_t *calls, uint32_t n);

/* What the accesses of the finding do, by n events of its run from number `first` on: they may have been told in other
 * words (ask/commuting.h). */
void judging_restore(const MonitorFinding *finding, uint64_t first, const TraceEvent *events, uint32_t n);

#endif
