/* No colours at all: red is marked where a block begins. A block that can never be entered is atomic, but hardly what
 * its author had in mind. The threads do what they do, and the reductions make the net as small as that question
 * allows. */
#include "colour/generator.h"

#include <assert.h>

static bool entry_steps(Generator *g, uint32_t thread, uint32_t mode, const ColourMove *move, Err *err) {
  uint32_t block;
  assert(mode == MODE_PLAIN);
  (void)mode, (void)err;
  generator_start_effects(g);
  generator_step(g, MODE_PLAIN, false, g->effects.at, g->effects.n);
  if (!generator_may_choose(g, thread, move, &block)) return true;
  generator_start_effects(g);
  vec_push(g->heap, &g->effects, ((Effect){g->undecided, 0, OBJECT_ABSENT}));
  vec_push(g->heap, &g->effects, ((Effect){g->red[block], OBJECT_ABSENT, 0}));
  generator_step(g, MODE_PLAIN, true, g->effects.at, g->effects.n);
  return true;
}

void entry_colouring(Generator *g) {
  g->steps = entry_steps;
  generator_data_objects(g);
}
