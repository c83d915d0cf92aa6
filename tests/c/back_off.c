// Two locks that are taken in turns, with trylock: rounds that fail are no events, if all that was given back is taken
// again before the thread does something else.
// expect: in_turns atomic
// expect: others_first atomic
// expect: three atomic
// expect: while_not atomic
#include "two.h"

#include <sched.h>
#include <stdbool.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static int n, m;

static void both(void) {
  n++;
  m++;
  n++;
}

static void release(void) {
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}

static void in_turns(void) {
  ATOMIC_BEGIN("in_turns");
  for (;;) {
    pthread_mutex_lock(&a);
    if (pthread_mutex_trylock(&b) == 0) break;
    pthread_mutex_unlock(&a);
    sched_yield();
  }
  both();
  release();
  ATOMIC_END();
}

static void while_not(void) {
  ATOMIC_BEGIN("while_not");
  pthread_mutex_lock(&b);
  while (pthread_mutex_trylock(&a)) {
    pthread_mutex_unlock(&b);
    sched_yield();
    pthread_mutex_lock(&b);
  }
  both();
  release();
  ATOMIC_END();
}

static void others_first(void) {
  ATOMIC_BEGIN("others_first");
  for (;;) {
    pthread_mutex_lock(&a);
    if (!pthread_mutex_trylock(&b)) break;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    if (!pthread_mutex_trylock(&a)) break;
    pthread_mutex_unlock(&b);
  }
  both();
  release();
  ATOMIC_END();
}

static void three(void) {
  bool done = false;
  ATOMIC_BEGIN("three");
  while (!done) {
    pthread_mutex_lock(&c);
    if (pthread_mutex_trylock(&a)) {
      pthread_mutex_unlock(&c);
    } else if (pthread_mutex_trylock(&b)) {
      pthread_mutex_unlock(&a);
      pthread_mutex_unlock(&c);
    } else {
      done = true;
    }
  }
  both();
  release();
  pthread_mutex_unlock(&c);
  ATOMIC_END();
}

static void first(void) {
  in_turns();
  while_not();
  three();
}

static void second(void) {
  others_first();
  three();
}
