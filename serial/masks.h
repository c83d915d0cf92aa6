/* masks.h: which open transactions have an object, and how: per object some sets of them.
 *
 * The numbers of open transactions ("slots") are small, since they are used again. As long as they are below 64, a set
 * is a word. Beyond that an object has a list of the members of its sets as long as it has few of them, as most have:
 * what an access looks at is then one line of the cache, however many transactions are open. An object with many
 * members has sets of bits, and `any`, which mostly says at once that nobody is concerned. */
#ifndef SERIAL_MASKS_H
#define SERIAL_MASKS_H

#include "base/heap.h"

#include <stdint.h>

/* What transactions have done to an object. */
typedef enum {
  MASK_READ, /* the transaction itself has read it */
  MASK_WRITTEN,
  MASK_LATER_READ, /* one that must come after it, and has ended, has */
  MASK_LATER_WRITTEN,
  MASK_KINDS
} MaskKind;

/* 64 slots of each set. */
typedef struct {
  uint64_t of[MASK_KINDS];
} Masks;

enum { MASK_LIST = 14 };

/* The sets of an object, if there may be many slots. */
typedef struct {
  uint32_t n; /* members of all sets together */
  bool listed;
  union {
    uint32_t list[MASK_LIST]; /* MASK_KINDS * slot + kind, in any order */
    struct {
      Masks any;    /* has any word w of the set bits? The bit for it is bit w % 64 */
      Masks *words; /* as many as the table is wide */
    };
  };
} WideMasks;

/* The masks of all objects. */
typedef struct {
  Heap *heap;
  uint32_t n, cap; /* objects */
  uint32_t width;  /* words of a set, a power of two; slots are below 64 * width */
  Masks *narrow;   /* per object, if the width is 1; else NULL */
  WideMasks *wide; /* per object, if it is not */
} MaskTable;

/* An empty table of width 1; its memory is the heap's, until fini. */
void masks_init(MaskTable *table, Heap *heap);
void masks_fini(MaskTable *table);
/* At least so many objects, new ones in whose sets is nothing. */
void masks_room(MaskTable *table, uint32_t n_objects);
/* Twice as wide. */
void masks_widen(MaskTable *table);

/* Word `word` of the object's sets. */
Masks masks_get(const MaskTable *table, uint32_t object, uint32_t word);

/* From now on the slot is in the set; was it not yet? From now on it is not. */
bool masks_add(MaskTable *table, uint32_t object, uint32_t slot, MaskKind kind);
void masks_remove(MaskTable *table, uint32_t object, uint32_t slot, MaskKind kind);
/* From now on no slot is in a set of the object. */
void masks_forget(MaskTable *table, uint32_t object);

/* Checks, for tests, what is said above of wide tables. */
bool masks_audit(const MaskTable *table);

#endif
