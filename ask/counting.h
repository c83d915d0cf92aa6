/* counting.h: how many markings a net can reach: each of them is looked at. */
#ifndef ASK_COUNTING_H
#define ASK_COUNTING_H

#include "ask/ask.h"
#include "unfold/states.h"

/* What was counted. */
typedef struct {
  uint64_t n;          /* markings, the initial one among them */
  StatesStatus status; /* ALL: these are all. UNSAFE: the net is not 1-safe. FULL, STOPPED: there may be more */
  char why[160];       /* FULL, STOPPED: the limit that was reached; else "" */
} Counting;

/* Counts up to `most` markings, as long as memory and time last; limits->progress is told of as many events. Every
 * transition has an input place. */
void counting_markings(Heap *heap, const Net *net, const AskLimits *limits, uint32_t most, Counting *counting);

#endif
