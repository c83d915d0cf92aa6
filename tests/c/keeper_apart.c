// As tests/c/keeper_shared.c, but each array has locks of its own: nothing comes from the one to the other.
// expect: apart atomic
// race: 17 24
// race: 18 31
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { N = 40, LOCKS = 8 };

static pthread_mutex_t locks[LOCKS], others[LOCKS];
static int counts[N], sums[N];

static void write_both(int i, int k) {
  ATOMIC_BEGIN("apart");
  counts[i] = 1;
  sums[k] = 1;
  ATOMIC_END();
}

static int read_count(int i) {
  pthread_mutex_lock(&locks[i % LOCKS]);
  const int n = counts[i];
  pthread_mutex_unlock(&locks[i % LOCKS]);
  return n;
}

static int read_sum(int i) {
  pthread_mutex_lock(&others[i % LOCKS]);
  const int n = sums[i];
  pthread_mutex_unlock(&others[i % LOCKS]);
  return n;
}

static void *read_counts(void *unused) {
  read_count(rand() % N);
  return unused;
}

static void *read_sums(void *unused) {
  read_sum(rand() % N);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  if (pthread_create(&threads[0], NULL, read_counts, NULL)) return 1;
  if (pthread_create(&threads[1], NULL, read_sums, NULL)) return 1;
  write_both(rand() % N, rand() % N);
  return 0;
}
