// A number of threads that is known; an end that is changed once it is in the table.
// expect: scale atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef CHANGE
#define CHANGE \
  if (args[t].to > n) args[t].to = n
#endif
#ifndef LATER
#define LATER
#endif

enum { THREADS = 4 };

typedef struct {
  size_t from, to;
} Args;

static double *data;

static void *run(void *argument) {
  const Args *args = argument;
  ATOMIC_BEGIN("scale");
  for (size_t i = args->from; i < args->to; i++) data[i] += 1;
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 2) return 3;
  const size_t n = strtoul(argv[1], NULL, 10), chunk = (n + THREADS - 1) / THREADS;
  pthread_t ids[THREADS];
  Args args[THREADS];
  data = malloc(n * sizeof *data);
  for (int t = 0; t < THREADS; t++) {
    args[t].from = (size_t)t * chunk;
    args[t].to = args[t].from + chunk;
    CHANGE;
    if (pthread_create(&ids[t], NULL, run, &args[t])) return 3;
    LATER;
  }
  for (int t = 0; t < THREADS; t++) pthread_join(ids[t], NULL);
  return 0;
}
