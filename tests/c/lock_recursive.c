// A recursive lock is not followed: the thread that has it may take it again, and must not wait for itself.
// expect: again violated
// race: 14 23
// race: 17 23
#include "two.h"

static pthread_mutex_t lock = {{.__kind = PTHREAD_MUTEX_RECURSIVE_NP}};
static int n;

static void first(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("again");
  n = 1;
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);
  n = 2;
  ATOMIC_END();
}

static void second(void) {
  pthread_mutex_lock(&lock);
  n = 3;
  pthread_mutex_unlock(&lock);
}
