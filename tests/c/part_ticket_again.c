/* A counter that begins again, goes back, or is read without the lock gives a number twice. */
// expect: again violated
// expect: back violated
// expect: without violated
// race: 20 20
// race: 20 21
// race: 21 21
// race: 29 29
#include <causal.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static atomic_int again, back;
static int without, a[SLOTS], b[SLOTS], c[SLOTS];

static void use(int *slot) {
  *slot += 1;
  *slot += 1;
}

static void *work(void *unused) {
  const int n = atomic_fetch_add(&again, 1), m = atomic_fetch_add(&back, 1);
  if (n == 30) atomic_store(&again, 0);
  atomic_fetch_sub(&back, 1);
  pthread_mutex_lock(unused ? &lock : &other);
  const int k = without++;
  pthread_mutex_unlock(unused ? &lock : &other);
  ATOMIC_BEGIN("again");
  use(&a[n]);
  ATOMIC_END();
  ATOMIC_BEGIN("back");
  use(&b[m]);
  ATOMIC_END();
  ATOMIC_BEGIN("without");
  use(&c[k]);
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, i ? &lock : NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
