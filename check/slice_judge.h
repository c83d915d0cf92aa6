/* slice_judge.h: are some threads enough for a block? If it is not causally atomic, is it so where only these take
 * steps? docs/proofs.md ("Slices") says why what is looked at here is enough. */
#ifndef CHECK_SLICE_JUDGE_H
#define CHECK_SLICE_JUDGE_H

#include "check/atomic_judge.h"

/* `kept` is per thread of the facts. False, with ERR_CHECK, unless all of these are kept: the threads that begin the
 * block; those on causal chains that may come back into it; and those that change a place from which a kept one takes,
 * but for the places of locks. */
bool slice_judge(AtomicJudge *judge, uint32_t block, const bool *kept, Err *err);

#endif
