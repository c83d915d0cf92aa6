/* atoms.h: the atomic variables of a run: which of them are locks, and which are waited for.
 *
 * A variable is a lock if it is nothing else in the whole run: a compare-exchange or an exchange takes it, which finds
 * the free value and leaves another one, and an atomic store of the same thread gives it back, the free value. What
 * else is done to it changes nothing: it is read, and attempts to take it fail. Two threads at least have taken it.
 * Stores of the free value while it is free are its setting up. Nothing can be said of values that the raw log does not
 * tell apart (RAW_FAR), save that a held lock may have one.
 *
 * A variable is waited for if a thread has been seen waiting for another value of it (record/atomic.c), or if it
 * belongs to what the C++ library makes of atomic variables (C++20): latches, barriers, semaphores, atomic::wait. Who
 * has seen that comes after all who have changed the variable since the last time. The library's own table of those who
 * wait is left out; who leaves it has waited for what it has read last. */
#ifndef DISTIL_ATOMS_H
#define DISTIL_ATOMS_H

#include "distil/places.h"
#include "distil/source.h"

typedef struct Atoms Atoms;

/* Knows no variable yet; for threads 0 to n_threads - 1. Its memory is the heap's; the places outlive it. */
Atoms *atoms_new(Heap *heap, Places *places, uint32_t n_threads);
void atoms_free(Atoms *atoms); /* NULL is allowed */
/* Before the first pass: the log begins in the middle of the run. What could be a lock, whatever was done to it before,
 * is then nothing in the log: neither a lock nor accessed. */
void atoms_begin_late(Atoms *atoms);

/* First pass: an atomic operation. */
void atoms_note(Atoms *atoms, const RawEvent *event);

/* What an atomic operation is in the log. */
typedef enum { ATOM_NOTHING, ATOM_ACQUIRE, ATOM_RELEASE, ATOM_ACCESS } AtomRole;

typedef struct {
  AtomRole role;
  bool waits;        /* there is a wait for the variable, before the access, */
  bool signals;      /* and a signal, after it */
  uint64_t variable; /* that is waited for: its address */
} AtomStep;

/* Second pass, each operation again, in the same order. */
AtomStep atoms_step(Atoms *atoms, const RawEvent *event);

/* Of a run that is going on, instead of the two passes: is the operation an access? A variable is taken for a lock from
 * when it is first taken, for as long as all that is done to it could be done to one. `now` numbers what happens, from
 * 1; `quiet`: the last time so far at which no transaction was open, or 0. What was before that orders nothing that
 * comes. */
bool atoms_is_access(Atoms *atoms, const RawEvent *event, uint64_t now, uint64_t quiet);
/* Was nothing taken for a lock's that was an access after all, and that could order something? */
bool atoms_are_sure(const Atoms *atoms);
/* Since the time `quiet`, was nothing taken for an access that was a lock's after all? And is the variable at the
 * address no lock, whatever comes? */
bool atoms_are_sound(const Atoms *atoms, uint64_t quiet);
bool atoms_is_no_lock(const Atoms *atoms, uint64_t address);

#endif
