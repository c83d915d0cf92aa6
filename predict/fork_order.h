/* fork_order.h: what fork and join, and hand-overs, order.
 *
 * A life is what a thread number stands for until it is joined; after that, the number stands for a new thread. A stage
 * is a part of a life between two forks or joins that it does, or that are done to it, or two of its signals and waits:
 * all its events stand in the same order to all of other lives. A fork comes before all that the child does afterwards,
 * a join after all that it has done, a wait after all that precedes the signals of its group. Of a life whose fork is
 * not in the run nothing comes before the first stage. */
#ifndef PREDICT_FORK_ORDER_H
#define PREDICT_FORK_ORDER_H

#include "predict/strands.h"

/* The number of a stage: an index of ForkOrder.stages. */
typedef struct {
  uint32_t v;
} StageId;

#define STAGE_NONE ((StageId){UINT32_MAX})

/* Why a stage began. */
typedef enum {
  STAGE_BY_START,
  STAGE_BY_FORK,   /* the thread has forked another one just before it */
  STAGE_BY_JOIN,   /* likewise, joined */
  STAGE_BY_SIGNAL, /* it has signalled */
  STAGE_BY_WAIT,   /* it has waited for another one */
  STAGE_BY_OTHER   /* another thread has forked or joined this one, which was running */
} StageCause;

/* A stage. */
typedef struct {
  uint32_t life;
  uint32_t index; /* in its life */
  StageCause cause;
  StrandPast past; /* of the first *n_known stages */
} Stage;

/* A life. */
typedef struct {
  uint32_t thread;
  uint32_t number; /* how often the thread had been joined before */
} Life;

/* The signals of the current group, and whether there was a wait for it: then the next signal begins another one. */
typedef struct {
  VEC(StageId) signals; /* the stages that they end */
  bool waited, several; /* are they of several lives? */
  uint32_t hub;         /* of them, + 1, once more than one thread waits for more than a few; or 0 */
} Handover;

/* The lives and stages of a run. */
typedef struct {
  Heap *heap;
  VEC(Stage) stages; /* what comes before a stage has a smaller number */
  VEC(Life) lives;
  VEC(StageId) now;        /* per thread; STAGE_NONE if its next event begins a life */
  U32Vec numbers;          /* per thread: of its next life */
  VEC(Handover) handovers; /* per object */
  Strands *order;          /* a strand for each life, with its stages */
  uint32_t *n_known;       /* once closed: what comes before so many stages, the first ones, was found */
  bool is_closed;          /* and small enough for the order between lives */
} ForkOrder;

enum { FORK_ORDER_MOST = 1 << 14, FORK_ORDER_MOST_ROOM = 1 << 24 };

/* No thread has done anything. Memory is the heap's until fini. */
void fork_order_init(ForkOrder *lives, Heap *heap);
void fork_order_fini(ForkOrder *lives);

/* The stage of the thread; begins a life if there is none. */
StageId fork_order_of(ForkOrder *lives, uint32_t thread);

/* The thread forks or joins another one, and is in a new stage; so is the other one, if it was living. After a
 * join that ends a life (ends_life) the other one has none. False if nothing was joined. */
void fork_order_fork(ForkOrder *lives, uint32_t thread, uint32_t other);
bool fork_order_join(ForkOrder *lives, uint32_t thread, uint32_t other, bool ends_life);

/* The thread signals the object, or waits for it; the object is below UINT32_MAX. A wait after which nothing new is
 * ordered is no new stage. */
void fork_order_signal(ForkOrder *lives, uint32_t thread, uint32_t object);
void fork_order_wait(ForkOrder *lives, uint32_t thread, uint32_t object);

/* All forks, joins and hand-overs are known. Of more than FORK_ORDER_MOST stages, if what comes before them takes more
 * than FORK_ORDER_MOST_ROOM (strands_room), only the order within lives is kept: more than can then counts as possible,
 * which is the safe side. */
void fork_order_close(ForkOrder *lives);

/* After fork_order_close: do the events of a all come before those of b, another stage? What comes before stages
 * is found up to the last one that was asked about, and kept. */
bool fork_order_before(const ForkOrder *lives, StageId a, StageId b);
/* Of two lives, and neither before the other. */
bool fork_order_concurrent(const ForkOrder *lives, StageId a, StageId b);

/* The life that the stage is a part of: an index of ForkOrder.lives. */
static inline uint32_t fork_order_life(const ForkOrder *lives, StageId stage) { return lives->stages.at[stage.v].life; }

#endif
