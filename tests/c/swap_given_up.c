// Who gives up after some attempts has seen what another thread has done.
// expect: tries violated
#include "two.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_int taken, data;

static void first(void) {
  ATOMIC_BEGIN("tries");
  atomic_store(&data, 1);
  for (int i = rand(); i > 0; i--) {
    int free = 0;
    if (atomic_compare_exchange_strong(&taken, &free, 1)) break;
  }
  ATOMIC_END();
}

static void second(void) {
  if (atomic_load(&data)) atomic_store(&taken, 1);
}
