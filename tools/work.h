/* work.h: how long a tool may work on its question, and what is seen of it meanwhile: the options for that, Ctrl-C, and progress. */
#ifndef TOOLS_WORK_H
#define TOOLS_WORK_H

#include "base/options.h"
#include "tools/tool.h"
#include "unfold/unfold.h"

typedef struct {
  uint64_t max_events, max_memory; /* 0: no limit */
  double timeout;                  /* seconds; 0: no limit */
  bool progress, quiet;
} WorkOptions;

/* The rows of a tool's option table. */
#define WORK_OPTIONS(w)                                                                                                \
  {"max-events", 0, OPTION_COUNT, &(w)->max_events, "N", NULL, "stop with 'unknown' at that many events"},             \
  {"max-memory", 0, OPTION_BYTES, &(w)->max_memory, "SIZE", NULL,                                                      \
   "stop with 'unknown' before more memory than that is used (default: three quarters of the machine's)"},             \
  {"timeout", 0, OPTION_SECONDS, &(w)->timeout, "TIME", NULL, "stop with 'unknown' after that time"},                  \
  {"progress", 0, OPTION_FLAG, &(w)->progress, NULL, NULL,                                                             \
   "show progress on the terminal from the start, not only when it takes more than two seconds"}

/* The options as they are when none is given. */
WorkOptions work_defaults(void);

/* The first Ctrl-C (SIGINT), or a SIGTERM, from now on makes *work_interrupted() non-zero; a second one ends the process. To be called
 * when the input has been read: until then the first one ends it. */
void work_catch_interrupts(void);
const volatile int *work_interrupted(void);

/* What *work_interrupted() can be. */
enum { WORK_CANCELLED = 1, WORK_TIME_IS_UP };

/* After so many seconds it becomes WORK_TIME_IS_UP, if it is zero then; 0: never. For work that does not look at the clock itself. The second one
 * begins anew. */
void work_limit_time(double seconds);
void work_allow_time(double seconds);

/* Progress of an unfolding, or of the reading of a run: one line on stderr that is written over and over, if that is a terminal. */
typedef struct {
  const Heap *heap;
  double start;      /* seconds */
  double first;      /* nothing is shown before that time */
  double last_time;
  uint64_t last_events;
  double rate;       /* events per second, lately */
  bool enabled, shown;
} Progress;

void progress_init(Progress *progress, const Heap *heap, const WorkOptions *options);
void progress_show(void *progress, const UnfoldCounts *counts); /* for UnfoldOptions.progress; argument: a Progress */
void progress_count(Progress *progress, uint64_t events);       /* the same of a run; to be called often */
void progress_clear(Progress *progress);                        /* takes the line away */

#endif
