// What comes behind the joins begins with a call, or creates threads, in the very block that the loop is left to.
// expect: add atomic
// expect: later atomic
// expect: sum atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef END
#define END n
#endif
#ifndef LEAVE
#define LEAVE
#endif

enum { N = 64 };

static long counts[N];
static int n;

static void *run(void *argument) {
  const long me = (long)argument;
  ATOMIC_BEGIN("add");
  counts[me]++;
  counts[me]++;
  ATOMIC_END();
  return NULL;
}

static void *again(void *argument) {
  ATOMIC_BEGIN("later");
  counts[0]++;
  counts[0]++;
  ATOMIC_END();
  return argument;
}

static void sum(void) {
  ATOMIC_BEGIN("sum");
  for (int i = 0; i < n; i++) counts[0] += counts[i];
  ATOMIC_END();
}

int main(int argc, char **argv) {
  static pthread_t threads[N];
  pthread_t other;
  int i;
  n = argc > 1 ? atoi(argv[1]) : 4;
  for (i = 0; i < n; i++)
    if (pthread_create(&threads[i], NULL, run, (void *)(long)i)) return 1;
  for (i = 0; i < END; i++) {
    pthread_join(threads[i], NULL);
    LEAVE;
  }
  sum();
  for (i = 0; i < n; i++)
    if (pthread_create(&threads[i], NULL, run, (void *)(long)i)) return 1;
  for (i = 0; i < END; i++) {
    pthread_join(threads[i], NULL);
    LEAVE;
  }
  if (pthread_create(&other, NULL, again, NULL)) return 1;
  pthread_join(other, NULL);
  return 0;
}
