/* reduce.h: a smaller model in which the same red tokens can appear.
 *
 * Whether red can appear depends only on the sequences of labels that each thread can perform, since the threads meet
 * in the objects alone. So each automaton may be replaced by a smaller one with the same sequences, up to steps that
 * change nothing:
 *   - a test that is passed whatever the value is dropped from its step (what is left may be no effect at all: a silent
 * step);
 *   - states in a circle of silent steps are one, a state with nothing but one silent step is its successor, and every
 * other state gets the steps of those that it can reach silently, so that silent steps vanish, but for those to a state
 * with many;
 *   - once a block is chosen, its thread is of interest only as long as it can still meet red;
 *   - states with the same labelled steps into the same classes are one class (bisimulation, by partition refinement);
 *   - a step that changes no object and leads to where nothing new can be done is dropped: a spin loop disappears; and
 * so is one beside another step with the same label that leads to where at least as much can be done. */
#ifndef COLOUR_REDUCE_H
#define COLOUR_REDUCE_H

#include "colour/model.h"

/* `out`, not yet initialised, becomes the reduced model. *class_of, heap-owned, gets for every state of `in` the state
 * of `out` that stands for it, or STATE_NONE if `out` can do without. `undecided` is an object of both. */
void model_reduce(const Model *in, uint32_t undecided, Model *out, uint32_t **class_of);

/* Finds again which values can occur, and drops the steps that need others. True if fewer can. */
bool model_prune(Model *model);

#endif
