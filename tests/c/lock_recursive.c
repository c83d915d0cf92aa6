// A recursive lock is one lock, which is taken and given back by the outermost pair.
// expect: inside atomic
// expect: outside violated
// race: 21 28
// race: 22 28
#include "two.h"

static pthread_mutex_t lock = {{.__kind = PTHREAD_MUTEX_RECURSIVE_NP}};
static int n;

static void first(void) {
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
