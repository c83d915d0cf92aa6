/* lock_runs.h: a run, taken apart into what each thread does by itself, as far as it can matter for a prediction with
 * locks.
 *
 * A thread is one life of a thread number: after a join, if no transaction was open, the number stands for a new thread
 * (serial/monitor.h), which may run at any time that its own fork and join allow. An object is one life of a variable,
 * up to the event that frees it. Left out is what no violation and no order can depend on: accesses without a rival
 * that may come before them as well as after, locks that exclude nobody (lock_rivals.h), of equal accesses that
 * follow each other all but two, and of equal blocks likewise, if they take one lock at most (lock_repeats.h). Locks
 * are reentrant: of the acquires of a held lock nothing is left, nor of their releases, nor of a release of a lock that
 * the thread does not hold.
 *
 * Order between threads is kept as edges. Those that order transactions, too, lead from a fork to the next event of the
 * thread; from the last event before a join, or from forks after it, to the join. Besides, what was done by a thread
 * number and all forks and joins of this number stay in their order, whatever they stand for; and a wait comes after
 * each signal of its group (of those of one thread, the last). Where several waits come after more than a few signals,
 * as at a barrier, a step of a relay is between, so that edges are as many as signals and waits. A relay is like a
 * thread, but nobody does its steps: they are done when what leads to them is. */
#ifndef PREDICT_LOCKS_LOCK_RUNS_H
#define PREDICT_LOCKS_LOCK_RUNS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "predict/strands.h"
#include "trace/trace.h"

/* A run, see below. */
typedef struct LockRun LockRun;

/* What a step does. */
typedef enum {
  STEP_READ,
  STEP_WRITE,   /* or an update: it conflicts with what a write conflicts with, and nothing comes between */
  STEP_ACQUIRE, /* the thread does not hold the lock, as far as the step is about it */
  STEP_RELEASE, /* it does, and then no longer */
  STEP_POINT    /* nothing but an end of an edge */
} StepOp;

/* A step of a thread. */
typedef struct {
  uint64_t event;  /* of the run, from 0 */
  uint32_t object; /* an object or a part of a lock, each kind from 0; else TRACE_NONE */
  uint32_t location;
  uint32_t transaction; /* of its thread; later ones have greater numbers */
  uint8_t op;           /* StepOp */
  bool stop;            /* is it, or might it be, an end of an edge? */
} LockStep;

/* The label of a transaction with a begin. */
typedef struct {
  uint32_t transaction, label;
} TransactionLabel;

/* Of one thread, ascending by transaction. */
typedef VEC(TransactionLabel) TransactionLabels;

/* One end of an edge that orders transactions: a step of the thread, and the class of the edge (LockGroup). */
typedef struct {
  uint32_t step, class;
} LockEnd;

/* A position is a number of steps that are done, 0 to n; step p leads from position p to p + 1. */
typedef struct {
  uint32_t number; /* in the run */
  uint32_t n;
  LockStep *steps;
  const uint32_t *held;      /* at each position: the set of locks that are held, see LockSet */
  const uint32_t *idle;      /* at each position: the last one up to it at which no lock is held */
  const uint32_t *next_idle; /* at each position: the first one from it on, or TRACE_NONE */
  const uint64_t *hash;      /* at each position: of the lock operations up to it; lock_run_hash() */
  const uint32_t *stops;     /* the steps that are stops, ascending */
  uint32_t n_stops;
  const LockEnd *ends; /* of edges, by steps; all of them are stops */
  uint32_t n_ends;
  TransactionLabels labels; /* of transactions with a begin, ascending */
} LockThread;

/* A set of parts of locks: one, and a smaller set. Number 0 is the empty set. */
typedef struct {
  uint32_t rest, lock;
} LockSet;

/* A step of a thread, by its number there. */
typedef struct {
  uint32_t thread, step;
} LockPlace;

/* An edge: `from` comes before `to` in each run. */
typedef struct {
  LockPlace from, to;
  bool conflict; /* does it order transactions, too? */
} LockEdge;

/* Edges as they lead from thread to thread: for those from relays, those into these. Into a thread, from a step on. */
typedef struct {
  const LockRun *run;
  uint32_t edge, end; /* the next one and the last: indices of `incoming` */
  uint32_t relayed;   /* where the next one comes from a relay, the next of those into that; or TRACE_NONE */
} LockSources;

/* The accesses of a thread to an object that all read, or all write: class 2 * object, or 2 * object + 1. An edge that
 * orders transactions is an object, too, written at both ends: n_objects and the edge's number. */
typedef struct {
  uint32_t class, thread;
  const uint32_t *steps; /* ascending */
  uint32_t n;
  const uint32_t *sets; /* the sets of locks that are held at them, each once */
  uint32_t n_sets;
} LockGroup;

