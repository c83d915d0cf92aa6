#include "unfold/effects.h"

/* Appends those of the list that are not in the other one; both are ascending. */
static uint32_t add_places(Effects *effects, uint32_t n, PlaceList list, PlaceList other) {
  for (uint32_t i = 0, k = 0; i < list.n; i++) {
    while (k < other.n && other.at[k].v < list.at[i].v) k++;
    if (k == other.n || other.at[k].v != list.at[i].v) effects->places[n++] = list.at[i].v;
  }
  return n;
}

static void init_transition(Effects *effects, const Net *net, uint32_t t) {
  const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
  effects->start[2 * t + 1] = add_places(effects, effects->start[2 * t], pre, post);
  effects->start[2 * t + 2] = add_places(effects, effects->start[2 * t + 1], post, pre);
}

void effects_init(Effects *effects, Heap *heap, const Net *net) {
  *effects = (Effects){.heap = heap};
  if (net->n_outputs > UINT32_MAX - net->n_inputs) heap_give_up(heap);
  const uint32_t n_arcs = net->n_inputs + net->n_outputs;
  effects->start = heap_zeroed(heap, heap_product(heap, 2 * (size_t)net->n_trans + 1, sizeof *effects->start));
  effects->places = heap_alloc(heap, heap_product(heap, n_arcs, sizeof *effects->places));
  for (uint32_t t = 0; t < net->n_trans; t++) init_transition(effects, net, t);
  effects->places =
      heap_resize(heap, effects->places, heap_product(heap, effects->start[2 * net->n_trans], sizeof *effects->places));
}

void effects_fini(Effects *effects) {
  heap_release(effects->heap, effects->start);
  heap_release(effects->heap, effects->places);
}
