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

void slots_remove(HashSlots *slots, HashSlot *slot) {
  uint32_t gap = (uint32_t)(slot - slots->at);
  for (uint32_t i = gap + 1; slots_at(slots, i)->number; i++) {
    const HashSlot *next = slots_at(slots, i);
    const uint32_t mask = slots->n - 1, way = (i - next->hash) & mask; /* from where it belongs to where it stands */
    if (way < ((i - gap) & mask)) continue;
    *slots_at(slots, gap) = *next;
    gap = i & mask;
  }
  *slots_at(slots, gap) = (HashSlot){0};
}

void slots_fini(Heap *heap, HashSlots *slots) {
  heap_release(heap, slots->at);
  *slots = (HashSlots){0};
}
