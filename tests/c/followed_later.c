// A value that was read from a followed cell, or from a counter, is known after other events, and in a switch.
// expect: claimed atomic
// expect: claimed_twice violated
// expect: counted atomic
// race: 44 44
// race: 44 45
// race: 45 45
#include "two.h"

#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, unrelated = PTHREAD_MUTEX_INITIALIZER;
static enum { FREE, CLAIMED, GONE } state;
static atomic_int references = 2, waiting;
static int n, m, k;

static void twice(void) {
  n++;
  n++;
}

static void claim(void) {
  pthread_mutex_lock(&lock);
  const int was = state;
  if (was == FREE) state = CLAIMED;
  pthread_mutex_unlock(&lock);
  ATOMIC_BEGIN("claimed");
  switch (was) {
  case FREE: twice(); break;
  case CLAIMED:
  case GONE: break;
  }
  ATOMIC_END();
}

/* Both may see it so. */
static void claim_twice(void) {
  const int was = atomic_load(&waiting);
  pthread_mutex_lock(&unrelated);
  if (was == 0) atomic_store(&waiting, 1);
  pthread_mutex_unlock(&unrelated);
  ATOMIC_BEGIN("claimed_twice");
  if (was == 0) {
    m++;
    m++;
  }
  ATOMIC_END();
}

static void drop(void) {
  const int left = atomic_fetch_sub(&references, 1) - 1;
  pthread_mutex_lock(&unrelated);
  pthread_mutex_unlock(&unrelated);
  ATOMIC_BEGIN("counted");
  if (left == 0) {
    k++;
    k++;
  }
  ATOMIC_END();
}

static void first(void) {
  claim();
  claim_twice();
  drop();
}

static void second(void) { first(); }
