/* atoms.h: the atomic variables of a run: which of them are locks, and which are waited for.
 *
 * A variable is a lock if it is nothing else in the whole run: a compare-exchange or an exchange takes it, which finds
 * the free value and leaves another one, and an atomic store of the same thread gives it back, the free value. What
 * else is done to it changes nothing: it is read, and attempts to take it fail. Stores of the free value while it is
 * free are its setting up. Nothing can be said of values that the raw log does not tell apart (RAW_FAR), save that a
 * held lock may have one.
 *
 * A variable is waited for if a thread has been seen waiting for another value of it (record/atomic.c). Who has seen
 * that comes after all who have changed the variable since the last time. */
#ifndef DISTIL_ATOMS_H
#define DISTIL_ATOMS_H

#include "distil/source.h"

typedef struct Atoms Atoms;

Atoms *atoms_new(Heap *heap);
void atoms_free(Atoms *atoms); /* NULL is allowed */

/* First pass: an atomic operation, or SYNC_AWAITED. */
void atoms_note(Atoms *atoms, const RawEvent *event);

/* What an atomic operation is in the log. */
typedef enum { ATOM_NOTHING, ATOM_ACQUIRE, ATOM_RELEASE, ATOM_ACCESS } AtomRole;

typedef struct {
  AtomRole role;
  bool waits;   /* before the access comes a wait for the variable, */
  bool signals; /* or after it a signal */
} AtomStep;

/* Second pass, each operation again, in the same order. */
AtomStep atoms_step(Atoms *atoms, const RawEvent *event);

#endif
