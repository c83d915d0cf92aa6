/* A counter that begins again, goes back, stands still, or is read without the lock gives a number twice. */
// expect: again violated
// expect: back violated
// expect: without violated
// expect: still violated
// race: 22 22
// race: 22 23
// race: 23 23
// race: 32 32
#include <causal.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { SLOTS = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static atomic_int again, back, still;
static int without, a[SLOTS], b[SLOTS], c[SLOTS], d[SLOTS];

static void use(int *slot) {
  *slot += 1;
  *slot += 1;
}

static void *work(void *arg) {
  const int n = atomic_fetch_add(&again, 1), m = atomic_fetch_add(&back, 1);
  if (n == 30) atomic_store(&again, 0);
  atomic_fetch_sub(&back, 1);
  const int l = atomic_fetch_add(&still, arg ? 1 : 0);
  pthread_mutex_lock((intptr_t)arg ? &lock : &other);
  const int k = without++;
  pthread_mutex_unlock((intptr_t)arg ? &lock : &other);
  ATOMIC_BEGIN("again");
  use(&a[n]);
  ATOMIC_END();
  ATOMIC_BEGIN("back");
  use(&b[m]);
  ATOMIC_END();
  ATOMIC_BEGIN("without");
  use(&c[k]);
  ATOMIC_END();
  ATOMIC_BEGIN("still");
  use(&d[l]);
  ATOMIC_END();
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
