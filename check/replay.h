/* replay.h: the token game of one firing sequence, and from which steps each step takes its tokens. */
#ifndef CHECK_REPLAY_H
#define CHECK_REPLAY_H

#include "petri/net.h"

/* A step takes the token of `place` that step `from` put there. */
typedef struct {
  uint32_t from;
  PlaceId place;
} Cause;

/* What the steps of a run depend on. The arrays are the heap's. */
typedef struct {
  Heap *heap;
  uint32_t n_steps;
  uint32_t
      *start; /* n_steps + 1: the causes of step i are causes[start[i] .. start[i + 1] - 1], by `from`, then place; */
  Cause *causes; /* tokens of the initial marking have none */
} Replay;

/* The causes of one step: a piece of Replay.causes. */
typedef struct {
  const Cause *at;
  uint32_t n;
} CauseList;

/* The causes of a step, from 0 to n_steps - 1. */
static inline CauseList replay_causes(const Replay *replay, uint32_t step) {
  return (CauseList){replay->causes + replay->start[step], replay->start[step + 1] - replay->start[step]};
}

/* Plays the sequence from the initial marking. False, with ERR_CHECK, at the first step that cannot fire or that puts a
 * second token on a place. */
bool replay_run(Heap *heap, const Net *net, const TransId *run, uint32_t n_run, Replay *replay, Err *err);
void replay_fini(Replay *replay);

#endif
