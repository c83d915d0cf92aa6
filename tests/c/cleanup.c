/* Where no thread is cancelled, what is pushed for cleaning up is done where it is popped. */
// expect: add atomic
// expect: late violated
// race: 25 27
// race: 27 27
#include <causal.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, m;

static void unlock(void *arg) { pthread_mutex_unlock(arg); }

static void *work(void *unused) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  n++;
  n++;
  pthread_cleanup_pop(1);
  ATOMIC_END();
  ATOMIC_BEGIN("late");
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  m++;
  pthread_cleanup_pop(1);
  m++;
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
