// Two objects, the lower one's lock first: what two addresses compare as they do again. NULL is no object.
// expect: careless violated
// expect: move atomic
// expect: other violated
// expect: same atomic
// race: 47 47
// race: 47 48
// race: 48 48
// race: 72 72
// race: 72 73
// race: 72 76
// race: 72 82
// race: 73 73
// race: 73 76
// race: 73 82
#include "two.h"

#include <stdlib.h>

enum { N = 30 };

typedef struct {
  pthread_mutex_t lock;
  int n;
} Object;

static Object moved[N], lost[N], equal[N], *null;
static Object one, two;

static void move(Object *from, Object *to) {
  Object *low = from < to ? from : to, *high = from < to ? to : from;
  ATOMIC_BEGIN("move");
  pthread_mutex_lock(&low->lock);
  if (low != high) pthread_mutex_lock(&high->lock);
  from->n--;
  to->n++;
  if (low != high) pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
  ATOMIC_END();
}

static void move_carelessly(Object *from, Object *to) {
  Object *low = from < to ? from : to, *high = from < to ? from : to; /* the same one twice */
  ATOMIC_BEGIN("careless");
  pthread_mutex_lock(&low->lock);
  if (low != high) pthread_mutex_lock(&high->lock);
  from->n--;
  to->n++;
  if (low != high) pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
  ATOMIC_END();
}

static void add_same(Object *a, Object *b) {
  ATOMIC_BEGIN("same");
  pthread_mutex_lock(&a->lock);
  if (a == b) {
    b->n++;
    b->n++;
  }
  pthread_mutex_unlock(&a->lock);
  ATOMIC_END();
}

static Object *choose(void) { return rand() % 2 ? &one : null; }

/* NULL is not equal to the only object that there is. */
static void add_other(void) {
  Object *a = choose(), *b = choose();
  ATOMIC_BEGIN("other");
  if (a != b && !a) {
    b->n++;
    b->n++;
  } else if (a) {
    pthread_mutex_lock(&a->lock);
    a->n++;
    pthread_mutex_unlock(&a->lock);
  }
  ATOMIC_END();
  Object *either = rand() % 2 ? &one : &two; /* it is not known which one */
  pthread_mutex_lock(&either->lock);
  either->n = 0;
  pthread_mutex_unlock(&either->lock);
}

static void work(void) {
  move(&moved[rand() % N], &moved[rand() % N]);
  move_carelessly(&lost[rand() % N], &lost[rand() % N]);
  add_same(&equal[rand() % N], &equal[rand() % N]);
  add_other();
}

static void first(void) { work(); }
static void second(void) { work(); }
