/* sweep.h: values that go by equal steps, each time that control comes back to the head of a loop, and how far they
 * have come where control leaves it by a comparison with a constant. */
#ifndef FRONTEND_C_SWEEP_H
#define FRONTEND_C_SWEEP_H

#include "frontend/c/points.h"

/* The value of a C_MERGE in a context is `first` where control comes from outside, and `step` more each time it comes
 * back, without wrapping around. It is a number, or the bytes from the beginning of a global array on. */
typedef struct {
  uint32_t context, merge;
  uint32_t global; /* C_NONE: a number */
  int64_t first, step;
} Sweep;

/* Finds it: of a number that goes by 1 or -1, or of an address in a global that goes by that many bytes, or back by
 * them. False: the value is none of those, or not known to be. */
bool sweep_find(Sweep *sweep, const Points *points, uint32_t context, uint32_t merge, uint32_t global, int64_t bytes);

/* Is the value `first` where it becomes operand n of the merge? */
bool sweep_begins(const Sweep *sweep, const Points *points, uint32_t n);

/* Where control goes from one block to another one, is the value known to be *last at least, or at most if it goes
 * back? */
bool sweep_leaves(const Sweep *sweep, const Points *points, uint32_t from, uint32_t to, int64_t *last);

#endif
