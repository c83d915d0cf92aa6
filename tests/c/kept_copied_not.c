// What hangs in an object is copied to another one, or comes from a variable.
// expect: other violated
// expect: owned violated
// race: 45 50
// race: 50 50
// race: 51 51
// race: 57 65
// race: 61 61
// race: 61 64
// race: 65 65
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

static void work(void) {
  const unsigned k = (unsigned)rand();
  init_other(k);
  init_owned(k);
  do_other(k, (unsigned)rand());
  do_owned(k, (unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
