/* serializable.h: the whole way from a net with notes to a verdict about all its runs: explore, judge. */
#ifndef ASK_SERIALIZABILITY_H
#define ASK_SERIALIZABILITY_H

#include "ask/entered.h"
#include "ask/ask.h"
#include "check/conflict.h"

/* What was found; `cycle` where it is a violation. */
typedef struct {
  Verdict verdict; /* VERDICT_HOLDS: every run is serializable */
  char why[300];   /* why it is unknown, or "" */
  ConflictCycle cycle;
  BlockVerdict *blocks; /* where it holds: which of the blocks can be entered; the heap's */
  uint32_t n_blocks;
  uint64_t states;
  double seconds;
  uint64_t bytes;
} Serializability;

/* The answer; nothing in it is owned. */
typedef struct {
  const Net *net;             /* has notes; NULL: it was not read to its end */
  Verdict verdict;            /* VERDICT_HOLDS: serializable */
  const char *why;            /* why unknown; NULL otherwise */
  const ConflictCycle *cycle; /* if violated, else NULL */
  const BlockVerdict *blocks; /* where it holds: can they be entered? */
  uint32_t n_blocks;
  uint64_t states; /* that were met */
  double seconds;  /* wall clock, of the whole run */
  uint64_t bytes;  /* the most memory in use */
} CycleReport;

/* `blocks`, per block of the notes: is it a transaction? NULL: all are. A limit of time, states or memory makes it
 * unknown. False, with *err, if the net cannot be checked (ERR_INPUT), or a violation did not stand up
 * before the judge (ERR_CHECK). */
bool serializability_check(Heap *heap, const Net *net, const bool *blocks, const AskLimits *limits,
                           Serializability *result, Err *err);
void serializability_fini(Heap *heap, Serializability *result);

#endif
