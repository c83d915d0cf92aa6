// All elements of a short array are told apart, with more threads than there may be foci.
// expect: add atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { N = 5, THREADS = 8 };

static struct {
  pthread_mutex_t lock;
  long n;
} accounts[N];

#ifndef OTHER
#define OTHER i
#endif

static void *run(void *unused) {
  const int i = rand() % N;
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&accounts[i].lock);
  accounts[OTHER].n++;
  pthread_mutex_unlock(&accounts[i].lock);
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < N; i++) pthread_mutex_init(&accounts[i].lock, NULL);
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, run, NULL)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
