/* conflict.h: the independent judge of "not serializable".
 *
 * Given nothing but the net with its notes and a firing sequence, it plays the token game, divides the steps into
 * transactions, and builds the conflict graph (A. Farzan, P. Madhusudan, "Monitoring atomicity in concurrent programs",
 * CAV 2008, section 2): one transaction must come before another if a step of it comes before a step of the other in
 * the sequence, and both are of one thread or access one variable that one of them writes. The sequence is serializable
 * iff this graph has no cycle (Lemma 1). */
#ifndef CHECK_CONFLICT_H
#define CHECK_CONFLICT_H

#include "petri/net.h"

/* An occurrence of a marked block, outermost, or a single step. */
typedef struct {
  uint32_t thread;      /* or NOTE_NONE */
  uint32_t block;       /* or NOTE_NONE: a single step */
  uint32_t first, last; /* of its steps; where a block is still open at the end, its last one so far */
} ConflictTransaction;

/* Why a transaction must come before the next one: two of their steps, from < to. */
typedef struct {
  uint32_t from, to;
  uint32_t object; /* of the notes, that both access; NOTE_NONE: they are of one thread */
} ConflictEdge;

/* A shortest cycle: edge i leads from transaction i to the next one, the last edge to transaction 0, which is one of a
 * block. */
typedef struct {
  Heap *heap;
  TransId *run; /* a copy */
  uint32_t n_run;
  uint32_t n;
  ConflictTransaction *transactions;
  ConflictEdge *edges;
} ConflictCycle;

/* `blocks` says per block of the notes whether it is a transaction; NULL: all are. False, with ERR_CHECK, if the
 * sequence cannot be fired or is serializable. Time and memory are quadratic in its length. */
bool conflict_judge(Heap *heap, const Net *net, const bool *blocks, const TransId *run, uint32_t n_run,
                    ConflictCycle *cycle, Err *err);
void conflict_cycle_fini(ConflictCycle *cycle);

#endif
