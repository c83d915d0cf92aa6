/* keys.h: a number for each of some words: addresses, program counters. What is known of them is in an array beside it,
 * by number. */
#ifndef BASE_KEYS_H
#define BASE_KEYS_H

#include "base/heap.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t key;
  uint32_t number; /* + 1; 0: the slot is free */
} KeySlot;

/* Starts as {0}. Open addressing, at most half full. */
typedef struct {
  KeySlot *slots;
  uint32_t n_slots; /* a power of two, or 0 */
  uint32_t n;       /* keys that have a number */
} Keys;

#define KEYS_NONE UINT32_MAX

/* The number of the key: from 0, in the order in which they first come; *is_new (NULL is allowed): it comes first now.
 */
uint32_t keys_add(Heap *heap, Keys *keys, uint64_t key, bool *is_new);

/* The number of the key, or KEYS_NONE. */
uint32_t keys_find(const Keys *keys, uint64_t key);

/* Gives the memory back; there are no keys then. */
void keys_fini(Heap *heap, Keys *keys);

#endif
