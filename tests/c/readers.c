// Readers do not exclude each other, writers do.
// expect: read atomic
// expect: write atomic
// expect: change violated
// race: 19 32
#include "two.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b, c;

static void first(void) {
  ATOMIC_BEGIN("read");
  pthread_rwlock_rdlock(&lock);
  const int sum = a + b;
  pthread_rwlock_unlock(&lock);
  ATOMIC_END();
  ATOMIC_BEGIN("change");
  pthread_rwlock_rdlock(&lock);
  c += sum;
  pthread_rwlock_unlock(&lock);
  ATOMIC_END();
}

static void second(void) {
  ATOMIC_BEGIN("write");
  pthread_rwlock_wrlock(&lock);
  a++;
  b++;
  pthread_rwlock_unlock(&lock);
  ATOMIC_END();
  pthread_rwlock_rdlock(&lock);
  c++;
  pthread_rwlock_unlock(&lock);
}
