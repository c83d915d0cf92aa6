/* size.h: as many threads as the program is told, each of which is given a part of an array in a table: from where, to
 * where, in numbers of the type T. A program that includes it says what they are. */
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef T
#define T size_t
#endif
#ifndef N_THREADS
#define N_THREADS threads
#endif
#ifndef CHANGE
#define CHANGE
#endif
#ifndef LATER
#define LATER
#endif

typedef struct {
  T from, to;
  double *data;
} Args;

static void work(double *v, T from, T to);

static void *run(void *argument) {
  const Args *args = argument;
  work(args->data, args->from, args->to);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 3;
  const T n = (T)strtoul(argv[1], NULL, 10), threads = (T)strtoul(argv[2], NULL, 10);
  PREPARE;
  double *data = malloc(n * sizeof *data);
  pthread_t *ids = malloc(threads * sizeof *ids);
  Args *args = malloc(threads * sizeof *args);
  for (T t = 0; t < N_THREADS; t++) {
    args[t].from = FROM;
    args[t].to = TO;
    args[t].data = data;
    CHANGE;
    if (pthread_create(&ids[t], NULL, run, &args[t])) return 3;
    LATER;
  }
  for (T t = 0; t < N_THREADS; t++) pthread_join(ids[t], NULL);
  return 0;
}
