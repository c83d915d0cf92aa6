/* lock_cuts.h: where a run can be cut in two, such that no cycle goes across.
 *
 * A cut is a position of the run, right before a wait, at which no transaction is open, and all accesses, forks and
 * joins before which come before all those after it, in each run of the same threads: by program order, forks, joins
 * and hand-overs. Then no edge leads back from a transaction after the cut to one before it, so no cycle contains both,
 * and accesses before it are no rivals of those after it.
 *
 * A wait may be a cut if all that was done comes before it, as vector clocks tell; the clocks have a place for each
 * life that was not joined. What the other lives do next is not known then. Of each it is known up to which position
 * all comes before what it does: as soon as one does something that may come before a cut, that is none, and the later
 * ones are none either. So memory goes with the lives at a time, squared, and with the cuts. */
#ifndef PREDICT_LOCKS_LOCK_CUTS_H
#define PREDICT_LOCKS_LOCK_CUTS_H

#include "base/vec.h"

/* A cut: the wait that it comes before, and how many objects there were. */
typedef struct {
  uint64_t event;
  uint32_t object;
} LockCut;

/* What comes before: of the life at each place all before that event, and of all lives all before event `sure`. */
typedef struct {
  VEC(uint64_t) row;
  uint64_t sure;
} CutPast;

/* A life: its past, and what is not before its last access, fork or join. */
typedef struct {
  CutPast past;
  uint64_t busy;
} CutLife;

/* The current group of a hand-over: what comes before its waits, and was there one? */
typedef struct {
  CutPast past;
  bool waited;
} CutGroup;

/* Starts as {0}, but for the heap. */
typedef struct {
  Heap *heap;
  U32Vec places; /* of each life: + 1, or 0 */
  VEC(CutLife) lives;
  U32Vec unused; /* places */
  VEC(CutGroup) groups;
  VEC(LockCut) cuts; /* ascending; so far there is nothing against them */
  uint64_t busy;     /* the greatest of all lives */
  bool off;          /* more than LOCK_CUTS_MOST lives at a time: there is no cut */
} LockCuts;

enum { LOCK_CUTS_MOST = 1024 };

/* Gives its memory back. */
void lock_cuts_fini(LockCuts *cuts);

/* The life accesses something, as that event of the run. Events are told in their order; a life and a hand-over are
 * below UINT32_MAX. */
void lock_cuts_touch(LockCuts *cuts, uint32_t life, uint64_t event);

/* The life forks or joins another one. After a join that ends it, that one does nothing more. */
void lock_cuts_fork(LockCuts *cuts, uint32_t life, uint32_t other, uint64_t event);
void lock_cuts_join(LockCuts *cuts, uint32_t life, uint32_t other, uint64_t event, bool ends);

/* The life signals, or waits; is a transaction open, and how many objects are there? */
void lock_cuts_signal(LockCuts *cuts, uint32_t life, uint32_t handover);
void lock_cuts_wait(LockCuts *cuts, uint32_t life, uint32_t handover, LockCut here, bool open);

/* How many objects were there at the last cut? */
uint32_t lock_cuts_first(const LockCuts *cuts);

#endif
