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
  slots_fini(heap, &intern->slots);
  arena_fini(&intern->arena);
  intern_init(intern, heap);
}

/* The slot in which the string with that hash stands, or the free one where it belongs. */
static HashSlot *find_slot(const Intern *intern, const char *text, size_t length, uint32_t hash) {
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&intern->slots, i);
    if (!slot->number) return slot;
    const uint32_t number = slot->number - 1;
    if (slot->hash == hash && intern->lengths.at[number] == length &&
        (!length || memcmp(intern->strings.at[number], text, length) == 0))
      return slot;
  }
}

uint32_t intern_add(Intern *intern, const char *text, size_t length, bool *is_new) {
  Heap *heap = intern->arena.heap;
  if (length > UINT32_MAX) heap_give_up(heap);
  if (intern->strings.n >= intern->slots.n / 2) slots_grow(heap, &intern->slots);
  const uint32_t hash = (uint32_t)hash_bytes(text, length);
  HashSlot *slot = find_slot(intern, text, length, hash);
  if (is_new) *is_new = !slot->number;
  if (!slot->number) {
    vec_reserve(heap, &intern->lengths, 1);
    vec_push(heap, &intern->strings, arena_copy(&intern->arena, text, length));
    vec_push(heap, &intern->lengths, (uint32_t)length);
    *slot = (HashSlot){hash, intern->strings.n};
  }
  return slot->number - 1;
}

uint32_t intern_find(const Intern *intern, const char *text, size_t length) {
  if (!intern->slots.n) return INTERN_NONE;
  const HashSlot *slot = find_slot(intern, text, length, (uint32_t)hash_bytes(text, length));
  return slot->number ? slot->number - 1 : INTERN_NONE;
}
