// Assembler outside of functions may give a variable another name.
// expect: named unknown
#include "two.h"

int a;
extern int other;
__asm__(".globl other\n.set other, a");

static void first(void) {
  ATOMIC_BEGIN("named");
  a = 1, a = 2;
  ATOMIC_END();
}

static void second(void) { other = 3; }
