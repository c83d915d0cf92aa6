/* pairs.h: a set of pairs of numbers, each with a number from 0 in order of first appearance. */
#ifndef PREDICT_PAIRS_H
#define PREDICT_PAIRS_H

#include "base/slots.h"
#include "base/vec.h"

typedef struct {
  uint32_t a, b;
} Pair;

/* Starts as {0}. */
typedef struct {
  VEC(Pair) all; /* by number */
  HashSlots slots;
} Pairs;

void pairs_fini(Heap *heap, Pairs *pairs);

/* The number of the pair, which is added if it is new. */
uint32_t pairs_add(Heap *heap, Pairs *pairs, uint32_t a, uint32_t b);

bool pairs_have(const Pairs *pairs, uint32_t a, uint32_t b);

#endif
