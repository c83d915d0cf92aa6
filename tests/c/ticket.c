// Who takes a number and waits until it is served has a lock: with read-modify-writes, or with plain steps.
// expect: all atomic
// expect: inside atomic
// expect: plain atomic
#include "two.h"

#include <sched.h>
#include <stdatomic.h>

typedef struct {
  atomic_uint next, serving;
} Lock;

static Lock lock;
static unsigned number;
static atomic_uint served;
static int a, b, c;

static unsigned take(Lock *l) { return atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed); }

static void wait_for(Lock *l, unsigned mine) {
  while (atomic_load(&l->serving) != mine) sched_yield();
}

static void give_back(Lock *l) { atomic_fetch_add(&l->serving, 1); }

static void both(void) {
  for (int i = 0; i < 100; i++) {
    const unsigned mine = take(&lock);
    wait_for(&lock, mine);
    ATOMIC_BEGIN("inside");
    a++, a++;
    ATOMIC_END();
    give_back(&lock);
    ATOMIC_BEGIN("all");
    wait_for(&lock, take(&lock));
    b++, b++;
    give_back(&lock);
    ATOMIC_END();
    const unsigned other = __sync_fetch_and_add(&number, 1);
    while (atomic_load(&served) != other) {}
    ATOMIC_BEGIN("plain");
    c++, c++;
    ATOMIC_END();
    atomic_store(&served, atomic_load(&served) + 1);
  }
}

static void first(void) { both(); }
static void second(void) { both(); }
