/* pair_judge.h: what a certificate claims of two threads together (docs/certificates.md), and whether it is true. */
#ifndef CHECK_PAIR_JUDGE_H
#define CHECK_PAIR_JUDGE_H

#include "check/thread_facts.h"

/* Once all other facts are true: is each set closed? Fills kind_pairs. False, with ERR_CHECK, if not. */
bool pair_judge(ThreadFacts *facts, Err *err);

/* Once they are: what thread_facts_meet and thread_facts_pass are as far as the sets tell. */
bool pair_judge_meet(const ThreadFacts *facts, uint32_t kind, uint32_t other);
bool pair_judge_pass(const ThreadFacts *facts, uint32_t step_kind, uint32_t kind);

#endif
