// What the compiler makes of its own functions, and of a constant that is constructed, is known.
// expect: computes atomic
#include "two.h"

struct Three {
  int n;
  Three() : n(3) {}
};

static const Three three;
static thread_local double own = 1;
static unsigned number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void compute(void) {
  ATOMIC_BEGIN("computes");
  __builtin_prefetch(&number);
  own += __builtin_powi(own, three.n);
  pthread_mutex_lock(&lock);
  number = __builtin_bitreverse32(number) + (unsigned)__builtin_readcyclecounter();
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void first(void) { compute(); }

static void second(void) { compute(); }
