// As many forks as philosophers, five, each of which takes two, the first one first.
// expect: eat atomic
#include <causal.h>

#include <pthread.h>

enum { N = 5 };

#ifndef NEXT
#define NEXT (me + 1) % N
#endif

static pthread_mutex_t forks[N];
static int used[N];

static void *run(void *argument) {
  const int me = (int)(long)argument;
  int first = me, second = (me + 1) % N;
  if (first > second) {
    second = first;
    first = (me + 1) % N;
  }
  for (int i = 0; i < 100; i++) {
    ATOMIC_BEGIN("eat");
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    used[me]++;
    used[NEXT]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    ATOMIC_END();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < N; i++)
    if (pthread_create(&threads[i], NULL, run, (void *)i)) return 1;
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
