/* Breadth-first search. The markings stand in one flat array in the order of discovery, which is also the queue; a hash
 * table of their numbers, open addressing, at most half full, tells old from new. */
#include "tests/oracle/reach.h"

#include "base/hash.h"

#include <string.h>

typedef struct {
  Reach *reach;
  size_t n_words;
  uint32_t room;   /* markings that the arrays have room for */
  uint32_t *slots; /* number + 1, or 0 */
  uint32_t n_slots;
} Search;

static uint64_t *marking_at(const Search *s, uint32_t m) { return s->reach->words + m * s->n_words; }

static uint32_t *find_slot(const Search *s, const uint64_t *marking) {
  const size_t bytes = s->n_words * sizeof *marking;
  uint32_t i = (uint32_t)hash_bytes(marking, bytes) & (s->n_slots - 1);
  while (s->slots[i] && memcmp(marking_at(s, s->slots[i] - 1), marking, bytes) != 0) i = (i + 1) & (s->n_slots - 1);
  return &s->slots[i];
}

static void grow_slots(Search *s) {
  Heap *heap = s->reach->heap;
  if (s->n_slots > UINT32_MAX / 2) heap_give_up(heap);
  heap_release(heap, s->slots);
  s->slots = NULL;
  s->n_slots *= 2;
  s->slots = heap_zeroed(heap, heap_product(heap, s->n_slots, sizeof *s->slots));
  for (uint32_t m = 0; m < s->reach->n_markings; m++) *find_slot(s, marking_at(s, m)) = m + 1;
}

/* One marking more than there are: where a successor is tried out. */
static void grow_markings(Search *s) {
  Reach *r = s->reach;
  if (s->room > UINT32_MAX / 2) heap_give_up(r->heap);
  s->room *= 2;
  r->words = heap_resize(r->heap, r->words, heap_product(r->heap, s->room, s->n_words * sizeof *r->words));
  r->parent = heap_resize(r->heap, r->parent, heap_product(r->heap, s->room, sizeof *r->parent));
  r->via = heap_resize(r->heap, r->via, heap_product(r->heap, s->room, sizeof *r->via));
}

/* Keeps the marking that stands after the last one, if it is new. False if the budget does not allow it. */
static bool keep_marking(Search *s, uint32_t parent, TransId via, uint32_t budget) {
  Reach *r = s->reach;
  uint32_t *slot = find_slot(s, marking_at(s, r->n_markings));
  if (*slot) return true;
  if (r->n_markings >= budget) return false;
  r->parent[r->n_markings] = parent;
  r->via[r->n_markings] = via;
  *slot = ++r->n_markings;
  if (r->n_markings >= s->n_slots / 2) grow_slots(s);
  if (r->n_markings >= s->room) grow_markings(s);
  return true;
}

/* All firings in marking m. False if the search ends here. */
static bool expand(Search *s, uint32_t m, uint32_t budget) {
  Reach *r = s->reach;
  for (uint32_t t = 0; t < r->net->n_trans; t++) {
    if (!token_enabled(r->net, marking_at(s, m), (TransId){t})) continue;
    uint64_t *next = marking_at(s, r->n_markings);
    if (s->n_words) memcpy(next, marking_at(s, m), s->n_words * sizeof *next);
    const PlaceId twice = token_fire(r->net, next, (TransId){t});
    if (twice.v != PLACE_NONE.v) {
      r->unsafe_from = m;
      r->unsafe_trans = (TransId){t};
      r->unsafe_place = twice;
      return false;
    }
    if (!keep_marking(s, m, (TransId){t}, budget)) return false;
  }
  return true;
}

Reach *reach_explore(Heap *heap, const Net *net, uint32_t budget) {
  Reach *r = heap_zeroed(heap, sizeof *r);
  *r = (Reach){
      .heap = heap, .net = net, .unsafe_from = REACH_NONE, .unsafe_trans = TRANS_NONE, .unsafe_place = PLACE_NONE};
  Search s = {.reach = r, .n_words = marking_words(net), .room = 8, .n_slots = 32};
  grow_markings(&s);
  grow_slots(&s);
  token_initial(net, marking_at(&s, 0));
  keep_marking(&s, REACH_NONE, TRANS_NONE, 1);
  uint32_t m = 0;
  while (m < r->n_markings && expand(&s, m, budget)) m++;
  r->complete = m == r->n_markings;
  heap_release(heap, s.slots);
  return r;
}

void reach_free(Reach *reach) {
  if (!reach) return;
  Heap *heap = reach->heap;
  heap_release(heap, reach->words);
  heap_release(heap, reach->parent);
  heap_release(heap, reach->via);
  heap_release(heap, reach);
}

uint32_t reach_find_place(const Reach *reach, PlaceId place) {
  for (uint32_t m = 0; m < reach->n_markings; m++)
    if (marking_has(reach_marking(reach, m), place)) return m;
  return REACH_NONE;
}

static bool is_dead(const Reach *reach, uint32_t m) {
  for (uint32_t t = 0; t < reach->net->n_trans; t++)
    if (token_enabled(reach->net, reach_marking(reach, m), (TransId){t})) return false;
  return true;
}

uint32_t reach_find_deadlock(const Reach *reach) {
  for (uint32_t m = 0; m < reach->n_markings; m++)
    if (is_dead(reach, m)) return m;
  return REACH_NONE;
}

uint32_t reach_run(const Reach *reach, uint32_t m, TransId *run) {
  uint32_t length = 0;
  for (uint32_t k = m; k; k = reach->parent[k]) length++;
  if (run)
    for (uint32_t k = m, i = length; k; k = reach->parent[k]) run[--i] = reach->via[k];
  return length;
}
