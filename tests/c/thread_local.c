// Each thread has its own of what is thread-local.
// expect: own atomic
#include "two.h"

static _Thread_local int n;

static void own(void) {
  ATOMIC_BEGIN("own");
  n++;
  n++;
  ATOMIC_END();
}

static void first(void) { own(); }
static void second(void) { own(); }
