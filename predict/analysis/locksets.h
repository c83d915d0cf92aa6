/* locksets.h: sets of locks, each kept once, and the locks that a thread holds. */
#ifndef PREDICT_ANALYSIS_LOCKSETS_H
#define PREDICT_ANALYSIS_LOCKSETS_H

#include "base/intern.h"

/* The number of a set. Equal sets have equal numbers. */
typedef struct {
  uint32_t v;
} LockSetId;

#define LOCKSET_EMPTY ((LockSetId){0})

/* Starts with locksets_init: the empty set is there. */
typedef struct {
  Intern sets;         /* ascending numbers of locks */
  VEC(uint64_t) masks; /* per set: a bit for each lock, by its number's last six bits */
  U32Vec scratch;
} LockSets;

/* The empty set is there, as LOCKSET_EMPTY. Memory is the heap's until fini. */
void locksets_init(LockSets *sets, Heap *heap);
void locksets_fini(LockSets *sets);

/* The set with that lock, or without it. */
LockSetId locksets_add(LockSets *sets, LockSetId set, uint32_t lock);
LockSetId locksets_remove(LockSets *sets, LockSetId set, uint32_t lock);
LockSetId locksets_common(LockSets *sets, LockSetId a, LockSetId b);

/* Have the two no lock in common? */
bool locksets_disjoint(const LockSets *sets, LockSetId a, LockSetId b);
/* The locks, ascending; valid as long as the sets. */
const uint32_t *locksets_locks(const LockSets *sets, LockSetId set, uint32_t *n);

/* A lock that a thread holds. */
typedef struct {
  uint32_t lock;
  uint32_t count; /* how often it was acquired and not released; at least 1 */
  uint64_t since; /* the position of the outermost acquire */
  uint32_t location;
  LockSetId up_to; /* the locks of the list up to this one */
} HeldLock;

/* What a thread holds, in the order of the outermost acquires. Starts as {0}. */
typedef VEC(HeldLock) HeldLocks;

/* Both say whether the set of held locks has changed: reentrant acquires are counted, and a lock that is not held is
 * not released. Positions ascend. A release of another lock than the last one breaks the nesting: then *nested becomes
 * false. */
bool locksets_held_acquire(LockSets *sets, HeldLocks *held, uint32_t lock, uint64_t position, uint32_t location);
bool locksets_held_release(LockSets *sets, HeldLocks *held, uint32_t lock, bool *nested);

/* The set of all locks that are held now. */
LockSetId locksets_held_now(const HeldLocks *held);
/* The locks that have been held from before `position` until now. */
LockSetId locksets_held_since(const HeldLocks *held, uint64_t position);

#endif
