/* thread_profiles.h: of a thread's program, regular or recursive, what the combination of profiles asks
 * (predict/combine.h).
 *
 * The accesses are the distinct ones that the thread can make: a global, read or written, at a place of the source. Two
 * relations hold all its profiles (Farzan and Madhusudan, TACAS 2009, Definition 4): before(x, y): some run of the
 * thread has x in a transaction t and y in a transaction u, and t = u, or t comes before u; split(y, x):  some run has
 * y before x, in one transaction. */
#ifndef PREDICT_THREAD_PROFILES_H
#define PREDICT_THREAD_PROFILES_H

#include "base/bitset.h"
#include "base/heap.h"

/* An access that a thread can make. */
typedef struct {
  uint32_t object;
  uint32_t place; /* of the source; the frontend's own number for it */
  bool write;
} ProfileAccess;

/* What is asked of one thread. The arrays are its maker's. */
typedef struct {
  uint32_t thread;
  uint32_t n; /* accesses */
  const ProfileAccess *accesses;
  uint64_t *const *before; /* n rows of n bits: y in before[x] */
  uint64_t *const *split;  /* n rows of n bits: x in split[y] */
} ThreadProfiles;

#endif
