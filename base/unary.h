/* unary.h: numbers in a formula, to say that a sum is small. A number is a row of literals, one per unit: the i-th
 * literal, from 0, is "more than i". The formula says of them only what makes a number large, never what makes it
 * small: it suffices for asking whether a sum can be less than a bound (O. Bailleux, Y. Boufkhad, "Efficient CNF
 * encoding of Boolean cardinality constraints", CP 2003: the totalizer; its merging tree stands over numbers here, not
 * over single literals). */
#ifndef BASE_UNARY_H
#define BASE_UNARY_H

#include "base/sat.h"
#include "base/vec.h"

/* {0} is the number 0. at[i] implies at[i - 1]. */
typedef VEC(SatLiteral) Unary;

/* The number may be `most`, at least its n, from now on. */
void unary_extend(SatSolver *solver, Heap *heap, Unary *number, uint32_t most);

/* Makes numbers[0] the sum of the n numbers, n > 0, or `bound` where the sum is more; the others become 0. None may be
 * more than `bound`. False, with nothing done, if it would take more than `max_clauses`. */
bool unary_add_up(SatSolver *solver, Heap *heap, Unary *numbers, uint32_t n, uint32_t bound, uint64_t max_clauses);

#endif
