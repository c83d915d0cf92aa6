// The number is computed of another one, in another way, or of what may have changed.
// expect: argument violated
// expect: assembler violated
// expect: before violated
// expect: branch violated
// expect: changed violated
// expect: global violated
// expect: random violated
// expect: way violated
// race: 29 29
// race: 30 30
// race: 33 72
// race: 72 72
#include "two.h"

#include <stdlib.h>

enum { N = 64 };

typedef struct {
  pthread_mutex_t lock;
  int a, b;
} Pair;

static Pair pairs[N];
static unsigned seed;

static void use(unsigned i) {
  pairs[i].a++;
  pairs[i].b--;
}

static unsigned with_seed(unsigned key) { return (key + seed) % N; }
static unsigned with_random(unsigned key) { return (key + (unsigned)rand()) % N; }

static unsigned with_clock(unsigned key) {
  unsigned now;
  __asm__ volatile("rdtsc; mov %%eax, %0" : "=r"(now) : : "eax", "edx");
  return (key + now) % N;
}

static void do_argument(unsigned key, unsigned other) {
  ATOMIC_BEGIN("argument");
  pthread_mutex_lock(&pairs[key % N].lock);
  use(other % N);
  pthread_mutex_unlock(&pairs[key % N].lock);
  ATOMIC_END();
}

static void do_way(unsigned key) {
  ATOMIC_BEGIN("way");
  pthread_mutex_lock(&pairs[key % N].lock);
  use(key / N % N);
  pthread_mutex_unlock(&pairs[key % N].lock);
  ATOMIC_END();
}

static void do_changed(unsigned key) {
  ATOMIC_BEGIN("changed");
  Pair *p = &pairs[key % N];
  pthread_mutex_lock(&p->lock);
  key++;
  use(key % N);
  pthread_mutex_unlock(&p->lock);
  ATOMIC_END();
}

static void do_global(unsigned key) {
  ATOMIC_BEGIN("global");
  Pair *p = &pairs[with_seed(key)];
  pthread_mutex_lock(&p->lock);
  seed += (unsigned)rand();
  use(with_seed(key));
  pthread_mutex_unlock(&p->lock);
  ATOMIC_END();
}

static void do_random(unsigned key) {
  ATOMIC_BEGIN("random");
  Pair *p = &pairs[with_random(key)];
  pthread_mutex_lock(&p->lock);
  use(with_random(key));
  pthread_mutex_unlock(&p->lock);
  ATOMIC_END();
}

static void do_assembler(unsigned key) {
  ATOMIC_BEGIN("assembler");
  Pair *p = &pairs[with_clock(key)];
  pthread_mutex_lock(&p->lock);
  use(with_clock(key));
  pthread_mutex_unlock(&p->lock);
  ATOMIC_END();
}

/* The one of the round before. */
static void do_before(void) {
  unsigned last = (unsigned)rand() % N;
  for (int i = 0; i < 3; i++) {
    const unsigned key = (unsigned)rand();
    ATOMIC_BEGIN("before");
    pthread_mutex_lock(&pairs[key % N].lock);
    use(last);
    last = key % N;
    pthread_mutex_unlock(&pairs[key % N].lock);
    ATOMIC_END();
  }
}

/* Only one of two has been computed. */
static void do_branch(unsigned key, unsigned other) {
  ATOMIC_BEGIN("branch");
  Pair *p = key > 7 ? &pairs[key % N] : &pairs[other % N];
  pthread_mutex_lock(&p->lock);
  use(key % N);
  pthread_mutex_unlock(&p->lock);
  ATOMIC_END();
}

static void work(void) {
  do_argument((unsigned)rand(), (unsigned)rand());
  do_way((unsigned)rand());
  do_changed((unsigned)rand());
  do_global((unsigned)rand());
  do_random((unsigned)rand());
  do_assembler((unsigned)rand());
  do_before();
  do_branch((unsigned)rand(), (unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
