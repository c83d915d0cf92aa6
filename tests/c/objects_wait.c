// What is done with the lock of an object: it is tried, a condition of the object is waited for, a function that is
// entered again before it is left uses other objects in between, and a copy of the object is no object of its own.
// expect: copy violated
// expect: again violated
// expect: tried atomic
// expect: waited violated
// race: 58 58
// race: 58 59
// race: 59 59
// race: 71 71
// race: 72 72
#include "two.h"

#include <stdlib.h>

enum { N = 20 };

typedef struct Object {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int n, m;
  struct Object *next;
} Object;

static Object tried[N], waited[N], again[N], copied[N];

static void try(Object *o) {
  ATOMIC_BEGIN("tried");
  if (pthread_mutex_trylock(&o->lock) == 0) {
    o->n++;
    o->n++;
    pthread_mutex_unlock(&o->lock);
  }
  ATOMIC_END();
}

static void wait_for(Object *o) {
  ATOMIC_BEGIN("waited");
  pthread_mutex_lock(&o->lock);
  while (!o->n) pthread_cond_wait(&o->changed, &o->lock); /* others may come in between */
  o->n--;
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
}

static void change(Object *o) {
  pthread_mutex_lock(&o->lock);
  o->n++;
  pthread_cond_signal(&o->changed);
  pthread_mutex_unlock(&o->lock);
}

static void go(Object *o, int depth) {
  Object *mine = o;
  pthread_mutex_lock(&mine->lock);
  if (depth) go(&again[rand() % N], depth - 1);
  pthread_mutex_unlock(&mine->lock);
  mine->n++; /* without the lock */
  mine->n++;
}

static void go_in_a_block(void) {
  ATOMIC_BEGIN("again");
  go(&again[rand() % N], 2);
  ATOMIC_END();
}

static void copy(Object *from, Object *to) {
  ATOMIC_BEGIN("copy");
  pthread_mutex_lock(&from->lock);
  to->n = from->n;
  to->m = from->m;
  pthread_mutex_unlock(&from->lock);
  ATOMIC_END();
}

static void work(void) {
  try(&tried[rand() % N]);
  wait_for(&waited[rand() % N]);
  change(&waited[rand() % N]);
  go_in_a_block();
  copy(&copied[rand() % N], &copied[rand() % N]);
}

static void first(void) { work(); }
static void second(void) { work(); }
