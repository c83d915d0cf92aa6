// Where each thread has elements of its own, too, before a barrier, they are not told apart by their locks.
// expect: locked violated
// expect: own atomic
// race: 28 28
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2 };

static pthread_barrier_t barrier;
static pthread_mutex_t *locks;
static int *sums, n;

static void *run(void *argument) {
  const int me = (int)(size_t)argument;
  ATOMIC_BEGIN("own");
  for (int i = me; i < n; i += THREADS) {
    sums[i]++;
    sums[i]++;
  }
  ATOMIC_END();
  pthread_barrier_wait(&barrier);
  const int k = rand() % n;
  ATOMIC_BEGIN("locked"); /* a false alarm */
  pthread_mutex_lock(&locks[k]);
  sums[k]++;
  pthread_mutex_unlock(&locks[k]);
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  if (argc != 2) return 3;
  n = atoi(argv[1]);
  locks = calloc((size_t)n, sizeof *locks);
  sums = calloc((size_t)n, sizeof *sums);
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (size_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, run, (void *)i)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
