/* safe_net.h: small random nets for tests of behaviour. Most of them are 1-safe, and their markings can be counted. */
#ifndef TESTS_UNIT_SAFE_NET_H
#define TESTS_UNIT_SAFE_NET_H

#include "petri/net.h"

enum { SKETCH_PLACES = 64, SKETCH_ARCS = 400 };

typedef struct {
  uint32_t from, to;
  bool input; /* place -> transition */
} SketchArc;

/* A net before it is frozen, so that it can be changed: without one arc, or with its arcs in another order. */
typedef struct {
  uint32_t n_places, n_trans, n_arcs;
  bool marked[SKETCH_PLACES];
  SketchArc arcs[SKETCH_ARCS];
} NetSketch;

/* The same seed gives the same net. Where seed % 4 is 2 or 3 it is 1-safe, made of sequential components that share
 * transitions; where it is 1, it is such a net with one arc too many; where it is 0, its arcs are any. Each transition
 * has an input place. */
void sketch_random(NetSketch *sketch, uint64_t seed);

void sketch_shuffle_arcs(NetSketch *sketch, uint64_t seed);

Net *sketch_freeze(Heap *heap, const NetSketch *sketch); /* places are named p0, p1, ..., transitions t0, t1, ... */

/* The net of sketch_random. */
Net *safe_net(Heap *heap, uint64_t seed);

#endif
