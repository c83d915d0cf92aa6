#include "tests/oracle/sequential.h"

static uint32_t count(const Net *net, PlaceList places, uint32_t unit) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < places.n; i++) n += net->unit_of[places.at[i].v] == unit;
  return n;
}

bool units_are_sequential(const Net *net) {
  for (uint32_t u = 0; u < net->n_units; u++) {
    const PlaceList places = net_unit_places(net, u);
    uint32_t marked = 0;
    for (uint32_t i = 0; i < places.n; i++) marked += net->marked[places.at[i].v];
    if (marked > 1) return false;
    for (uint32_t t = 0; t < net->n_trans; t++) {
      const uint32_t taken = count(net, net_pre(net, (TransId){t}), u);
      const uint32_t put = count(net, net_post(net, (TransId){t}), u);
      if (taken > 1 || put > taken) return false;
    }
  }
  return true;
}
