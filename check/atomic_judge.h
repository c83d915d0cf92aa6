/* atomic_judge.h: is a block causally atomic by what is known of the threads? docs/proofs.md has both proofs; what they
 * search is searched anew here, thread by thread. */
#ifndef CHECK_ATOMIC_JUDGE_H
#define CHECK_ATOMIC_JUDGE_H

#include "check/thread_facts.h"

/* A kind of steps that put a token on a place, or take one from it, and threads that take them. */
typedef struct {
  uint32_t step_kind;
  FactThreads threads;
} PlaceUser;

/* What is asked about the blocks of one set of facts, prepared once for all blocks. */
typedef struct {
  Heap *heap;
  const ThreadFacts *facts; /* judged */
  /* per place, + 1: those that take from it and that put there, each kind of steps once; none of private places */
  uint32_t *taker_start, *giver_start;
  PlaceUser *takers, *givers;
  uint32_t *step_start, *place_steps; /* per place, + 1: the steps that take from it */
  uint8_t *known;                     /* per step: what was asked of it, and what the answer was */
  uint64_t *inside;                   /* per control, twice: bits of the search of one block */
  U32Vec queue, controls;
} AtomicJudge;

/* Sums up the steps of the facts, which have been judged and outlive the judge. Its memory is the facts' heap's
 * until fini. */
void atomic_judge_init(AtomicJudge *judge, const ThreadFacts *facts);
void atomic_judge_fini(AtomicJudge *judge);

/* By movers, by the environment: false, with ERR_CHECK, if the block, of the net's notes, is not seen to be atomic. All
 * facts count in each; the last one is the environment by another name. */
bool atomic_judge_movers(AtomicJudge *judge, uint32_t block, Err *err);
bool atomic_judge_environment(AtomicJudge *judge, uint32_t block, Err *err);
bool atomic_judge_pairs(AtomicJudge *judge, uint32_t block, Err *err);

/* By the environment, where each thread in `many` stands for others just like it, too: a chain may go from one of them
 * to another one. */
bool atomic_judge_every(AtomicJudge *judge, uint32_t block, const bool *many, Err *err);

/* Does no chain come back into the block that has a step of another thread than those that are kept, per thread? False,
 * with ERR_CHECK, if one may. */
bool atomic_judge_chains(AtomicJudge *judge, uint32_t block, const bool *kept, Err *err);

#endif
