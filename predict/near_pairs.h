/* near_pairs.h: a set of pairs (thing, user), each with a number from 0 in order of first appearance, where things are
 * numbered densely and most have few users, or one again and again: then nothing is hashed, and things that follow each
 * other are near each other. Of a thing that has many users the older ones are in a table. */
#ifndef PREDICT_NEAR_PAIRS_H
#define PREDICT_NEAR_PAIRS_H

#include "predict/pairs.h"

/* A pair. `next`: of the same thing, the number of an older pair + 1, or 0. */
typedef struct {
  uint32_t thing, user, next;
} NearPair;

/* Of a thing: numbers of pairs + 1, or 0. */
typedef struct {
  uint32_t last;   /* the newest */
  uint32_t recent; /* the one that was used last */
} NearThing;

/* Starts as {0}. */
typedef struct {
  VEC(NearPair) all; /* by number */
  VEC(NearThing) things;
  Pairs far;          /* (thing, user), but for the last few of each thing, */
  U32Vec far_numbers; /* and their numbers */
} NearPairs;

/* Releases the memory; `heap` is the one that the pairs were added with. */
void near_pairs_fini(Heap *heap, NearPairs *pairs);

/* For the two functions below. */
uint32_t near_pairs_add_slowly(Heap *heap, NearPairs *pairs, uint32_t thing, uint32_t user);
bool near_pairs_find_slowly(NearPairs *pairs, uint32_t thing, uint32_t user, uint32_t *number);

/* Is the pair there, and with which number? */
static inline bool near_pairs_find(NearPairs *pairs, uint32_t thing, uint32_t user, uint32_t *number) {
  if (thing >= pairs->things.n) return false;
  const uint32_t recent = pairs->things.at[thing].recent;
  if (recent && pairs->all.at[recent - 1].user == user) return *number = recent - 1, true;
  return near_pairs_find_slowly(pairs, thing, user, number);
}

/* The number of the pair, which is added if it is new. */
static inline uint32_t near_pairs_add(Heap *heap, NearPairs *pairs, uint32_t thing, uint32_t user) {
  uint32_t number;
  return near_pairs_find(pairs, thing, user, &number) ? number : near_pairs_add_slowly(heap, pairs, thing, user);
}

#endif
