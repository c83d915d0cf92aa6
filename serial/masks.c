#include "serial/masks.h"

#include <assert.h>
#include <string.h>

enum { FIRST_OBJECTS = 1024 };

void masks_init(MaskTable *table, Heap *heap) { *table = (MaskTable){.heap = heap}; }

void masks_fini(MaskTable *table) {
  for (uint32_t x = 0; table->far && x < table->cap; x++) vec_fini(table->heap, &table->far[x]);
  heap_release(table->heap, table->far);
  heap_release(table->heap, table->near);
}

/* `piece` with room for table->cap of them, the new ones zero. */
static void *grown(MaskTable *table, void *piece, uint32_t old, size_t size) {
  char *at = heap_resize(table->heap, piece, heap_product(table->heap, table->cap, size));
  memset(at + old * size, 0, (table->cap - old) * size);
  return at;
}

void masks_room(MaskTable *table, uint32_t n_objects) {
  if (n_objects <= table->n) return;
  table->n = n_objects;
  if (n_objects <= table->cap) return;
  const uint32_t old = table->cap, twice = old > UINT32_MAX / 2 ? UINT32_MAX : 2 * old;
  const uint32_t least = n_objects > FIRST_OBJECTS ? n_objects : FIRST_OBJECTS;
  table->cap = least > twice ? least : twice;
  table->near = grown(table, table->near, old, sizeof *table->near);
  if (table->far) table->far = grown(table, table->far, old, sizeof *table->far);
}

Masks *masks_far(MaskTable *table, uint32_t object, uint32_t block) {
  if (!table->far) table->far = heap_zeroed(table->heap, heap_product(table->heap, table->cap, sizeof *table->far));
  FarVec *far = &table->far[object];
  uint32_t low = 0, high = far->n;
  assert(block > 0 && object < table->n);
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (far->at[middle].block < block) low = middle + 1;
    else high = middle;
  }
  if (low == far->n || far->at[low].block != block) {
    const FarMasks fresh = {.block = block};
    vec_push(table->heap, far, fresh);
    memmove(far->at + low + 1, far->at + low, (far->n - 1 - low) * sizeof *far->at);
    far->at[low] = fresh;
  }
  return &far->at[low].masks;
}
