// Nor of assembler that uses memory.
// expect: add unknown
// gap: 11 assembler
#include "two.h"

static int n;

static void first(void) {
  ATOMIC_BEGIN("add");
  n++;
  __asm__ volatile("incl %0" : "+m"(n));
  ATOMIC_END();
}

static void second(void) {}
