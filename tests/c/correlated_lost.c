// What was known of a value is not known any more: it was computed anew, in a loop or by a call; it is another one; it
// was written through a pointer that may lead elsewhere, or by another thread; its function has been entered again.
// expect: again violated
// expect: another violated
// expect: by_address violated
// expect: in_a_loop violated
// expect: not_kept violated
// expect: recursive violated
// expect: shared violated
// race: 113 113
// race: 27 27
// race: 27 29
// race: 29 29
// race: 79 88
// race: 79 91
#include "two.h"

#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, some;
static bool *told = &(bool){false};

/* Holds the lock only if it is so. */
static void twice_if(bool so) {
  n++;
  if (!so) rand();
  n++;
}

static void not_kept(void) {
  bool locked = false;
  if (rand()) {
    pthread_mutex_lock(&lock);
    locked = true;
  }
  const bool was = locked;
  ATOMIC_BEGIN("not_kept");
  if (rand()) locked = !locked;
  if (locked) twice_if(true); /* it is not held where it was not, and is now */
  ATOMIC_END();
  if (was) pthread_mutex_unlock(&lock);
}

static void loops(void) {
  for (int x = rand(); rand(); x = rand()) {
    if (x) pthread_mutex_lock(&lock);
    ATOMIC_BEGIN("in_a_loop");
    const int y = rand() ? x : rand();
    if (y) twice_if(y);
    ATOMIC_END();
    if (x) pthread_mutex_unlock(&lock);
  }
}

static void conditions(int x, int y) {
  if (x > 3) pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("another");
  if (y > 3) twice_if(true);
  ATOMIC_END();
  ATOMIC_BEGIN("again");
  if (x > 2) twice_if(true);
  ATOMIC_END();
  if (x > 3) pthread_mutex_unlock(&lock);
}

static void addresses(void) {
  bool has = true, other = true, *either = rand() ? &has : &other;
  *either = false;
  if (has) pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("by_address");
  if (other) twice_if(true);
  ATOMIC_END();
  if (has) pthread_mutex_unlock(&lock);
}

static void *tell(void *unused) {
  *told = true;
  return unused;
}

static void shared(void) {
  bool has = false;
  pthread_t other;
  told = &has;
  if (pthread_create(&other, NULL, tell, NULL)) return;
  const bool locked = !has;
  if (locked) pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("shared");
  if (has) twice_if(true);
  ATOMIC_END();
  if (locked) pthread_mutex_unlock(&lock);
  pthread_join(other, NULL);
}

static void recursive(bool deeper) {
  const bool locked = !deeper;
  if (deeper) recursive(false);
  else pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("recursive");
  if (deeper) twice_if(true);
  ATOMIC_END();
  if (locked) pthread_mutex_unlock(&lock);
}

static void first(void) {
  not_kept();
  loops();
  conditions(rand(), rand());
  addresses();
  recursive(rand());
  some = 1;
}

static void second(void) {
  first();
  shared();
}
