// A structure that is passed by value is read where the call is made, not where its copy is used.
// expect: passes violated
// expect: keeps atomic
// race: 20 34
#include "two.h"

typedef struct {
  long a, b, c, d;
} Four;

static Four shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long unused(Four four) { return four.d = 1; }

static long used(Four four) { return four.a + four.b; }

static void first(void) {
  ATOMIC_BEGIN("passes");
  unused(shared);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  Four own = {1, 2, 3, 4};
  ATOMIC_BEGIN("keeps");
  used(own);
  unused(own);
  own.a = 2;
  used(own);
  ATOMIC_END();
}

static void second(void) {
  shared.a = 1;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
