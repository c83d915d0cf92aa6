// Who creates the others waits in a function that it calls: what it reads behind the call is in the same round.
// expect: look violated
// race: 16 16
// race: 16 27
// race: 16 28
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static int shared;

static void *work(void *unused) {
  pthread_barrier_wait(&barrier);
  shared++;
  return unused;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 2;
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, (unsigned)n);
  for (int i = 1; i < n; i++) pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  ATOMIC_BEGIN("look");
  const int first = shared;
  const int second = shared;
  ATOMIC_END();
  return first != second;
}
