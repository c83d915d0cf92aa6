// Which of two locks it is, is not known: neither excludes anybody, but the order that they make stays.
// expect: once violated
// expect: twice violated
// race: 16 26
#include "two.h"

#include <stdlib.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int n;

static void first(void) {
  pthread_mutex_t *lock = rand() ? &locks[0] : &locks[1];
  ATOMIC_BEGIN("once");
  pthread_mutex_lock(lock);
  n++;
  pthread_mutex_unlock(lock);
  ATOMIC_END();
}

static void second(void) {
  ATOMIC_BEGIN("twice");
  pthread_mutex_lock(&locks[0]);
  pthread_mutex_unlock(&locks[0]);
  pthread_mutex_lock(&locks[0]);
  n++;
  pthread_mutex_unlock(&locks[0]);
  ATOMIC_END();
}
