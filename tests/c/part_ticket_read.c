// What is read from a counter is no ticket if another place is given that number and one more.
// expect: other violated
// expect: peek violated
// race: 18 18
// race: 18 19
// race: 19 19
#include <causal.h>

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next, seen, a[8], b[8];
static _Atomic int numbers;
static _Thread_local int behind;

static void use(int *slot) {
  *slot += 1;
  *slot += 1;
}

static void *work(void *argument) {
  pthread_mutex_lock(&lock);
  const int k = next;
  seen = k + 1;
  pthread_mutex_unlock(&lock);
  const int m = atomic_load(&numbers);
  behind = m + 1;
  ATOMIC_BEGIN("other");
  use(&a[k]);
  ATOMIC_END();
  ATOMIC_BEGIN("peek");
  use(&b[m]);
  ATOMIC_END();
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, work, NULL)) return 1;
  pthread_mutex_lock(&lock);
  next = next + 1;
  pthread_mutex_unlock(&lock);
  atomic_fetch_add(&numbers, 1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
