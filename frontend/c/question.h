/* question.h: can two deeds of two threads be done to one byte, in one round of all barriers that both threads use?
 *
 * The question is put as conditions on unknown integers (linear.h), which are asked to contradict each other. An
 * unknown is what a value is at a *moment*: when the one deed is done, or the other one. A value that is computed once
 * in a run is the same at both. Of a value there is known:
 *   - how it is computed, as sums, and products, quotients and rests by constants. What wraps around does so as another
 *     case, unless that is undefined in C;
 *   - a load that finds what one store has left there, which is done once, and before (deeds.h), gives what was stored;
 *   - what counts in a loop is its first value, and as many steps as the loop has gone round;
 *   - the branches that control has to pass on its way go as they do;
 *   - a value that comes from several ways is one of several cases. So is what a comparison or a quotient leaves open.
 * The cases are tried one by one. If too many are needed, the deeds may meet.
 *
 * Why "when the deed is done" has a meaning: of each value that has to be there, the last one is meant. Its operands
 * have not been computed anew since, as each way to that would lead to the deed round the value. Functions that call
 * themselves have no such last value: nothing is known there. */
#ifndef FRONTEND_C_QUESTION_H
#define FRONTEND_C_QUESTION_H

#include "frontend/c/deeds.h"

/* A barrier that the net follows. */
typedef struct {
  uint32_t cell;
  bool *uses;  /* per thread */
  bool *waits; /* per context: it waits there, or in what it calls */
} Barrier;

typedef VEC(Barrier) BarrierVec;

/* Is it shown that of the threads that the open thread is one of there are, with `others` more, no more than a barrier
 * waits for, which is made by that call, once? */
bool question_is_enough(const Deeds *deeds, uint32_t thread, uint32_t others, uint32_t context, uint32_t making);

/* Is a deed never done once one of the threads was created that the call in a loop creates which creates that one? */
bool question_is_created_later(const Deeds *d, uint32_t thread, const Deed *deed);

/* Is a deed done behind a loop that joins all threads that are created by the call that creates that one? */
bool question_is_joined(const Deeds *d, uint32_t thread, const Deed *deed);

/* Is it shown that they never do that? *in_vain, 0 at first: what the questions of the cell have taken for which it is
 * not; the more, the less are the others to take. */
bool question_never_meet(const Deeds *deeds, const BarrierVec *barriers, const Deed *a, const Deed *b,
                         uint32_t *in_vain);

#endif
