/* Readers see both halves of a pair; in the twin they give the lock back in between.
 * count 1: \|sacq\(&lock\)
 * count 1: \|srel\(&lock\)
 * count 1: \|acq\(&lock\)
 */
#include "twin.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *first(void *argument) {
  ATOMIC_BEGIN("write");
  pthread_rwlock_wrlock(&lock);
  left = 1;
  right = 1;
  pthread_rwlock_unlock(&lock);
  ATOMIC_END();
  return argument;
}

static void *second(void *argument) {
  ATOMIC_BEGIN("read");
  pthread_rwlock_rdlock(&lock);
  int sum = left;
  BROKEN(pthread_rwlock_unlock(&lock); pthread_rwlock_rdlock(&lock);)
  sum += right;
  pthread_rwlock_unlock(&lock);
  ATOMIC_END();
  return sum == 2 ? argument : NULL;
}

int main(void) {
  run_both();
  return 0;
}
