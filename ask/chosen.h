/* chosen.h: which transactions of a run count, by their labels, chosen when it is read.
 *
 * The begin of one that does not count is made an end where no transaction is open, which means nothing; one inside of
 * one that counts belongs to that anyway. So events keep their numbers. */
#ifndef ASK_CHOSEN_H
#define ASK_CHOSEN_H

#include "base/options.h"
#include "base/vec.h"
#include "trace/trace.h"

/* What --atomic and --except say: names, of which each may be several with commas. */
typedef struct {
  OptionList atomic; /* these; none, or with "all-functions" among them: all but `except` */
  OptionList except;
  const char *only; /* if it is not NULL: just this one, whatever the lists say; "": those without a name */
} ChosenNames;

/* The choice for one run at a time. Starts as {.heap = heap, .names = ...}. */
typedef struct {
  Heap *heap;
  ChosenNames names;
  VEC(uint8_t) kinds; /* by label: 0: not yet looked at */
  U32Vec depths;      /* by thread: of begins since the one that counts */
  TraceEvent *batch;
} Chosen;

/* Do transactions of that name ("": none) count? */
bool chosen_counts(const ChosenNames *names, const char *label);

/* Are only some transactions to count? */
bool chosen_is_some(const Chosen *chosen);

/* Another run begins. */
void chosen_restart(Chosen *chosen);

/* The next n <= TRACE_BATCH events of the run, with what is chosen of them; valid until the next call. */
const TraceEvent *chosen_events(Chosen *chosen, const TraceNames *names, const TraceEvent *events, uint32_t n);

/* After a whole run: the first name on the command line that none of its labels has, with what may have been meant, as
 * "no transaction is called 'ad'; did you mean 'add'?"; "" if there is none. */
enum { CHOSEN_MISSING = 300 };
void chosen_missing(const Chosen *chosen, const TraceNames *names, char text[CHOSEN_MISSING]);

void chosen_fini(Chosen *chosen);

#endif
