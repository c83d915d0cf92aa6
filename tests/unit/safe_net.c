#include "tests/unit/safe_net.h"

#include "base/hash.h"

#include <stdio.h>

typedef struct {
  uint64_t state;
} Random;

static uint32_t pick(Random *random, uint32_t below) {
  random->state++;
  return (uint32_t)(hash_word(random->state) >> 33) % below;
}

static void sketch_arc(NetSketch *sketch, bool input, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < sketch->n_arcs; i++) {
    const SketchArc *arc = &sketch->arcs[i];
    if (arc->input == input && arc->from == from && arc->to == to) return;
  }
  if (sketch->n_arcs < SKETCH_ARCS) sketch->arcs[sketch->n_arcs++] = (SketchArc){from, to, input};
}

/* Sequential components that share some of their transitions: a safe net. Self-loops come by themselves. */
static void sketch_components(NetSketch *sketch, Random *random) {
  const uint32_t n_components = 1 + pick(random, 4), n_states = 2 + pick(random, 4);
  sketch->n_places = n_components * n_states;
  sketch->n_trans = 1 + pick(random, 3 * n_components + 3);
  for (uint32_t c = 0; c < n_components; c++) sketch->marked[c * n_states + pick(random, n_states)] = true;
  for (uint32_t t = 0; t < sketch->n_trans; t++) {
    const uint32_t first = pick(random, n_components), n = pick(random, 3);
    for (uint32_t k = 0; k <= n; k++) {
      const uint32_t base = (first + k) % n_components * n_states;
      if (k >= n_components) break;
      sketch_arc(sketch, true, base + pick(random, n_states), t);
      sketch_arc(sketch, false, t, base + pick(random, n_states));
    }
  }
}

/* Any arcs at all: many of these nets are not safe. */
static void sketch_anything(NetSketch *sketch, Random *random) {
  sketch->n_places = 2 + pick(random, 9);
  sketch->n_trans = 1 + pick(random, 8);
  for (uint32_t p = 0; p < sketch->n_places; p++) sketch->marked[p] = pick(random, 3) == 0;
  for (uint32_t t = 0; t < sketch->n_trans; t++) {
    const uint32_t inputs = 1 + pick(random, 3), outputs = pick(random, 4);
    for (uint32_t k = 0; k < inputs; k++) sketch_arc(sketch, true, pick(random, sketch->n_places), t);
    for (uint32_t k = 0; k < outputs; k++) sketch_arc(sketch, false, t, pick(random, sketch->n_places));
  }
}

void sketch_random(NetSketch *sketch, uint64_t seed) {
  Random random = {seed << 32};
  *sketch = (NetSketch){0};
  if (seed % 4 == 0) {
    sketch_anything(sketch, &random);
    return;
  }
  sketch_components(sketch, &random);
  if (seed % 4 == 1) sketch_arc(sketch, false, pick(&random, sketch->n_trans), pick(&random, sketch->n_places));
}

void sketch_shuffle_arcs(NetSketch *sketch, uint64_t seed) {
  Random random = {seed};
  for (uint32_t i = sketch->n_arcs; i > 1; i--) {
    const uint32_t j = pick(&random, i);
    const SketchArc arc = sketch->arcs[j];
    sketch->arcs[j] = sketch->arcs[i - 1];
    sketch->arcs[i - 1] = arc;
  }
}

Net *sketch_freeze(Heap *heap, const NetSketch *sketch) {
  NetBuilder *builder = net_builder_new(heap);
  char name[16];
  for (uint32_t p = 0; p < sketch->n_places; p++) {
    snprintf(name, sizeof name, "p%u", p);
    net_add_place(builder, name, sketch->marked[p]);
  }
  for (uint32_t t = 0; t < sketch->n_trans; t++) {
    snprintf(name, sizeof name, "t%u", t);
    net_add_trans(builder, name);
  }
  for (uint32_t i = 0; i < sketch->n_arcs; i++) {
    const SketchArc *arc = &sketch->arcs[i];
    if (arc->input) net_add_input(builder, (PlaceId){arc->from}, (TransId){arc->to});
    else net_add_output(builder, (TransId){arc->from}, (PlaceId){arc->to});
  }
  Err err;
  return net_freeze(builder, &err);
}

Net *safe_net(Heap *heap, uint64_t seed) {
  NetSketch sketch;
  sketch_random(&sketch, seed);
  return sketch_freeze(heap, &sketch);
}
