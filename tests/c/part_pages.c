// Each step reads one page, and writes the other one.
// expect: step atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3, N = 120 };

static double pages[2][N];
static pthread_barrier_t barrier;

static void *work(void *argument) {
  const long me = (long)argument, from = me * N / THREADS, to = (me + 1) * N / THREADS;
#ifdef WRONG
  int now = me == 1;
#else
  int now = 0;
#endif
  for (int step = 0; step < 50; step++) {
    ATOMIC_BEGIN("step");
    for (long i = from; i < to; i++) {
      const double left = i > 0 ? pages[now][i - 1] : 0, right = i < N - 1 ? pages[now][i + 1] : 0;
      pages[1 - now][i] = (left + right) / 2;
    }
    ATOMIC_END();
    pthread_barrier_wait(&barrier);
    now = 1 - now;
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
