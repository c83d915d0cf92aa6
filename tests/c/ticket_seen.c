// To take a number is an event where somebody does something before it is served, or looks at the next one.
// expect: looked violated
// expect: seen violated
// race: 21 33
// race: 21 36
// race: 26 36
#include "two.h"

#include <stdatomic.h>

static atomic_uint next, served, next_other, served_other;
static int a, b;

static void wait_for(atomic_uint *serving, unsigned mine) {
  while (atomic_load(serving) != mine) {}
}

static void first(void) {
  ATOMIC_BEGIN("seen");
  wait_for(&served, atomic_fetch_add(&next, 1));
  b = a;
  ATOMIC_END();
  atomic_fetch_add(&served, 1);
  ATOMIC_BEGIN("looked");
  wait_for(&served_other, atomic_fetch_add(&next_other, 1));
  b++;
  ATOMIC_END();
  atomic_fetch_add(&served_other, 1);
}

static void second(void) {
  const unsigned mine = atomic_fetch_add(&next, 1);
  a = 1;
  wait_for(&served, mine);
  atomic_fetch_add(&served, 1);
  if (atomic_load(&next_other)) b = 1;
  wait_for(&served_other, atomic_fetch_add(&next_other, 1));
  atomic_fetch_add(&served_other, 1);
}
