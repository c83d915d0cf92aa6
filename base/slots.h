/* slots.h: a hash table of numbers, for things that are kept elsewhere, by number: open addressing, linear probing, a
 * hash beside each number, which saves most looks at the things themselves.
 *
 *     for (uint32_t i = hash;; i++) {
 *       HashSlot *slot = slots_at(&slots, i);
 *       if (!slot->number || (slot->hash == hash && ... thing slot->number - 1 is the one ...)) return slot;
 *     }
 */
#ifndef BASE_SLOTS_H
#define BASE_SLOTS_H

#include "base/heap.h"

#include <stdint.h>

/* `number` is that of a thing + 1, or 0 in a free slot. */
typedef struct {
  uint32_t hash, number;
} HashSlot;

/* Starts as {0}, with no slot to look at. Some slot must be free whenever something is looked for. */
typedef struct {
  HashSlot *at;
  uint32_t n; /* a power of two */
} HashSlots;

/* HashSlot i, counted round and round. */
static inline HashSlot *slots_at(const HashSlots *slots, uint32_t i) { return &slots->at[i & (slots->n - 1)]; }

/* Twice as many slots, 64 at first; what was in them is in them. Gives up (heap_give_up) beyond 2^31. */
void slots_grow(Heap *heap, HashSlots *slots);
/* Frees the slot; others that were sought beyond it move. */
void slots_remove(HashSlots *slots, HashSlot *slot);
void slots_fini(Heap *heap, HashSlots *slots);

#endif
