#include "petri/double_arc.h"

#include <stdlib.h>

static int compare_keys(const void *a, const void *b) {
  const ArcKey *x = a, *y = b;
  if (x->ends != y->ends) return x->ends < y->ends ? -1 : 1;
  return (x->where > y->where) - (x->where < y->where);
}

uint32_t double_arc_find(ArcKey *keys, uint32_t n) {
  uint32_t first = UINT32_MAX;
  if (n) qsort(keys, n, sizeof *keys, compare_keys);
  for (uint32_t i = 1; i < n; i++)
    if (keys[i].ends == keys[i - 1].ends && keys[i].where < first) first = keys[i].where;
  return first;
}
