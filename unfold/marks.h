/* marks.h: the markings met so far, each with a number of its own, and one current marking that can be changed.
 *
 * A marking is kept as its difference to the initial one, a bitset, and that as a tree: leaves hold up to 512 places,
 * inner nodes up to 16 numbers of nodes of the level below. Nodes of one level with the same content are one node
 * ("hash consing"; E. Goto, 1974). So two markings are equal iff their roots have the same number, and a marking that
 * differs from others in a few places needs a few new nodes, however many places there are. In a net of up to 512
 * places a marking is one leaf. */
#ifndef UNFOLD_MARKS_H
#define UNFOLD_MARKS_H

#include "base/slots.h"
#include "base/vec.h"
#include "unfold/effects.h"

enum { MARKS_WIDTH = 16, MARKS_LEVELS = 8 };

/* One level of the trees; the leaves are level 0. */
typedef struct {
  uint32_t width; /* numbers in a node: 32 places each, or nodes of the level below */
  uint32_t
      *at_hand;  /* per node of a tree: its number, for the current marking, less what has changed since marks_save() */
  bool *changed; /* per node of a tree: `changes` has it */
  U32Vec changes;
  U32Vec nodes; /* node i is nodes.at[i * width ..]; node 0 is all zero: no difference */
  uint32_t n_nodes;
  HashSlots slots;
} MarkLevel;

/* The markings, and the one at hand. */
typedef struct {
  Heap *heap;
  const Effects *effects;
  uint32_t
      *words; /* bit p: place p is marked in the current marking and not in the initial one, or the other way round */
  uint32_t *initial; /* bit p: place p is marked at first */
  uint32_t n_levels;
  MarkLevel levels[MARKS_LEVELS];
} Marks;

/* The number of the initial marking. */
#define MARKS_INITIAL 0

/* Starts with the initial marking at hand. */
void marks_init(Marks *marks, Heap *heap, const Net *net, const Effects *effects);
void marks_fini(Marks *marks);

/* Is the place marked in the current marking? */
static inline bool marks_has(const Marks *marks, uint32_t place) {
  return ((marks->words[place / 32] ^ marks->initial[place / 32]) >> place % 32 & 1) != 0;
}

/* Fires the transition, or takes it back: the same. */
void marks_toggle(Marks *marks, uint32_t trans);

/* The number of the current marking: numbers are given in the order in which markings are met first. */
uint32_t marks_save(Marks *marks);

/* Takes the marking with that number to hand. The cost is the difference to the one that was. */
void marks_load(Marks *marks, uint32_t number);

#endif
