#include "unfold/regions.h"

#include "base/bitset.h"

/* Gives the places of the list that have none the next positions. */
static uint32_t mention(uint32_t *position, uint32_t next, PlaceList places) {
  for (uint32_t i = 0; i < places.n; i++)
    if (position[places.at[i].v] == NONE) position[places.at[i].v] = next++;
  return next;
}

static void divide(Regions *regions) {
  Heap *heap = regions->branch->heap;
  const Net *net = regions->branch->net;
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

void regions_init(Regions *regions, Branch *branch) {
  Heap *heap = branch->heap;
  *regions = (Regions){.branch = branch, .n_words = bitset_words(branch->net->n_places)};
  regions->of = heap_zeroed(heap, branch->net->n_places);
  regions->consumed = heap_zeroed(heap, regions->n_words * sizeof *regions->consumed);
  divide(regions);
}

void regions_fini(Regions *regions) {
  Heap *heap = regions->branch->heap;
  heap_release(heap, regions->of);
  heap_release(heap, regions->consumed);
  heap_release(heap, regions->leading);
  vec_fini(heap, &regions->sets);
  vec_fini(heap, &regions->work);
}

uint64_t regions_of(const Regions *regions, PlaceList places) {
  uint64_t set = 0;
  for (uint32_t i = 0; i < places.n; i++) set |= (uint64_t)1 << regions->of[places.at[i].v];
  return set;
}

uint64_t regions_word(const Regions *regions, uint64_t wanted, uint32_t w) {
  if (!regions->started) return regions->consumed[w];
  uint64_t word = 0;
  for (; wanted; wanted &= wanted - 1)
    word |= regions->leading[(uint32_t)__builtin_ctzll(wanted) * regions->n_words + w];
  return word;
}

/* Event f leads to these regions too: so do the places of its preset, and its causes, which are put on `work` where
 * that is news. */
static void lead(Regions *regions, uint32_t f, uint64_t news) {
  const Branch *branch = regions->branch;
  const Event *event = &branch->events.at[f];
  const PlaceList pre = net_pre(branch->net, (TransId){event->trans});
  const Input *inputs = branch_pre(branch, event->pre);
  for (uint32_t i = 0; i < pre.n; i++) {
    for (uint64_t rest = news; rest; rest &= rest - 1)
      bitset_add(regions->leading + (uint32_t)__builtin_ctzll(rest) * regions->n_words, pre.at[i].v);
    const uint32_t producer = inputs[i].producer;
    if (producer != NONE && news & ~regions->sets.at[producer]) vec_push(branch->heap, &regions->work, producer);
  }
}

static void add_event(Regions *regions, uint32_t e) {
  Heap *heap = regions->branch->heap;
  const uint64_t set =
      regions_of(regions, net_post(regions->branch->net, (TransId){regions->branch->events.at[e].trans}));
  vec_push(heap, &regions->sets, 0);
  vec_push(heap, &regions->work, e);
  while (regions->work.n) {
    const uint32_t f = regions->work.at[--regions->work.n];
    const uint64_t news = set & ~regions->sets.at[f];
    regions->sets.at[f] |= set;
    if (news) lead(regions, f, news);
  }
}

void regions_note_event(Regions *regions, uint32_t e) {
  const Net *net = regions->branch->net;
  const PlaceList pre = net_pre(net, (TransId){regions->branch->events.at[e].trans});
  for (uint32_t i = 0; i < pre.n; i++) bitset_add(regions->consumed, pre.at[i].v);
  if (regions->started) add_event(regions, e);
}

void regions_start(Regions *regions) {
  Heap *heap = regions->branch->heap;
  regions->started = true;
  regions->leading = heap_zeroed(heap, heap_product(heap, REGIONS * regions->n_words, sizeof *regions->leading));
  for (uint32_t e = 0; e < regions->branch->events.n; e++) add_event(regions, e);
}
