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

/* The number of the token, or as many as there are. */
uint32_t foci_find_token(const Foci *foci, const CToken *token);

/* What an operand leads to, all of which is told apart, and not kept by others. */
CIdentity foci_operand(Foci *foci, uint32_t context, const COperand *operand);

/* Does the address that a C_OFFSET computes stay in the element that it comes from, wherever that may be? */
bool foci_stays(const Foci *foci, uint32_t context, const CInstruction *i);

/* The quotient, rounded down. */
static inline int64_t foci_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* ---- bonds.c ---- */

/* Finds bonds of arrays, folds of which are there, with others, which are added. */
void bonds_find(Points *points, CFoldVec *folds, CBondVec *bonds);

/* Tells apart the elements of the arrays of bonds; drops bonds of what is not told apart itself. */
void bonds_mark(Foci *foci);

/* Once all tokens are there: which of them hang on others. */
void bonds_close(Foci *foci);

/* May a token of that array be swept? */
bool bonds_allow_sweep(const Foci *foci, const CObject *o);

#endif
