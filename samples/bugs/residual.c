/* residual.c: two threads compute in rounds, with a barrier after each. In each round both add their part to a common
 * sum: it is read under the lock, and written under the lock again, so a part can get lost.
 *
 * Fixed: one critical section. Transaction: `add`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t round_end;
static int residual;

static void add(int part) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&lock);
  const int sum = residual;
#ifndef FIXED
  pthread_mutex_unlock(&lock); /* here the other part can be added */
  pthread_mutex_lock(&lock);
#endif
  residual = sum + part;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void *work(void *is_slow) {
  for (int i = 0; i < ROUNDS; i++) {
    if (is_slow) later();
    add(1);
    pthread_barrier_wait(&round_end);
  }
  return NULL;
}

int main(void) {
  pthread_t other;
  int slow = 1;
  if (pthread_barrier_init(&round_end, NULL, 2) || pthread_create(&other, NULL, work, &slow)) return 1;
  work(NULL);
  pthread_join(other, NULL);
  printf("%d of %d parts\n", residual, 2 * ROUNDS);
  return 0;
}
