// Not all elements have a lock: the number that is computed may be beyond the locks, and is not used then.
// expect: few violated
// expect: many violated
// race: 19 19
// race: 28 28
#include "two.h"

#include <stdlib.h>

enum { FEW = 4, MANY = 40, LOCKS = 2 };

static pthread_mutex_t few_locks[LOCKS], many_locks[LOCKS];
static int few[FEW], many[MANY];

static void add_few(int i) {
  const int k = i & 3;
  ATOMIC_BEGIN("few");
  if (k < LOCKS) pthread_mutex_lock(&few_locks[k]);
  few[i]++;
  if (k < LOCKS) pthread_mutex_unlock(&few_locks[k]);
  ATOMIC_END();
}

static void add_many(int i) {
  const int k = i / 2;
  ATOMIC_BEGIN("many");
  if (k < LOCKS) pthread_mutex_lock(&many_locks[k]);
  many[i]++;
  if (k < LOCKS) pthread_mutex_unlock(&many_locks[k]);
  ATOMIC_END();
}

static void first(void) {
  add_few(rand() % FEW);
  add_many(rand() % MANY);
}

static void second(void) {
  add_few(rand() % FEW);
  add_many(rand() % MANY);
}
