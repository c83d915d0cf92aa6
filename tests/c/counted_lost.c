// The same with one number too many, or one question too few.
// expect: holder violated
// expect: met violated
// expect: reader violated
// expect: writer violated
// race: 45 45
// race: 55 65
// race: 70 73
#include "two.h"

#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value = 2, readers, here, generation, a, b, c, d[2];
static bool is_writing;

static void enter(void) { pthread_mutex_lock(&lock); }

static void leave(void) {
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void wait(void) { pthread_cond_wait(&changed, &lock); }

static void meet(void) {
  enter();
  const int before = generation;
  if (++here == 1) {
    here = 0;
    generation++;
  } else {
    while (generation == before) wait();
  }
  leave();
}

static void work(int me) {
  enter();
  while (value <= 0) wait();
  value--;
  leave();
  ATOMIC_BEGIN("holder");
  a++, a++;
  ATOMIC_END();
  enter();
  value++;
  leave();
  enter();
  while (is_writing) wait();
  readers++;
  leave();
  ATOMIC_BEGIN("reader");
  (void)*(volatile int *)&b, (void)*(volatile int *)&c;
  ATOMIC_END();
  enter();
  readers--;
  leave();
  enter();
  while (is_writing) wait();
  is_writing = true;
  leave();
  ATOMIC_BEGIN("writer");
  b++, c++;
  ATOMIC_END();
  enter();
  is_writing = false;
  leave();
  d[me] = 1;
  meet();
  ATOMIC_BEGIN("met");
  (void)*(volatile int *)&d[1 - me], (void)*(volatile int *)&d[me], (void)*(volatile int *)&d[1 - me];
  ATOMIC_END();
}

static void first(void) { work(0); }
static void second(void) { work(1); }
