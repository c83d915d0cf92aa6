/* pairs.h: a set of pairs of numbers, each with a number from 0 in order of first appearance. */
#ifndef PREDICT_PAIRS_H
#define PREDICT_PAIRS_H

#include "base/slots.h"
#include "base/vec.h"

/* A pair; (a, b) is not (b, a). */
typedef struct {
  uint32_t a, b;
} Pair;

/* Starts as {0}. */
typedef struct {
  VEC(Pair) all; /* by number */
  HashSlots slots;
} Pairs;

/* Releases the memory; `heap` is the one that the pairs were added with. */
void pairs_fini(Heap *heap, Pairs *pairs);

/* The number of the pair, which is added if it is new. */
uint32_t pairs_add(Heap *heap, Pairs *pairs, uint32_t a, uint32_t b);

/* Is the pair in the set, and with which number? */
bool pairs_find(const Pairs *pairs, uint32_t a, uint32_t b, uint32_t *number);
/* Is it there at all? */
bool pairs_have(const Pairs *pairs, uint32_t a, uint32_t b);

#endif
