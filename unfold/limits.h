/* limits.h: when to stop unfolding early, and telling how far it is. */
#ifndef UNFOLD_LIMITS_H
#define UNFOLD_LIMITS_H

#include "unfold/unfold.h"

/* It looks after so much work: well under a hundredth of a second. */
enum { LIMITS_TICKS = 4096 };

/* The limits of an unfolding, and when they were looked at. */
typedef struct {
  const UnfoldOptions *options;
  UnfoldCounts own, *counts; /* the caller's, or own */
  double next_report;        /* seconds of the monotonic clock */
  uint32_t ticks;
  const Heap *heap;
  bool stopped; /* the heap was asked to stop */
} Limits;

/* Both must live as long. */
void limits_init(Limits *limits, const Heap *heap, const UnfoldOptions *options);

/* Asks the heap, and reports progress when it is time to. */
void limits_look(Limits *limits);

/* To be called after a piece of work of some `amount`, a few events or conditions each; true if there should be no
 * more. */
static inline bool limits_tick(Limits *limits, uint32_t amount) {
  limits->ticks += amount < LIMITS_TICKS ? amount : LIMITS_TICKS;
  if (limits->ticks >= LIMITS_TICKS) {
    limits->ticks = 0;
    limits_look(limits);
  }
  return limits->stopped;
}

#endif
