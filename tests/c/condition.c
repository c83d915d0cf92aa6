// A wait gives the lock back, and takes it again.
// expect: put atomic
// expect: take violated
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n;

static void first(void) {
  ATOMIC_BEGIN("put");
  pthread_mutex_lock(&lock);
  n++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void second(void) {
  ATOMIC_BEGIN("take");
  pthread_mutex_lock(&lock);
  while (n == 0) pthread_cond_wait(&changed, &lock);
  n--;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}
