// Functions that are called as the library's are, and that it does not see.
// expect: copied atomic
// expect: taken atomic
#include "two.h"

#include <string.h>

static char memory[1 << 16];
static size_t used;
static char *text[2];

static void *valloc(size_t size) { /* not called by the library */
  used += (size + 15) & ~15ul;
  return memory + used;
}

static void *calloc(size_t n, size_t size) { return valloc(n * size); }

static void first(void) {
  ATOMIC_BEGIN("copied");
  text[0] = strdup("a");
  text[1] = strdup("b");
  ATOMIC_END();
}

static void second(void) {
  ATOMIC_BEGIN("taken");
  calloc(4, 1);
  calloc(4, 1);
  ATOMIC_END();
}
