// Assembler may compute an address that is in its text.
// expect: computed unknown
// gap: 16 accesses memory that is not known
// gap: 17 accesses memory that is not known
#include "two.h"

#include <unistd.h>

int a, b;

static void first(void) {
  int *p = &b;
  if (getpid() % 2) __asm__("lea a(%%rip), %0" : "=r"(p));
  ATOMIC_BEGIN("computed");
  if (p) {
    *p = 1;
    *p = 2;
  }
  ATOMIC_END();
}

static void second(void) { a = 3; }
