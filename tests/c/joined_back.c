// Threads are joined in the opposite order.
// expect: sum atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef MADE
#define MADE 1
#endif
#ifndef JOINS
#define JOINS \
  for (int i = n - 1; i >= 0; i--) pthread_join(threads[i], NULL)
#endif
#ifndef BETWEEN
#define BETWEEN
#endif

static int n, k;
static long total;

static void *run(void *unused) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static inline void join_down(const pthread_t *threads, int left) {
  while (left--) pthread_join(threads[left], NULL);
}

static inline void join_one(pthread_t thread) { pthread_join(thread, NULL); }

static inline void join_some(pthread_t thread) {
  if (rand()) pthread_join(thread, NULL);
}

static inline void join_at(const pthread_t *place) { pthread_join(*place, NULL); }

static inline void join_at_some(const pthread_t *place) {
  if (rand()) return;
  pthread_join(*place, NULL);
}

int main(int argc, char **argv) {
  n = argc > 1 ? atoi(argv[1]) : 4;
  k = argc > 2 ? atoi(argv[2]) : 1;
  pthread_t *threads = calloc(MADE * n, sizeof *threads);
  for (int i = 0; i < n; i++) pthread_create(&threads[MADE * i], NULL, run, NULL);
  BETWEEN;
  JOINS;
  ATOMIC_BEGIN("sum");
  total++;
  total++;
  ATOMIC_END();
}
