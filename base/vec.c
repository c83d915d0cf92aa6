#include "base/vec.h"

#include <string.h>

void *vec_grow(Heap *heap, void *at, uint32_t n, uint32_t *cap, size_t more, size_t size) {
  if (more > UINT32_MAX - n) heap_give_up(heap);
  const uint32_t need = n + (uint32_t)more;
  const uint32_t twice = *cap > UINT32_MAX / 2 ? UINT32_MAX : *cap * 2;
  uint32_t room = twice > need ? twice : need;
  if (room < 8) room = 8;
  at = heap_resize(heap, at, heap_product(heap, room, size));
  *cap = room;
  return at;
}

void vec_zero(void *from, size_t count, size_t size) { memset(from, 0, count * size); }
