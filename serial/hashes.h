/* hashes.h: a set of 64-bit hashes. Two things with the same hash are taken for one. */
#ifndef SERIAL_HASHES_H
#define SERIAL_HASHES_H

#include "base/carry.h"
#include "base/heap.h"

#include <stdint.h>

/* Starts as {0}. Open addressing; a power of two of slots, at most half of them in use; 0 is a free slot. */
typedef struct {
  uint64_t *slots;
  uint32_t n_slots, n;
} Hashes;

bool hashes_add(Heap *heap, Hashes *set, uint64_t hash); /* is it new? */
void hashes_fini(Heap *heap, Hashes *set);               /* empty again, too */
void hashes_carry(Hashes *set, Carry *carry);

#endif
