/* foci_inside.h: what the files of foci share. */
#ifndef FRONTEND_C_FOCI_INSIDE_H
#define FRONTEND_C_FOCI_INSIDE_H

#include "frontend/c/foci.h"

/* Of an array with so few elements each is an instance. With more threads than foci an array of up to MOST_ELEMENTS has
 * no rest, either, as what has one is a gap then. */
enum { FEW_ELEMENTS = 4, MOST_ELEMENTS = 16 };

/* The longest array all elements of which are instances. */
static inline uint64_t foci_most_elements(const Points *p) {
  if (p->threads.n > p->precision->foci) return p->precision->foci > 1 ? MOST_ELEMENTS : FEW_ELEMENTS;
  return p->threads.n > FEW_ELEMENTS ? p->threads.n : FEW_ELEMENTS;
}

/* Adds the object to the arrays. */
void foci_add_fold(Points *points, CFoldVec *folds, uint32_t object);

/* How many elements the array has, if it is there once, and that is known; else 0. */
uint64_t foci_elements(const Points *points, const CObject *o);

/* An index is the value at *context, *index and *shift more, as numbers of the same bits; false if that is not known.
 * If *exact, it is so of any numbers, or *shift is that of nothing. A constant is gone on to if `constants`. */
bool foci_find_index(const Foci *foci, bool constants, uint32_t *context, const COperand **index, int64_t *shift,
                     bool *exact);

/* From a value to the one that it is, in that context or another one, with that many bits at least: a parameter to what
 * was given, a call to what it returns, a load from a local variable to what was stored. True if it went on. */
bool foci_origin(const Foci *foci, uint32_t *context, const COperand **operand, uint64_t bits);

/* May a context be entered again before it is left? Then a value in it may be there several times. */
bool foci_is_entered_again(const Points *points, uint32_t context);

/* The number of the token, or as many as there are. */
uint32_t foci_find_token(const Foci *foci, const CToken *token);

/* What an operand leads to, all of which is told apart, and not kept by others. */
CIdentity foci_operand(Foci *foci, uint32_t context, const COperand *operand);

/* How many bytes a C_OFFSET goes on by, if that is known. */
bool foci_distance(const Foci *foci, uint32_t context, const CInstruction *i, int64_t *bytes);

/* The quotient, rounded down. */
static inline int64_t foci_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* The array of which another one has the instances, or itself. */
static inline const CObject *foci_first(const Foci *f, const CObject *o) {
  return o->parallel ? &f->points->objects.at[o->parallel - 1] : o;
}

/* ---- parallel.c ---- */

/* Finds parallel arrays and bonds of arrays, folds of which are there, with others, which are added. */
void parallel_find(Points *points, const COrigins *origins, CFoldVec *folds, CBonds *bonds);

/* ---- bonds.c ---- */

/* May elements have keepers at all? */
bool bonds_allow(const Points *points);

/* Likewise, those of a bond, of arrays with elements of these lengths? */
bool bonds_may_be(const Points *points, const CBond *bond, uint64_t array_stride, uint64_t keeper_stride);

/* An index that is computed, by steps of which n are no sums, of the value at *context, *index, and *shift more. */
bool bonds_steps(const Foci *foci, uint32_t n, uint32_t *context, const COperand **index, int64_t *shift,
                 CSteps *steps);

/* Tells apart the elements of the arrays of bonds, and of those that are parallel; drops bonds of what is not told
 * apart itself. */
void bonds_mark(Foci *foci);

/* Once all tokens are there: which of them hang on others. */
void bonds_close(Foci *foci);

/* May a token of that array be swept? */
bool bonds_allow_sweep(const Foci *foci, const CObject *o);

#endif
