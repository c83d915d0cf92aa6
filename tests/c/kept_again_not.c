// What is made longer hangs in another object, or in a variable.
// expect: global violated
// expect: local violated
// expect: other violated
// expect: owned violated
// race: 43 43
// race: 46 46
// race: 48 49
// race: 49 49
// race: 57 57
#include "two.h"

#include <stdlib.h>

enum { N = 64 };

typedef struct Object {
  pthread_mutex_t lock;
  struct Item *data;
  int n;
} Object;
typedef struct Item {
  Object *owner;
  int value;
} Item;

#define BLOCK(name, more, use)                      \
  static Object name[N];                            \
  static void do_##name(unsigned key, unsigned i) { \
    Object *o = &name[key % N], *p = &name[i % N];  \
    (void)p;                                        \
    ATOMIC_BEGIN(#name);                            \
    pthread_mutex_lock(&o->lock);                   \
    more;                                           \
    if (o->data) {                                  \
      use++;                                        \
      use++;                                        \
    }                                               \
    pthread_mutex_unlock(&o->lock);                 \
    ATOMIC_END();                                   \
  }

BLOCK(other, o->data = realloc(p->data, sizeof(Item) * (i + 1)), o->data->value)

static Item *all;
BLOCK(global, all = realloc(o->data, sizeof(Item) * (i + 1)); o->data = all, o->data->value)

static void grow(Item **data, unsigned n) { *data = realloc(*data, sizeof(Item) * (n + 1)); }
BLOCK(local, Item *data = p->data; grow(&data, i); o->data = data, o->data->value)

/* the address of another object is moved with it */
static Item *new_item(Object *o) {
  Item *it = malloc(sizeof *it);
  it->owner = o;
  return it;
}
BLOCK(owned, Item *it = new_item(p); o->data = realloc(it, 2 * sizeof *it), o->data->owner->n)

static void work(void) {
  do_other((unsigned)rand(), (unsigned)rand());
  do_global((unsigned)rand(), (unsigned)rand());
  do_local((unsigned)rand(), (unsigned)rand());
  do_owned((unsigned)rand(), (unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
