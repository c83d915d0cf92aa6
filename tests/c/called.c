// A function that is called again and again says what a thread is given, and creates it.
// expect: own atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef BEFORE
#define BEFORE (void)0
#endif

enum { MOST = 100 };

typedef struct {
  int at;
} Args;

static double data[MOST];
static Args args[MOST + 1];
static pthread_t threads[MOST];

static void *run(void *argument) {
  const int at = ((const Args *)argument)->at;
  ATOMIC_BEGIN("own");
  data[at] += 1;
  data[at] += 1;
  ATOMIC_END();
  return NULL;
}

static void start(int t) {
  BEFORE;
  args[t].at = t;
  if (pthread_create(&threads[t], NULL, run, &args[t])) exit(3);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 3;
  if (n > MOST) return 3;
  for (int t = 0; t < n; t++) start(t);
  return 0;
}
