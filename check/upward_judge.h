/* upward_judge.h: does an upward-closed set, by its least elements, show that a block is causally atomic for every
 * value of the numbers of threads that are open? It has to hold all configurations from which the block can be
 * violated, and none at which a run starts. docs/certificates.md says what is checked, docs/proofs.md ("Backward
 * coverability") why that is enough. */
#ifndef CHECK_UPWARD_JUDGE_H
#define CHECK_UPWARD_JUDGE_H

#include "check/elements.h"
#include "check/positions.h"

/* Where the block's thread T and the chain are: the kind of an element's key. Its `at` is T's position, and `item`
 * twice a group, and 1 more where the chain was put there by writing; 0 where there is none. */
typedef enum {
  UPWARD_BEFORE,  /* no block was begun: T is one of the threads; at and item are 0 */
  UPWARD_WITH_T,  /* T has the chain */
  UPWARD_LEFT,    /* T has put it on the item, and no other thread has moved since T began */
  UPWARD_PASSED,  /* another thread has put it on the item, and T has not moved since the chain left it */
  UPWARD_CARRIED, /* another thread, at position `item`, has it; likewise */
  UPWARD_KINDS
} UpwardKind;

/* What is claimed of a block. The numbers of an element are positions of other threads, and from upward_value on values
 * of the facts. Arrays are the heap's. */
typedef struct {
  Heap *heap;
  const ThreadFacts *facts;
  Groups groups;
  Positions positions;
  Elements elements;
} UpwardClaim;

/* Nothing yet, of facts that have been judged, and live as long. */
void upward_claim_init(UpwardClaim *claim, const ThreadFacts *facts);
void upward_claim_fini(UpwardClaim *claim);

/* The number of a value, which is counted across all objects, once all positions are there. */
static inline uint32_t upward_value(const UpwardClaim *claim, uint32_t value) {
  return positions_count(&claim->positions) + value;
}

/* `many` is per thread: it stands for any number of threads; place[p] is the place that p is swapped with where two of
 * these are. False, with ERR_CHECK, if the claim does not show it. */
bool upward_judge(UpwardClaim *claim, uint32_t block, const bool *many, const uint32_t *place, Err *err);

#endif
