// What hangs in an object is copied by a function of the library: within it, or to another one.
// expect: called violated
// expect: within atomic
// race: 53 53
#include "two.h"

#include <stdlib.h>
#include <wchar.h>

enum { N = 64 };

typedef struct Item {
  char *name;
  int value;
} Item;
typedef struct {
  pthread_mutex_t lock;
  Item *data, *more;
} Object;

static void copy(Item *to, Item *from) { wmemcpy((wchar_t *)to, (wchar_t *)from, sizeof *to / sizeof(wchar_t)); }

#define OBJECTS(all, source)                             \
  static Object all[N];                                  \
  static Item *item_##all(void) {                        \
    Item *it = calloc(1, sizeof *it);                    \
    it->name = calloc(8, 1);                             \
    return it;                                           \
  }                                                      \
  static void make_##all(unsigned key, unsigned other) { \
    Object *o = &all[key % N], *p = &all[other % N];     \
    pthread_mutex_lock(&o->lock);                        \
    (void)p;                                             \
    if (!o->data) o->data = item_##all();                \
    if (!o->more) o->more = item_##all();                \
    if (source->more) copy(o->data, source->more);       \
    pthread_mutex_unlock(&o->lock);                      \
  }                                                      \
  static void do_##all(unsigned key) {                   \
    Object *o = &all[key % N];                           \
    ATOMIC_BEGIN(#all);                                  \
    pthread_mutex_lock(&o->lock);                        \
    if (o->data) {                                       \
      char *name = o->data->name;                        \
      name[0]++;                                         \
      name[0]++;                                         \
    }                                                    \
    pthread_mutex_unlock(&o->lock);                      \
    ATOMIC_END();                                        \
  }

OBJECTS(within, o)
OBJECTS(called, p)

static void work(void) {
  make_within((unsigned)rand(), (unsigned)rand());
  make_called((unsigned)rand(), (unsigned)rand());
  do_within((unsigned)rand());
  do_called((unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
