/* nested_blocks.c: a block in a block, twice, and another thread that comes later. For tests/confirm.sh. */
#include <causal.h>

#include <pthread.h>
#include <unistd.h>

static int x;
static void inner(void) {
  ATOMIC_BEGIN("inner");
  x++;
  ATOMIC_END();
}

static void *other(void *unused) {
  usleep(20000);
  inner();
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, other, NULL)) return 1;
  ATOMIC_BEGIN("outer");
  inner();
  inner();
  ATOMIC_END();
  pthread_join(thread, NULL);
  return 0;
}
