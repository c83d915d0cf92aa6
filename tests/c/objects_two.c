// Two objects at once: both locks are held, or one after the other. And objects of which the next one is looked for.
// expect: both atomic
// expect: chain atomic
// expect: early violated
// expect: late violated
// race: 63 65
// race: 65 65
#include "two.h"

#include <stdlib.h>

typedef struct Object {
  pthread_mutex_t lock;
  int n;
  struct Object *next;
} Object;

static Object *right[10], *early[10], *chain, *late;

static void make(Object **table) {
  for (int i = 0; i < 10; i++) {
    table[i] = malloc(sizeof(Object));
    if (!table[i] || pthread_mutex_init(&table[i]->lock, NULL)) exit(1);
    table[i]->next = i ? table[i - 1] : NULL;
  }
}

static void both(Object *from, Object *to) {
  ATOMIC_BEGIN("both");
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->n--;
  to->n++;
  pthread_mutex_unlock(&from->lock);
  pthread_mutex_unlock(&to->lock);
  ATOMIC_END();
}

static void one_by_one(Object *from, Object *to) {
  ATOMIC_BEGIN("early");
  pthread_mutex_lock(&from->lock);
  from->n--;
  pthread_mutex_unlock(&from->lock);
  pthread_mutex_lock(&to->lock);
  to->n++;
  pthread_mutex_unlock(&to->lock);
  ATOMIC_END();
}

static void all_in_turn(void) {
  for (Object *o = chain; o; o = o->next) {
    ATOMIC_BEGIN("chain");
    pthread_mutex_lock(&o->lock);
    o->n++;
    o->n++;
    pthread_mutex_unlock(&o->lock);
    ATOMIC_END();
  }
  for (Object *o = late; o; o = o->next) {
    Object *here = o;
    ATOMIC_BEGIN("late");
    pthread_mutex_lock(&here->lock);
    o->n++;
    o = o->next ? o->next : o;
    o->n++; /* the lock is that of the one before */
    pthread_mutex_unlock(&here->lock);
    ATOMIC_END();
  }
}

static void work(void) {
  both(right[rand() % 10], right[rand() % 10]);
  one_by_one(early[rand() % 10], early[rand() % 10]);
  all_in_turn();
}

__attribute__((constructor)) static void make_all(void) {
  Object *a[10], *b[10];
  make(right);
  make(early);
  make(a);
  make(b);
  chain = a[9];
  late = b[9];
}

static void first(void) { work(); }
static void second(void) { work(); }
