#include "unfold/regions.h"

#include "base/bitset.h"

/* Gives the places of the list that have none the next positions. */
static uint32_t mention(uint32_t *position, uint32_t next, PlaceList places) {
  for (uint32_t i = 0; i < places.n; i++)
    if (position[places.at[i].v] == NONE) position[places.at[i].v] = next++;
  return next;
}

void regions_init(Regions *regions, Branch *branch) {
  Heap *heap = branch->heap;
  const Net *net = branch->net;
  *regions = (Regions){.branch = branch, .n_words = bitset_words(net->n_places)};
  regions->of = heap_zeroed(heap, net->n_places);
  regions->leading = heap_zeroed(heap, heap_product(heap, REGIONS * regions->n_words, sizeof *regions->leading));
  uint32_t *position = heap_alloc(heap, heap_product(heap, net->n_places, sizeof *position)), next = 0;
  for (uint32_t p = 0; p < net->n_places; p++) position[p] = NONE;
  for (uint32_t t = 0; t < net->n_trans; t++) {
    next = mention(position, next, net_pre(net, (TransId){t}));
    next = mention(position, next, net_post(net, (TransId){t}));
  }
  for (uint32_t p = 0; p < net->n_places; p++)
    if (position[p] != NONE) regions->of[p] = (uint8_t)((uint64_t)position[p] * REGIONS / next);
  heap_release(heap, position);
}

void regions_fini(Regions *regions) {
  Heap *heap = regions->branch->heap;
  heap_release(heap, regions->of);
  heap_release(heap, regions->leading);
  vec_fini(heap, &regions->work);
}

uint64_t regions_of(const Regions *regions, PlaceList places) {
  uint64_t set = 0;
  for (uint32_t i = 0; i < places.n; i++) set |= regions_bit(regions, places.at[i]);
  return set;
}

/* Event f leads to these regions too: so do the places of its preset, and its causes, which are put on `work` where that
 * is news. */
static void lead(Regions *regions, uint32_t f, uint64_t news) {
  Branch *branch = regions->branch;
  Event *event = &branch->events.at[f];
  const PlaceList pre = net_pre(branch->net, (TransId){event->trans});
  const uint32_t *inputs = branch_pre(branch, event->pre);
  for (uint32_t i = 0; i < pre.n; i++) {
    for (uint64_t rest = news; rest; rest &= rest - 1)
      bitset_add(regions->leading + (uint32_t)__builtin_ctzll(rest) * regions->n_words, pre.at[i].v);
    const uint32_t producer = branch->conditions.at[inputs[i]].producer;
    if (producer == NONE || !(news & ~branch->events.at[producer].regions)) continue;
    vec_push(branch->heap, &regions->work, producer);
  }
}

void regions_note_event(Regions *regions, uint32_t e) {
  Event *events = regions->branch->events.at;
  const uint64_t news = regions_of(regions, net_post(regions->branch->net, (TransId){events[e].trans}));
  vec_clear(&regions->work);
  vec_push(regions->branch->heap, &regions->work, e);
  while (regions->work.n) {
    const uint32_t f = regions->work.at[--regions->work.n];
    const uint64_t more = news & ~events[f].regions;
    events[f].regions |= news;
    if (more || f == e) lead(regions, f, more);
  }
}
