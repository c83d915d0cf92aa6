// Numbers without a sign, and a row that somebody adds up after a barrier.
// expect: count atomic
// expect: merge atomic
#include <causal.h>

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 2, N = 256 };

#ifdef WRONG
#define KINDS 17
#else
#define KINDS 16
#endif

static unsigned counts[THREADS + 1][16], all[KINDS];
static unsigned char text[N];
static pthread_barrier_t barrier;

static void *work(void *argument) {
  const unsigned me = *(unsigned *)argument;
  ATOMIC_BEGIN("count");
  for (unsigned i = me * (N / THREADS); i < (me + 1) * (N / THREADS); i++) counts[me][text[i] % KINDS]++;
  ATOMIC_END();
  pthread_barrier_wait(&barrier);
  if (me == 0) {
    ATOMIC_BEGIN("merge");
    for (size_t t = 0; t < THREADS; t++)
      for (size_t k = 0; k < KINDS; k++) all[k] += counts[t][k];
    ATOMIC_END();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  unsigned numbers[THREADS];
  if (!fread(text, 1, sizeof text, stdin)) return 1;
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (unsigned i = 0; i < THREADS; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 1;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
