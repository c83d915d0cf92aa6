/* access_index.h: the accesses of each variable, by life and in the order of each: so those that fork, join and
 * hand-overs allow at some time are found by bisection, and what one lock guards is seen at once. */
#ifndef PREDICT_ANALYSIS_ACCESS_INDEX_H
#define PREDICT_ANALYSIS_ACCESS_INDEX_H

#include "predict/analysis/shapes.h"

/* What one life does to a variable: AccessIndex.order from `from` on, before `end`. There is at least one. */
typedef struct {
  uint32_t life, from, end;
} AccessRun;

/* Made of finished shapes, which outlive it. */
typedef struct {
  const Shapes *shapes;
  uint32_t *order;     /* accesses, by variable, life and stage */
  VEC(AccessRun) runs; /* by variable and life; of many lives lane by lane (StrandPlace), but for the loose ones */
  uint32_t *first_run; /* per variable; one more at the end */
  uint32_t *n_loose;   /* per variable: so many runs, the first ones, do not stand in their lanes' order */
  LockSetId *guards;   /* per variable: held at all its accesses; as shared where one of them shares */
  LockSetId *writes;   /* the same of its writes; the empty set if there is none */
} AccessIndex;

/* Memory is the heap of the shapes until fini. */
void access_index_init(AccessIndex *index, Shapes *shapes);
void access_index_fini(AccessIndex *index);

/* Those of a variable. */
static inline const AccessRun *access_index_runs(const AccessIndex *index, uint32_t variable, uint32_t *n) {
  *n = index->first_run[variable + 1] - index->first_run[variable];
  return index->runs.at + index->first_run[variable];
}

/* Access number `place` of the order. */
static inline const ShapeAccess *access_index_at(const AccessIndex *index, uint32_t place) {
  return &index->shapes->accesses.at[index->order[place]];
}

/* The first place of the run, of another life than the stage, of which the stage allows that it comes later; the end if
 * there is none. All places behind it are such, too. */
uint32_t access_index_after(const AccessIndex *index, const AccessRun *run, StageId stage);

/* The first place of the run from which on all come after the stage; the end if none does. */
uint32_t access_index_until(const AccessIndex *index, const AccessRun *run, StageId stage);

/* A walk over what lives other than one do to a variable not before one stage of that one, and not after another. */
typedef struct {
  const AccessIndex *index;
  const AccessRun *runs;
  uint32_t n, n_loose, next, lane_end;
  StageId first, last;
} AccessWalk;

/* The stages are of one life. */
AccessWalk access_index_walk(const AccessIndex *index, uint32_t variable, StageId first, StageId last);

/* The part of the next run that is such; there is at least one access. False: there is no other one. In time for those,
 * and for the lanes. */
bool access_walk_next(AccessWalk *walk, AccessRun *part);

/* Do the locks keep each access that conflicts with a write (`write`), or with a read of the variable, away? */
bool access_index_guards(const AccessIndex *index, uint32_t variable, bool write, LockSetId held);

/* Is one lock held at all accesses that conflict, so that none of the variable race? */
bool access_index_is_guarded(const AccessIndex *index, uint32_t variable);

#endif