/* The whole run. All of it belongs to the heap until lock_run_free. */
struct LockRun {
  Heap *heap;
  Arena arena;
  uint64_t events;
  uint32_t n_threads, n_objects, n_locks /* parts */, n_edges, n_classes, n_groups;
  uint32_t n_lines;         /* threads, and then relays */
  LockThread *threads;      /* n_lines; the number of a relay is TRACE_NONE */
  LockEdge *edges;          /* in the order of `to` in the run */
  uint32_t *incoming;       /* their numbers, by the places they lead to */
  uint32_t *first_incoming; /* n_lines + 1: where those into a thread begin */
  LockGroup *groups;        /* ordered by class, then thread */
  uint32_t *class_groups;   /* n_classes + 1: where the groups of a class begin */
  uint32_t **thread_groups; /* of each thread: the numbers of its groups */
  uint32_t *n_thread_groups;
  VEC(LockSet) sets;
  bool valid; /* no thread acquires a lock that another one holds: the run is itself one that its threads and locks
                 allow */
  bool plain; /* no thread holds a lock at either side of the end of an edge */
};

/* A first look at a run: what can be left out, as lock_rivals.h has it. */
typedef struct LockSurvey LockSurvey;

/* No events yet, signals and waits count only with `handovers`; all events, in the order of the run; all were fed.
 * Memory is the heap's until lock_survey_free. */
LockSurvey *lock_survey_new(Heap *heap, bool handovers);
void lock_survey_feed(LockSurvey *survey, const TraceEvent *events, uint32_t n);
void lock_survey_close(LockSurvey *survey);
void lock_survey_free(LockSurvey *survey); /* NULL is allowed */

/* The reading of a run. */
typedef struct LockReader LockReader;

/* No events yet. The survey, which was closed, is of the same events; it outlives the reader. Memory is the heap's
 * until lock_reader_free. */
LockReader *lock_reader_new(Heap *heap, LockSurvey *survey);
void lock_reader_free(LockReader *reader);                                       /* NULL is allowed */
void lock_reader_feed(LockReader *reader, const TraceEvent *events, uint32_t n); /* in the order of the run */

/* Have the same events been fed to both? (But for chance.) */
bool lock_survey_is_of(const LockSurvey *survey, const LockReader *reader);

/* The run is over. The reader is empty then. */
LockRun *lock_run_new(LockReader *reader);
void lock_run_free(LockRun *run); /* NULL is allowed */

/* Checks all that is said above, but for what was left out (for tests). False with ERR_CHECK on the first fault. */
bool lock_run_audit(const LockRun *run, Err *err);

/* The locks and their order in steps `from` to `to` - 1 of a thread, which are done one after another, as a hash. */
uint64_t lock_run_hash(const LockThread *thread, uint32_t from, uint32_t to);

/* Is the part of a lock in the set of that number? */
bool lock_set_has(const LockRun *run, uint32_t set, uint32_t lock);

/* Does a thread that holds the set keep others from that part of a lock? */
bool lock_set_excludes(const LockRun *run, uint32_t set, uint32_t lock);

/* Parts of locks. */
static inline bool lock_is_shared(uint32_t lock) { return lock & 1; }
static inline bool lock_excludes(uint32_t a, uint32_t b) { return a / 2 == b / 2 && !(a & b & 1); }

/* The number of the thread's stops before the step, twice, and one more if it is one: equal for two steps iff neither
 * is a stop and none is between them, or they are one. */
uint32_t lock_run_stage(const LockThread *thread, uint32_t step);

/* Class i of a step: of its access, and of the edges that end there. False if it has not so many. */
bool lock_run_class(const LockThread *thread, uint32_t step, uint32_t i, uint32_t *class);

/* The group of a class and a thread, or NULL. */
const LockGroup *lock_run_group(const LockRun *run, uint32_t class, uint32_t thread);

/* The index of the first step of the group that is not before `step`; n if there is none. */
uint32_t lock_group_find(const LockGroup *group, uint32_t step);

/* What must come before what, by program order, forks and joins alone: a strand for each thread, whose points are its
 * steps. To be given back with strands_fini. Where that takes more than LOCK_ORDER_ROOM (strands_room), no edge is
 * there, and nothing is known between different threads. */
#define LOCK_ORDER_ROOM ((uint64_t)1 << 26)
Strands lock_run_order(const LockRun *run);

/* The index in `incoming` of the thread's first edge that leads to this step or a later one; where its edges end, if
 * there is none. */
uint32_t lock_run_incoming(const LockRun *run, uint32_t thread, uint32_t step);

/* The next of the edges that lead to this step or a later one of a thread, from other threads. False: there is none. */
LockSources lock_run_sources(const LockRun *run, uint32_t thread, uint32_t step);
bool lock_sources_next(LockSources *sources, LockEdge *edge);

uint32_t lock_run_label(const LockThread *thread, uint32_t transaction); /* or TRACE_NONE */

uint32_t lock_run_first(const LockThread *thread, uint32_t step); /* of the transaction of a step */

/* Classes that conflict with a class: *from to *to. */
static inline void lock_class_rivals(uint32_t class, uint32_t *from, uint32_t *to) {
  *from = class & 1 ? class - 1 : class + 1;
  *to = class | 1;
}

#endif
