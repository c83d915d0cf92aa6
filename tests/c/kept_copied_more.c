// What hangs in an object is copied to the one of the round before, or from the next one.
// expect: round violated
// expect: several violated
// race: 51 51
// race: 51 58
// race: 51 60
// race: 58 58
// race: 58 60
// race: 60 60
// race: 67 67
// race: 67 71
// race: 67 79
// race: 71 71
// race: 71 78
// race: 79 79
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
static void slide(unsigned key, unsigned n) {
  Object *o = &several[key % (N / 2)];
  pthread_mutex_lock(&o->lock);
  memmove(&o->text, &o->text + 1, n);
  pthread_mutex_unlock(&o->lock);
}
static void do_several(unsigned key) {
  Object *o = &several[key % N];
  ATOMIC_BEGIN("several");
  pthread_mutex_lock(&o->lock);
  char *text = o->text;
  TWICE(text[0]);
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
}

static void work(void) {
  const unsigned k = (unsigned)rand();
  init_round(k);
  init_several(k);
  do_round();
  slide(k, (unsigned)rand());
  do_several(k);
}

static void first(void) { work(); }
static void second(void) { work(); }
