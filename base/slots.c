#include "base/slots.h"

enum { FIRST_SLOTS = 64 };

static void put(HashSlots *slots, HashSlot slot) {
  uint32_t i = slot.hash;
  while (slots_at(slots, i)->number) i++;
  *slots_at(slots, i) = slot;
}

void slots_grow(Heap *heap, HashSlots *slots) {
  if (slots->n > UINT32_MAX / 2) heap_give_up(heap);
  HashSlots more = {.n = slots->n ? 2 * slots->n : FIRST_SLOTS};
  more.at = heap_zeroed(heap, heap_product(heap, more.n, sizeof *more.at));
  for (uint32_t i = 0; i < slots->n; i++)
    if (slots->at[i].number) put(&more, slots->at[i]);
  heap_release(heap, slots->at);
  *slots = more;
}

void slots_fini(Heap *heap, HashSlots *slots) {
  heap_release(heap, slots->at);
  *slots = (HashSlots){0};
}
