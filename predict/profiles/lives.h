/* lives.h: the threads of runs, their forks, joins and hand-overs, and the runs that can be made of them.
 *
 * A player is a thread. After its join its number stands for another player, with the next `life`, in the same strand
 * (predict/strands.h). Players with the same number and life in different runs are the same thread. */
#ifndef PREDICT_PROFILES_LIVES_H
#define PREDICT_PROFILES_LIVES_H

#include "predict/cycle.h"
#include "predict/strands.h"

/* A player: a life of a thread of one run. */
typedef struct {
  uint32_t thread, life, run, strand;
  uint64_t first, last; /* events */
  bool forked;
} Player;

/* A fork or join. */
typedef struct {
  uint32_t strand;       /* who does it */
  uint32_t thread, life; /* to whom */
  uint64_t event;
  bool joins;
  bool odd; /* forks what was forked or runs, or joins what is in a transaction */
} Relation;

/* A wait, and a signal of its group by another thread. */
typedef struct {
  uint32_t strand;
  uint64_t event;
  StrandPoint from;
} Handing;

/* Starts as {0}, but for the heap of the order. */
typedef struct {
  Strands order; /* the orders within each run */
  U32Vec strand_runs, strand_threads;
  VEC(Player) players;
  VEC(Relation) relations;
  VEC(Handing) handings;
} Lives;

/* Releases the memory; `heap` is the one that it grew from. */
void lives_fini(Heap *heap, Lives *lives);

/* A run that has the cycle; players[i] is that of visit i. If they are all of one run, other threads are of that run,
 * too; there is one then, if the orders of the cycle and of its stages have no circle. Else a fork is one of that
 * thread, whatever run it is of, and so with joins; odd ones are refused, and waits for threads of other runs. False if
 * there is none, or none was found. */
bool lives_schedule(Heap *heap, const Lives *lives, const Cycle *cycle, const uint32_t *players, Schedule *schedule);

#endif
