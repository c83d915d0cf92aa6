// Two critical sections in which nothing is done: another one may come between, and is ordered with both.
// expect: twice violated
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void first(void) {
  ATOMIC_BEGIN("twice");
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void second(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
