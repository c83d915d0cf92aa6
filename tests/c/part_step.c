// Each thread has every third element, by numbers without a sign.
// expect: fill atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3, N = 1000 };

#ifndef T
#define T unsigned
#endif
#ifndef STEP
#define STEP THREADS
#endif
#ifndef MORE
#define MORE(i) (i) < N
#endif

static int *a;
static unsigned n;

static void *work(void *argument) {
  ATOMIC_BEGIN("fill");
  for (T i = (T)(size_t)argument; MORE(i); i += STEP) {
    a[i] = 1;
    a[i] *= 2;
  }
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  if (argc != 2) return 3;
  n = (unsigned)strtoul(argv[1], NULL, 10);
  a = malloc(((size_t)n + 1) * sizeof *a);
  for (size_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
