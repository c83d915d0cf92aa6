/* shapes.h: a run, as far as the analyses of Wang and Stoller look at it: what its transactions are like, each kind
 * once.
 *
 * An *access* is a class of events: the same variable, read or written, with the same locks held, in the same stage
 * (stages.h) of a life. A *shape* is a class of transactions with a begin: of the same row (label and source location
 * of the begin), begun in the same stage with the same locks, with the same sequence of steps. A variable that is freed
 * gets a new number when it is used again. An update is two accesses, a read and a write.
 *
 * The sequence is thinned out on the way. Between two of a transaction's steps that are no accesses, of what it does to
 * a variable only this is kept: two reads before its first write there, the first and the last write, and one read
 * after the first write. What is dropped has the class of something kept, and no part in a block (blocks.h) that would
 * be another one. So the size of a shape is bounded by the steps that are no accesses and the variables between them.
 */
#ifndef PREDICT_ANALYSIS_SHAPES_H
#define PREDICT_ANALYSIS_SHAPES_H

#include "base/err.h"
#include "predict/analysis/goodlock.h"
#include "predict/analysis/locksets.h"
#include "predict/fork_order.h"
#include "predict/sync.h"
#include "trace/trace.h"

/* The number of a class of accesses: an index of Shapes.accesses. */
typedef struct {
  uint32_t v;
} AccessId;

/* The number of a shape: an index of Shapes.shapes. */
typedef struct {
  uint32_t v;
} ShapeId;

#define SHAPE_NONE ((ShapeId){UINT32_MAX}) /* of an access outside of transactions, which is one by itself */
#define NO_EVENT UINT64_MAX

/* An event of the run that stands for its class. */
typedef struct {
  uint64_t event; /* index; NO_EVENT: there is none */
  uint32_t location;
  ShapeId shape;
} Sight;

/* What an access may be in its transaction. USES is how many there are. */
typedef enum {
  USE_ANY,
  USE_FIRST, /* a read before any write to the variable in its transaction */
  USE_FINAL, /* the last write to the variable in its transaction */
  USES
} Use;

/* A class of accesses. */
typedef struct {
  uint32_t variable;
  bool write;
  LockSetId held;
  StageId stage;
  uint32_t next; /* the next class of the variable, or UINT32_MAX */
  uint32_t first_in,
      last_in; /* the first and last of its thread's transactions that have it, single events counted, from 1 */
  Sight sights[USES];
} ShapeAccess;

/* A variable, and the classes of accesses to it. */
typedef struct {
  uint32_t object;
  uint32_t accesses; /* the first class, or UINT32_MAX */
} Variable;

/* What a step of a shape is; STEP_STAGE: another stage of the thread begins. */
typedef enum { STEP_ACCESS, STEP_ACQUIRE, STEP_RELEASE, STEP_STAGE } StepKind;

/* Acquires and releases are the outermost ones. */
typedef struct {
  StepKind kind;
  uint32_t id; /* AccessId, the lock's number in sets, or StageId, by kind */
  uint64_t event;
  uint32_t location;
  bool write; /* an access that writes */
} Step;

/* An update is two accesses of one event, a read and a write: nothing comes between them. Are the two steps such? */
static inline bool shapes_are_one(const Step *steps, uint32_t i, uint32_t j) {
  return steps[i].kind == STEP_ACCESS && steps[j].kind == STEP_ACCESS && steps[i].event == steps[j].event;
}

/* A class of transactions. Its arrays belong to the Shapes. */
typedef struct {
  uint32_t row;
  StageId stage;   /* at its begin */
  uint32_t n_held; /* locks held then (their numbers in sets), in the order of their acquires */
  const uint32_t *held;
  uint32_t n;
  const Step *steps; /* events and locations are those of the first transaction */
  uint64_t event;    /* its begin */
} Shape;

/* A place of the source where transactions begin. */
typedef struct {
  uint32_t label, location; /* or TRACE_NONE */
  uint64_t transactions;
} ShapeRow;

/* What is known of a thread while the events come; known to shapes.c alone. */
typedef struct ShapeThread ShapeThread;

/* What an element of a life's program is: a shape; an access outside of transactions, which is one by itself; the write
 * of an update whose read is the element before. */
typedef enum { ELEMENT_SHAPE, ELEMENT_ACCESS, ELEMENT_UPDATE, ELEMENTS } ElementKind;

/* What a life did, in its order: ELEMENTS * (a shape, or an access) + the ElementKind. */
typedef U32Vec LifeProgram;

/* The run so far, in classes. */
typedef struct {
  Heap *heap;
  Arena arena;
  Sync sync;
  LockSets locksets;
  ForkOrder stages;
  Goodlock goodlock;
  uint64_t n_events;
  uint64_t n_singles; /* accesses outside of transactions */
  U32Vec of_object;   /* per object: its variable + 1, or 0 */
  U32Vec lock_users;  /* per object: the life that used it as a lock + 1; UINT32_MAX: several */
  VEC(bool) excludes; /* per object: it was a lock that somebody held alone */
  VEC(Variable) variables;
  VEC(ShapeAccess) accesses;
  HashSlots access_slots;
  Intern keys, row_keys;
  U32Vec key; /* of the transaction that ends */
  VEC(Shape) shapes;
  VEC(ShapeRow) rows;
  VEC(ShapeThread) threads;
  bool waits_locked;  /* some thread forked, joined, signalled, waited, was joined or ended while it held a lock */
  bool locks_outside; /* some lock was acquired outside of transactions */
  VEC(bool) unnested; /* per life: it released a lock before one acquired later */
  VEC(LifeProgram) programs; /* per life */
  uint32_t n_program;        /* elements in all of them; once above PROGRAM_MOST they are not kept on */
} Shapes;

enum { PROGRAM_MOST = 4096 };

/* Nothing has been seen. Of what `sync` does not have no event counts. Memory is the heap's until fini. */
void shapes_init(Shapes *shapes, Heap *heap, Sync sync);
void shapes_fini(Shapes *shapes);
/* The next n events, in the order of the run. */
void shapes_see(Shapes *shapes, const TraceEvent *events, uint32_t n);
void shapes_finish(Shapes *shapes); /* transactions that are open end here */

/* After that, for tests: checks what is said above of accesses, shapes and what they leave out. False with ERR_CHECK on
 * the first fault. */
bool shapes_audit(const Shapes *shapes, Err *err);

/* Is the lock, by its number in sets, used by one life alone, or shared by all? Then it orders nothing. */
static inline bool shapes_lock_is_private(const Shapes *shapes, uint32_t number) {
  const uint32_t lock = locksets_lock(number);
  return shapes->lock_users.at[lock] != UINT32_MAX || !shapes->excludes.at[lock];
}
static inline bool shapes_are_nested(const Shapes *shapes, uint32_t life) {
  return life >= shapes->unnested.n || !shapes->unnested.at[life];
}
static inline uint32_t shapes_access_life(const Shapes *shapes, const ShapeAccess *access) {
  return fork_order_life(&shapes->stages, access->stage);
}

#endif
