// Who wakes up comes after who has signalled.
// expect: signals violated
// race: 13 21
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n;

static void first(void) {
  ATOMIC_BEGIN("signals");
  pthread_cond_signal(&changed);
  n = 1;
  ATOMIC_END();
}

static void second(void) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  n = 2;
}
