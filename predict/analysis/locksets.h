/* locksets.h: sets of locks, each kept once, and the locks that a thread holds.
 *
 * A lock is held alone, or with others who share it. In sets it has one number for each: 2 * lock, and 2 * lock + 1. */
#ifndef PREDICT_ANALYSIS_LOCKSETS_H
#define PREDICT_ANALYSIS_LOCKSETS_H

#include "base/intern.h"

/* The number of a set. Equal sets have equal numbers. */
typedef struct {
  uint32_t v;
} LockSetId;

#define LOCKSET_EMPTY ((LockSetId){0})

/* The number of a lock in sets, and back. Locks are below 2^31. */
static inline uint32_t locksets_number(uint32_t lock, bool shared) { return 2 * lock + shared; }
static inline uint32_t locksets_lock(uint32_t number) { return number / 2; }
static inline bool locksets_is_shared(uint32_t number) { return number % 2; }

/* Starts with locksets_init: the empty set is there. */
typedef struct {
  Intern sets;         /* ascending numbers */
  VEC(uint64_t) masks; /* per set: a bit for each lock, by its last six bits */
  U32Vec scratch;
} LockSets;

/* The empty set is there, as LOCKSET_EMPTY. Memory is the heap's until fini. */
void locksets_init(LockSets *sets, Heap *heap);
void locksets_fini(LockSets *sets);

/* The set with that number, or without it; the numbers in both. */
LockSetId locksets_add(LockSets *sets, LockSetId set, uint32_t number);
LockSetId locksets_remove(LockSets *sets, LockSetId set, uint32_t number);
LockSetId locksets_common(LockSets *sets, LockSetId a, LockSetId b);
/* The locks in both, as held alone where they are in both: what excludes this, excludes a and b. */
LockSetId locksets_weakest(LockSets *sets, LockSetId a, LockSetId b);

/* Those that keep other accesses away from one that holds the set: from a read any, from a write those held alone. Here
 * all are as if held alone, so that sets can be compared. */
LockSetId locksets_guards(LockSets *sets, LockSetId set, bool write);

/* Have the two no lock in common, but those that both share? Then two threads can hold them at once. */
bool locksets_disjoint(const LockSets *sets, LockSetId a, LockSetId b);
/* The numbers, ascending; valid as long as the sets. */
const uint32_t *locksets_locks(const LockSets *sets, LockSetId set, uint32_t *n);

/* The set without the locks for which `drop` says so, by lock. */
LockSetId locksets_without(LockSets *sets, LockSetId set, const bool *drop);

/* A lock that a thread holds. */
typedef struct {
  uint32_t lock;  /* its number in sets: who holds it alone, and shares it as well, has both */
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
