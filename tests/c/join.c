// What comes before a create and after a join is no part of what comes between.
// expect: before atomic
// expect: after atomic
// expect: across violated
#include <causal.h>

#include <pthread.h>
#include <stddef.h>

static int n;

static void *run(void *unused) {
  n = 1;
  return unused;
}

int main(void) {
  pthread_t other;
  ATOMIC_BEGIN("before");
  n = 2;
  n = 3;
  ATOMIC_END();
  if (pthread_create(&other, NULL, run, NULL)) return 1;
  pthread_join(other, NULL);
  ATOMIC_BEGIN("after");
  n = 4;
  n = 5;
  ATOMIC_END();
  ATOMIC_BEGIN("across");
  pthread_create(&other, NULL, run, NULL);
  pthread_join(other, NULL);
  ATOMIC_END();
  return 0;
}
