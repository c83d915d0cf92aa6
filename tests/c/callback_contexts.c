// A function that the library calls back, called in so many contexts that their table grows there.
// expect: sort atomic
#include "two.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void sort(int *numbers) { qsort(numbers, 4, sizeof *numbers, by_number); }

static void first(void) {
  int a[4] = {4, 2, 3, 1};
  ATOMIC_BEGIN("sort");
  sort(a);
  sort(a);
  sort(a);
  sort(a);
  sort(a);
  sort(a);
  sort(a);
  sort(a);
  sort(a);
  sort(a);
  ATOMIC_END();
}

static void second(void) { first(); }
