/* run_proof.h: a firing sequence, played step by step, and what is claimed of it (docs/certificates.md). */
#ifndef CHECK_RUN_PROOF_H
#define CHECK_RUN_PROOF_H

#include "base/vec.h"
#include "petri/formula.h"
#include "petri/net.h"

/* The run so far, and the marking that it leads to. */
typedef struct {
  Heap *heap;
  const Net *net;
  VEC(TransId) steps;
  uint64_t *marking;  /* a bitset: the places with a token */
  VEC(PlaceId) twice; /* those that got a second one by the last step, which nothing may follow */
} RunProof;

/* No step, the initial marking. The net must live as long; memory is the heap's, until fini. */
void run_proof_init(RunProof *proof, Heap *heap, const Net *net);
void run_proof_fini(RunProof *proof);

/* Fires a transition. Each function returns false, with ERR_CHECK, if what it is asked for is not so. */
bool run_proof_step(RunProof *proof, TransId trans, Err *err);

/* At the end: are all of the places marked; does the formula hold; is that the last step; is nothing enabled; did the
 * last step put a second token on the place; did it show that the block, of the net's notes, is not causally atomic;
 * does no place have a second token? */
bool run_proof_covers(const RunProof *proof, const PlaceId *places, uint32_t n, Err *err);
bool run_proof_satisfies(const RunProof *proof, const Formula *formula, Err *err);
bool run_proof_fires(const RunProof *proof, TransId trans, Err *err);
bool run_proof_deadlock(const RunProof *proof, Err *err);
bool run_proof_unsafe(const RunProof *proof, PlaceId place, Err *err);
bool run_proof_splits(const RunProof *proof, uint32_t block, Err *err);
bool run_proof_safe(const RunProof *proof, Err *err);

#endif
