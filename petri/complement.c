#include "petri/complement.h"

#include <assert.h>

static void add_net(NetBuilder *builder, const Net *net) {
  for (uint32_t p = 0; p < net->n_places; p++) net_add_place(builder, net->place_name[p], net->marked[p]);
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
    net_add_trans(builder, net->trans_name[t]);
    for (uint32_t i = 0; i < pre.n; i++) net_add_input(builder, pre.at[i], (TransId){t});
    for (uint32_t i = 0; i < post.n; i++) net_add_output(builder, (TransId){t}, post.at[i]);
  }
}

static void add_complement(NetBuilder *builder, const Net *net, PlaceId place) {
  const PlaceId other = net_add_place(builder, net->place_name[place.v], !net->marked[place.v]);
  const TransList takers = net_consumers(net, place), putters = net_producers(net, place);
  for (uint32_t i = 0; i < takers.n; i++)
    if (!net_place_list_has(net_post(net, takers.at[i]), place)) net_add_output(builder, takers.at[i], other);
  for (uint32_t i = 0; i < putters.n; i++)
    if (!net_place_list_has(net_pre(net, putters.at[i]), place)) net_add_input(builder, other, putters.at[i]);
}

Net *net_with_complements(Heap *heap, const Net *net, const PlaceId *places, uint32_t n) {
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  add_net(builder, net);
  for (uint32_t i = 0; i < n; i++) add_complement(builder, net, places[i]);
  Net *result = net_freeze(builder, &err);
  assert(result); /* no arc was added twice */
  return result;
}
