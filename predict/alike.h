/* alike.h: which violations are one mistake, and which mistake is the likeliest one?
 *
 * Violations are alike if the same transaction of the source is split between the same two places, by the same
 * transactions, or, where an event is in none, the same places. Of those that are alike one is shown, the likeliest. */
#ifndef PREDICT_ALIKE_H
#define PREDICT_ALIKE_H

#include "predict/unwritten.h"

/* How likely a violation is meant to be none, the likeliest first: the order of numbers. */
enum {
  ALIKE_OTHER_DATA = 1, /* it goes through several objects */
  ALIKE_UNMARKED = 2,   /* some event of it is in no transaction */
  ALIKE_UNWRITTEN = 4   /* in its run a thread reads what nobody has written yet */
};

/* What makes one group. */
typedef enum {
  ALIKE_EACH,        /* nothing: each violation is one */
  ALIKE_SPLITS,      /* as above */
  ALIKE_TRANSACTIONS /* the transaction that is split, by label and place */
} AlikeBy;

typedef struct {
  uint32_t best;   /* the violation that is shown */
  uint32_t count;  /* of violations, with that one */
  uint32_t splits; /* how many groups ALIKE_SPLITS would make of them */
  uint32_t rank;   /* of the best one: ALIKE_OTHER_DATA | ... */
} AlikeGroup;

typedef VEC(AlikeGroup) AlikeGroups;

/* What was recorded, and found in it: cycle i in the run schedules[i]. All events of the schedules are there. */
typedef struct {
  const TraceEvent *events;
  uint64_t n;
  const uint64_t *runs; /* the first events of all runs but the first */
  uint32_t n_runs;      /* with the first */
  const Cycle *cycles;
  const Schedule *const *schedules;
  uint32_t n_cycles;
} AlikeFound;

/* The groups, of which there are none yet, by rank; of equal rank that with fewer transactions first, then the one that
 * was found first. With `likely`, violations that are ALIKE_UNWRITTEN are left out: how many is what it returns. Where
 * the heap is asked to stop, only the violations up to then are looked at: one at least. */
uint32_t alike_groups(Heap *heap, const AlikeFound *found, AlikeBy by, bool likely, AlikeGroups *groups);

/* In how many of the violations is an access of that set, as many bits as there are events, in conflict, or a
 * transaction split that begins with an event of it? `found` needs no schedules. */
uint32_t alike_through(Heap *heap, const AlikeFound *found, const uint64_t *events);

#endif
