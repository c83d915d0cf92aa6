/* dominators.h: which blocks of a function control has to pass on its way to which. */
#ifndef FRONTEND_C_DOMINATORS_H
#define FRONTEND_C_DOMINATORS_H

#include "frontend/c/module.h"

typedef struct {
  const CModule *module;
  uint32_t *above;         /* per block: the last block that is passed on each way to it; its own number at the entry;
                              C_NONE: no way leads there */
  uint32_t *comings, *at;  /* per block: the blocks that may come before it, at[comings[b]] .. at[comings[b + 1] - 1],
                              those with a way to them alone, each as often as it goes there */
  uint32_t *rank;          /* per block: a number that is less than that of each it is passed before */
  uint32_t *enter, *below; /* per block: those that it is passed before, and itself, have the numbers enter[b], ...,
                              enter[b] + below[b] - 1 */
  bool *is_head;           /* per block: control goes back there, as to the head of a loop */
} Dominators;

/* Finds them, for all functions (K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", 2001). */
void dominators_init(Dominators *d, const CModule *module);
void dominators_fini(Dominators *d);

/* Is the first block passed on each way to the second one, which is of the same function; or are they the same? */
bool dominators_passes(const Dominators *d, uint32_t first, uint32_t second);

/* Is the first instruction done on each way to the second one, of the same function, before it? */
bool dominators_is_before(const Dominators *d, uint32_t first, uint32_t second);

/* Does control go back there from that block, so that it is the head of a loop? */
static inline bool dominators_goes_back(const Dominators *d, uint32_t from, uint32_t head) {
  return dominators_passes(d, head, from);
}

#endif
