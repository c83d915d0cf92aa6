#include "petri/token.h"

#include <assert.h>
#include <string.h>

void token_initial(const Net *net, uint64_t *marking) {
  memset(marking, 0, marking_words(net) * sizeof *marking);
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p]) bitset_add(marking, p);
}

bool token_enabled(const Net *net, const uint64_t *marking, TransId t) {
  const PlaceList pre = net_pre(net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (!marking_has(marking, pre.at[i])) return false;
  return true;
}

PlaceId token_fire(const Net *net, uint64_t *marking, TransId t) {
  const PlaceList pre = net_pre(net, t), post = net_post(net, t);
  assert(token_enabled(net, marking, t));
  for (uint32_t i = 0; i < post.n; i++)
    if (marking_has(marking, post.at[i]) && !net_place_list_has(pre, post.at[i])) return post.at[i];
  for (uint32_t i = 0; i < pre.n; i++) bitset_remove(marking, pre.at[i].v);
  for (uint32_t i = 0; i < post.n; i++) bitset_add(marking, post.at[i].v);
  return PLACE_NONE;
}
