#include "base/sort.h"

/* Heapsort: at[i] is not before at[2 * i + 1] and at[2 * i + 2]; what comes last is taken from the top. */
typedef struct {
  uint32_t *at;
  SortCompare *compare;
  const void *context;
} Order;

static int is_before(const Order *o, uint32_t a, uint32_t b) {
  const int order = o->compare(a, b, o->context);
  return order < 0 || (order == 0 && a < b);
}

static void sink(const Order *o, size_t i, size_t n) {
  const uint32_t number = o->at[i];
  for (size_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && is_before(o, o->at[child], o->at[child + 1])) child++;
    if (!is_before(o, number, o->at[child])) break;
    o->at[i] = o->at[child];
  }
  o->at[i] = number;
}

void sort_numbers(uint32_t *at, size_t n, SortCompare *compare, const void *context) {
  const Order o = {at, compare, context};
  for (size_t i = n / 2; i-- > 0;) sink(&o, i, n);
  for (size_t end = n; end-- > 1;) {
    const uint32_t last = at[0];
    at[0] = at[end];
    at[end] = last;
    sink(&o, 0, end);
  }
}
