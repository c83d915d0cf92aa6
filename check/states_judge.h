/* states_judge.h: where threads never are, by what is known of each control (thread_facts.h). docs/proofs.md, "States
 * that are never reached", says why; what is concluded is concluded anew here, thread by thread.
 *
 * Sets of places are per place of the net. The facts have been judged. False, with ERR_CHECK, if it is not seen. */
#ifndef CHECK_STATES_JUDGE_H
#define CHECK_STATES_JUDGE_H

#include "check/thread_facts.h"

/* None of these places, each private to a thread, is ever marked. */
bool states_judge_away(const ThreadFacts *facts, const bool *places, Err *err);

/* No two threads are ever at once at one of the first places and at one of the second, each private to a thread. */
bool states_judge_apart(const ThreadFacts *facts, const bool *first, const bool *second, Err *err);

/* In each reachable marking in which no transition is enabled, each thread of the notes that has control places
 * is at one of these places: it is private to the thread, or surely marked while the thread is where it is, or a
 * control place of the thread that nothing takes from. */
bool states_judge_over(const ThreadFacts *facts, const bool *over, Err *err);

#endif
