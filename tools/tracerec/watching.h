/* watching.h: monitors the run of a program while it runs: a thread of ours reads what the recorder writes
 * (distil/live.h), and gives it to the monitor of serial/. */
#ifndef TOOLS_TRACEREC_WATCHING_H
#define TOOLS_TRACEREC_WATCHING_H

#include "base/err.h"
#include "base/options.h"
#include "base/verdict.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How a run is watched. What it points to stays the caller's. */
typedef struct {
  OptionList atomic, except; /* as of DistilOptions; not "all-functions", which needs to know the whole run */
  bool no_log;               /* the raw log is not kept: what was read is overwritten */
  bool stop;                 /* end the program at a violation */
  bool debug;                /* stop it there, and run a debugger on it */
  bool stats;
  uint64_t memory; /* that the monitor may take; 0: no limit */
} WatchOptions;

/* A run that is watched. */
typedef struct Watching Watching;

/* The raw log is there, and the program does not run yet. NULL, with *err, if there is no watching it. The options
 * outlive it. */
Watching *watching_open(const WatchOptions *options, int raw, Err *err);
/* The program runs now: it is this process. */
void watching_start(Watching *watching, pid_t program);
/* The program has ended: the rest is looked at, the verdict is told on stderr, and all is freed. *recorded: has
 * anything been recorded? If not, nothing is told. */
Verdict watching_end(Watching *watching, bool *recorded);

#endif
