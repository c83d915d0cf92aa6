/* any.h: as many threads as the program is told, each of which does work(me, all). A program that includes it may say
 * otherwise of one thing. */
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef NUMBER
#define NUMBER(t) (t)
#endif
#ifndef COUNT
#define COUNT(n) (n)
#endif
#ifndef BETWEEN
#define BETWEEN
#endif

static int n_threads, size;
static double *data, *other;
static pthread_barrier_t barrier;

static void work(int me, int all);

static void *run(void *argument) {
  work((int)(long)argument, n_threads);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 3;
  n_threads = atoi(argv[1]);
  size = atoi(argv[2]);
  pthread_t *threads = calloc((size_t)n_threads, sizeof *threads);
  data = calloc((size_t)size, sizeof *data);
  other = calloc((size_t)size, sizeof *other);
  pthread_barrier_init(&barrier, NULL, (unsigned)COUNT(n_threads));
  BETWEEN;
  for (int t = 0; t < n_threads; t++)
    if (pthread_create(&threads[t], NULL, run, (void *)(long)NUMBER(t))) return 3;
  for (int t = 0; t < n_threads; t++) pthread_join(threads[t], NULL);
  return 0;
}
