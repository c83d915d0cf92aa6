// Functions of the library that do not count bytes copy past an element: what hangs in the next ones comes here.
// expect: bytes atomic
// expect: until violated
// expect: words violated
// race: 49 49
// race: 50 50
#include "two.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { N = 64, NAMES = 32 };

typedef struct {
  char *names[NAMES];
} Bag;
typedef struct {
  pthread_mutex_t lock;
  char *name, *more;
  Bag *bag;
} Object;

#define OBJECTS(all, copy)                                 \
  static Object all[N];                                    \
  static void make_##all(unsigned key) {                   \
    Object *o = &all[key % N];                             \
    pthread_mutex_lock(&o->lock);                          \
    if (!o->name) o->name = calloc(8, 1);                  \
    if (!o->more) o->more = calloc(8, 1);                  \
    if (!o->bag) o->bag = calloc(1, sizeof(Bag));          \
    copy;                                                  \
    pthread_mutex_unlock(&o->lock);                        \
  }                                                        \
  static void do_##all(unsigned key, unsigned n) {         \
    Object *o = &all[key % N];                             \
    ATOMIC_BEGIN(#all);                                    \
    pthread_mutex_lock(&o->lock);                          \
    char *name = o->bag ? o->bag->names[n % NAMES] : NULL; \
    if (name) {                                            \
      name[0]++;                                           \
      name[0]++;                                           \
    }                                                      \
    pthread_mutex_unlock(&o->lock);                        \
    ATOMIC_END();                                          \
  }

OBJECTS(bytes, memcpy(o->bag->names, &o->name, 16))
OBJECTS(words, wmemcpy((wchar_t *)o->bag->names, (wchar_t *)&o->name, 24)) /* of 4 bytes */
OBJECTS(until, memccpy(o->bag->names, &o->name, 16, 200))                  /* a byte that is 16, if there is one */

static void work(void) {
  make_bytes((unsigned)rand());
  make_words((unsigned)rand());
  make_until((unsigned)rand());
  do_bytes((unsigned)rand(), (unsigned)rand());
  do_words((unsigned)rand(), (unsigned)rand());
  do_until((unsigned)rand(), (unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
