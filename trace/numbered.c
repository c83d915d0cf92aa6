#include "trace/numbered.h"

#include <assert.h>

enum {
  FIRST_PLACES = 64,
  FREE_FAMILIES = 32,
  NAMES_PER_FAMILY = 16,
  NAMES_PER_TRY = 1024,
  FIRST_ROOM = 64,
  PER_NAME = 4,
  FREE_ROOM = 1 << 20
};

void numbered_fini(Heap *heap, Numbered *numbered) {
  for (uint32_t i = 0; i < numbered->n_places; i++) {
    heap_release(heap, numbered->families[i].text);
    heap_release(heap, numbered->families[i].numbers);
  }
  heap_release(heap, numbered->families);
  *numbered = (Numbered){0};
}

/* ---- what is around the number ---- */

static uint64_t mix(uint64_t key, uint64_t word) { return (key ^ key >> 32 ^ word) * 0x9e3779b97f4a7c15; }

/* The last word of what is in front overlaps the one before. */
uint64_t numbered_long_key(const char *name, size_t front, size_t back, size_t length) {
  const char *end = name + length;
  uint64_t key = mix(front, back);
  for (size_t i = 8; i < front; i += 8) key = mix(key, numbered_word(name + i, 8));
  key = mix(key, numbered_word(name + front, front < 8 ? front : 8));
  key = mix(key, numbered_word(end, back < 8 ? back : 8));
  return back > 8 ? mix(key, numbered_word(end - 8, back - 8)) : key;
}

bool numbered_has_text(const NumberedFamily *family, const char *name, size_t length) {
  const uint32_t front = numbered_front(family->shape), back = numbered_back(family->shape);
  return memcmp(family->text, name, front) == 0 && memcmp(family->text + front, name + length - back, back) == 0;
}

/* ---- families ---- */

static void put(Numbered *numbered, const NumberedFamily *family) {
  uint32_t i = numbered_hash(family->key);
  while (numbered->families[i & (numbered->n_places - 1)].shape != UINT32_MAX) i++;
  numbered->families[i & (numbered->n_places - 1)] = *family;
}

/* Twice as many places. */
static void grow(Heap *heap, Numbered *numbered) {
  NumberedFamily *old = numbered->families;
  const uint32_t n_old = numbered->n_places, n = n_old ? 2 * n_old : FIRST_PLACES;
  numbered->families = heap_alloc(heap, heap_product(heap, n, sizeof *old));
  numbered->n_places = n;
  for (uint32_t i = 0; i < n; i++) numbered->families[i] = (NumberedFamily){.shape = UINT32_MAX};
  for (uint32_t i = 0; i < n_old; i++)
    if (old[i].shape != UINT32_MAX) put(numbered, &old[i]);
  heap_release(heap, old);
}

/* What is around the number, or NULL if the key says it. */
static char *text_around(Heap *heap, const char *name, size_t length, uint32_t shape) {
  const uint32_t front = numbered_front(shape), back = numbered_back(shape);
  if (numbered_is_short(front, back)) return NULL;
  char *text = heap_alloc(heap, (size_t)front + back);
  memcpy(text, name, front);
  memcpy(text + front, name + length - back, back);
  return text;
}

/* The family of the name, or NULL. */
static NumberedFamily *family_of(Heap *heap, Numbered *numbered, const char *name, size_t length,
                                 const NumberedName *split, NumberedCounts counts) {
  if (numbered->n_families >= numbered->n_places / 2) grow(heap, numbered);
  NumberedFamily *family = numbered_family(numbered, name, length, split);
  if (family->shape != UINT32_MAX) return family;
  const uint32_t tries = counts.all / NAMES_PER_TRY; /* a good one may come late */
  if (numbered->n_families >= FREE_FAMILIES + counts.here / NAMES_PER_FAMILY + tries) return NULL;
  char *text = text_around(heap, name, length, split->shape);
  *family = (NumberedFamily){.key = split->key, .shape = split->shape, .text = text};
  numbered->n_families++;
  return family;
}

/* ---- numbers ---- */

/* The least power of two above the value, if there may be that much. */
static uint32_t room_for(const Numbered *numbered, const NumberedFamily *family, uint32_t value, uint32_t n_names) {
  uint32_t room = family->room ? family->room : FIRST_ROOM;
  while (room <= value) room *= 2;
  return numbered->room - family->room + room <= (uint64_t)n_names * PER_NAME + FREE_ROOM ? room : 0;
}

uint32_t *numbered_add(Heap *heap, Numbered *numbered, const char *name, size_t length, const NumberedName *split,
                       NumberedCounts counts) {
  NumberedFamily *family = family_of(heap, numbered, name, length, split, counts);
  if (!family) return NULL;
  if (split->value < family->room) return &family->numbers[split->value];
  const uint32_t room = room_for(numbered, family, split->value, counts.all);
  if (!room) return NULL;
  uint32_t *numbers = heap_zeroed(heap, heap_product(heap, room, sizeof *numbers));
  if (family->room) memcpy(numbers, family->numbers, family->room * sizeof *numbers);
  heap_release(heap, family->numbers);
  numbered->room += room - family->room;
  numbered->moves++;
  family->numbers = numbers;
  family->room = room;
  assert(split->value < room && numbered_find(numbered, name, length, split) == &numbers[split->value]);
  return &numbers[split->value];
}
