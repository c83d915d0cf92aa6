// What the linker makes of a section, and a function that is chosen when the program is loaded, are not followed.
// expect: section unknown
// expect: chosen unknown
// gap: 11 a constant that is not understood
// gap: 21 begins with a constant that is not understood
// gap: 33 a constant that is not understood
// gap: 33 accesses memory that is not known
#include "two.h"

#include <unistd.h>

static int a __attribute__((section("numbers"), used));
extern int __start_numbers[], __stop_numbers[];
static int b;

static void write_b(void) { b = 3; }
static void nothing(void) {}
__attribute__((used)) static void (*choose(void))(void) { return write_b; }
void chosen(void) __attribute__((ifunc("choose")));

static void (*const functions[])(void) = {chosen, nothing};

static void first(void) {
  ATOMIC_BEGIN("section");
  a = 1, a = 2;
  ATOMIC_END();
  ATOMIC_BEGIN("chosen");
  b = 1, b = 2;
  ATOMIC_END();
}

static void second(void) {
  for (int *p = __start_numbers; p < __stop_numbers; p++) *p = 3; /* one of them is a */
  functions[getpid() % 2]();
}
