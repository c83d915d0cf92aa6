// Thread-specific data may lead to what is shared.
// expect: own violated
// race: 12 27
// race: 13 27
#include "two.h"

static pthread_key_t key;
static int shared;

static void add_twice(void) {
  int *number = pthread_getspecific(key);
  ++*number;
  ++*number;
}

static void first(void) {
  pthread_setspecific(key, &shared);
  ATOMIC_BEGIN("own");
  add_twice();
  ATOMIC_END();
}

static void second(void) {
  int own = 2;
  pthread_setspecific(key, &own);
  add_twice();
  for (int i = 0; i < 2; i++) shared = i;
}
