/* lock_runs_inside.h: what the reader of a run hands to lock_run_new(). */
#ifndef PREDICT_LOCKS_LOCK_RUNS_INSIDE_H
#define PREDICT_LOCKS_LOCK_RUNS_INSIDE_H

#include "predict/locks/lock_runs.h"

#include "base/vec.h"
#include "predict/pairs.h"

/* An event of a life, by its index in the run. */
typedef struct {
  uint32_t life;
  uint64_t event;
} LifeEvent;

/* Events of lives, in the order of the run. */
typedef VEC(LifeEvent) LifeEvents;

/* An edge between lives, as LockEdge is one between threads. */
typedef struct {
  LifeEvent from, to;
  bool conflict;
} LifeEdge;

/* What a thread number stands for, and the last fork or join of it. */
typedef struct {
  uint32_t life; /* + 1, or 0 */
  bool related;
  bool since; /* nothing was done by the thread since then */
  LifeEvent relation;
} Number;

/* A life of a thread number, as it is read. */
typedef struct {
  uint32_t number, depth;
  uint32_t transaction; /* of its last event; there was one iff it is not 0 */
  uint64_t last;        /* its last event */
  LifeEvents forks;     /* of it, since then */
  VEC(LockStep) steps;  /* locks and objects as the reader numbers them */
  TransactionLabels labels;
} Life;

struct LockReader {
  Heap *heap;
  uint64_t n_events;
  bool invalid; /* two threads held a lock at once */
  VEC(Life) lives;
  VEC(Number) numbers;
  U32Vec variables; /* by number: that of its object + 1, or 0 */
  uint32_t n_objects;
  U32Vec locks;  /* by number: how many hold it */
  Pairs holds;   /* (life, lock) */
  U32Vec counts; /* of these: acquired that many times more than released */
  VEC(LifeEdge) edges;
};

/* The run is over: leaves of the steps those that can matter (lock_keep.c). */
void lock_reader_keep(LockReader *reader);

#endif
