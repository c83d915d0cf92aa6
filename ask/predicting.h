/* predicting.h: from runs, or a program, to runs that are not serializable, all
 * of which have been judged. */
#ifndef ASK_PREDICTING_H
#define ASK_PREDICTING_H

#include "ask/call_stacks.h"
#include "ask/program_input.h"
#include "ask/run_input.h"
#include "base/verdict.h"
#include "predict/alike.h"
#include "predict/play.h"
#include "serial/monitor.h"

enum { PREDICTING_BUDGET = 50 * 1000 * 1000 };

/* What is looked for: what other runs respect, whether all violations are wanted or one, the first that is found,
 * or the likeliest of all where that one is not likely; which of them are one, and the limits of the search. */
typedef struct {
  Sync sync; /* of a program, which has no hand-overs: locks or none */
  bool all;
  bool likely;          /* those in whose run a thread reads what nobody has written yet are left out, and counted */
  bool calls;           /* one violation is looked for, and told where in its transaction, a call, that can be split */
  AlikeBy by;           /* of all violations: one of each group is judged and reported */
  uint64_t budget;      /* steps of a search; 0: any number */
  uint32_t max_threads; /* of a cycle; 0: any number */
} PredictingOptions;

/* A part of a run in which one thread goes alone: its last event. Events are numbered as in what was recorded;
 * those of a program are its steps. */
typedef struct {
  uint32_t thread, location;
  uint64_t event;
} PredictedLeg;

/* Where in a call it can be split. The later in this list, the more it tells. */
typedef enum {
  PREDICTED_THREADS, /* after it has forked or joined a thread, so that may be what it means to do */
  PREDICTED_INSIDE,  /* in a call inside of it */
  PREDICTED_HERE
} PredictedWhere;

/* A run that is not serializable, and why. */
typedef struct {
  MonitorFinding finding; /* transaction 0 is split */
  const bool *split;      /* per transaction of the finding */
  const TraceNames *names;
  const PredictedLeg *legs; /* the run */
  uint32_t n_legs;
  uint32_t count;       /* of violations in its group, with this one; 0: not known, one was looked for */
  uint32_t splits;      /* of ways in which they split their transaction (ALIKE_SPLITS); 0: likewise */
  bool unwritten;       /* in the run a thread reads what nobody has written yet */
  PredictedWhere where; /* transaction 0 is split, if calls were asked for; else PREDICTED_HERE */
  uint32_t callee;      /* of PREDICTED_INSIDE: its label, or TRACE_NONE */
} PredictedRun;

/* What a run is to follow so that one of the runs that were predicted happens (ask/steps.h): its plan, or, where it has
 * none, why. */
typedef struct {
  const char *plan; /* "begin ...\nleg ...\n", or NULL */
  const char *why;  /* of NULL */
} Steps;

/* What goes before the plans, and one for each run of the report, in its order. */
typedef struct {
  const char *head; /* "steps 1\nmodule ...\n" */
  const Steps *of;
} StepsReport;

/* What is reported of a prediction. It points into the PredictingResult, and lives as long as that. */
typedef struct {
  Verdict verdict;   /* VERDICT_HOLDS: there is no such run; or, if some were left out, no likely one was found */
  uint32_t left_out; /* violations that are not likely; 0 also where one was looked for, and a likely one found */
  const char *why;   /* of VERDICT_UNKNOWN, and where there may be more than was found; else NULL */
  const char *known; /* what is known all the same, if the verdict is VERDICT_UNKNOWN, or was not asked; or NULL */
  Sync sync;         /* what was respected */
  AlikeBy by;
  bool program; /* of a program, not of a run */
  uint64_t events, threads, entities;
  LeftOutReport suppressed;
  const PredictedRun *runs;
  uint32_t n_runs;
  StepsReport steps;        /* head: NULL where they were not asked for */
  const CallStacks *stacks; /* of the events in their findings; or NULL */
  const Play *first; /* the first of the runs; of a program several events may belong to one step. NULL: a limit came
                        before */
} PredictionReport;

/* A prediction with the memory that its report stands in. */
typedef struct {
  Heap *heap;
  Arena arena;
  PredictionReport report;
  VEC(TraceEvent) events; /* recorded ones, as far as they are needed, */
  PlayMaker *maker;       /* and the maker of their plays, which has the names */
  Play first;             /* the first of the runs in the report */
  VEC(PredictedRun) runs;
  CallStacks stacks;
  RunRemarks remarks;
  char why[300];         /* report.why, where judging has ended early */
  uint64_t transactions; /* distinct ones, for statistics; 0: not known */
  double seconds;
} PredictingResult;

/* False, with *err, if the runs cannot be read, or (ERR_CHECK) if a predicted run is not one or is
 * serializable. */
bool predicting_runs(Heap *heap, const RunSource *source, const PredictingOptions *options, const AskLimits *limits,
                     PredictingResult *result, Err *err);

/* Likewise of a program; finds one run at most. With ERR_INPUT the text of *err is empty where program->say() has
 * seen all. */
bool predicting_program(Heap *heap, const InFile *file, const ProgramOptions *program, const PredictingOptions *options,
                        const AskLimits *limits, PredictingResult *result, Err *err);
void predicting_fini(PredictingResult *result);

#endif
