// What main does behind a loop that joins all threads meets nothing that they do.
// expect: sum atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef BEGIN
#define BEGIN 0
#endif
#ifndef END
#define END n
#endif
#ifndef STEP
#define STEP 1
#endif
#ifndef JOIN
#define JOIN(i) pthread_join(threads[i], NULL)
#endif
#ifndef BETWEEN
#define BETWEEN
#endif
#ifndef SLOT
#define SLOT i
#endif
#ifndef RUN
#define RUN run
#endif

static int n;
static long total;
static pthread_t *threads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return argument;
}

#ifdef MORE
MORE
#endif

    static void
    start(void) {
  threads = calloc((size_t)n, sizeof *threads);
  for (int i = 0; i < n; i++)
    if (pthread_create(&threads[SLOT], NULL, RUN, NULL)) exit(1);
}

static void finish(void) {
  for (int i = BEGIN; i < END; i += STEP) JOIN(i);
}

int main(int argc, char **argv) {
  n = argc > 1 ? atoi(argv[1]) : 4;
  start();
  BETWEEN;
  finish();
  ATOMIC_BEGIN("sum");
  const long sum = total;
  total = 0;
  ATOMIC_END();
  free(threads);
  return sum != n;
}
