// The arguments of threads are structures that are put together, and then copied to where the thread finds them.
// expect: scale atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int id, from, to;
  double *data;
} Arg;

#ifndef FILL
#define FILL \
  args[t] = (Arg) { .id = t, .from = t * share, .to = t == threads - 1 ? n : (t + 1) * share, .data = data }
#endif
#ifndef BEFORE
#define BEFORE Arg a
#endif

static void change(Arg *a) { a->to++; }

static void *run(void *argument) {
  const Arg *a = argument;
  ATOMIC_BEGIN("scale");
  for (int i = a->from; i < a->to; i++) a->data[i] = 2 * a->data[i] + 1;
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 3;
  const int n = atoi(argv[1]), threads = atoi(argv[2]), share = n / threads;
  double *data = calloc((size_t)n, sizeof *data);
  pthread_t *ids = malloc((size_t)threads * sizeof *ids);
  Arg *args = malloc((size_t)threads * sizeof *args), other = {0, 0, n, data};
  BEFORE;
  (void)change, (void)other;
  for (int t = 0; t < threads; t++) {
    FILL;
    if (pthread_create(&ids[t], NULL, run, &args[t])) return 3;
  }
  for (int t = 0; t < threads; t++) pthread_join(ids[t], NULL);
  return 0;
}
