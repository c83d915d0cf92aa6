/* goodlock.h: potential deadlocks: locks that are taken in a circle (K. Havelund, "Using runtime analysis to guide
 * model checking of Java programs", SPIN 2000; for any number of threads).
 *
 * A thread that acquires a lock while it holds another one makes an edge from the one that it holds. A potential
 * deadlock is a circle of edges of distinct lives, of which any two can be at their acquires at once: they hold no lock
 * in common there (a common one, the gate, excuses), and fork and join do not order them. If there is none of two
 * threads whose locking is nested, no two threads can deadlock, and whether events of the two can meet depends on the
 * locks held there alone (Wang and Stoller, Theorem 5.1).
 *
 * Who shares a lock waits only for one that holds it alone. A try does not wait, so no deadlock has an edge that is
 * one; but events after it are not reached where it fails, so for the theorem such circles count. */
#ifndef PREDICT_ANALYSIS_GOODLOCK_H
#define PREDICT_ANALYSIS_GOODLOCK_H

#include "predict/analysis/locksets.h"
#include "predict/fork_order.h"

/* An acquire of the run, and where it stands in the source. */
typedef struct {
  uint64_t event; /* its index */
  uint32_t location;
} LockPlace;

/* The lock `inner` is acquired while `outer` is held. */
typedef struct {
  uint32_t outer, inner;        /* numbers in sets */
  bool tries;                   /* the inner acquire does not wait */
  LockSetId held;               /* at the inner acquire */
  StageId stage;                /* likewise */
  LockPlace at_outer, at_inner; /* of the first time */
  uint32_t next;                /* the next edge from `outer`, or UINT32_MAX */
} LockEdge;

/* Edge i is of another life for each i; its inner lock is the outer one of the next, the last one's that of the first.
 */
typedef struct {
  uint32_t n; /* at least 2 */
  uint32_t *edges;
} LockCircle;

/* The edges that were seen, and the circles that were found in them. */
typedef struct {
  Heap *heap;
  Arena arena;
  VEC(LockEdge) edges;
  HashSlots slots; /* of edges */
  U32Vec from;     /* per lock: the first edge from it, alone or shared, or UINT32_MAX */
  Intern told;     /* circles, by locks and places */
  Intern pairs;    /* two lives each, with a circle of the two */
  VEC(LockCircle) circles;
  bool tried;    /* there is a circle of which an edge tries */
  bool complete; /* all circles were looked for */
} Goodlock;

/* No lock has been acquired. Memory is the heap's until fini, the circles included. */
void goodlock_init(Goodlock *g, Heap *heap);
void goodlock_fini(Goodlock *g);

/* A thread that holds `held` acquires the lock, as which `lock` is in sets. */
void goodlock_see(Goodlock *g, const HeldLocks *held, StageId stage, uint32_t lock, bool tries, LockPlace place);

/* Fills `circles`, in which nobody tries: of those with the same locks and places of the source, one; shorter ones
 * first. Circles of two are all found; of longer ones what `budget` steps find. */
void goodlock_find(Goodlock *g, const LockSets *sets, const ForkOrder *stages, uint64_t budget);

/* After goodlock_find: is there a circle of just these two lives, also one in which they try? */
bool goodlock_between(const Goodlock *g, uint32_t life, uint32_t other);

#endif
