/* effects.h: what firing a transition changes: its places but for self-loops. */
#ifndef UNFOLD_EFFECTS_H
#define UNFOLD_EFFECTS_H

#include "petri/net.h"

/* The effects of all transitions. */
typedef struct {
  Heap *heap;
  uint32_t
      *start; /* 2 * n_trans + 1: transition t empties places[start[2 * t] ..] and fills places[start[2 * t + 1] ..], */
  uint32_t *places; /* which ends at start[2 * t + 2] */
} Effects;

/* Gives up (heap_give_up) where the net has 2^32 arcs or more. The net is not kept; memory is the heap's until fini. */
void effects_init(Effects *effects, Heap *heap, const Net *net);
void effects_fini(Effects *effects);

#endif
