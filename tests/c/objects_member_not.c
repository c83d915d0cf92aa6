// Places from which an index may lead to another structure, or that another thread has with another lock.
// expect: beyond violated
// expect: last violated
// expect: nested violated
// expect: other violated
// race: 37 37
// race: 37 38
// race: 38 38
// race: 48 48
// race: 48 49
// race: 49 49
// race: 64 64
// race: 64 65
// race: 65 65
// race: 81 81
// race: 81 82
// race: 82 82
#include "two.h"

#include <stdlib.h>

enum { N = 64, SIZE = 16 };

typedef struct {
  pthread_mutex_t lock;
  int a[SIZE];
  int n;
} Shard;

/* any number of elements further on */
static Shard beyond[N];
static void do_beyond(unsigned key, unsigned i) {
  Shard *s = &beyond[key % N];
  ATOMIC_BEGIN("beyond");
  pthread_mutex_lock(&s->lock);
  int *at = s->a;
  at[i]++;
  at[i]++;
  pthread_mutex_unlock(&s->lock);
  ATOMIC_END();
}

static Shard other[N];
static void do_other(unsigned key, unsigned i) {
  Shard *s = &other[key % N], *o = &other[i % N];
  ATOMIC_BEGIN("other");
  pthread_mutex_lock(&s->lock);
  o->a[i % SIZE]++;
  o->a[i % SIZE]++;
  pthread_mutex_unlock(&s->lock);
  ATOMIC_END();
}

/* may go on behind the structure */
typedef struct {
  pthread_mutex_t lock;
  int a[2];
} Short;
static Short *last;
static void do_last(unsigned key, unsigned i) {
  Short *s = &last[key % (N / 2)];
  ATOMIC_BEGIN("last");
  pthread_mutex_lock(&s->lock);
  s->a[i]++;
  s->a[i]++;
  pthread_mutex_unlock(&s->lock);
  ATOMIC_END();
}

/* an array in an array: which is gone through as one */
typedef struct {
  pthread_mutex_t lock;
  int a[4][4];
  int n;
} Square;
static Square nested[N];
static void do_nested(unsigned key, unsigned i) {
  Square *s = &nested[key % N];
  ATOMIC_BEGIN("nested");
  pthread_mutex_lock(&s->lock);
  s->a[i % 4][i]++;
  s->a[i % 4][i]++;
  pthread_mutex_unlock(&s->lock);
  ATOMIC_END();
}

static void work(void) {
  do_beyond((unsigned)rand(), (unsigned)rand());
  do_other((unsigned)rand(), (unsigned)rand());
  do_last((unsigned)rand(), (unsigned)rand());
  do_nested((unsigned)rand(), (unsigned)rand());
}

__attribute__((constructor)) static void init(void) { last = calloc(N, sizeof *last); }

static void first(void) { work(); }
static void second(void) { work(); }
