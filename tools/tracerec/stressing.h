/* stressing.h: `tracerec split` and `tracerec stress`: runs a program, its threads held in ever other ways, until the
 * monitor sees a violation. docs/confirming.md. */
#ifndef TOOLS_TRACEREC_STRESSING_H
#define TOOLS_TRACEREC_STRESSING_H

#include "base/err.h"
#include "base/heap.h"
#include "base/options.h"
#include "base/verdict.h"
#include "record/raw.h"

/* In which ways. ORDER STRESSING_NAMES */
typedef enum { BY_BOTH, BY_SPLIT, BY_PRIORITIES } StressingBy;
#define STRESSING_NAMES "both", "split", "priorities",

/* Milliseconds that a thread is held, and seconds that a run may take, if nothing else is said. */
enum { STRESSING_LEG = 200, STRESSING_LIMIT = 60 };

/* What is run, and how. Nothing is owned. */
typedef struct {
  char **program;          /* and its arguments; NULL after them */
  const RawHeader *header; /* for its runs, without a plan */
  OptionList atomic, except;
  const char *out; /* the log of the violation; what the program printed is beside it, .txt instead of its ending */
  StressingBy by;
  uint64_t seed;    /* of the first run, at least 1; the next one has the next seed */
  uint64_t length;  /* of the runs by priorities; 0: that of the runs before */
  uint32_t runs;    /* at most, at least 1 */
  uint32_t timeout; /* milliseconds that a thread is held at most, at least 1 */
  double limit;     /* seconds for a run; 0: none */
  bool quiet;       /* print only the verdict */
} Stressing;

/* Prints the first violation, and how it was found. *verdict: VERDICT_VIOLATED; VERDICT_HOLDS: none in all the runs;
 * VERDICT_UNKNOWN: they were interrupted, or one did not end in time. False, with *err, if the program cannot be run or
 * recorded, or has no transactions. */
bool stressing_run(Heap *heap, const Stressing *stressing, Verdict *verdict, Err *err);

#endif
