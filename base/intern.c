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

/* The slot in which the string stands, or the free one where it belongs. */
static uint32_t find_slot(const Intern *intern, const char *text, size_t length) {
  const uint32_t mask = intern->n_slots - 1;
  uint32_t slot = (uint32_t)hash_bytes(text, length) & mask;
  for (; intern->slots[slot]; slot = (slot + 1) & mask) {
    const uint32_t number = intern->slots[slot] - 1;
    if (intern->lengths.at[number] == length && memcmp(intern->strings.at[number], text, length) == 0) break;
  }
  return slot;
}

static void grow_slots(Intern *intern) {
  Heap *heap = intern->arena.heap;
  const uint32_t n_slots = intern->n_slots ? intern->n_slots * 2 : 64;
  if (!n_slots) heap_give_up(heap);
  uint32_t *slots = heap_zeroed(heap, heap_product(heap, n_slots, sizeof *slots));
  heap_release(heap, intern->slots);
  intern->slots = slots;
  intern->n_slots = n_slots;
  for (uint32_t i = 0; i < intern->strings.n; i++)
    slots[find_slot(intern, intern->strings.at[i], intern->lengths.at[i])] = i + 1;
}

uint32_t intern_add(Intern *intern, const char *text, size_t length, bool *is_new) {
  Heap *heap = intern->arena.heap;
  if (length > UINT32_MAX) heap_give_up(heap);
  if (intern->strings.n >= intern->n_slots / 2) grow_slots(intern);
  const uint32_t slot = find_slot(intern, text, length);
  if (is_new) *is_new = !intern->slots[slot];
  if (!intern->slots[slot]) {
    vec_reserve(heap, &intern->lengths, 1);
    vec_push(heap, &intern->strings, arena_copy(&intern->arena, text, length));
    vec_push(heap, &intern->lengths, (uint32_t)length);
    intern->slots[slot] = intern->strings.n;
  }
  return intern->slots[slot] - 1;
}

uint32_t intern_find(const Intern *intern, const char *text, size_t length) {
  if (!intern->n_slots) return INTERN_NONE;
  const uint32_t slot = find_slot(intern, text, length);
  return intern->slots[slot] ? intern->slots[slot] - 1 : INTERN_NONE;
}
