/* same.h: numbers that are computed twice, as in `lock(&locks[hash(k) % N]); heads[hash(k) % N] = n;`.
 *
 * Two values are the same number if both are computed in the same way, of the same values or numbers that are known. Of
 * those that are always computed in one order, the first one stands for all: whenever another one is computed, it has
 * been computed, of what that is computed of. docs/c.md says why. */
#ifndef FRONTEND_C_SAME_H
#define FRONTEND_C_SAME_H

#include "frontend/c/foci_inside.h"

struct Same {
  const Foci *foci;
  Dominators dominators;
  VEC(CSpot) spots;  /* the indices */
  VEC(CSpot) firsts; /* of each of them */
};

/* Finds the indices of elements, and which of them are the same; sets Foci.same. */
void same_find(Foci *foci);
void same_fini(Foci *foci);

/* The value that stands for that one; itself, if there is none, or same_find was not called. */
CSpot same_first(const Foci *foci, CSpot value);

#endif
