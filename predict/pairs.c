#include "predict/pairs.h"

#include "base/hash.h"

#include <assert.h>

void pairs_fini(Heap *heap, Pairs *pairs) {
  vec_fini(heap, &pairs->all);
  slots_fini(heap, &pairs->slots);
}

static HashSlot *find_slot(const Pairs *pairs, Pair pair, uint32_t hash) {
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&pairs->slots, i);
    if (!slot->number) return slot;
    const Pair *other = &pairs->all.at[slot->number - 1];
    if (slot->hash == hash && other->a == pair.a && other->b == pair.b) return slot;
  }
}

/* Neighbours, which often come one after another, are in one line of the cache. */
static uint32_t hash_pair(Pair pair) {
  return (uint32_t)hash_word((uint64_t)pair.a << 32 | pair.b / 8) << 3 | pair.b % 8;
}

bool pairs_find(const Pairs *pairs, uint32_t a, uint32_t b, uint32_t *number) {
  const Pair pair = {a, b};
  const HashSlot *slot = pairs->slots.n ? find_slot(pairs, pair, hash_pair(pair)) : NULL;
  if (!slot || !slot->number) return false;
  return *number = slot->number - 1, true;
}

bool pairs_have(const Pairs *pairs, uint32_t a, uint32_t b) {
  uint32_t number;
  return pairs_find(pairs, a, b, &number);
}

uint32_t pairs_add(Heap *heap, Pairs *pairs, uint32_t a, uint32_t b) {
  if (pairs->all.n >= pairs->slots.n / 2) slots_grow(heap, &pairs->slots);
  assert(pairs->all.n < pairs->slots.n); /* so that the search ends */
  const Pair pair = {a, b};
  const uint32_t hash = hash_pair(pair);
  HashSlot *slot = find_slot(pairs, pair, hash);
  if (!slot->number) {
    vec_push(heap, &pairs->all, pair);
    *slot = (HashSlot){hash, pairs->all.n};
  }
  return slot->number - 1;
}
