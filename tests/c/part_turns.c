// By turns 3 and 5 are added: the first thread comes to where the second one begins.
// expect: own violated
// race: 28 28
// race: 28 29
// race: 29 29
#include <causal.h>

#include <pthread.h>

#ifndef T
#define T int
#endif
#ifndef STEP
#define STEP(k) ((k) % 2 ? 5 : 3)
#endif

static double data[64];

static int by_turns(int k) {
  if (k % 2) return 5;
  return 3;
}

static void *run(void *argument) {
  T i = (T)(long)argument * 8;
  ATOMIC_BEGIN("own");
  for (int k = 0; k < 3; k++) {
    data[i] += 1;
    data[i] += 1;
    i += STEP(k);
  }
  ATOMIC_END();
  return by_turns(0) ? argument : NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long t = 0; t < 2; t++)
    if (pthread_create(&threads[t], NULL, run, (void *)t)) return 3;
  for (int t = 0; t < 2; t++) pthread_join(threads[t], NULL);
  return 0;
}
