// The lock is that of another number than the element is.
// expect: number violated
// expect: number violated
// race: 18 23
// race: 23 23
#include "two.h"

#include <stdlib.h>

enum { N = 48, LOCKS = 8 };

static pthread_mutex_t number_locks[LOCKS];
static int numbers[N];

static void add_number(int i, int k) {
  ATOMIC_BEGIN("number");
  pthread_mutex_lock(&number_locks[i % LOCKS]);
  numbers[i]++;
  pthread_mutex_unlock(&number_locks[i % LOCKS]);
  ATOMIC_END();
  ATOMIC_BEGIN("number");
  pthread_mutex_lock(&number_locks[i % LOCKS]);
  numbers[k]++;
  pthread_mutex_unlock(&number_locks[i % LOCKS]);
  ATOMIC_END();
}

static void first(void) { add_number(rand() % N, rand() % N); }
static void second(void) { add_number(rand() % N, rand() % N); }
