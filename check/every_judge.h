/* every_judge.h: do facts about the threads of a net with open numbers (petri/instance.h) hold for every number of
 * them? docs/proofs.md ("Any number of threads") says why what is looked at here is enough. */
#ifndef CHECK_EVERY_JUDGE_H
#define CHECK_EVERY_JUDGE_H

#include "check/thread_facts.h"

/* The facts have been judged. Are they the same for the two threads that stand for any number, and of no more than two
 * threads at a time? Sets many[0 .. threads - 1]: those that stand for any number, and place[0 .. places - 1]: the one
 * that a place is swapped with where the two are, maybe itself. False, with ERR_CHECK, if not. */
bool every_judge(const ThreadFacts *facts, bool *many, uint32_t *place, Err *err);

#endif
