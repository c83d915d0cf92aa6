/* A thread that is cancelled runs what was pushed, wherever it is then. */
// expect: add unknown
// expect: late violated
// race: 34 36
// race: 36 36
// gap: 26 calls '__pthread_register_cancel', which is not known
// gap: 26 calls '__pthread_unwind_next', which is not known
// gap: 26 calls '__sigsetjmp', which is not known
// gap: 29 calls '__pthread_unregister_cancel', which is not known
// gap: 33 calls '__pthread_register_cancel', which is not known
// gap: 33 calls '__pthread_unwind_next', which is not known
// gap: 33 calls '__sigsetjmp', which is not known
// gap: 35 calls '__pthread_unregister_cancel', which is not known
// gap: 44 calls 'pthread_cancel', which is not known
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
  pthread_cancel(threads[0]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
