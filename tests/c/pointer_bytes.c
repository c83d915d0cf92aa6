// An address that is copied byte by byte still leads where it led: as a byte of it is followed as it is.
// expect: twice violated
// expect: other atomic
// race: 20 32
// race: 21 32
#include "two.h"

#include <stddef.h>
#include <stdint.h>

static int n, m, *at = &n, *copied;

#ifndef BYTE
#define BYTE(i) ((const unsigned char *)&at)[i]
#define BACK(byte) byte
#endif

static void first(void) {
  ATOMIC_BEGIN("twice");
  n = 1;
  n = 2;
  ATOMIC_END();
  ATOMIC_BEGIN("other");
  m = 1;
  m = 2;
  ATOMIC_END();
}

static void second(void) {
  for (size_t i = 0; i < sizeof at; i++) ((unsigned char *)&copied)[i] = BACK(BYTE(i));
  int *p = copied;
  *p = 3;
}
