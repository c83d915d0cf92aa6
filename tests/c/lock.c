// A lock excludes; two critical sections are two.
// expect: once atomic
// expect: twice violated
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void first(void) {
  ATOMIC_BEGIN("once");
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void second(void) {
  ATOMIC_BEGIN("twice");
  pthread_mutex_lock(&lock);
  const int old = n;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  n = old + 1;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}
