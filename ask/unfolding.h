/* unfolding.h: some blocks of a net are decided by one unfolding: colour, unfold, expand, judge. */
#ifndef ASK_UNFOLDING_H
#define ASK_UNFOLDING_H

#include "colour/colour.h"
#include "petri/subnet.h"
#include "unfold/unfold.h"

struct Question;

/* What is to be unfolded. */
typedef struct {
  const uint32_t *threads; /* of the notes: these alone; NULL: the whole net */
  uint32_t n_threads;
  bool closed;    /* threads that have ended start over; `threads` is not NULL then */
  bool is_enough; /* what is atomic with these threads is atomic in the whole net */
  uint64_t max_events;
  bool stop_at_first; /* end as soon as one of the blocks is violated */
  const char *words;  /* what the grounds of a verdict begin with: "sliced to 2 of 5 threads, " */
} UnfoldingPlan;

/* How it came to its end. */
typedef enum {
  UNFOLDING_ENDED,   /* with all that can be known, or by a limit of the whole run */
  UNFOLDING_STOPPED, /* as one of the blocks is violated */
  UNFOLDING_CUT,     /* by the plan's limit: more events would tell more */
  UNFOLDING_ADDED    /* with what only the runs that were added by closing show: nothing is known */
} UnfoldingOutcome;

/* One unfolding, while it is under way. */
typedef struct {
  const UnfoldingPlan *plan;
  Subnet part; /* its net is NULL where it is the whole */
  const Net *net;
  Coloured *coloured;
  Prefix *prefix;
  PlaceId *targets; /* the red places */
  uint32_t n_targets;
  uint32_t *target_of; /* per block of the result: its target, or NOTE_NONE if red cannot be marked */
  UnfoldCounts counts;
} Unfolding;

/* Decides what it can of the blocks of q->chosen, and sets q->outcome. A limit of the whole run ends the run
 * (q->is_over). False: the run has failed. */
bool unfolding_decide(struct Question *q, const UnfoldingPlan *plan);

/* Gives back what an unfolding had that was left in the middle. */
void unfolding_clear(struct Question *q);

#endif
