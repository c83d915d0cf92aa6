/* replay.h: what a schedule makes of the runs that it was predicted from, by code that shares nothing with predict/. */
#ifndef TESTS_UNIT_REPLAY_H
#define TESTS_UNIT_REPLAY_H

#include "predict/cycle.h"
#include "serial/monitor.h"
#include "tests/unit/threads_oracle.h"

enum { REPLAY_MOST = 4096 }; /* events of the runs */

/* The events that the schedule has, in its order; their number, or -1 if a step makes no sense. */
int64_t replay_schedule(const ThreadRuns *runs, const Schedule *schedule, uint32_t *order);

/* Does the monitor see a violation, where what is freed is another object afterwards? */
bool replay_is_violated(const ThreadRuns *runs, const uint32_t *order, uint32_t n, MonitorEngine engine);

/* Where the event is in the order; -1: it is not. */
int64_t replay_place(const uint32_t *order, uint32_t n, uint64_t event);

#endif
