// What a thread has returned, in memory that it has allocated, is what the one who joins it uses.
// expect: add atomic
// expect: sum atomic
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, N = 99 };

struct result {
  long sum;
  int most;
};

static int values[N];
static struct result all, *kept;

#ifndef MADE
#define MADE calloc(1, sizeof(struct result))
#endif
#ifndef END
#define END(r) return r
#endif
#ifndef JOINED
#define JOINED(i) i
#endif
#ifndef BEFORE
#define BEFORE
#endif

static void *run(void *argument) {
  const long me = (long)argument;
  struct result *r = MADE;
  if (!r) abort();
  ATOMIC_BEGIN("add");
  for (long i = me * N / THREADS; i < (me + 1) * N / THREADS; i++) {
    r->sum += values[i];
    if (values[i] > r->most) r->most = values[i];
  }
  ATOMIC_END();
  END(r);
}

int main(void) {
  pthread_t threads[THREADS];
  long sum = 0;
  for (long i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, run, (void *)i)) return 1;
  for (int i = 0; i < THREADS; i++) {
    void *result;
    BEFORE;
    pthread_join(threads[JOINED(i)], &result);
    struct result *r = result;
    ATOMIC_BEGIN("sum");
    sum += r->sum;
    r->sum = r->most;
    ATOMIC_END();
  }
  printf("%ld\n", sum);
  return 0;
}
