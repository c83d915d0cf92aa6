// The lock is that of an element, and not of the next one; or it is given back in between.
// expect: early violated
// expect: next violated
// race: 30 31
// race: 31 31
#include "two.h"

#include <stdlib.h>

enum { N = 48, LOCKS = 8 };

static pthread_mutex_t early_locks[LOCKS], next_locks[LOCKS];
static int early[N], next[N];

static void add_early(int i) {
  pthread_mutex_t *lock = &early_locks[i % LOCKS];
  ATOMIC_BEGIN("early");
  pthread_mutex_lock(lock);
  const int n = early[i];
  pthread_mutex_unlock(lock); /* here it may be changed */
  pthread_mutex_lock(lock);
  early[i] = n + 1;
  pthread_mutex_unlock(lock);
  ATOMIC_END();
}

static void add_next(int i) {
  ATOMIC_BEGIN("next");
  pthread_mutex_lock(&next_locks[i % LOCKS]);
  next[i]++;
  next[i + 1]++; /* not the lock's */
  pthread_mutex_unlock(&next_locks[i % LOCKS]);
  ATOMIC_END();
}

static void first(void) {
  add_early(rand() % N);
  add_next(rand() % (N - 1));
}

static void second(void) {
  add_early(rand() % N);
  add_next(rand() % (N - 1));
}
