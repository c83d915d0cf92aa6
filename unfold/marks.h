/* marks.h: a store of the markings met so far, for exact comparison, and one marking at hand that can be changed.
 *
 * Markings are kept as their difference to the initial one: a bitset of which only the words that are not zero are saved,
 * so that a saved marking is small in a small net and also in a huge net in which little has happened. A second bitset says
 * which words are not zero, so all that is done here takes time for what has changed, not for the net. */
#ifndef UNFOLD_MARKS_H
#define UNFOLD_MARKS_H

#include "base/vec.h"
#include "unfold/effects.h"

typedef struct {
  Heap *heap;
  const Effects *effects;
  uint64_t *words;   /* bit p: place p is marked in the marking at hand and not in the initial one, or the other way round */
  uint64_t *summary; /* bit w: words[w] is not zero */
  uint64_t *initial; /* bit p: place p is marked at first */
  uint32_t n_summary;
  U32Vec saved;      /* of each marking: the number of words; then each one's index, low half, high half */
} Marks;

/* Starts with the initial marking at hand. */
void marks_init(Marks *marks, Heap *heap, const Net *net, const Effects *effects);
void marks_fini(Marks *marks);

static inline bool marks_has(const Marks *marks, uint32_t place) {
  return ((marks->words[place / 64] ^ marks->initial[place / 64]) >> place % 64 & 1) != 0;
}

/* Fires the transition, or takes it back: the same. */
void marks_toggle(Marks *marks, uint32_t trans);

/* Saves the marking at hand, returns where; and takes a saved one to hand. */
uint32_t marks_save(Marks *marks);
void marks_load(Marks *marks, uint32_t saved);

/* Is the marking at hand the saved one; are two saved ones equal? */
bool marks_is(const Marks *marks, uint32_t saved);
bool marks_equal(const Marks *marks, uint32_t a, uint32_t b);

#endif
