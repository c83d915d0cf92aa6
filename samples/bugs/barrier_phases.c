/* barrier_phases.c: two threads compute in two phases: each makes its half of an array, and then adds up the whole.
 * With no barrier between the phases one thread may add up while the other one is still making its half. This is a
 * data race, too.
 *
 * Fixed: a barrier between the phases. Transactions: `make_half`, `add_up`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

enum { HALF = 4 };

static pthread_barrier_t phase;
static int values[2 * HALF], sums[2];

static void make_half(int half) {
  ATOMIC_BEGIN("make_half");
  for (int i = 0; i < HALF; i++) values[half * HALF + i] = i + 1;
  ATOMIC_END();
}

static void add_up(int half) {
  ATOMIC_BEGIN("add_up");
  for (int i = 0; i < 2 * HALF; i++) sums[half] += values[i];
  ATOMIC_END();
}

static void *work(void *half) {
  const int own = *(int *)half;
  make_half(own);
  later();
#ifdef FIXED
  pthread_barrier_wait(&phase);
#endif
  add_up(own);
  return NULL;
}

int main(void) {
  pthread_t other;
  int halves[2] = {0, 1};
  if (pthread_barrier_init(&phase, NULL, 2) || pthread_create(&other, NULL, work, &halves[1])) return 1;
  work(&halves[0]);
  pthread_join(other, NULL);
  printf("%d %d\n", sums[0], sums[1]);
  return 0;
}
