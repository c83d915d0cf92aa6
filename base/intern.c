#include "base/intern.h"

#include "base/hash.h"

#include <string.h>

void intern_init(Intern *intern, Heap *heap) {
  *intern = (Intern){0};
  arena_init(&intern->arena, heap);
}

void intern_fini(Intern *intern) {
  Heap *heap = intern->arena.heap;
  vec_fini(heap, &intern->strings);
  vec_fini(heap, &intern->lengths);
  heap_release(heap, intern->slots);
  arena_fini(&intern->arena);
  intern_init(intern, heap);
}

/* The slot in which the string with that hash stands, or the free one where it belongs. */
static InternSlot *find_slot(const Intern *intern, const char *text, size_t length, uint32_t hash) {
  const uint32_t mask = intern->n_slots - 1;
  for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
    InternSlot *slot = &intern->slots[i];
    if (!slot->number) return slot;
    const uint32_t number = slot->number - 1;
    if (slot->hash == hash && intern->lengths.at[number] == length &&
        (!length || memcmp(intern->strings.at[number], text, length) == 0))
      return slot;
  }
}

static void grow_slots(Intern *intern) {
  Heap *heap = intern->arena.heap;
  const uint32_t n_old = intern->n_slots, n_slots = n_old ? n_old * 2 : 64, mask = n_slots - 1;
  if (!n_slots) heap_give_up(heap);
  InternSlot *slots = heap_zeroed(heap, heap_product(heap, n_slots, sizeof *slots));
  for (uint32_t i = 0; i < n_old; i++) {
    const InternSlot slot = intern->slots[i];
    uint32_t at = slot.hash & mask;
    while (slot.number && slots[at].number) at = (at + 1) & mask;
    if (slot.number) slots[at] = slot;
  }
  heap_release(heap, intern->slots);
  intern->slots = slots;
  intern->n_slots = n_slots;
}

uint32_t intern_add(Intern *intern, const char *text, size_t length, bool *is_new) {
  Heap *heap = intern->arena.heap;
  if (length > UINT32_MAX) heap_give_up(heap);
  if (intern->strings.n >= intern->n_slots / 2) grow_slots(intern);
  const uint32_t hash = (uint32_t)hash_bytes(text, length);
  InternSlot *slot = find_slot(intern, text, length, hash);
  if (is_new) *is_new = !slot->number;
  if (!slot->number) {
    vec_reserve(heap, &intern->lengths, 1);
    vec_push(heap, &intern->strings, arena_copy(&intern->arena, text, length));
    vec_push(heap, &intern->lengths, (uint32_t)length);
    *slot = (InternSlot){hash, intern->strings.n};
  }
  return slot->number - 1;
}

uint32_t intern_find(const Intern *intern, const char *text, size_t length) {
  if (!intern->n_slots) return INTERN_NONE;
  const InternSlot *slot = find_slot(intern, text, length, (uint32_t)hash_bytes(text, length));
  return slot->number ? slot->number - 1 : INTERN_NONE;
}
