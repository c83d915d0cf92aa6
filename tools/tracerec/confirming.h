/* confirming.h: `tracerec confirm`: follows what is predicted of a run, until the program does it. docs/confirming.md.
 */
#ifndef TOOLS_TRACEREC_CONFIRMING_H
#define TOOLS_TRACEREC_CONFIRMING_H

#include "base/err.h"
#include "base/heap.h"
#include "base/options.h"
#include "base/verdict.h"
#include "predict/sync.h"
#include "record/raw.h"
#include "tools/tracerec/drawing.h"

/* What is to be confirmed, and how. Nothing is owned. */
typedef struct {
  const char *run;         /* the log; NULL: nothing is predicted, */
  const char *witness;     /* but this file says what to follow (docs/confirming.md) */
  char **program;          /* and its arguments; NULL after them */
  const RawHeader *header; /* for its runs, without a plan */
  OptionList atomic, except;
  const char *out;   /* the log of a run that confirms something, out.steps, what it followed, and out.txt, what the
                        program printed; with a number before the last dot of `out` from the second violation on */
  Drawing pictures;  /* of the violation; numbered like `out` */
  uint32_t tries;    /* runs for each violation, at least 1 */
  uint32_t timeout;  /* milliseconds for a leg, at least 1 */
  double limit;      /* seconds for a run; 0: none */
  Sync sync;         /* of the prediction */
  bool first, quiet; /* stop at the first that is confirmed; print only the verdict */
  bool gdb;          /* of each that is confirmed, run the program once more in gdb, which there is, up to the split */
} Confirming;

/* Prints what became of each violation. *verdict: VERDICT_VIOLATED: something was confirmed; VERDICT_HOLDS: nothing was
 * predicted. False, with *err, if a run cannot be read or recorded. */
bool confirming_run(Heap *heap, const Confirming *confirming, Verdict *verdict, Err *err);

#endif
