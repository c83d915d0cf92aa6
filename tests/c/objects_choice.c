// One of two known objects, whatever order they come in: each is meant.
// expect: last violated
// expect: locked atomic
// race: 19 26
// race: 19 27
#include "two.h"

#include <stdlib.h>

typedef struct {
  pthread_mutex_t lock;
  int n, m;
} Object;

static Object x, y, v, w;

static void clear(void) {
  x.m = 0; /* so that x comes first */
  y.n = 0; /* without its lock */
}

static void add_last(void) {
  Object *o = rand() % 2 ? &y : &x;
  ATOMIC_BEGIN("last");
  pthread_mutex_lock(&o->lock);
  o->n++;
  o->n++;
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
  o = rand() % 2 ? &w : &v;
  ATOMIC_BEGIN("locked");
  pthread_mutex_lock(&o->lock);
  o->n++;
  o->n++;
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
}

static void first(void) {
  clear();
  add_last();
}
static void second(void) { add_last(); }
