/* lock_rivals.h: which accesses have a rival that may come before them as well as after.
 *
 * A thread's stages are its stops, and what is between them: stage 2k is after k stops, stage 2k + 1 is stop k. All
 * events of a stage stand in the same order, by forks and joins, to those of another thread. Of each thing it is kept
 * in which stages a thread touches it first and last, so memory goes with the number of (thing, thread) pairs. What
 * lies between may have a rival that is only thought to be there; one that is there is never overlooked.
 *
 * An access all of whose rivals are ordered with it makes no cycle that the forks and joins, which order transactions
 * themselves, do not make: where x comes before y in another thread, always, the way from the one transaction to the
 * other leads through edges of forks and joins, too. A lock all of whose other holders are done before, or begin after,
 * excludes nobody. */
#ifndef PREDICT_LOCKS_LOCK_RIVALS_H
#define PREDICT_LOCKS_LOCK_RIVALS_H

#include "base/vec.h"
#include "predict/near_pairs.h"
#include "predict/strands.h"

/* The stages in which a thread touches a thing: first to last; none if first > last. Reads only, and all. */
typedef struct {
  uint32_t first, last;
} RivalSpan;

/* Of a thing and a thread. */
typedef struct {
  RivalSpan any, writes;
  uint32_t asked[2]; /* the last stage that was asked about a read, a write, + 1 */
  bool answers[2];   /* for it: has it a rival? */
} RivalRecord;

/* Of a thing. */
typedef struct {
  uint32_t count; /* of records */
  uint32_t ranks; /* an index of LockRivals.ranks, + 1; or 0 */
} RivalThing;

/* A record in its lane (StrandPlace). */
typedef struct {
  uint32_t last; /* the point of the lane that its last stage is, or its last with writes */
  uint32_t record;
} RivalRank;

/* Records of a thing that are of one lane, in their order there: LockRivals.ranked[from .. to - 1]. */
typedef struct {
  uint32_t lane, from, to;
} RivalLane;

/* Of a thing, ranges of LockRivals.loose, of records with stages that nothing comes after, and of .lanes, of the
 * others; of all of them, and of those with writes. */
typedef struct {
  uint32_t loose[2], loose_end[2], lanes[2], lanes_end[2];
} RivalRanks;

/* Things are numbered from 0 by their user. Starts as {0}, but for the heap. */
typedef struct {
  Heap *heap;
  NearPairs pairs;          /* (thing, thread) */
  VEC(RivalRecord) records; /* by the numbers of these */
  VEC(RivalThing) things;
  VEC(RivalRanks) ranks; /* of things that have many records, once asked for */
  U32Vec loose;
  VEC(RivalLane) lanes;
  VEC(RivalRank) ranked;
} LockRivals;

/* Gives its memory back. */
void lock_rivals_fini(LockRivals *rivals);

/* The thread touches the thing in these stages, from the first to the last. */
void lock_rivals_note(LockRivals *rivals, uint32_t thing, uint32_t thread, RivalSpan stages, bool write);

/* Thing i becomes numbers[i], which several may do. Nothing was asked yet. */
void lock_rivals_renumber(LockRivals *rivals, const uint32_t *numbers);

/* Has an access of the thread in that stage, which was noted, a rival that may come before or after it, as far as
 * `order` says, whose points are the stages? True if none was noted of the thing and the thread. */
bool lock_rivals_has(LockRivals *rivals, Strands *order, uint32_t thing, uint32_t thread, uint32_t stage, bool write);

#endif
