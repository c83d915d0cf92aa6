// A call through a pointer runs each function that the pointer may lead to.
// expect: call violated
// expect: other atomic
// race: 11 24
#include "two.h"

#include <stdlib.h>

static int n, m;

static void add_n(void) { n++; }
static void add_m(void) { m++; }
static void (*const functions[2])(void) = {add_n, add_m};

static void first(void) {
  ATOMIC_BEGIN("call");
  functions[rand() % 2]();
  ATOMIC_END();
  ATOMIC_BEGIN("other");
  m++;
  ATOMIC_END();
}

static void second(void) { n = 1; }
