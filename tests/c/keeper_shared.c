// Three threads: what comes between both writes of a block goes from one element to another one, by the lock that keeps
// both. If each element has its own lock, nothing does.
// expect: apart atomic
// expect: together violated
// race: 22 37
// race: 23 37
// race: 30 40
// race: 31 40
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { N = 40, LOCKS = 8 };

static pthread_mutex_t locks[LOCKS], own[N];
static int counts[N], sums[N];

static void write_counts(int *p, int *q) {
  if (p == q) return;
  ATOMIC_BEGIN("together");
  *p = 1;
  *q = 1;
  ATOMIC_END();
}

static void write_sums(int *p, int *q) {
  if (p == q) return;
  ATOMIC_BEGIN("apart");
  *p = 1;
  *q = 1;
  ATOMIC_END();
}

static void look(int i, int k) {
  pthread_mutex_lock(&locks[i % LOCKS]);
  int n = counts[i];
  pthread_mutex_unlock(&locks[i % LOCKS]);
  pthread_mutex_lock(&own[k]);
  n += sums[k];
  pthread_mutex_unlock(&own[k]);
  (void)n;
}

static void *run(void *unused) {
  look(rand() % N, rand() % N);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  if (pthread_create(&threads[0], NULL, run, NULL)) return 1;
  if (pthread_create(&threads[1], NULL, run, NULL)) return 1;
  write_counts(&counts[rand() % N], &counts[rand() % N]);
  write_sums(&sums[rand() % N], &sums[rand() % N]);
  return 0;
}
