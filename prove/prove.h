/* prove.h: blocks of a net with notes that have a short proof of causal atomicity, before any colouring and unfolding.
 * docs/proofs.md has the proofs, and why they are right.
 *
 * They hold for any number of threads of each kind that the net has two or more of, where their words say so. */
#ifndef PROVE_PROVE_H
#define PROVE_PROVE_H

#include "petri/net.h"

#include <stdio.h>

/* Which proof a block has, if any. */
typedef enum { PROVED_NOT, PROVED_BY_MOVERS, PROVED_BY_ENVIRONMENT, PROVED_BY_PAIRS } ProofKind;

/* What is to be tried. What it points to stays the caller's. */
typedef struct {
  bool movers, environment, pairs; /* the proofs to try, in this order; pairs prove whatever the environment does */
  bool every;   /* the certificate claims what is proved for every number that is left open (petri/instance.h): of a net
                   with two threads for each, whose classes have two; without pairs */
  bool slice;   /* find the threads that a block needs that is not proved */
  bool is_safe; /* the net is known to be 1-safe; else it must be so by counting (petri/safe.h) */
  const bool *blocks; /* per block of the notes: try it? NULL: all */
  FILE *certificate;  /* NULL, or where the proof of what was proved is written (docs/certificates.md) */
} ProveOptions;

/* What was found of one block. Its strings and lists belong to the Proofs. */
typedef struct {
  ProofKind kind;
  bool is_dead;          /* proved, as no run ever begins it */
  bool is_of_any_number; /* proved, whatever the number of threads of each group of the notes that has two or
                            more; found where a gap says that there may be more (note_gap_copies) */
  const char *words;     /* "two-phase locking (l0; M as a lock), for any number of copies"; "" if it is not proved */
  /* Where `environment` or `pairs` was tried and did not prove it: the threads of the notes by which a causal chain
   * comes back into the block as far as that proof can see, each once, first one whose block it is. With these alone
   * the block may be violated; if it is, it is violated. Else none. */
  const uint32_t *chain;
  uint32_t n_chain;
  /* Where `slice` was asked for and the block is not proved: the threads of the notes, ascending, that are enough: if
   * the block is atomic where no other of these threads takes a step, it is atomic. Else NULL. Behind them stand
   * n_single transitions of no thread that they need, numbered as in petri/thread_view.h. */
  const uint32_t *slice;
  uint32_t n_slice, n_single;
} BlockProof;

/* What was found of all blocks. */
typedef struct Proofs {
  Arena arena;       /* owns all that follows */
  uint32_t n_blocks; /* of the notes */
  BlockProof *blocks;
  bool complete;   /* false: the work was asked to end (heap_asked) before all was tried */
  const char *why; /* why there can be no proof in this net, "it is not 1-safe by counting"; or "" */
} Proofs;

/* The net must have notes. A net that the proofs cannot be about has none: it is no error. */
Proofs *prove_net(Heap *heap, const Net *net, const ProveOptions *options);
void prove_free(Proofs *proofs); /* NULL is allowed */

#endif
