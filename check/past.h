/* past.h: local configurations of a branching process, and check 3 of docs/certificates.md: is that a cut-off? */
#ifndef CHECK_PAST_H
#define CHECK_PAST_H

#include "check/process.h"

typedef enum {
  PAST_ERV,     /* by size, then Parikh vector, then Foata normal form; a total order */
  PAST_MCMILLAN /* by size */
} PastOrder;

/* Scratch memory for walking; all of it the heap's of the process. */
typedef struct {
  const Process *process;
  U32Vec seen, consumed; /* per event, per condition: the last round in which it was in the past, was taken by it */
  uint32_t *marked;      /* per place: the last round in which it was marked */
  uint32_t round;
  U32Vec events, other_events;   /* of the two configurations that are compared */
  VEC(uint64_t) word, other_word;
} Past;

void past_init(Past *past, const Process *process);
void past_fini(Past *past);

/* Is the event a cut-off because of the other one, a live event or 0? That is, do their local configurations lead to the same
 * marking, and is that of the other one smaller? False, with ERR_CHECK, if not. */
bool past_check_cutoff(Past *past, uint32_t event, uint32_t other, PastOrder order, Err *err);

#endif
