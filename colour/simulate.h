/* simulate.h: which states of a reduced model can do all that a state of the whole model can.
 *
 * A pair of a state and a reduced state is good if each step of the state is matched by one of the reduced state, which
 * makes the same changes and no other tests, and leads to a good pair; or changes nothing, and the pair of its target
 * and the same reduced state is good. Before that the reduced state may take silent steps. The greatest set of such
 * pairs is a simulation; only what is needed of it is looked for. */
#ifndef COLOUR_SIMULATE_H
#define COLOUR_SIMULATE_H

#include "colour/model.h"

/* A state of the whole model, and one of the reduced model that can do as much. */
typedef struct {
  uint32_t state, reduced;
} StatePair;
typedef VEC(StatePair) StatePairs;

/* Good pairs, ascending, each once: those of the initial states, and all that their steps lead to in turn; but without
 * steps that never happen, and those of a chosen thread to where it cannot meet red any more. `class_of`: for each
 * state of `whole` the one of `reduced` that should match it, or STATE_NONE. False if the initial states are no good
 * pairs. */
bool model_simulate(const Model *whole, const Model *reduced, const uint32_t *class_of, uint32_t undecided,
                    StatePairs *pairs);

#endif
