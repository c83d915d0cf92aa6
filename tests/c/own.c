// Each thread has a structure of its own, from the loop that creates it, with the share of the data that is its own.
// expect: add atomic
// expect: show atomic
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct work {
  int from, to;
  long sum;
};

static int *data, n, all;
static pthread_t *threads;
static struct work **works;

#ifndef TAKE
#define TAKE(i) malloc(sizeof(struct work))
#endif
#ifndef PUT
#define PUT(i) works[i] = w
#endif
#ifndef END
#define END(i) ((i) == all - 1 ? n : ((i) + 1) * chunk)
#endif
#ifndef LATER
#define LATER(i)
#endif
#ifndef THEN
#define THEN
#endif
#ifndef SHOWN
#define SHOWN(i) i
#endif
#ifdef EARLY
#define FIRST(join)
#define LAST(join) join
#else
#define FIRST(join) join
#define LAST(join)
#endif
#ifndef SPAWN
#define SPAWN(i) pthread_create(&threads[i], NULL, run, w)
#endif

static void *run(void *argument) {
  struct work *w = argument;
  ATOMIC_BEGIN("add");
  for (int i = w->from; i < w->to; i++) w->sum += data[i];
  for (int i = w->from; i < w->to; i++) data[i] = 0;
  THEN;
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 1;
  n = atoi(argv[1]), all = atoi(argv[2]);
  data = calloc((size_t)n, sizeof *data);
  threads = calloc((size_t)all, sizeof *threads);
  works = calloc((size_t)all, sizeof *works);
  const int chunk = n / all;
  for (int i = 0; i < all; i++) {
    struct work *w = TAKE(i);
    PUT(i);
    w->from = i * chunk;
    w->to = END(i);
    w->sum = 0;
    SPAWN(i);
    LATER(i);
  }
  for (int i = 0; i < all; i++) {
    FIRST(pthread_join(threads[i], NULL));
    ATOMIC_BEGIN("show");
    printf("%ld\n", works[SHOWN(i)]->sum);
    works[SHOWN(i)]->sum = 0;
    ATOMIC_END();
    LAST(pthread_join(threads[i], NULL));
  }
  return 0;
}
