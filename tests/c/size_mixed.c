// A thread's number is an int, what it works on has a size.
// expect: scale atomic
#include <causal.h>

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef END
#define END from + chunk
#endif

static double *data, *sums;
static size_t n;
static int threads;

static void *run(void *argument) {
  const int me = (int)(intptr_t)argument;
  const size_t chunk = n / (size_t)threads, from = (size_t)me * chunk, to = me == threads - 1 ? n : END;
  ATOMIC_BEGIN("scale");
  for (size_t i = from; i < to; i++) data[i] = 2 * data[i] + 1;
  sums[me] += 1;
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 3;
  n = strtoul(argv[1], NULL, 10);
  threads = atoi(argv[2]);
  pthread_t *ids = malloc((size_t)threads * sizeof *ids);
  data = malloc(n * sizeof *data);
  sums = calloc((size_t)threads, sizeof *sums);
  for (int t = 0; t < threads; t++)
    if (pthread_create(&ids[t], NULL, run, (void *)(intptr_t)t)) return 3;
  for (int t = 0; t < threads; t++) pthread_join(ids[t], NULL);
  return 0;
}
