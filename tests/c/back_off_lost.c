// A round that fails is as many events as it has, if the thread does something in it, or before it has taken again what
// it gave back.
// expect: before_it_tries violated
// expect: gives_up violated
// expect: in_between violated
// expect: no_attempt violated
// expect: takes_the_other violated
// race: 44 44
// race: 56 56
#include "two.h"

#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n, m;

static void both(void) {
  n++;
  m++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}

static void before_it_tries(void) {
  ATOMIC_BEGIN("before_it_tries");
  for (;;) {
    pthread_mutex_lock(&a);
    n++;
    if (pthread_mutex_trylock(&b) == 0) break;
    pthread_mutex_unlock(&a);
  }
  both();
  ATOMIC_END();
}

static void in_between(void) {
  static int tries;
  ATOMIC_BEGIN("in_between");
  for (;;) {
    pthread_mutex_lock(&a);
    if (pthread_mutex_trylock(&b) == 0) break;
    pthread_mutex_unlock(&a);
    tries++;
  }
  both();
  ATOMIC_END();
}

static void gives_up(void) {
  static int failed;
  ATOMIC_BEGIN("gives_up");
  pthread_mutex_lock(&a);
  if (pthread_mutex_trylock(&b)) {
    pthread_mutex_unlock(&a);
    failed = 1;
  } else {
    both();
  }
  ATOMIC_END();
}

static void takes_the_other(void) {
  ATOMIC_BEGIN("takes_the_other");
  pthread_mutex_lock(&a);
  if (pthread_mutex_trylock(&b)) {
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    m++;
    pthread_mutex_unlock(&b);
  } else {
    both();
  }
  ATOMIC_END();
}

static void no_attempt(void) {
  ATOMIC_BEGIN("no_attempt");
  for (;;) {
    pthread_mutex_lock(&a);
    if (rand()) break;
    pthread_mutex_unlock(&a);
  }
  n++;
  pthread_mutex_unlock(&a);
  ATOMIC_END();
}

static void first(void) {
  before_it_tries();
  in_between();
  gives_up();
  takes_the_other();
  no_attempt();
}

static void second(void) { first(); }
