/* effects.h: what firing a transition changes: the places but for self-loops, and the hash of the marking. */
#ifndef UNFOLD_EFFECTS_H
#define UNFOLD_EFFECTS_H

#include "petri/net.h"

/* The hash of a marking is a sum of one number per place, so it changes by the same number whenever a transition fires. */
typedef struct {
  Heap *heap;
  uint64_t initial_hash;
  uint64_t *hash;   /* per transition */
  uint32_t *start;  /* 2 * n_trans + 1: transition t empties places[start[2 * t] ..] and fills places[start[2 * t + 1] ..], */
  uint32_t *places; /* which ends at start[2 * t + 2] */
} Effects;

void effects_init(Effects *effects, Heap *heap, const Net *net);
void effects_fini(Effects *effects);

#endif
