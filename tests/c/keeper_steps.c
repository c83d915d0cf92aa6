// The lock of an element is computed by other steps in another thread: it is another one.
// expect: steps violated
// expect: steps violated
// race: 17 25
#include "two.h"

#include <stdlib.h>

enum { N = 48, LOCKS = 8 };

static pthread_mutex_t steps_locks[LOCKS];
static int steps[N];

static void add_by_rest(int i) {
  ATOMIC_BEGIN("steps");
  pthread_mutex_lock(&steps_locks[i % LOCKS]);
  steps[i]++;
  pthread_mutex_unlock(&steps_locks[i % LOCKS]);
  ATOMIC_END();
}

static void add_by_quotient(int i) {
  ATOMIC_BEGIN("steps");
  pthread_mutex_lock(&steps_locks[i / LOCKS]);
  steps[i]++;
  pthread_mutex_unlock(&steps_locks[i / LOCKS]);
  ATOMIC_END();
}

static void first(void) { add_by_rest(rand() % N); }
static void second(void) { add_by_quotient(rand() % N); }
