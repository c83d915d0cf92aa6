// Red and black elements of one array, by turns.
// expect: half atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2, N = 100 };

#ifdef WRONG
#define BARRIER() (rand() ? pthread_barrier_wait(&barrier) : 0)
#else
#define BARRIER() pthread_barrier_wait(&barrier)
#endif

static int a[N + 2];
static pthread_barrier_t barrier;

static void *work(void *argument) {
  const long me = (long)argument, from = 1 + me * N / THREADS, to = 1 + (me + 1) * N / THREADS;
  for (int step = 0; step < 20; step++)
    for (int colour = 0; colour < 2; colour++) {
      ATOMIC_BEGIN("half");
      for (long i = from; i < to; i++)
        if (i % 2 == colour) a[i] = (a[i - 1] + a[i + 1]) / 2;
      ATOMIC_END();
      BARRIER();
    }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (long i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
