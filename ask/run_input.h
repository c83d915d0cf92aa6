/* run_input.h: the events of one run, or of several of the same program, in numbers of their own: threads and
 * objects with the same name are the same. Where a name comes several times in a run, the first one is the first
 * one of the others, and so on. */
#ifndef ASK_RUN_INPUT_H
#define ASK_RUN_INPUT_H

#include "ask/ask.h"
#include "ask/chosen.h"
#include "ask/left_out.h"
#include "ask/spool.h"
#include "base/intern.h"
#include "trace/trace.h"

/* Where the events come from. It must live as long as what is read from it. */
typedef struct {
  const Spool *inputs; /* several: runs of one program */
  uint32_t n;
  TraceOptions trace;
  ChosenNames chosen;         /* which transactions count */
  Suppressions *suppressions; /* what is left out before they are chosen; or NULL */
  LeftOutWhat left_out;       /* what of that */
  bool views;                 /* who reads it asks of each read whose value it gets, not only what conflicts; */
  bool runs;                  /* or which other runs there are, so what was held at its beginning must be known */
} RunSource;

/* What is to be said of a run when it was read. */
typedef struct {
  uint64_t skipped; /* lines */
  bool cut_short;
  TracePart part; /* what of the run is in the log, or the last one of several that says so */
  bool whole;     /* all of all runs was read */
  LeftOutCount left_out;
  char missing[CHOSEN_MISSING]; /* of the names of the choice, as chosen_missing; "": none */
} RunRemarks;

/* The run was opened, and nothing of it was read. */
struct RunInput;
typedef bool RunOpened(void *argument, struct RunInput *input, Err *err);

/* The reading of the runs: where it stands, and the numbers that it has given. */
typedef struct RunInput {
  Heap *heap;
  RunSource source;
  AskLimits limits;
  RunOpened *opened; /* called for each run that is read, unless it is read again; or NULL, as at first */
  void *opened_argument;
  TraceNames *names;   /* of several runs; of one, NULL */
  TraceReader *reader; /* the last one that was read, with the names of one */
  Intern keys[TRACE_NAME_KINDS];
  Intern seen; /* names of the current run, with how often they came */
  U32Vec times;
  U32Vec numbers[TRACE_NAME_KINDS]; /* of the current run: by number of the reader, the number + 1 */
  TraceEvent *batch;
  LeftOut left_out;
  Chosen chosen;
  uint64_t n_events; /* that were given; in take(), those before */
  RunRemarks remarks;
  bool has_transactions; /* in what was given */
  bool again;            /* of what was read before, more is read */
  char why[200];         /* why not all was read; "" if it was */
} RunInput;

/* Takes the next events of run number `run`; false: no more are needed. */
typedef bool RunTaker(void *argument, uint32_t run, const TraceEvent *events, uint32_t n);

/* Nothing is opened yet. Source and limits are copied, what they point to is not. fini closes the last run and frees
 * the names; all memory is the heap's. */
void run_input_init(RunInput *input, Heap *heap, const RunSource *source, const AskLimits *limits);
void run_input_fini(RunInput *input);

/* Gives all events to take(), from the first run on, and at the end of each run none; as often as needed. Where
 * the heap is asked to stop, or after limits->max_events, if the run has more of them, it ends, and input->why
 * says so. False, with *err, if a run cannot be read, or, unless limits->allow_empty, one has no events or none
 * has a transaction. */
bool run_input_read(RunInput *input, RunTaker *take, void *argument, Err *err);

/* The same of events that were read before: without limits, for as long as the heap lets one, and nothing is
 * expected of them. */
bool run_input_reread(RunInput *input, RunTaker *take, void *argument, Err *err);

/* Of several runs the joined names; of one run those of its reader, so there must have been an event asked for
 * first. */
const TraceNames *run_input_names(const RunInput *input);

/* Why what holds of the events that were given need not hold of the whole run: why not all was read, or that the log
 * has only a part of it; NULL: it was read to its end. */
const char *run_input_gap(const RunInput *input);

/* What was left out when it was read; violations are not counted. */
LeftOutReport run_input_left_out(const RunInput *input);

/* False, with ERR_INPUT, if the run of that name has no events: most likely what was to write them has failed. */
bool run_input_expect(const char *name, uint64_t events, uint64_t skipped, Err *err);

#endif
