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
 * one; but events after it are not reached where it fails, so for the theorem such circles count.
 *
 * A longer circle that comes to a lock twice contains a shorter one (two who hold the lock at once share it, so whoever
 * waits for one of them waits for both), so only circles of distinct locks are looked for.
 *
 * Equal sections are one edge, with its uses: that of each stage. Of another thread's use the uses of an edge that are
 * before come first, and those that are after come last, so it is found by bisection whether there is one at the same
 * time. */
#ifndef PREDICT_ANALYSIS_GOODLOCK_H
#define PREDICT_ANALYSIS_GOODLOCK_H

#include "predict/analysis/locksets.h"
#include "predict/fork_order.h"
#include "predict/pairs.h"

/* The first time in a stage: the stage, and the two acquires, as indices of events. */
typedef struct {
  StageId stage;
  uint64_t outer, inner;
} LockUse;

/* A life acquires the lock `inner` while it holds `outer`. */
typedef struct {
  uint32_t outer, inner; /* numbers in sets */
  uint32_t outer_location, inner_location;
  bool tries;          /* the inner acquire does not wait */
  uint32_t life;       /* all its stages are of this one */
  LockSetId held;      /* at the inner acquire */
  VEC(LockUse) uses;   /* by stages, ascending */
  uint32_t next_alike; /* the next edge of the same kind, or UINT32_MAX */
  uint32_t next_own;   /* of the same life and locks, likewise */
} LockEdge;

/* Edges that differ in the life and the locks held alone. */
typedef struct {
  uint32_t first;   /* of the edges */
  uint32_t next;    /* the next kind with the same two locks, or UINT32_MAX */
  LockSetId common; /* held at all of them */
} LockKind;

/* An edge, and one of its uses, by their indices. */
typedef struct {
  uint32_t edge, use;
} LockLink;

/* Link i is of another life for each i; its inner lock is the outer one of the next, the last one's that of the first.
 */
typedef struct {
  uint32_t n; /* at least 2 */
  LockLink *links;
} LockCircle;

/* Which pairs of lives were asked about. */
typedef struct LifePairs LifePairs;

/* The edges that were seen, and the circles that were found in them. */
typedef struct {
  Heap *heap;
  Arena arena;
  VEC(LockEdge) edges;
  Intern sections;    /* edges whatever their places */
  U32Vec last_stages; /* of these, the last stage with one */
  Intern known;       /* edges, by their numbers */
  Intern kind_names;  /* kinds, by their numbers */
  VEC(LockKind) kinds;
  Pairs locks;       /* an outer lock, and an inner one */
  U32Vec lock_kinds; /* of these: the first kind */
  U32Vec lock_next;  /* of these: the next one with the same outer lock, or UINT32_MAX */
  U32Vec from;       /* per lock: the first of these with it as the outer one, likewise */
  Pairs own;         /* a life, and a number in `locks` */
  U32Vec own_first;  /* of these: the first edge */
  U32Vec own_next;   /* of these: the next one of the life, or UINT32_MAX */
  U32Vec of_life;    /* of each life: the first of these, likewise */
  LifePairs *asked;
  Intern told; /* circles of three and more, by locks and places */
  VEC(LockCircle) circles;
  bool tried;    /* there is a circle of which an edge tries */
  bool complete; /* all circles were looked for */
} Goodlock;

/* No lock has been acquired. Memory is the heap's until fini, the circles included. */
void goodlock_init(Goodlock *g, Heap *heap);
void goodlock_fini(Goodlock *g);

/* A thread that holds `held` acquires the lock, as which `lock` is in sets, at that event and place. */
typedef struct {
  uint32_t lock, location, life;
  uint64_t event;
  StageId stage;
  bool tries;
} LockAcquire;
void goodlock_see(Goodlock *g, const HeldLocks *held, const LockAcquire *acquire);

/* Fills `circles`, in which nobody tries: of those with the same locks and places of the source, one; shorter ones
 * first. Circles of two are all found; of longer ones what `budget` steps find. */
void goodlock_find(Goodlock *g, LockSets *sets, const ForkOrder *stages, uint64_t budget);

/* Is there a circle of just these two lives, also one in which they try? */
bool goodlock_between(const Goodlock *g, const LockSets *sets, const ForkOrder *stages, uint32_t life, uint32_t other);

#endif
