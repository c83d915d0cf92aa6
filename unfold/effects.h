/* effects.h: what firing a transition changes: its places but for self-loops. */
#ifndef UNFOLD_EFFECTS_H
#define UNFOLD_EFFECTS_H

#include "petri/net.h"

typedef struct {
  Heap *heap;
  uint32_t *start;  /* 2 * n_trans + 1: transition t empties places[start[2 * t] ..] and fills places[start[2 * t + 1] ..], */
  uint32_t *places; /* which ends at start[2 * t + 2] */
} Effects;

void effects_init(Effects *effects, Heap *heap, const Net *net);
void effects_fini(Effects *effects);

#endif
