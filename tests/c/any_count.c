// Two of the threads that a loop creates are not enough to count to three: what is so for two is not so for all.
// expect: twice unknown
#include <causal.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int n;
static int x;

static void *count(void *unused) {
  atomic_fetch_add(&n, 1);
  return unused;
}

static void *write_late(void *unused) {
  while (n != 3) {}
  x = 3;
  return unused;
}

static void *write_twice(void *unused) {
  ATOMIC_BEGIN("twice");
  x = 1;
  x = 2;
  ATOMIC_END();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, write_twice, argv) || pthread_create(&thread, NULL, write_late, argv)) return 1;
  for (int i = 0; i < argc; i++)
    if (pthread_create(&thread, NULL, count, argv)) return 1;
  return 0;
}
