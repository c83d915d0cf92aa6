/* marks.h: a marking that changes token by token, and a store of markings met before, for exact comparison.
 *
 * Markings are kept as their difference to the initial one: a bitset of which only the words that are not zero are saved,
 * so that a saved marking is small in a small net and also in a huge net in which little has happened. A bitset says for
 * each set of 64 words which of them are not zero, so a save takes time for what has changed, not for the net. */
#ifndef UNFOLD_MARKS_H
#define UNFOLD_MARKS_H

#include "base/vec.h"
#include "petri/net.h"

typedef struct {
  Heap *heap;
  uint64_t *words;   /* bit p: place p is marked now and was not at first, or the other way round */
  uint64_t *initial; /* bit p: place p is marked at first */
  uint64_t *summary; /* bit w: words[w] is not zero */
  uint32_t n_words, n_summary;
  U32Vec saved;      /* of each marking: the number of words; then each one's index, low half, high half */
} Marks;

void marks_init(Marks *marks, Heap *heap, const Net *net);
void marks_fini(Marks *marks);

/* A token comes to, or goes from, the place. */
static inline void marks_flip(Marks *marks, uint32_t place) {
  const uint32_t w = place / 64;
  marks->words[w] ^= (uint64_t)1 << place % 64;
  const uint64_t bit = (uint64_t)1 << w % 64;
  if (marks->words[w]) marks->summary[w / 64] |= bit;
  else marks->summary[w / 64] &= ~bit;
}

/* The marked places 64 * w .. 64 * w + 63, as bits. */
static inline uint64_t marks_word(const Marks *marks, uint32_t w) { return marks->words[w] ^ marks->initial[w]; }

/* Saves the marking of now; returns where it is. */
uint32_t marks_save(Marks *marks);

/* Is the marking of now the saved one; are two saved ones equal? */
bool marks_is(const Marks *marks, uint32_t saved);
bool marks_equal(const Marks *marks, uint32_t a, uint32_t b);

#endif
