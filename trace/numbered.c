#include "trace/numbered.h"

#include <assert.h>

enum { FIRST_ROOM = 256, PER_NAME = 4 };

_Static_assert(NUMBERED_FAMILIES == 1 << 6, "numbered_place gives six bits");

static void drop(Heap *heap, Numbered *memo, NumberedFamily *family) {
  assert(memo->room >= family->room);
  memo->room -= family->room;
  heap_release(heap, family->numbers);
  *family = (NumberedFamily){0};
}

void numbered_fini(Heap *heap, Numbered *memo) {
  for (uint32_t i = 0; i < NUMBERED_FAMILIES; i++) drop(heap, memo, &memo->families[i]);
}

/* The least power of two above the value, if there may be that much. */
static uint32_t room_for(const Numbered *memo, const NumberedFamily *family, uint32_t value, uint32_t n_names) {
  uint32_t room = family->room ? family->room : FIRST_ROOM;
  while (room <= value) room *= 2;
  const uint64_t most = (uint64_t)n_names * PER_NAME + (uint64_t)NUMBERED_FAMILIES * FIRST_ROOM;
  return memo->room - family->room + room <= most ? room : 0;
}

/* False if there is to be no room for the value, at least not yet. */
static bool make_room(Heap *heap, Numbered *memo, NumberedFamily *family, uint32_t value, uint32_t n_names) {
  if (value < family->room) return true;
  const uint32_t room = room_for(memo, family, value, n_names);
  if (!room) return false;
  uint32_t *numbers = heap_zeroed(heap, heap_product(heap, room, sizeof *numbers));
  if (family->room) memcpy(numbers, family->numbers, family->room * sizeof *numbers);
  heap_release(heap, family->numbers);
  memo->room += room - family->room;
  family->numbers = numbers;
  family->room = room;
  return true;
}

/* The family of the prefix, if its place is free or can be taken from another one that is less asked for. */
static NumberedFamily *family_of(Heap *heap, Numbered *memo, uint64_t prefix) {
  NumberedFamily *family = &memo->families[numbered_place(prefix)];
  if (family->room && family->prefix == prefix) return family->n++, family;
  if (family->room && ++family->misses <= family->n) return NULL;
  drop(heap, memo, family);
  *family = (NumberedFamily){.prefix = prefix, .n = 1};
  return family;
}

void numbered_put(Heap *heap, Numbered *memo, NumberedName name, uint32_t number, uint32_t n_names) {
  assert(number < n_names && name.value < 100000000);
  NumberedFamily *family = family_of(heap, memo, name.prefix);
  if (family && make_room(heap, memo, family, name.value, n_names)) family->numbers[name.value] = number + 1;
}
