/* same_line.c: a block writes two variables of one line of memory, and then reads the second one, which another thread
 * has written meanwhile: it is this one's place that matters. */
#include <causal.h>

#include <pthread.h>
#include <unistd.h>

static _Alignas(64) volatile struct { int a, b; } line;

static void *comes_back(void *argument) {
  ATOMIC_BEGIN("back");
  line.a = 2;
  line.b = 2;
  usleep(200000);
  (void)line.b;
  ATOMIC_END();
  return argument;
}

int main(void) {
  pthread_t thread;
  line.a = line.b = 1;
  if (pthread_create(&thread, NULL, comes_back, NULL)) return 3;
  usleep(100000);
  line.b = 3;
  return pthread_join(thread, NULL);
}
