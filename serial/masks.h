/* masks.h: which open transactions have an object, and how: per object a few words with a bit for each of them.
 *
 * The numbers of open transactions ("slots") are small, since they are used again. 64 of them are a block. Every object
 * has a place for block 0; of the other blocks it has those in which there was a bit. */
#ifndef SERIAL_MASKS_H
#define SERIAL_MASKS_H

#include "base/vec.h"

/* What the transactions of one block have done to an object: each word has a bit for each of them. */
typedef struct {
  uint64_t did[2];   /* the transaction itself has read, has written it */
  uint64_t later[2]; /* one that must come after it, and has ended, has */
} Masks;

/* Those of a block that is not block 0. */
typedef struct {
  uint32_t block;
  Masks masks;
} FarMasks;

/* Ascending by block. */
typedef VEC(FarMasks) FarVec;

/* The masks of all objects. */
typedef struct {
  Heap *heap;
  uint32_t n, cap; /* objects */
  Masks *near;     /* per object: block 0 */
  FarVec *far;     /* per object: the other blocks, ascending; NULL as long as there is none */
} MaskTable;

/* An empty table; its memory is the heap's, until fini. */
void masks_init(MaskTable *table, Heap *heap);
void masks_fini(MaskTable *table);
/* At least so many objects, new ones without a bit. What masks_at and masks_rest gave before is dead. */
void masks_room(MaskTable *table, uint32_t n_objects);

/* The block of the object; made if it is not there. Valid until the next one is made. */
Masks *masks_far(MaskTable *table, uint32_t object, uint32_t block);

/* The block of the object, whose number is below the room; made if it is not there. Valid until masks_room, and for
 * blocks but 0 until the next one is made. */
static inline Masks *masks_at(MaskTable *table, uint32_t object, uint32_t block) {
  return block == 0 ? &table->near[object] : masks_far(table, object, block);
}

/* The blocks that are there: *list, of which each stands for slots 64 * block and up; block 0 is not among them. */
static inline uint32_t masks_rest(const MaskTable *table, uint32_t object, FarMasks **list) {
  if (!table->far) return 0;
  *list = table->far[object].at;
  return table->far[object].n;
}

#endif
