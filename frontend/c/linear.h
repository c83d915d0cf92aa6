/* linear.h: linear sums of unknown integers, and whether conditions on them can be met.
 *
 * Conditions are "a sum is at least 0" and "a sum is 0". That they contradict each other is shown by Gauss' and by
 * Fourier's and Motzkin's elimination (A. Schrijver, "Theory of Linear and Integer Programming", 1986, 12.2), in which
 * each condition is rounded to what integers can do. What is not shown within the limits may be so or not: each step
 * follows from what was there, and what becomes too large is left out. */
#ifndef FRONTEND_C_LINEAR_H
#define FRONTEND_C_LINEAR_H

#include "base/vec.h"

#include <stdbool.h>

/* The most unknowns of a sum, and of all; the most conditions at a time. */
enum { LINEAR_TERMS = 12, LINEAR_UNKNOWNS = 256, LINEAR_ROWS = 160 };

/* The unknown that may stand for the bound of a word. */
enum { LINEAR_WORD = 0 };

/* An unknown, times a factor that is not 0. */
typedef struct {
  uint32_t unknown;
  int64_t factor;
} LinearTerm;

/* Unused terms have no meaning; the others ascend by unknown. */
typedef struct {
  int64_t constant;
  uint32_t n;
  LinearTerm terms[LINEAR_TERMS];
} LinearSum;

typedef VEC(LinearSum) LinearRows;

static inline LinearSum linear_constant(int64_t number) { return (LinearSum){.constant = number}; }
static inline LinearSum linear_unknown(uint32_t unknown) { return (LinearSum){.n = 1, .terms = {{unknown, 1}}}; }

/* Adds `factor` times another sum. False: it would be too large; then the sum is as it was. */
bool linear_add(LinearSum *sum, const LinearSum *other, int64_t factor);

/* A number that divides all of the sum, the greatest one unless it is too large; 0: it is 0. */
int64_t linear_divisor(const LinearSum *sum);

/* Are they the same sum? */
bool linear_is_same(const LinearSum *a, const LinearSum *b);

/* Says the same sum without an unknown of another one, which is 0, if that can be. */
void linear_reduce(LinearSum *sum, const LinearSum *zero);

/* What was asked lately, with the answers: the same system is often asked about again. */
typedef struct LinearAsked LinearAsked;

typedef struct {
  Heap *heap;
  LinearAsked *asked;
  VEC(int64_t) words; /* of the system that is asked about */
} LinearMemo;

void linear_memo_init(LinearMemo *memo, Heap *heap);
void linear_memo_fini(LinearMemo *memo);

/* Is it shown that no integers make all of `least` at least 0 and all of `zero` 0? !all: without those of `least` that
 * have LINEAR_WORD in them, or what is as large. */
bool linear_is_impossible(LinearMemo *memo, const LinearRows *least, const LinearRows *zero, bool all);

#endif
