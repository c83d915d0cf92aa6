/* work.h: how long a tool may work on its question, and what is seen of it meanwhile: the options for that, the clock,
 * Ctrl-C, and progress. */
#ifndef TOOLS_WORK_H
#define TOOLS_WORK_H

#include "ask/ask.h"
#include "base/options.h"
#include "tools/tool.h"

/* As max_memory: tool_default_memory(), which takes a while to find. */
#define WORK_DEFAULT_MEMORY UINT64_MAX

/* The limits that were given on the command line. */
typedef struct {
  uint64_t max_events, max_memory; /* 0: no limit */
  double timeout;                  /* seconds; 0: no limit */
  bool progress, quiet;
  bool allow_empty; /* what has nothing to be checked holds, and is no error */
} WorkOptions;

/* The rows of a tool's option table: of each tool, and of those that count events, too. */
#define LIMIT_OPTIONS(w)                                                                                             \
  {"max-memory",                                                                                                     \
   0,                                                                                                                \
   OPTIONS_LIMITS,                                                                                                   \
   OPTION_BYTES,                                                                                                     \
   &(w)->max_memory,                                                                                                 \
   "SIZE",                                                                                                           \
   NULL,                                                                                                             \
   "stop with 'unknown' before using more memory than that (default: three quarters of the machine's)"},             \
  {                                                                                                                  \
    "timeout", 0, OPTIONS_LIMITS, OPTION_SECONDS, &(w)->timeout, "TIME", NULL, "stop with 'unknown' after that time" \
  }

#define WORK_OPTIONS(w)                                                                  \
  {"max-events",     0,   OPTIONS_LIMITS, OPTION_LIMIT,                                  \
   &(w)->max_events, "N", NULL,           "stop with 'unknown' after that many events"}, \
      LIMIT_OPTIONS(w), {                                                                \
    "progress", 0, OPTIONS_OUTPUT, OPTION_FLAG, &(w)->progress, NULL, NULL,              \
        "show progress on the terminal from the start, not only after two seconds"       \
  }

/* The row of a tool that checks blocks or transactions. */
#define WORK_ALLOW_EMPTY(w)                                                             \
  {                                                                                     \
    "allow-empty", 0, OPTIONS_INPUT, OPTION_FLAG, &(w)->allow_empty, NULL, NULL,        \
        "accept an input that has nothing to check; without this option it is an error" \
  }

/* The options as they are when none is given. */
WorkOptions work_defaults(void);

/* Runs body(argument), which reads the input and finds the answer, within the limits: the tool's heap gives out no more
 * than max_memory, and is asked to stop (base/stop.h) by the clock, by Ctrl-C (SIGINT) and by SIGTERM. Whoever can
 * tells the part of an answer that he has within a tenth of a second of processor time; after that the body is left. A
 * second Ctrl-C ends the process.
 *
 * STOP_NOT: the body came to its end, though perhaps it was asked to stop, and says so itself. Else why it was left. */
StopReason work_within_limits(Tool *tool, const WorkOptions *options, void (*body)(void *argument), void *argument);

/* Has Ctrl-C or SIGTERM come since the last of these began? */
bool work_was_interrupted(void);

/* For a body whose result is nothing without its end: prints why it was left on stderr, and sets the exit code. */
void work_give_up(Tool *tool, StopReason why);

/* Is it a terminal that can colour and overwrite what it shows? With TERM=dumb, or without TERM, it is not. */
bool work_is_terminal(int file);

/* Progress of an unfolding, or of the reading of a run: one line on stderr that is written over and over, if that is a
 * terminal. */
typedef struct {
  double start; /* seconds */
  double next;  /* nothing is shown before that time */
  double last_time;
  uint64_t last_events;
  double rate; /* events per second, lately */
  bool enabled, shown;
} Progress;

/* Takes the time from which progress counts. Only a terminal as stderr sees any, and not with options->quiet;
 * without options->progress it begins after two seconds. */
void work_progress_init(Progress *progress, const WorkOptions *options);
void work_progress_clear(Progress *progress); /* takes the line away */

/* The same options for who answers a question; the progress is shown by `progress`. */
AskLimits work_limits(const WorkOptions *options, Progress *progress);

#endif
