/* lives.h: what fork and join order.
 *
 * A life is what a thread number stands for until it is joined; after that, the number stands for a new thread. A stage is a
 * part of a life between two forks or joins that it does, or that are done to it: all its events stand in the same order to
 * all of other lives. A fork comes before all that the child does afterwards, a join after all that it has done. Of a life
 * whose fork is not in the run nothing comes before the first stage. */
#ifndef PREDICT_LIVES_H
#define PREDICT_LIVES_H

#include "base/vec.h"

typedef struct {
  uint32_t v;
} StageId;

#define STAGE_NONE ((StageId){UINT32_MAX})

typedef enum {
  STAGE_BY_START,
  STAGE_BY_FORK, /* the thread has forked another one just before it */
  STAGE_BY_JOIN, /* likewise, joined */
  STAGE_BY_OTHER /* another thread has forked or joined this one, which was running */
} StageCause;

typedef struct {
  uint32_t life;
  uint32_t before;  /* the stage of the life before it, or UINT32_MAX */
  uint32_t other;   /* the stage of another life that comes before it by fork or join, or UINT32_MAX */
  StageCause cause;
} Stage;

typedef struct {
  uint32_t thread;
  uint32_t number;  /* how often the thread had been joined before */
} Life;

typedef struct {
  Heap *heap;
  VEC(Stage) stages; /* what comes before a stage has a smaller number */
  VEC(Life) lives;
  VEC(StageId) now;  /* per thread; STAGE_NONE if its next event begins a life */
  U32Vec numbers;    /* per thread: of its next life */
  uint64_t *order;   /* after lives_close: per stage a row of the stages before it */
} Lives;

enum { LIVES_MOST = 1 << 14 };

void lives_init(Lives *lives, Heap *heap);
void lives_fini(Lives *lives);

/* The stage of the thread; begins a life if there is none. */
StageId lives_of(Lives *lives, uint32_t thread);

/* The thread forks or joins another one, and is in a new stage; so is the other one, if it was living. After a join that ends
 * a life (ends_life) the other one has none. False if nothing was joined. */
void lives_fork(Lives *lives, uint32_t thread, uint32_t other);
bool lives_join(Lives *lives, uint32_t thread, uint32_t other, bool ends_life);

/* All forks and joins are known. Of more than LIVES_MOST stages only the order within lives is kept: more than can then
 * counts as possible, which is the safe side. */
void lives_close(Lives *lives);

/* After lives_close: do the events of a all come before those of b, another stage? */
bool lives_before(const Lives *lives, StageId a, StageId b);
/* Of two lives, and neither before the other. */
bool lives_concurrent(const Lives *lives, StageId a, StageId b);

static inline uint32_t lives_life(const Lives *lives, StageId stage) { return lives->stages.at[stage.v].life; }

#endif
