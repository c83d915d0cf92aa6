// Rows of a matrix that is one array.
// expect: multiply atomic
#include "any.h"

#ifndef ROW
#define ROW(i, j) ((i)*m + (j))
#endif

static void work(int me, int all) {
  const int m = size, chunk = m / all, from = me * chunk, to = me == all - 1 ? m : from + chunk;
  ATOMIC_BEGIN("multiply");
  for (int i = from; i < to; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < m; k++) sum += other[i * m + k] * other[k * m + j];
      data[ROW(i, j)] = sum;
      data[ROW(i, j)] += 1;
    }
  ATOMIC_END();
}
