// Each thread has every third element.
// expect: fill atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3 };

#ifdef WRONG
#define STEP 2
#else
#define STEP THREADS
#endif

static int a[1000], n = 1000;

static void *work(void *argument) {
  ATOMIC_BEGIN("fill");
  for (int i = (int)(long)argument; i < n; i += STEP) {
    a[i] = i;
    a[i] *= 2;
  }
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
