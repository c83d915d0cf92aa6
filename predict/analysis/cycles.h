/* cycles.h: can more than two transactions, or two of one thread, split a transaction? (Wang and Stoller, RV 2003,
 * section 5.4.)
 *
 * Where no two transactions can be interleaved badly, a trace is equivalent to a serial one iff the trace of the
 * earliest first reads and the final writes alone is (the paper's UR-FW(T)): a read after an own write reads that,
 * because nothing comes between (UP3); other first reads read as the earliest one (UP2), from a final write (UP1); the
 * last write of all is a final one.
 *
 * An unserializable trace of these has a cycle of conflicts through distinct threads: out_i before in_{i+1}, where in_i
 * and out_i are of one transaction of thread i, or in_i's transaction comes before out_i's. Let in_1 be the latest of
 * all in_i. Then out_1 < in_2 < in_1: a transaction of thread 1 is split, with in_2 between. So there is none if for
 * each pair of endpoints e1, e2 of each transaction
 *
 *     no access f of another thread conflicts with e1 and can come between e1 and e2, or
 *     no access g of another thread conflicts with e2 such that f and g are of one thread, f in an earlier transaction
 * than g (of the same one: that is blocks.h), or of two where conflicts lead from f's to g's without the thread of e1
 * and e2.
 *
 * What is not excluded so is not decided here. With reduction's result only transactions that are not movable can be
 * the split one: in an equivalent trace, with the same conflicts, the others stand together. */
#ifndef PREDICT_ANALYSIS_CYCLES_H
#define PREDICT_ANALYSIS_CYCLES_H

#include "predict/analysis/blocks.h"

/* Which cycles may split a shape. */
typedef enum {
  CYCLE_NONE,
  CYCLE_OF_TWO, /* of two threads: what was found is in `events` */
  CYCLE_MAYBE   /* of three or more, or the budget did not suffice */
} CycleKind;

/* What was found of one shape. */
typedef struct {
  CycleKind kind;
  PatternEvent events[4]; /* CYCLE_OF_TWO: e1 f g e2 */
} ShapeCycle;

/* Conflicts lead from one life to another by accesses of which fork and join do not put the second one first. A cycle
 * stays in one component, and all of one component comes before all of another one, or there are no conflicts: so each
 * can be looked at by itself. */
typedef struct {
  uint32_t *component; /* per life: the least life to which and from which conflicts lead; all 0 if no shape has a cycle
                        */
  ShapeCycle *shapes;  /* per shape; CYCLE_NONE for those that have a finding or are movable */
} Cycles;

/* Fills *cycles, once patterns have been looked for. fini frees it; `heap` is that of the shapes. */
void cycles_find(Cycles *cycles, Blocks *blocks);
void cycles_fini(Cycles *cycles, Heap *heap);

#endif
