// Nothing is said of what does not wait in the net.
// expect: first atomic
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int n;

static void first(void) {
  ATOMIC_BEGIN("first");
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void second(void) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&never, &lock);
  n++;
  pthread_mutex_unlock(&lock);
}
