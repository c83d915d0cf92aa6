// What is known of a value goes with control as long as it is asked for: a variable that says whether a lock is held,
// one with an address as well, the result of trylock, what a function returns, a condition that is asked again, here or
// in what is called, and what a switch has gone by.
// expect: again atomic
// expect: by_address atomic
// expect: kept atomic
// expect: passed atomic
// expect: returned atomic
// expect: state atomic
// expect: tried atomic
#include "two.h"

#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void twice(void) {
  n++;
  n++;
}

static int get(int tries) {
  if (!tries) pthread_mutex_lock(&lock);
  else if (pthread_mutex_trylock(&lock)) return -1;
  return 0;
}

static void lock_if(bool wanted) {
  if (wanted) pthread_mutex_lock(&lock);
}

static void unlock_if(bool wanted) {
  if (wanted) pthread_mutex_unlock(&lock);
}

static void get_to(bool *has) {
  if (rand()) {
    pthread_mutex_lock(&lock);
    *has = true;
  }
}

static void locals(void) {
  bool locked = false, has = false;
  ATOMIC_BEGIN("kept");
  if (rand()) {
    pthread_mutex_lock(&lock);
    locked = true;
  }
  if (locked) twice();
  if (locked) pthread_mutex_unlock(&lock);
  ATOMIC_END();
  ATOMIC_BEGIN("by_address");
  get_to(&has);
  if (has) twice();
  if (has) pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void results(int tries) {
  ATOMIC_BEGIN("tried");
  const int failed = pthread_mutex_trylock(&lock);
  if (!failed) twice();
  if (failed != 0) rand();
  else pthread_mutex_unlock(&lock);
  ATOMIC_END();
  ATOMIC_BEGIN("returned");
  if (get(tries) < 0) goto end;
  twice();
  pthread_mutex_unlock(&lock);
end:
  ATOMIC_END();
}

static void conditions(int x) {
  ATOMIC_BEGIN("again");
  if (x > 3) pthread_mutex_lock(&lock);
  if (x > 3) twice();
  if (!(x <= 3)) pthread_mutex_unlock(&lock);
  ATOMIC_END();
  ATOMIC_BEGIN("passed");
  lock_if(x);
  if (x) twice();
  unlock_if(x);
  ATOMIC_END();
}

static void states(void) {
  enum { IDLE, LOCKED, DONE } state = IDLE;
  ATOMIC_BEGIN("state");
  while (state != DONE) switch (state) {
    case IDLE:
      pthread_mutex_lock(&lock);
      state = LOCKED;
      break;
    case LOCKED:
      twice();
      state = DONE;
      break;
    case DONE: break;
    }
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void first(void) {
  locals();
  results(rand());
  conditions(rand());
  states();
}

static void second(void) { first(); }
