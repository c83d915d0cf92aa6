// An address that is copied byte by byte still leads where it led, to whatever that is.
// expect: twice unknown
// gap: 20 accesses memory that is not known
#include "two.h"

#include <stddef.h>

static int n, *at = &n, *copied;

static void first(void) {
  ATOMIC_BEGIN("twice");
  n = 1;
  ATOMIC_END();
}

static void second(void) {
  for (size_t i = 0; i < sizeof at; i++) ((char *)&copied)[i] = ((const char *)&at)[i];
  int *p = copied;

  *p = 2;
}
