#include "base/keys.h"

#include "base/hash.h"

#include <assert.h>

enum { FIRST_SLOTS = 64 };

/* Blocks that are neighbours in memory are neighbours here. */
static uint32_t place_of(uint64_t key) { return (uint32_t)hash_word(key >> 9) + (key >> 4 & 31); }

/* That of the key, or the free one where it belongs. */
static KeySlot *slot_of(const Keys *keys, uint64_t key) {
  const uint32_t mask = keys->n_slots - 1;
  assert(keys->n_slots && (keys->n_slots & mask) == 0 && keys->n < keys->n_slots);
  uint32_t i = place_of(key) & mask;
  while (keys->slots[i].number && keys->slots[i].key != key) i = (i + 1) & mask;
  return &keys->slots[i];
}

static void grow(Heap *heap, Keys *keys) {
  if (keys->n_slots > UINT32_MAX / 2) heap_give_up(heap);
  Keys more = {.n_slots = keys->n_slots ? 2 * keys->n_slots : FIRST_SLOTS, .n = keys->n};
  more.slots = heap_zeroed(heap, heap_product(heap, more.n_slots, sizeof *more.slots));
  for (uint32_t i = 0; i < keys->n_slots; i++)
    if (keys->slots[i].number) *slot_of(&more, keys->slots[i].key) = keys->slots[i];
  heap_release(heap, keys->slots);
  *keys = more;
}

uint32_t keys_add(Heap *heap, Keys *keys, uint64_t key, bool *is_new) {
  if (keys->n >= keys->n_slots / 2) grow(heap, keys);
  KeySlot *slot = slot_of(keys, key);
  if (is_new) *is_new = !slot->number;
  if (!slot->number) *slot = (KeySlot){key, ++keys->n};
  return slot->number - 1;
}

uint32_t keys_find(const Keys *keys, uint64_t key) {
  return keys->n ? slot_of(keys, key)->number - 1 : KEYS_NONE; /* of a free slot, too */
}

void keys_fini(Heap *heap, Keys *keys) {
  heap_release(heap, keys->slots);
  *keys = (Keys){0};
}
