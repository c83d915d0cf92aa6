// A loop that goes on until something is equal to its end may go past that: it begins behind it, passes it over, the end
// moves, or the loop goes on where both are equal; or the slices overlap.
// races: undecided
// expect: behind violated
// expect: both move violated
// expect: goes on violated
// expect: moves violated
// expect: one more violated
// expect: over violated
// expect: wraps violated
#include <causal.h>

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { N = 1000, T = 4, CHUNK = N / T, HALF = 100 };

static int behind[N], both[2 * HALF], on[N], moving[N], more[N], over[N], wraps[N];

static void *work(void *arg) {
  const int id = *(int *)arg;
  const int any = rand();
  ATOMIC_BEGIN("behind");
  for (int i = id * CHUNK; i != id * CHUNK - 1 + any % 2; i++) behind[i] = 2 * behind[i];
  ATOMIC_END();
  ATOMIC_BEGIN("goes on");
  for (int i = id * CHUNK;; i++) {
    if (i == (id + 1) * CHUNK) {
      if (rand()) break;
      continue;
    }
    on[i] = 2 * on[i];
  }
  ATOMIC_END();
  int end = (id + 1) * CHUNK;
  ATOMIC_BEGIN("moves");
  for (int i = id * CHUNK; i != end; i++) {
    moving[i] = 2 * moving[i];
    if (i + 1 == end && rand()) end++;
  }
  ATOMIC_END();
  ATOMIC_BEGIN("one more");
  for (int *p = more + id * CHUNK; p != more + (id + 1) * CHUNK + 1; p++) *p = 2 * *p;
  ATOMIC_END();
  ATOMIC_BEGIN("wraps");
  for (unsigned i = (unsigned)id * CHUNK; i != (unsigned)any; i++) wraps[i % N] = 2 * wraps[i % N];
  ATOMIC_END();
  if (id < 2) {
    ATOMIC_BEGIN("both move");
    for (int i = id * HALF, k = (id + 2) * HALF - 1; i != k; i++, k--) both[i] = 2 * both[i];
    ATOMIC_END();
  }
  ATOMIC_BEGIN("over");
  for (int i = id * 6; i != id * 6 + 5; i += 2) over[i] = 2 * over[i];
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t t[T];
  int ids[T];
  for (int i = 0; i < T; i++) {
    ids[i] = i;
    if (pthread_create(&t[i], NULL, work, &ids[i])) return 1;
  }
  for (int i = 0; i < T; i++) pthread_join(t[i], NULL);
  return 0;
}
