/* watch.h: runs tests in a process of its own, so that one that crashes or hangs can be named, and the others still
 * run. */
#ifndef TESTS_WATCH_H
#define TESTS_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Shared by the process that watches and the one that works: both see what the other writes. */
typedef struct {
  char name[256];                   /* of what is tested now */
  uint64_t at;                      /* which one that is, counted by the tests themselves */
  uint64_t passed, failed, skipped; /* counted by the tests themselves */
  volatile bool finished;           /* the work has returned */
  volatile uint64_t started;        /* when it began, in milliseconds of the monotonic clock */
} Watch;

/* All zero; for the rest of the program. NULL if there is no memory. */
Watch *watch_new(void);

/* Names what is tested from now on, and starts the clock anew. */
void watch_start(Watch *watch, uint64_t at, const char *name);

/* Runs work(context) in a process of its own; true if it returns true. False, with why in `reason`, if it returns
 * false, crashes, leaves by exit, or takes longer than $LIMIT seconds (else 300) from one watch_start to the next. */
bool watch_run(Watch *watch, bool (*work)(void *context), void *context, char reason[100]);

#endif
