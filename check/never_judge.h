/* never_judge.h: does a formula hold in no reachable marking of a 1-safe net? Seen from the complete prefix of the net
 * with a complement for each place that the formula wants unmarked (petri/complement.h). */
#ifndef CHECK_NEVER_JUDGE_H
#define CHECK_NEVER_JUDGE_H

#include "check/cosets.h"
#include "petri/formula.h"

/* `cosets` are of that prefix; complement[p] is the complement of place p, or PROCESS_NONE. Takes time with the number
 * of sets of places that can be marked together and are a part of what the formula asks for. False, with ERR_CHECK, if
 * there is a marking in which it holds, or a complement is missing. */
bool never_judge(Cosets *cosets, const Formula *formula, const uint32_t *complement, Err *err);

#endif
