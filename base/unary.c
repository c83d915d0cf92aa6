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
  if (b->n == 0) return;
  assert(a->n <= bound && b->n <= bound);
  unary_extend(solver, heap, &sum, bound - a->n < b->n ? bound : a->n + b->n);
  for (uint32_t i = 0; i <= a->n; i++) add_row(solver, a, i, b, &sum);
  vec_fini(heap, a);
  vec_fini(heap, b);
  *a = sum;
}

/* The clauses for the sum of n numbers of these sizes, or a little more. The sizes are lost. */
static uint64_t clauses_of_sum(uint32_t *sizes, uint32_t n, uint32_t bound) {
  uint64_t clauses = 0;
  for (uint64_t step = 1; step < n; step *= 2)
    for (uint64_t i = 0; i + step < n; i += 2 * step) {
      const uint64_t a = sizes[i], b = sizes[i + step];
      clauses += (a + 1) * (b + 1);
      sizes[i] = a + b < bound ? (uint32_t)(a + b) : bound;
    }
  return clauses;
}

static bool is_short(Heap *heap, const Unary *numbers, uint32_t n, uint32_t bound, uint64_t max_clauses) {
  uint32_t *sizes = heap_alloc(heap, heap_product(heap, n, sizeof *sizes));
  for (uint32_t i = 0; i < n; i++) sizes[i] = numbers[i].n;
  const bool fits = clauses_of_sum(sizes, n, bound) <= max_clauses;
  heap_release(heap, sizes);
  return fits;
}

/* In rounds: sums of neighbours, then of neighbouring sums. */
bool unary_add_up(SatSolver *solver, Heap *heap, Unary *numbers, uint32_t n, uint32_t bound, uint64_t max_clauses) {
  if (!is_short(heap, numbers, n, bound, max_clauses)) return false;
  for (uint64_t step = 1; step < n; step *= 2)
    for (uint64_t i = 0; i + step < n; i += 2 * step) add(solver, heap, &numbers[i], &numbers[i + step], bound);
  return true;
}
