// What may write a constant or a variable writes the variable: so the constant leads where it led.
// expect: twice atomic
// expect: once atomic
#include "two.h"

#include <stdlib.h>

#ifndef CONSTANT
#define CONSTANT const
#endif

static int n, m, *CONSTANT table[1] = {&n}, *others[1];

static void first(void) {
  ATOMIC_BEGIN("twice");
  m = 1;
  m = 2;
  ATOMIC_END();
}

static void set(int **where, int *what) { *where = what; }

static void second(void) {
  set(rand() % 2 ? (int **)table : others, &m);
  int *p = table[0];
  ATOMIC_BEGIN("once");
  *p = 3;
  ATOMIC_END();
}
