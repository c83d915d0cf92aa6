// Threads are created a constant number of times, and counted; as many as have been counted are joined.
// expect: add atomic
#include <causal.h>
#include <pthread.h>
static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *a) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&m);
  total += 1;
  total += 2;
  pthread_mutex_unlock(&m);
  ATOMIC_END();
  return 0;
}
int main(int argc, char **argv) {
  pthread_t h[64];
  unsigned long n = 0;
  for (int i = 0; i < 4; i++) pthread_create(&h[n++], 0, work, 0);
  for (unsigned long k = 0; k < n; k++) pthread_join(h[k], 0);
  return total;
}
