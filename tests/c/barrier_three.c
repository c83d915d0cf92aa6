// A barrier for two that three threads come to does not keep all of them apart.
// expect: before violated
// race: 15 23
// race: 23 23
#include <causal.h>

#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int a;

static void *run(void *unused) {
  ATOMIC_BEGIN("before");
  a++;
  ATOMIC_END();
  pthread_barrier_wait(&barrier);
  return unused;
}

static void *look(void *unused) {
  pthread_barrier_wait(&barrier);
  a = 3;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  if (pthread_barrier_init(&barrier, NULL, 2)) return 1;
  pthread_create(&threads[0], NULL, look, NULL);
  pthread_create(&threads[1], NULL, look, NULL);
  run(NULL);
  return 0;
}
