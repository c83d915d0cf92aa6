// Thread-specific data is found by the thread that has set it.
// expect: own atomic
#include "two.h"

#include <stdlib.h>

static pthread_key_t key;

static void add_twice(void) {
  int *number = pthread_getspecific(key);
  ++*number;
  ++*number;
}

static void first(void) {
  int own = 1;
  pthread_setspecific(key, &own);
  ATOMIC_BEGIN("own");
  add_twice();
  ATOMIC_END();
}

static void second(void) {
  int own = 2;
  pthread_setspecific(key, &own);
  add_twice();
}
