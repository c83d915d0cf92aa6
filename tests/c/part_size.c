// Sizes, of constants.
// expect: fill atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, N = 1000 };

#ifdef WRONG
#define SIZE (N / THREADS + 1)
#else
#define SIZE (N / THREADS)
#endif

typedef struct {
  size_t start, end;
} Range;

static int *a;

static void *work(void *argument) {
  const Range *range = argument;
  ATOMIC_BEGIN("fill");
  for (size_t i = range->start; i < range->end; i++) {
    a[i] = 1;
    a[i]++;
  }
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  Range ranges[THREADS];
  a = malloc((size_t)N * 2 * sizeof *a);
  for (size_t i = 0; i < THREADS; i++) {
    ranges[i].start = i * (N / THREADS);
    ranges[i].end = ranges[i].start + SIZE;
    if (pthread_create(&threads[i], NULL, work, &ranges[i])) return 1;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
