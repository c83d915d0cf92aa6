/* foci.h: which of several objects is meant, where they carry locks of their own.
 *
 * Objects that are told apart are those on which locks are taken where it is not known which one it is: made several
 * times, or elements of an array (of which one stands for all, CObject.stride), or one of several that a pointer may
 * lead to. Each has instances. One that there is once has one, a short array as many as it has elements. Of all others
 * there are as many instances as threads, the *foci*, and a rest, of which nothing is done: docs/c.md says why these
 * are enough.
 *
 * A value that leads to such objects leads to one instance, the same one as long as it is not computed anew. So what a
 * thread knows of it is a *token*: a local that is given a value, any one that it may have, where the value is
 * computed, and that all addresses derived from it share. */
#ifndef FRONTEND_C_FOCI_H
#define FRONTEND_C_FOCI_H

#include "frontend/c/loads.h"
#include "frontend/c/order.h"
#include "frontend/c/sweep.h"

/* What leads to one instance: `base`, or the element `shift` elements from `index` on of the array there. A base whose
 * context is C_NONE is an array, of Points.objects, that has no other one's instances. Or whether
 * `base` compares with `index` so, by a CRelation `shift`, which is asked several times. */
typedef struct {
  CSpot base, index;
  int64_t shift;
  bool is_truth;
  U32Vec choices; /* what it may be: 0 none of them, or one of the rest; or an instance. Of a truth value 0 and 1 */
  bool is_swept;  /* it goes over all elements of its array in their order, by `sweep`: it is each instance once */
  Sweep sweep;
  uint32_t object;      /* is_swept: the array, of Points.objects */
  uint32_t bond, by;    /* it is what keeps that of the token `by`, by a number of CBonds.all; or C_NONE */
  uint32_t local, done; /* the emitter's */
} CToken;

/* What an operand leads to. */
typedef enum {
  IDENTITY_KNOWN, /* the instance `n`, or 0: none */
  IDENTITY_TOKEN, /* what the token `n` says */
  IDENTITY_ANY,   /* any one that it may lead to */
  IDENTITY_FRESH  /* memory that hangs nowhere yet: nobody else knows of it */
} CIdentityKind;

typedef struct {
  CIdentityKind kind;
  uint32_t n;
} CIdentity;

/* How a number is computed from another one: C_MIX_ADD and the like, each with a constant. */
enum { C_STEPS = 6, C_OWNED = 4 };

typedef struct {
  uint32_t n;
  struct {
    CMix mix;
    int64_t number;
  } at[C_STEPS]; /* the last one first */
} CSteps;

/* An array that there is once: a global, a local variable or what a call makes, or a part of one, as CObject.kind,
 * CObject.n and CObject.part. */
typedef struct {
  CObjectKind kind;
  uint32_t n, part;
} CArray;

/* What has to do with element x of an array takes the lock in an element of another one, its keeper: the one whose
 * number is computed from x by `steps`. */
typedef struct {
  CArray array, keeper;
  CSteps steps;
  bool is_used;              /* some token hangs on it */
  uint32_t objects[C_OWNED]; /* the emitter's: per instance of the array */
} CBond;

/* Parallel arrays: what has the number x in both is one object that is told apart. */
typedef struct {
  CArray array, first;
} CParallel;

/* Wherever an instruction's value is an address, it is this one; the offset is counted as in CTarget. */
typedef struct {
  uint32_t value;
  CArray array;
  int64_t offset;
} CBase;

/* What is known of arrays before their elements are told apart. */
typedef struct {
  VEC(CBond) all;
  VEC(CParallel) parallel;
  VEC(CBase) bases; /* their values ascend */
} CBonds;

typedef struct Kept Kept; /* kept.h */
typedef struct Same Same; /* same.h */

typedef struct {
  Points *points;
  Heap *heap;
  const COrigins *origins; /* of the points; or NULL */
  CBonds *bonds;
  Kept *kept;           /* NULL: nothing is kept by what hangs in it */
  Same *same;           /* NULL: no value stands for another one */
  uint32_t n_instances; /* they are 1 .. n_instances */
  VEC(CToken) tokens;
  VEC(CToken) asked; /* comparisons that were met */
  bool has_equal;    /* addresses are compared: a token may be 0, too, as NULL is */
  bool are_found;    /* no token is added any more */
} Foci;

/* The arrays of which an element that is not known has a lock, as far as they are found in `points`, those whose
 * elements these are the keepers of, and those that are parallel to them. */
void foci_fold(Points *points, const COrigins *origins, CFoldVec *folds, CBonds *bonds);
void foci_forget(CBonds *bonds, Heap *heap);

/* Sets CObject.instances and its like; the origins (loads.h; or NULL) and the bonds are those that were found, and must
 * live as long. */
void foci_find(Foci *foci, Points *points, const COrigins *origins, CBonds *bonds);
void foci_fini(Foci *foci);

/* Finds the token of operand n of an instruction, which is an address. */
void foci_need(Foci *foci, uint32_t context, uint32_t instruction, uint32_t n);

/* Meets operand n of an instruction, a truth value: it may be one that was met before. */
void foci_need_truth(Foci *foci, uint32_t context, uint32_t instruction, uint32_t n);

/* Finds the tokens that those hang on that are there. */
void foci_close(Foci *foci);

/* What operand n of an instruction leads to, which is an address that is used. */
CIdentity foci_identity(Foci *foci, uint32_t context, const CInstruction *i, uint32_t n);

/* Is operand n of an instruction whether two addresses are equal, which are so if both lead to the same instance, and
 * not if they lead to different ones? *negated: it is true if they are not. */
bool foci_equal(Foci *foci, uint32_t context, uint32_t instruction, uint32_t n, CIdentity *a, CIdentity *b,
                bool *negated);

/* The token that says whether operand n of an instruction is true, or C_NONE. */
uint32_t foci_truth(Foci *foci, uint32_t context, uint32_t instruction, uint32_t n);

/* Sets *choices to what an operand may lead to, as CToken.choices. */
void foci_choices(Foci *foci, uint32_t context, const CInstruction *i, uint32_t n, U32Vec *choices);

/* Does the token get its value by that instruction? */
bool foci_defines(const CToken *token, uint32_t context, uint32_t instruction);

/* What the token becomes where its value becomes operand n of the C_MERGE or C_SELECT that gives it. */
CIdentity foci_merged(Foci *foci, const CToken *token, uint32_t context, uint32_t merge, uint32_t n);

/* Sets *owners to the instances that may keep that one of the array of a bond: the same one in all of a run. */
void foci_owners(const Foci *foci, const CBond *bond, uint32_t instance, U32Vec *owners);

/* The instances of the array of a bond, those of its keeper. */
const CObject *foci_array(const Foci *foci, const CBond *bond);
const CObject *foci_keeper(const Foci *foci, const CBond *bond);

/* Of a token that is swept, the value that is merged by operand n is the first one; it may be none of the instances
 * before all have been. */
bool foci_begins(const Foci *foci, const CToken *token, uint32_t n);
bool foci_may_skip(const Foci *foci, const CToken *token);

/* Where control goes from one block to another one, has the token, which is swept, been all instances? *beyond: then it
 * is none any more. */
bool foci_has_been_all(const Foci *foci, const CToken *token, uint32_t from, uint32_t to, bool *beyond);

#endif
