/* interleave.h: what cycles.h leaves open, by trying: all interleavings of the earliest first reads and the final
 * writes of a few transactions (Wang and Stoller, RV 2003, section 5.4), under their locks and fork and join.
 *
 * One component of threads (cycles.h) at a time. States that agree in how far each thread is, in the last writers, and
 * in what each read has read, are one; releases are done as soon as they can be. At the end of an interleaving an
 * equivalent serial order is looked for. Transactions without shared variables are left out, and locks that are held
 * when one begins are taken then: so there may be more interleavings than there are, never fewer. */
#ifndef PREDICT_ANALYSIS_INTERLEAVE_H
#define PREDICT_ANALYSIS_INTERLEAVE_H

#include "predict/analysis/cycles.h"

enum {
  INTERLEAVE_MOST = 64, /* transactions of a component */
  INTERLEAVE_COST = 16  /* steps of the budget for a state */
};

/* For each shape that has CYCLE_OF_TWO or CYCLE_MAYBE: *open becomes false for it if the interleavings of its component
 * are all serializable, and it gets a finding if it is split in one that is not. `open` is true for what stays
 * undecided; a cycle of two is a finding then. *states: how many there were. */
void interleave_decide(Blocks *blocks, const Cycles *cycles, bool *open, uint64_t *states);

#endif
