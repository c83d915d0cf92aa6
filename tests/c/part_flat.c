// A matrix in one array: rows of an unknown length.
// expect: fill atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3 };

#ifdef WRONG
#define LAST n
#else
#define LAST (n - 1)
#endif

static int n;
static double *a;

static void *work(void *argument) {
  const int me = (int)(long)argument, from = me * n / THREADS, to = (me + 1) * n / THREADS;
  ATOMIC_BEGIN("fill");
  for (int i = from; i < to; i++)
    for (int j = 0; j <= LAST; j++) {
      a[i * n + j] = i;
      a[i * n + j] += j;
    }
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  n = argc > 1 ? atoi(argv[1]) : 100;
  a = malloc((size_t)n * (size_t)(n + 1) * sizeof *a);
  for (long i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
