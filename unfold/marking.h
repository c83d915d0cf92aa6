/* marking.h: a marking that changes token by token, and a store of markings met before, for exact comparison.
 *
 * Markings are kept as their difference to the initial one: a bitset of which only the words that are not zero are saved,
 * so that a saved marking is small in a small net and also in a huge net in which little has happened. A bitset says for
 * each set of 64 words which of them are not zero, so a save takes time for what has changed, not for the net. */
#ifndef UNFOLD_MARKING_H
#define UNFOLD_MARKING_H

#include "base/vec.h"

typedef struct {
  Heap *heap;
  uint64_t *words;   /* bit p: place p is marked now and was not at first, or the other way round */
  uint64_t *summary; /* bit w: words[w] is not zero */
  uint32_t n_summary;
  U32Vec saved;      /* of each marking: the number of words; then each one's index, low half, high half */
} Marking;

void marking_init(Marking *marking, Heap *heap, uint32_t n_places);
void marking_fini(Marking *marking);

/* A token comes to, or goes from, the place. */
static inline void marking_flip(Marking *marking, uint32_t place) {
  const uint32_t w = place / 64;
  marking->words[w] ^= (uint64_t)1 << place % 64;
  const uint64_t bit = (uint64_t)1 << w % 64;
  if (marking->words[w]) marking->summary[w / 64] |= bit;
  else marking->summary[w / 64] &= ~bit;
}

/* Saves the marking of now; returns where it is. */
uint32_t marking_save(Marking *marking);

/* Is the marking of now the saved one; are two saved ones equal? */
bool marking_is(const Marking *marking, uint32_t saved);
bool marking_equal(const Marking *marking, uint32_t a, uint32_t b);

#endif
