/* limits.h: when to stop unfolding early, and telling how far it is. */
#ifndef UNFOLD_LIMITS_H
#define UNFOLD_LIMITS_H

#include "unfold/unfold.h"

typedef struct {
  const UnfoldOptions *options;
  UnfoldCounts own, *counts; /* the caller's, or own */
  double start, next_report; /* seconds of the monotonic clock */
  uint32_t ticks;
  bool stopped;              /* the time is up, or it was cancelled */
} Limits;

void limits_init(Limits *limits, const UnfoldOptions *options);

/* Looks at the clock and at *cancel, and reports progress when it is time to. */
void limits_look(Limits *limits);

/* To be called after each small piece of work; true if there should be no further one. */
static inline bool limits_tick(Limits *limits) {
  if ((++limits->ticks & 1023) == 0) limits_look(limits);
  return limits->stopped;
}

#endif
