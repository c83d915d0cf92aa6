// What hangs in an object is copied to another one, or comes from a variable.
// expect: other violated
// expect: owned violated
// expect: round violated
// expect: several violated
// race: 49 54
// race: 54 54
// race: 55 55
// race: 61 69
// race: 65 65
// race: 65 68
// race: 69 69
// race: 75 75
// race: 75 82
#include "two.h"

#include <stdlib.h>
#include <string.h>

enum { N = 64 };

typedef struct Object {
  pthread_mutex_t lock;
  struct Item *data;
  char *text;
  int n;
} Object;
typedef struct Item {
  Object *owner;
  char *name;
} Item;

#define OBJECTS(all)                     \
  static Object all[N];                  \
  static void init_##all(unsigned key) { \
    Object *o = &all[key % N];           \
    pthread_mutex_lock(&o->lock);        \
    o->data = malloc(sizeof *o->data);   \
    o->data->owner = o;                  \
    o->data->name = malloc(8);           \
    o->text = o->data->name;             \
    o->n++;                              \
    pthread_mutex_unlock(&o->lock);      \
  }
#define TWICE(it) \
  it++;           \
  it++

OBJECTS(other)
static void do_other(unsigned key, unsigned from) {
  Object *o = &other[key % N], *p = &other[from % N];
  ATOMIC_BEGIN("other");
  pthread_mutex_lock(&o->lock);
  *o->data = *p->data;
  TWICE(o->data->name[0]);
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
}

/* from a variable that has the address of some object */
OBJECTS(owned)
static Item saved;
static void do_owned(unsigned key, unsigned from) {
  Object *o = &owned[key % N];
  saved.owner = &owned[from % N];
  ATOMIC_BEGIN("owned");
  pthread_mutex_lock(&o->lock);
  memcpy(&o->data->owner, &saved.owner, sizeof saved.owner);
  TWICE(o->data->owner->n);
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
}

/* to the object of the round before */
OBJECTS(round)
static void do_round(void) {
  Item *before = NULL;
  for (int i = 0; i < 3; i++) {
    Object *o = &round[(unsigned)rand() % N];
    ATOMIC_BEGIN("round");
    pthread_mutex_lock(&o->lock);
    if (before) *before = *o->data;
    before = o->data;
    TWICE(o->data->name[0]);
    pthread_mutex_unlock(&o->lock);
    ATOMIC_END();
  }
}

/* more than one object */
OBJECTS(several)
static void do_several(unsigned key, unsigned n) {
  Object *o = &several[key % (N / 2)];
  ATOMIC_BEGIN("several");
  pthread_mutex_lock(&o->lock);
  memmove(&o->text, &o->text + 1, n);
  TWICE(o->text[0]);
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
}

static void work(void) {
  const unsigned k = (unsigned)rand();
  init_other(k);
  init_owned(k);
  init_round(k);
  init_several(k);
  do_other(k, (unsigned)rand());
  do_owned(k, (unsigned)rand());
  do_round();
  do_several(k, (unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
