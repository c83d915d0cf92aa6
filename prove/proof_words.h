/* proof_words.h: proofs as people read them. */
#ifndef PROVE_PROOF_WORDS_H
#define PROVE_PROOF_WORDS_H

#include "prove/known.h"
#include "prove/prove.h"

/* Of a block that was proved by movers or the environment, or not at all; `inside` has the bits that are held somewhere
 * in it. The text belongs to the arena. */
const char *proof_words_alone(Arena *arena, const Known *facts, ProofKind kind, const uint64_t *inside);

/* Of one that was proved by pairs that follow these objects, a bitset, and with the counters of the facts. */
const char *proof_words_with_pairs(Arena *arena, const Known *facts, const uint64_t *followed);

#endif
