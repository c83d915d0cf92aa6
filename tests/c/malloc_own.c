// A program has its own malloc, which strdup calls: so what that does is not all that may be done to its memory.
// expect: copied unknown
// expect: taken unknown
// gap: 13 defines 'malloc', which functions of the library call, too
#include "two.h"

#include <string.h>

static char memory[1 << 16];
static size_t used;
static char *text[2];

void *malloc(size_t size) {
  used += (size + 15) & ~15ul;
  return memory + used;
}

static void first(void) {
  ATOMIC_BEGIN("copied");
  text[0] = strdup("a");
  text[1] = strdup("b");
  ATOMIC_END();
}

static void second(void) {
  ATOMIC_BEGIN("taken");
  malloc(4);
  malloc(4);
  ATOMIC_END();
}
