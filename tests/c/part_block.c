// Each thread has a block of an array; the last one takes the rest.
// expect: fill atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3 };

#ifdef WRONG
#define MORE 1
#else
#define MORE 0
#endif

static int n;
static double *a;

static void *work(void *argument) {
  const int me = *(int *)argument, chunk = n / THREADS, start = me * chunk;
  const int end = me == THREADS - 1 ? n : start + chunk + MORE;
  ATOMIC_BEGIN("fill");
  for (int i = start; i < end; i++) {
    a[i] = i;
    a[i] += 2;
  }
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  double sum = 0;
  n = argc > 1 ? atoi(argv[1]) : 100;
  a = malloc((size_t)n * sizeof *a);
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 1;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < n; i++) sum += a[i];
  return sum > 1;
}
