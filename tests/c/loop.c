// A loop that counts to a constant creates that many threads.
// expect: add atomic
// expect: twice violated
// race: 20 20
#include <causal.h>

#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, m;

static void *run(void *unused) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  ATOMIC_BEGIN("twice");
  m++;
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    if (pthread_create(&threads[i], NULL, run, NULL)) return 1;
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
