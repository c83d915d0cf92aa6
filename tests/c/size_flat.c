// Rows of a matrix that lies in one array; the products have more bits than what they are of.
// expect: scale atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef WIDTH
#define WIDTH cols
#endif
#ifndef WIDE
#define WIDE size_t
#endif

static double *data;
static unsigned rows, cols, threads;

static void *run(void *argument) {
  const unsigned me = (unsigned)(size_t)argument, from = (WIDE)rows * me / threads,
                 to = (WIDE)rows * (me + 1) / threads;
  ATOMIC_BEGIN("scale");
  for (unsigned y = from; y < to; y++)
    for (unsigned x = 0; x < cols; x++) data[(WIDE)y * WIDTH + x] += 1;
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4) return 3;
  rows = (unsigned)atoi(argv[1]), cols = (unsigned)atoi(argv[2]), threads = (unsigned)atoi(argv[3]);
  pthread_t *ids = malloc(threads * sizeof *ids);
  data = calloc((size_t)rows * cols, sizeof *data);
  for (unsigned t = 0; t < threads; t++)
    if (pthread_create(&ids[t], NULL, run, (void *)(size_t)t)) return 3;
  for (unsigned t = 0; t < threads; t++) pthread_join(ids[t], NULL);
  return 0;
}
