/* same.h: numbers that are computed twice, as in `lock(&locks[hash(k) % N]); heads[hash(k) % N] = n;`.
 *
 * Two values are the same number if both are computed in the same way, of the same values or numbers that are known. Of
 * those that are always computed in one order, the first one stands for all: whenever another one is computed, it has
 * been computed, of what that is computed of. docs/c.md says why. */
#ifndef FRONTEND_C_SAME_H
#define FRONTEND_C_SAME_H

#include "frontend/c/foci_inside.h"

/* An index of elements of an array, of Points.objects; C_NONE: of whatever array. */
typedef struct {
  CSpot value, first; /* `first` stands for it */
  uint32_t array;
  bool is_own;   /* an element of the array is accessed by it, not one of its keeper */
  bool is_taken; /* a lock is taken there: it stands for itself, so that tokens do not live for longer than they must */
} CIndex;

/* Where something is accessed by the address of an element, which an instruction computes. */
typedef struct {
  CSpot address, place;
} CUse;

struct Same {
  const Foci *foci;
  Dominators dominators;
  VEC(CIndex) indices;
  VEC(CSpot) taken; /* the addresses of elements where locks are taken */
  VEC(CUse) uses;   /* of addresses of elements, where something is accessed by them */
};

/* Finds the indices of elements, and which of them are the same; sets Foci.same. Those of one array, or of such as have
 * its instances, are compared with each other, and with what they keep; if `all`, those of all arrays. */
void same_find(Foci *foci, bool all);
void same_fini(Foci *foci);

/* The index that stands for that one, of that array, or C_NONE; itself, if there is none, or same_find was not called.
 */
CSpot same_first(const Foci *foci, uint32_t array, CSpot value);

#endif
