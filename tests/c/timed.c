// What says that a lock has not been got in time is another number than what says that it is held; C11's are others.
// expect: busy violated
// expect: got atomic
// expect: got11 atomic
// expect: late atomic
// expect: late11 atomic
// expect: late_lock violated
// expect: late_read violated
// expect: late_write violated
// expect: named violated
// expect: named11 violated
// expect: read atomic
// expect: timed11 violated
// race: 30 30
// race: 30 31
// race: 31 31
#include "two.h"

#include <errno.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t both = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t other;
static int data[12];
static const struct timespec now;

static void twice(int n) {
  data[n]++;
  data[n]++;
}

/* What is done where another number than that one is returned, or that one: with the lock, and without. */
#define UNLESS(name, n, attempt, number, unlock) \
  do {                                           \
    ATOMIC_BEGIN(name);                          \
    const int it = attempt;                      \
    if (it != (number)) twice(n);                \
    if (!it) unlock;                             \
    ATOMIC_END();                                \
  } while (0)

#define WHERE(name, n, attempt, number, unlock) \
  do {                                          \
    ATOMIC_BEGIN(name);                         \
    const int it = attempt;                     \
    if (it == (number)) twice(n);               \
    if (!it) unlock;                            \
    ATOMIC_END();                               \
  } while (0)

static void first(void) {
  UNLESS("got", 0, pthread_mutex_trylock(&lock), EBUSY, pthread_mutex_unlock(&lock));
  UNLESS("late", 1, pthread_mutex_timedlock(&lock, &now), ETIMEDOUT, pthread_mutex_unlock(&lock));
  UNLESS("late_lock", 2, pthread_mutex_timedlock(&lock, &now), EBUSY, pthread_mutex_unlock(&lock));
  UNLESS("late_read", 3, pthread_rwlock_timedrdlock(&both, &now), EBUSY, pthread_rwlock_unlock(&both));
  UNLESS("late_write", 4, pthread_rwlock_timedwrlock(&both, &now), EBUSY, pthread_rwlock_unlock(&both));
  UNLESS("read", 5, pthread_rwlock_timedwrlock(&both, &now), ETIMEDOUT, pthread_rwlock_unlock(&both));
  WHERE("named", 6, pthread_mutex_timedlock(&lock, &now), ETIMEDOUT, pthread_mutex_unlock(&lock));
  WHERE("busy", 7, pthread_mutex_trylock(&lock), EBUSY, pthread_mutex_unlock(&lock));
  UNLESS("got11", 8, mtx_trylock(&other), thrd_busy, mtx_unlock(&other));
  UNLESS("late11", 9, mtx_timedlock(&other, &now), thrd_timedout, mtx_unlock(&other));
  WHERE("named11", 10, mtx_trylock(&other), thrd_busy, mtx_unlock(&other));
  WHERE("timed11", 11, mtx_timedlock(&other, &now), thrd_timedout, mtx_unlock(&other));
}

static void second(void) { first(); }
