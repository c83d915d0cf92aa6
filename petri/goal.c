#include "petri/goal.h"

#include <assert.h>

Net *net_with_goal(Heap *heap, const Net *net, const PlaceId *places, uint32_t n) {
  NetBuilder *builder = net_builder_new(heap);
  for (uint32_t p = 0; p < net->n_places; p++) net_add_place(builder, net->place_name[p], net->marked[p]);
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
    net_add_trans(builder, net->trans_name[t]);
    for (uint32_t i = 0; i < pre.n; i++) net_add_input(builder, pre.at[i], (TransId){t});
    for (uint32_t i = 0; i < post.n; i++) net_add_output(builder, (TransId){t}, post.at[i]);
  }
  const TransId goal = net_add_trans(builder, "goal");
  for (uint32_t i = 0; i < n; i++) net_add_input(builder, places[i], goal);
  net_add_output(builder, goal, net_add_place(builder, "goal", false));
  Err err;
  Net *result = net_freeze(builder, &err);
  assert(result); /* no arc was added twice */
  return result;
}
