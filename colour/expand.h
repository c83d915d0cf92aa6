/* expand.h: from a run of the reduced model back to a run of the program. */
#ifndef COLOUR_EXPAND_H
#define COLOUR_EXPAND_H

#include "colour/model.h"

/* `run` holds numbers of steps of `reduced`, a run of it from the start. Plays it on `whole`, the model before the
 * reductions: before each step its thread does what the reductions took out, steps that change no object. *steps,
 * heap-owned, are the transitions of the program in order. False with ERR_CHECK if that cannot be done. */
bool model_expand(const Model *whole, const uint32_t *class_of, const Model *reduced, const uint32_t *run,
                  uint32_t n_run, TransId **steps, uint32_t *n_steps, Err *err);

#endif
