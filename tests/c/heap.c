// What is allocated once is one object; what is allocated in a loop stands for several.
// expect: mine atomic
// expect: ours violated
// race: 21 31
// race: 23 31
// race: 24 31
#include "two.h"

#include <stdlib.h>

static int *shared;

static void first(void) {
  int *own = malloc(sizeof *own);
  ATOMIC_BEGIN("mine");
  *own = 1;
  *own = 2;
  ATOMIC_END();
  for (int i = 0; i < 3; i++) {
    int *next = malloc(sizeof *next);
    if (i == 1) shared = next;
    ATOMIC_BEGIN("ours");
    *next = 1;
    *next = 2;
    ATOMIC_END();
  }
  free(own);
}

static void second(void) {
  if (shared) *shared = 3;
}
