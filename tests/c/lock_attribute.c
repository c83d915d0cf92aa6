// So is one whose attribute says that it is recursive.
// expect: inside atomic
// expect: outside violated
// race: 25 32
// race: 26 32
#include "two.h"

static pthread_mutex_t lock;
static int n;

static void first(void) {
  pthread_mutexattr_t attribute;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_RECURSIVE);
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
