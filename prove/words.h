/* words.h: proofs as people read them. */
#ifndef PROVE_WORDS_H
#define PROVE_WORDS_H

#include "prove/known.h"
#include "prove/prove.h"

/* Of a block that was proved; `inside` has the bits that are held somewhere in it. The text belongs to the arena. */
const char *words_of_proof(Arena *arena, const Known *facts, ProofKind kind, const uint64_t *inside);

#endif
