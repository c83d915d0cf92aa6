#include "base/unary.h"

#include <assert.h>

void unary_extend(SatSolver *solver, Heap *heap, Unary *number, uint32_t most) {
  while (number->n < most) {
    const SatLiteral more = sat_add_variable(solver);
    if (number->n) sat_add_2(solver, sat_not(more), vec_last(number));
    vec_push(heap, number, more);
  }
}

/* At least i of a and at least j of b are at least i + j of the sum. */
static void add_row(SatSolver *solver, const Unary *a, uint32_t i, const Unary *b, const Unary *sum) {
  for (uint32_t j = i == 0; j <= b->n && i + j <= sum->n; j++) {
    if (i) sat_push(solver, sat_not(a->at[i - 1]));
    if (j) sat_push(solver, sat_not(b->at[j - 1]));
    sat_add_1(solver, sum->at[i + j - 1]);
  }
}

/* Adds b to a, and makes b 0. */
static void add(SatSolver *solver, Heap *heap, Unary *a, Unary *b, uint32_t bound) {
  Unary sum = {0};
  unary_extend(solver, heap, &sum, bound - a->n < b->n ? bound : a->n + b->n);
  for (uint32_t i = 0; i <= a->n; i++) add_row(solver, a, i, b, &sum);
  vec_fini(heap, a);
  vec_fini(heap, b);
  *a = sum;
}

/* In rounds: neighbours, then sums of two, of four... */
bool unary_add_up(SatSolver *solver, Heap *heap, Unary *numbers, uint32_t n, uint32_t bound, uint64_t max_clauses) {
  for (uint64_t step = 1; step < n; step *= 2)
    for (uint64_t i = 0; i + step < n; i += 2 * step) {
      Unary *a = &numbers[i], *b = &numbers[i + step];
      const uint64_t clauses = ((uint64_t)a->n + 1) * ((uint64_t)b->n + 1);
      assert(a->n <= bound && b->n <= bound);
      if (b->n == 0) continue;
      if (clauses > max_clauses) return false;
      max_clauses -= clauses;
      add(solver, heap, a, b, bound);
    }
  return true;
}
