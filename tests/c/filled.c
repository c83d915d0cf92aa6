// One loop fills the structures of all threads, and another one creates these.
// expect: add atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

struct work {
  int from, to;
  long sum;
};

static int *data, n, all;
static pthread_t *threads;
static struct work *works;

#ifndef FILLED
#define FILLED all
#endif
#ifndef END
#define END(i) ((i) == all - 1 ? n : ((i) + 1) * chunk)
#endif
#ifndef BETWEEN
#define BETWEEN
#endif
#ifndef SKIP
#define SKIP(i)
#endif
#ifndef WORK
#define WORK(i) &works[i]
#endif
#ifndef LATER
#define LATER
#endif

static void *run(void *argument) {
  struct work *w = argument;
  ATOMIC_BEGIN("add");
  for (int i = w->from; i < w->to; i++) w->sum += data[i];
  for (int i = w->from; i < w->to; i++) data[i] = 0;
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 1;
  n = atoi(argv[1]), all = atoi(argv[2]);
  data = calloc((size_t)n, sizeof *data);
  threads = calloc((size_t)all, sizeof *threads);
  works = malloc((size_t)all * sizeof *works);
  const int chunk = n / all;
  for (int i = 0; i < FILLED; i++) {
    SKIP(i);
    works[i].from = i * chunk;
    works[i].to = END(i);
    works[i].sum = 0;
  }
  BETWEEN;
  for (int i = 0; i < all; i++)
    if (pthread_create(&threads[i], NULL, run, WORK(i))) return 1;
  LATER;
  long sum = 0;
  for (int i = 0; i < all; i++) {
    pthread_join(threads[i], NULL);
    sum += works[i].sum;
  }
  return sum == 0;
}
