// It has the lock where pthread_mutex_trylock returns 0, and only there.
// expect: has atomic
// expect: has_not violated
// race: 17 23
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, m;

static void first(void) {
  if (pthread_mutex_trylock(&lock) == 0) {
    ATOMIC_BEGIN("has");
    n++;
    ATOMIC_END();
    pthread_mutex_unlock(&lock);
  }
  m = 1;
}

static void second(void) {
  if (pthread_mutex_trylock(&lock)) {
    ATOMIC_BEGIN("has_not");
    m++;
    ATOMIC_END();
  } else {
    n++;
    pthread_mutex_unlock(&lock);
  }
}
