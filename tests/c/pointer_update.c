// What is added to an address in memory, by one event, leads elsewhere in its object; what is exchanged does not.
// expect: added violated
// expect: counted violated
// expect: marked violated
// expect: taken violated
// expect: exchanged atomic
// race: 27 60
// race: 29 60
// race: 36 60
// race: 43 60
// race: 49 63
#include "two.h"

#include <stdatomic.h>
#include <stdint.h>

static int a[4], b[4], c[4], d[4], e[4], f[4];
static int *_Atomic added = a;
static atomic_intptr_t counted;
static atomic_uintptr_t marked;
static _Atomic(char *) pool;
static int *_Atomic exchanged = e;

static void first(void) {
  ATOMIC_BEGIN("added");
  int *p = atomic_fetch_add(&added, 1);
  *p = 1;
  p = atomic_load(&added); /* &a[1] */
  *p = 2, *p = 3;
  ATOMIC_END();

  atomic_store(&counted, (intptr_t)&b[3]);
  atomic_fetch_sub(&counted, (intptr_t)sizeof *b);
  p = (int *)atomic_fetch_sub(&counted, (intptr_t)sizeof *b);
  ATOMIC_BEGIN("counted");
  *p = 2, *p = 3; /* b[2] */
  ATOMIC_END();

  atomic_store(&marked, (uintptr_t)&c[0]);
  atomic_fetch_or(&marked, 1);
  p = (int *)(atomic_fetch_xor(&marked, 1) & ~(uintptr_t)1);
  ATOMIC_BEGIN("marked");
  *p = 2, *p = 3; /* c[0] */
  ATOMIC_END();

  p = (int *)(void *)atomic_fetch_add(&pool, sizeof *p);
  if (p) {
    ATOMIC_BEGIN("taken");
    *p = 2, *p = 3; /* d[1] */
    ATOMIC_END();
  }

  p = atomic_exchange(&exchanged, f);
  ATOMIC_BEGIN("exchanged");
  *p = 2, *p = 3; /* e[0] or f[0] */
  ATOMIC_END();
}

static void second(void) {
  a[1] = b[2] = c[0] = 4;
  atomic_store(&pool, (char *)d);
  int *p = (int *)(void *)atomic_fetch_add(&pool, sizeof *p);
  d[1] = 4;
  e[1] = f[1] = 4;
  p = atomic_exchange(&exchanged, e);
}
