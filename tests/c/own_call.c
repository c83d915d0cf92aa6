// A function makes the structure, and another one the thread; both are called in the loop.
// expect: add atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

struct work {
  int id, from, to, *data;
};

#ifndef MAKE
#define MAKE malloc(sizeof(struct work))
#endif

#ifndef FREE
#define FREE(w) free(w)
#endif

static pthread_t *threads;
static struct work *old;

static void *run(void *argument) {
  struct work *w = argument;
  ATOMIC_BEGIN("add");
  for (int i = w->from; i < w->to; i++) w->data[i]++;
  for (int i = w->from; i < w->to; i++) w->data[i]++;
  w->id++;
  w->id--;
  ATOMIC_END();
  FREE(w);
  return NULL;
}

static struct work *make(int id, int *data, int from, int to) {
  struct work *w = MAKE;
  if (!w) abort();
  w->id = id;
  w->data = data;
  w->from = from;
  w->to = to;
  return w;
}

static void spawn(int i, struct work *w) {
  if (pthread_create(&threads[i], NULL, run, w)) abort();
}

int main(int argc, char **argv) {
  if (argc != 3) return 1;
  const int n = atoi(argv[1]), all = atoi(argv[2]), chunk = n / all;
  int *data = calloc((size_t)n, sizeof *data);
  threads = calloc((size_t)all, sizeof *threads);
  for (int i = 0; i < all; i++) {
    const int from = i * chunk, to = i == all - 1 ? n : from + chunk;
    spawn(i, make(i, data, from, to));
  }
  for (int i = 0; i < all; i++) pthread_join(threads[i], NULL);
  free(data);
  return 0;
}
