// One whose attribute says that it may be error-checking is not followed.
// expect: inside violated
// expect: outside violated
// race: 21 34
// race: 23 34
// race: 27 34
// race: 28 34
#include "two.h"

static pthread_mutex_t lock;
static int n;

static void first(void) {
  pthread_mutexattr_t attribute;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &attribute);
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("inside");
  n = 1;
  pthread_mutex_unlock(&lock);
  n = 2;
  ATOMIC_END();
  pthread_mutex_unlock(&lock);
  ATOMIC_BEGIN("outside");
  n = 1;
  n = 2;
  ATOMIC_END();
}

static void second(void) {
  pthread_mutex_lock(&lock);
  n = 3;
  pthread_mutex_unlock(&lock);
}
