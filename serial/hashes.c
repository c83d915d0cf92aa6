#include "serial/hashes.h"

#include <assert.h>

enum { FIRST_SLOTS = 16 };

/* The slot that has the hash, or where it belongs. */
static uint64_t *find(const Hashes *set, uint64_t hash) {
  assert(hash != 0 && set->n < set->n_slots); /* so that the search ends */
  uint32_t i = (uint32_t)hash & (set->n_slots - 1);
  while (set->slots[i] != 0 && set->slots[i] != hash) i = (i + 1) & (set->n_slots - 1);
  return &set->slots[i];
}

static void grow(Heap *heap, Hashes *set) {
  const Hashes old = *set;
  if (old.n_slots > UINT32_MAX / 2) heap_give_up(heap);
  set->n_slots = old.n_slots ? 2 * old.n_slots : FIRST_SLOTS;
  set->slots = heap_zeroed(heap, heap_product(heap, set->n_slots, sizeof *set->slots));
  for (uint32_t i = 0; i < old.n_slots; i++)
    if (old.slots[i] != 0) *find(set, old.slots[i]) = old.slots[i];
  heap_release(heap, old.slots);
}

bool hashes_add(Heap *heap, Hashes *set, uint64_t hash) {
  if (hash == 0) hash = 1;
  if (set->n >= set->n_slots / 2) grow(heap, set);
  uint64_t *slot = find(set, hash);
  if (*slot == hash) return false;
  *slot = hash;
  set->n++;
  return true;
}

void hashes_fini(Heap *heap, Hashes *set) {
  heap_release(heap, set->slots);
  *set = (Hashes){0};
}

void hashes_carry(Hashes *set, Carry *carry) {
  carry_value(carry, set->n);
  carry_value(carry, set->n_slots);
  carry_array(carry, set->slots, set->n_slots);
}
