/* atomicity_inside.h: one run of atomicity_check, as its stages share it. */
#ifndef ASK_ATOMICITY_INSIDE_H
#define ASK_ATOMICITY_INSIDE_H

#include "ask/atomicity.h"
#include "ask/unfolding.h"
#include "prove/prove.h"

/* The run. Memory may run out at any point; what was known then stays known. */
typedef struct Question {
  Heap *heap;
  const Net *net;
  const AtomicityOptions *options;
  const AskLimits *limits;
  Atomicity *result;
  Proofs *proofs; /* NULL: none were tried */
  Verdict safe;   /* of the net: is it 1-safe? */
  bool asked_safe;
  bool wrote_safety;        /* the certificate has why it is */
  Unfolding unfolding;      /* the one under way */
  UnfoldingOutcome outcome; /* of the last one */
  UnfoldCounts before;      /* of those that have ended */
  bool *chosen;             /* per block of the notes: in the unfolding under way */
  bool *given_up;           /* per block of the result: more events would not decide it */
  bool *is_loose;           /* likewise: closing the threads that end shows what is not so */
  TransId **run;            /* likewise: of one that is violated, the run that the judge was given, if keeps_runs; */
  uint32_t *n_run;          /* its length */
  bool keeps_runs;          /* this is a child process (ask/units.h), which has to send them */
  bool is_over;             /* a limit was reached, or the work was asked to end: result->why says so */
  Err *err;
  bool good;
} Question;

/* For whoever has set *err: ends the run. Returns false. */
bool question_fail(Question *q);

/* Should no more be tried? Where a limit is the reason, and the result does not yet say so, it does then. */
bool question_is_over(Question *q);

/* The events of all unfoldings so far. */
uint64_t question_events(const Question *q);

/* Around all that writes one proof to the certificate, if there is one. */
void question_begin_proof(Question *q);
void question_end_proof(Question *q);

/* Is the net 1-safe? Asked once; the verdict is in q->safe, and why it is unknown in result->why. False: q has failed.
 */
bool question_is_safe(Question *q);

/* What goes wrong with a net that is not 1-safe is the net's fault; with one that is, it is ours. Returns false. */
bool question_fail_unless_unsafe(Question *q);

/* The block of the result is violated, by a run that is put before the judge. False: the run of the question has
 * failed, as it does not stand up. The steps become the question's. */
bool question_take_run(Question *q, uint32_t i, TransId *steps, uint32_t n_steps, const char *grounds);

/* The violated block has another run, which is taken if it stands up. Otherwise as question_take_run. */
bool question_change_run(Question *q, uint32_t i, TransId *steps, uint32_t n_steps);

/* The result's block is decided, on these grounds: words in the result's arena, or a constant. */
void question_decide(Question *q, uint32_t i, Verdict verdict, const char *grounds);

#endif
