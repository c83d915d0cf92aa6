// The address of an element was computed before another lock was taken.
// expect: changed violated
// expect: loaded violated
// expect: moved violated
// expect: round violated
// race: 33 33
// race: 44 44
// race: 54 60
// race: 56 60
// race: 57 57
// race: 60 60
// race: 71 71
#include "two.h"

#include <stdlib.h>

enum { N = 64 };

typedef struct {
  pthread_mutex_t lock;
  int n;
} Slot;

#define TWICE(s) \
  (s)->n++;      \
  (s)->n++

static Slot moved[N];
static void do_moved(unsigned k) {
  Slot *s = &moved[k % N];
  ATOMIC_BEGIN("moved");
  pthread_mutex_lock(&moved[(k + 1) % N].lock);
  TWICE(s);
  pthread_mutex_unlock(&moved[(k + 1) % N].lock);
  ATOMIC_END();
}

static Slot changed[N];
static void do_changed(unsigned k) {
  Slot *s = &changed[k % N];
  for (int i = 0; i < 3; i++) {
    ATOMIC_BEGIN("changed");
    pthread_mutex_lock(&changed[k % N].lock);
    TWICE(s);
    pthread_mutex_unlock(&changed[k % N].lock);
    ATOMIC_END();
    k += (unsigned)rand();
  }
}

static Slot loaded[N];
static unsigned key;
static void do_loaded(void) {
  Slot *s = &loaded[key % N];
  ATOMIC_BEGIN("loaded");
  pthread_mutex_lock(&loaded[key % N].lock);
  TWICE(s);
  pthread_mutex_unlock(&s->lock);
  ATOMIC_END();
  key = (unsigned)rand();
}

/* the one of the round before */
static Slot round[N];
static void do_round(void) {
  Slot *s = NULL;
  for (int i = 0; i < 3; i++) {
    const unsigned k = (unsigned)rand();
    ATOMIC_BEGIN("round");
    pthread_mutex_lock(&round[k % N].lock);
    if (s) { TWICE(s); }
    pthread_mutex_unlock(&round[k % N].lock);
    ATOMIC_END();
    s = &round[k % N];
  }
}

static void work(void) {
  do_moved((unsigned)rand());
  do_changed((unsigned)rand());
  do_loaded();
  do_round();
}

static void first(void) { work(); }
static void second(void) { work(); }
