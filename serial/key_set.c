#include "serial/key_set.h"

#include "base/hash.h"

#include <assert.h>
#include <string.h>

enum { FEW = 12, FIRST_SLOTS = 64 };

static void index_member(KeySet *members, uint32_t number) {
  const uint32_t mask = members->n_slots - 1;
  uint32_t i = (uint32_t)hash_word(members->list.at[number].key) & mask;
  while (members->slots[i] != 0) i = (i + 1) & mask;
  members->slots[i] = number + 1;
}

static void empty_index(Heap *heap, KeySet *members) {
  if (members->n_indexed == 0) return;
  if (members->n_indexed < members->n_slots / 16) {
    heap_release(heap, members->slots);
    members->slots = NULL;
    members->n_slots = 0;
  } else {
    memset(members->slots, 0, members->n_slots * sizeof *members->slots);
  }
  members->n_indexed = 0;
}

/* At most half of the slots are in use. */
static void index_all(Heap *heap, KeySet *members) {
  const uint32_t n = members->list.n;
  if (n > members->n_slots / 2) {
    uint32_t n_slots = members->n_slots ? members->n_slots : FIRST_SLOTS;
    while (n > n_slots / 2) n_slots *= 2;
    heap_release(heap, members->slots);
    members->slots = heap_zeroed(heap, heap_product(heap, n_slots, sizeof *members->slots));
    members->n_slots = n_slots;
    members->n_indexed = 0;
  }
  for (; members->n_indexed < n; members->n_indexed++) index_member(members, members->n_indexed);
  assert(members->n_indexed <= members->n_slots / 2);
}

static KeySetMember *scan(KeySet *members, uint32_t key) {
  for (uint32_t i = 0; i < members->list.n; i++)
    if (members->list.at[i].key == key) return &members->list.at[i];
  return NULL;
}

KeySetMember *key_set_find(Heap *heap, KeySet *members, uint32_t key) {
  if (members->list.n <= FEW) return scan(members, key);
  index_all(heap, members);
  const uint32_t mask = members->n_slots - 1;
  for (uint32_t i = (uint32_t)hash_word(key) & mask; members->slots[i] != 0; i = (i + 1) & mask) {
    KeySetMember *member = &members->list.at[members->slots[i] - 1];
    if (member->key == key) return member;
  }
  return NULL;
}

static void compact(Heap *heap, KeySet *members) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < members->list.n; i++)
    if (members->list.at[i].key != KEY_SET_GONE) members->list.at[n++] = members->list.at[i];
  empty_index(heap, members);
  members->list.n = n;
  members->gone = 0;
}

void key_set_remove(Heap *heap, KeySet *members, KeySetMember *member) {
  assert(member->key != KEY_SET_GONE && members->gone < members->list.n);
  member->key = KEY_SET_GONE;
  member->path = PATH_NONE;
  if (++members->gone > members->list.n / 2) compact(heap, members);
}

void key_set_clear(Heap *heap, KeySet *members) {
  empty_index(heap, members);
  vec_clear(&members->list);
  members->gone = 0;
}

void key_set_fini(Heap *heap, KeySet *members) {
  vec_fini(heap, &members->list);
  heap_release(heap, members->slots);
}

/* The table of the keys is made when it is needed. */
void key_set_carry(KeySet *members, Carry *carry) {
  carry_vec(carry, &members->list);
  carry_value(carry, members->gone);
}
