// What was known of a value is not known any more: it is another one, in another round or by a call; it was written
// through a pointer that may lead elsewhere, or by another thread; its function has been entered again. Each block has
// a variable of its own.
// expect: again violated
// expect: another violated
// expect: by_address violated
// expect: by_call violated
// expect: in_a_loop violated
// expect: not_kept violated
// expect: recursive violated
// expect: shared violated
// race: 115 115
// race: 130 130
// race: 44 44
// race: 57 57
// race: 66 66
// race: 69 69
// race: 80 80
// race: 96 96
// race: 102 115
// race: 102 102
// race: 102 108
// race: 102 110
// race: 102 112
// race: 110 110
#include "two.h"

#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool *told = &(bool){false};

static void not_kept(void) {
  static int n;
  bool locked = false;
  if (rand()) {
    pthread_mutex_lock(&lock);
    locked = true;
  }
  const bool was = locked;
  if (rand()) locked = !locked;
  ATOMIC_BEGIN("not_kept");
  if (locked) n++, n++; /* it is not held where it was not, and is now */
  ATOMIC_END();
  if (was) pthread_mutex_unlock(&lock);
}

/* In the first round it is so, in others perhaps not. */
static void loops(void) {
  static int n;
  bool first = true;
  for (int x = rand(); rand(); x = rand()) {
    if (first && !x) return;
    first = false;
    ATOMIC_BEGIN("in_a_loop");
    if (!x) n++, n++;
    ATOMIC_END();
  }
}

static void conditions(int x, int y) {
  static int n, m;
  if (x > 3) pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("another");
  if (y > 3) n++, n++;
  ATOMIC_END();
  ATOMIC_BEGIN("again");
  if (x > 2) m++, m++;
  ATOMIC_END();
  if (x > 3) pthread_mutex_unlock(&lock);
}

static void addresses(void) {
  static int n;
  bool has = true, other = true, *either = rand() ? &has : &other;
  *either = false;
  if (has) pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("by_address");
  if (other) n++, n++;
  ATOMIC_END();
  if (has) pthread_mutex_unlock(&lock);
}

static void change(bool *it) {
  if (rand()) *it = !*it;
}

static void by_call(void) {
  static int n;
  bool has = true;
  pthread_mutex_lock(&lock);
  change(&has);
  if (has) pthread_mutex_unlock(&lock);
  ATOMIC_BEGIN("by_call");
  if (has) n++, n++;
  ATOMIC_END();
  if (!has) pthread_mutex_unlock(&lock);
}

static void *tell(void *unused) {
  *told = true;
  return unused;
}

static void shared(void) {
  static int n;
  bool has = false;
  pthread_t other;
  told = &has;
  if (pthread_create(&other, NULL, tell, NULL)) return;
  const bool locked = !has;
  if (locked) pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("shared");
  if (has) n++, n++;
  ATOMIC_END();
  if (locked) pthread_mutex_unlock(&lock);
  pthread_join(other, NULL);
}

/* The inner call has it false, the outer one, going on, true. */
static void recursive(bool deeper) {
  static int n;
  bool outer = false;
  if (deeper) {
    outer = true;
    if (rand()) recursive(rand());
  }
  ATOMIC_BEGIN("recursive");
  if (outer) n++, n++;
  ATOMIC_END();
}

static void first(void) {
  not_kept();
  loops();
  conditions(rand(), rand());
  addresses();
  by_call();
  recursive(rand());
  shared();
}

static void second(void) { first(); }
