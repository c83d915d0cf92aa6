/* past.h: local configurations of a branching process, and check 3 of docs/certificates.md: is that a cut-off? */
#ifndef CHECK_PAST_H
#define CHECK_PAST_H

#include "check/process.h"

/* The orders of local configurations by which an event may be a cut-off. */
typedef enum {
  PAST_ERV,     /* by size, then Parikh vector, then Foata normal form; a total order */
  PAST_MCMILLAN /* by size */
} PastOrder;

/* One of the two configurations that are compared: the events that it alone has, and a word of their transitions. */
typedef struct {
  U32Vec events;
  VEC(uint64_t) word;
} PastSide;

/* Scratch memory for walking; all of it the heap's of the process. */
typedef struct {
  const Process *process;
  VEC(uint8_t) sides; /* per event: a bit for each of the two that is known to have it; zero between calls */
  U32Vec todo; /* events known to be in one of them, whose causes were not yet looked at: a heap, greatest first */
  uint32_t n_single; /* how many of those are not known to be in both */
  PastSide of[2];
  int32_t *balance; /* per place: tokens that the first has put there more than the second */
} Past;

/* The process must live as long, and may grow. */
void past_init(Past *past, const Process *process);
void past_fini(Past *past);

/* Is the event a cut-off because of the other one, a live event or 0? That is, do their local configurations lead to
 * the same marking, and is that of the other one smaller? False, with ERR_CHECK, if not. The time is that of the events
 * in which the two differ, and of those between them. */
bool past_check_cutoff(Past *past, uint32_t event, uint32_t other, PastOrder order, Err *err);

#endif
