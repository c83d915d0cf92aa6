// The number is computed of another one, in another way, or of what may have changed.
// expect: argument violated
// expect: assembler violated
// expect: before violated
// expect: branch violated
// expect: changed violated
// expect: constant violated
// expect: global violated
// expect: random violated
// expect: way violated
// race: 56 56
// race: 57 57
// race: 65 65
// race: 66 66
// race: 74 74
// race: 75 75
// race: 85 85
// race: 86 86
// race: 96 96
// race: 97 97
// race: 106 106
// race: 107 107
// race: 116 116
// race: 117 117
// race: 129 129
// race: 130 130
// race: 142 142
// race: 143 143
#include "two.h"

#include <stdlib.h>

enum { N = 64 };

typedef struct {
  pthread_mutex_t lock;
  int a, b;
} Pair;

static Pair arguments[N], assembled[N], before[N], branches[N], changed[N], constants[N], globals[N], randoms[N],
    ways[N];
static _Thread_local unsigned seed;

static unsigned with_seed(unsigned key) { return (key + seed) % N; }
static unsigned with_random(unsigned key) { return (key + (unsigned)rand()) % N; }

static unsigned with_clock(unsigned key) {
  unsigned now;
  __asm__ volatile("rdtsc; mov %%eax, %0" : "=r"(now) : : "eax", "edx");
  return (key + now) % N;
}

static void do_argument(unsigned key, unsigned other) {
  ATOMIC_BEGIN("argument");
  pthread_mutex_lock(&arguments[key % N].lock);
  arguments[other % N].a++;
  arguments[other % N].b--;
  pthread_mutex_unlock(&arguments[key % N].lock);
  ATOMIC_END();
}

static void do_way(unsigned key) {
  ATOMIC_BEGIN("way");
  pthread_mutex_lock(&ways[key % 8].lock);
  ways[key / 8].a++;
  ways[key / 8].b--;
  pthread_mutex_unlock(&ways[key % 8].lock);
  ATOMIC_END();
}

static void do_constant(unsigned key) {
  ATOMIC_BEGIN("constant");
  pthread_mutex_lock(&constants[key % N].lock);
  constants[key % (N - 1)].a++;
  constants[key % (N - 1)].b--;
  pthread_mutex_unlock(&constants[key % N].lock);
  ATOMIC_END();
}

static void do_changed(unsigned key) {
  ATOMIC_BEGIN("changed");
  Pair *p = &changed[key % N];
  pthread_mutex_lock(&p->lock);
  key++;
  changed[key % N].a++;
  changed[key % N].b--;
  pthread_mutex_unlock(&p->lock);
  ATOMIC_END();
}

static void do_global(unsigned key) {
  ATOMIC_BEGIN("global");
  Pair *p = &globals[with_seed(key)];
  pthread_mutex_lock(&p->lock);
  seed += (unsigned)rand();
  globals[with_seed(key)].a++;
  globals[with_seed(key)].b--;
  pthread_mutex_unlock(&p->lock);
  ATOMIC_END();
}

static void do_random(unsigned key) {
  ATOMIC_BEGIN("random");
  Pair *p = &randoms[with_random(key)];
  pthread_mutex_lock(&p->lock);
  randoms[with_random(key)].a++;
  randoms[with_random(key)].b--;
  pthread_mutex_unlock(&p->lock);
  ATOMIC_END();
}

static void do_assembler(unsigned key) {
  ATOMIC_BEGIN("assembler");
  Pair *p = &assembled[with_clock(key)];
  pthread_mutex_lock(&p->lock);
  assembled[with_clock(key)].a++;
  assembled[with_clock(key)].b--;
  pthread_mutex_unlock(&p->lock);
  ATOMIC_END();
}

/* The one of the round before. */
static void do_before(void) {
  unsigned last = (unsigned)rand() % N;
  for (int i = 0; i < 3; i++) {
    const unsigned key = (unsigned)rand();
    ATOMIC_BEGIN("before");
    pthread_mutex_lock(&before[key % N].lock);
    before[last].a++;
    before[last].b--;
    last = key % N;
    pthread_mutex_unlock(&before[key % N].lock);
    ATOMIC_END();
  }
}

/* Only one of two has been computed. */
static void do_branch(unsigned key, unsigned other) {
  ATOMIC_BEGIN("branch");
  Pair *p = key > 7 ? &branches[key % N] : &branches[other % N];
  pthread_mutex_lock(&p->lock);
  branches[key % N].a++;
  branches[key % N].b--;
  pthread_mutex_unlock(&p->lock);
  ATOMIC_END();
}

static void work(void) {
  do_argument((unsigned)rand(), (unsigned)rand());
  do_way((unsigned)rand() % N);
  do_constant((unsigned)rand());
  do_changed((unsigned)rand());
  do_global((unsigned)rand());
  do_random((unsigned)rand());
  do_assembler((unsigned)rand());
  do_before();
  do_branch((unsigned)rand(), (unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
