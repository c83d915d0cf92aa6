// Planes of a grid of three dimensions that is one array.
// expect: fill atomic
#define BETWEEN rows = atoi(argv[1]), columns = atoi(argv[2])
static int rows, columns;

#include "any.h"

#ifndef LAST
#define LAST (rows - 1)
#endif

static void work(int me, int all) {
  const int planes = size / all, from = me * planes, to = me == all - 1 ? size : from + planes;
  ATOMIC_BEGIN("fill");
  for (int z = from; z < to; z++)
    for (int y = 0; y <= LAST; y++)
      for (int x = 0; x < columns; x++) data[(z * rows + y) * columns + x] += 1;
  ATOMIC_END();
}
