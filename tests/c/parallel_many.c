// Parallel arrays of five threads.
// expect: same atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 5, N = 40 };

static pthread_mutex_t locks[N];
static int counts[N], sums[N];

static void *run(void *unused) {
  const int i = rand() % N;
  ATOMIC_BEGIN("same");
  pthread_mutex_lock(&locks[i]);
  counts[i]++;
  sums[i]++;
  pthread_mutex_unlock(&locks[i]);
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, run, NULL)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
