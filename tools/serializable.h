/* serializable.h: the whole way from a net with notes to a verdict about all its runs: explore, judge. */
#ifndef TOOLS_SERIALIZABLE_H
#define TOOLS_SERIALIZABLE_H

#include "report/cycle.h"
#include "serial/model_check.h"

/* What was found; `cycle` where it is a violation. */
typedef struct {
  Verdict verdict; /* VERDICT_HOLDS: every run is serializable */
  char why[160];   /* why it is unknown, or "" */
  ConflictCycle cycle;
  BlockVerdict *blocks; /* where it holds: which of the blocks can be entered; the heap's */
  uint32_t n_blocks;
  uint64_t states;
  double seconds;
  uint64_t bytes;
} Serializability;

/* A limit of time, states or memory makes it unknown. False, with *err, if the net is none that can be checked (ERR_INPUT), or a
 * violation did not stand up before the judge (ERR_CHECK). */
bool serializability_check(Heap *heap, const Net *net, const ModelOptions *options, Serializability *result, Err *err);
void serializability_fini(Heap *heap, Serializability *result);

#endif
