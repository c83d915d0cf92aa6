/* pushdown.h: has a program, regular or recursive, a run that is not serializable, if its locks are ignored?
 *
 * From a program (program/program.h) to a cycle of transactions and a run that has it (A. Farzan and P. Madhusudan,
 * TACAS 2009, sections 3.1 and 3.2). All data is abstracted, `bool` and `int[K]` too; lock operations do nothing;
 * what is predicted are interleavings of prefixes of the threads' words. A transaction is an occurrence of a block,
 * nested ones belong to the outermost; each other event is a transaction of its own. */
#ifndef PREDICT_PUSHDOWN_PUSHDOWN_H
#define PREDICT_PUSHDOWN_PUSHDOWN_H

#include "predict/combine.h"
#include "predict/cycle.h"
#include "predict/pushdown/word.h"
#include "program/control.h"
#include "trace/trace.h"

/* The longest word of one thread that is written down. */
#define PUSHDOWN_MAX_STEPS 1000000

/* What a thread does at one moment; or a call. */
typedef struct {
  uint32_t thread; /* from 0, copies included */
  uint8_t op;      /* a WordOp */
  const char *file;
  uint32_t line, column;
  const char *text;
  uint32_t accesses, n_accesses; /* of PushdownPrediction.accesses */
} PushdownStep;

/* An access of a step. */
typedef struct {
  uint32_t object; /* of PushdownPrediction.objects */
  bool write;
  const char *file;
  uint32_t line, column;
} PushdownAccess;

/* The accesses by which the cycle enters the thread and leaves it, and the steps in which they are. */
typedef struct {
  uint32_t thread;
  uint32_t in, out; /* of PushdownPrediction.accesses */
  uint32_t in_step, out_step;
} PushdownVisit;

/* What was predicted. Its arrays and texts are its own. */
typedef struct {
  Arena arena; /* of the texts */
  Verdict verdict;
  const char *why; /* VERDICT_UNKNOWN: why it is; else NULL */
  uint32_t n_threads;
  const char **objects; /* names of the shared objects, locks among them */
  uint32_t n_objects;
  /* VERDICT_VIOLATED: the way leads from `out` of a visit to `in` of the next one, from the last to the first. In visit
   * 0 the transaction is split: its thread goes first and last, the others one after another in between. */
  VEC(PushdownVisit) visits;
  VEC(PushdownStep) steps; /* in the order of the run */
  VEC(PushdownAccess) accesses;
} PushdownPrediction;

/* Predicts. `limits` are those of the search for cycles of more than two threads; `all` is of no interest. False, and
 * *err is ERR_CHECK, where a run that was predicted does not stand the test of serial/monitor.h. *prediction, which
 * needs the program no more, is to be freed if true was returned. */
bool pushdown_predict(Heap *heap, const Program *program, Granularity granularity, const PredictOptions *limits,
                      PushdownPrediction *prediction, Err *err);
void pushdown_prediction_fini(Heap *heap, PushdownPrediction *prediction);

/* A run, event by event: objects are those of the prediction, locations are lines of the source. An event of the
 * program that has several accesses is a transaction around them. */
typedef struct {
  VEC(TraceEvent) events;
  U32Vec steps, accesses; /* per event: its step; its access, or TRACE_NONE */
} PushdownRun;

/* The run that was predicted. */
void pushdown_run_init(PushdownRun *run, Heap *heap, const PushdownPrediction *prediction);
void pushdown_run_fini(PushdownRun *run, Heap *heap);

#endif
