/* set_run.h: small runs of transactions for the analyses of predict/analysis/, from texts. */
#ifndef TESTS_UNIT_SET_RUN_H
#define TESTS_UNIT_SET_RUN_H

#include "predict/analysis/analysis.h"

enum { SET_MOST_EVENTS = 256 };

/* Starts as {.n = 0}. */
typedef struct {
  TraceEvent events[SET_MOST_EVENTS];
  uint32_t n;
} SetRun;

/* Appends an event; its location is its number. */
void set_put(SetRun *run, uint32_t thread, TraceOp op, uint32_t object);

/* "+l wx rx -l": acquire, write, read, release; "f2", "j2": fork, join; "(" and ")": begin and end. Objects are
 * letters. */
void set_put_text(SetRun *run, uint32_t thread, const char *text);

/* Each text is a transaction of a thread of its own; its label is that thread's number. NULL ends the texts. */
void set_put_transactions(SetRun *run, const char *const *texts);

/* Prints the run. */
void set_show(const SetRun *run);

/* The analysis of the run, finished. */
Analysis *set_analysed(Heap *heap, const SetRun *run, AnalysisKind kind, RaceTest test);

#endif
