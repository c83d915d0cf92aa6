/* arrays.h: arrays that there are once in a run, which addresses lead to them, and which of them are parallel.
 *
 * An element is told by its number only where it is known from where it is counted: from a global, or from a value that
 * leads, in all contexts, to one place of one array, as what was allocated once and is loaded from where it was put. */
#ifndef FRONTEND_C_ARRAYS_H
#define FRONTEND_C_ARRAYS_H

#include "frontend/c/foci_inside.h"

/* An element of an array: the value at *index in the context, and `shift` more, is its number. */
typedef struct {
  CArray array;
  uint32_t context;
  uint64_t stride;
  int64_t shift;
  const COperand *index;
} CElement;

static inline bool carray_is_same(CArray a, CArray b) { return a.kind == b.kind && a.n == b.n && a.part == b.part; }

static inline CArray carray_of(const CObject *o) { return (CArray){o->kind, o->n, o->part}; }

/* The number of Points.objects that it is; C_NONE: it is not there, or not known to be there but once. */
uint32_t arrays_object(const Points *points, CArray array);

/* As many elements of that length as it has; 0: that is not known. */
uint64_t arrays_length(const Points *points, CArray array, uint64_t stride);

/* Finds CBonds.bases, before any array is folded. */
void arrays_find_bases(Points *points, CBonds *bonds);

/* Is an operand the address of a place in an array that there is once? The place may be the end of an array that is a
 * part; *array is the one that begins there then. */
bool arrays_base(const Foci *foci, uint32_t context, const COperand *operand, CArray *array, int64_t *offset);

/* Does the instruction go from such a place to an element, by one index? */
bool arrays_element(const Foci *foci, uint32_t context, const CInstruction *i, CElement *element);

/* Does a function of the library take it for something that would not be followed in an element: a semaphore, say? */
bool arrays_is_plain(Points *points, uint32_t object);

#endif
