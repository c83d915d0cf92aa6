/* result.h: what a CausalResult is. */
#ifndef LIBCAUSAL_RESULT_H
#define LIBCAUSAL_RESULT_H

#include "ask/any_number.h"
#include "ask/questions.h"
#include "ask/serializability.h"
#include "libcausal/libcausal.h"
#include "report/report.h"

/* All of it is the heap's, and goes with that. */
struct CausalResult {
  Heap *heap;
  Arena arena;
  CausalQuestion question;
  CausalVerdict verdict;
  Err err;     /* where there is no answer */
  bool failed; /* `err` is set */
  char why[sizeof((Err *)NULL)->text];

  Inputs inputs; /* texts and diagnostics */
  BlockInput input;
  union {
    Atomicity atomicity;
    AnyNumber any;
    Serializability serializability;
    QuestionResult questions;
  } found;
  bool is_any; /* found.any */
  Answer answer;
  uint32_t n_answers; /* 0 or 1 */
  union {
    AtomicityReport blocks;
    CycleReport cycle;
    AnswerReport answers;
  } told;
  Report report;
  bool reported; /* `report` has the answer */
  bool written;  /* `report` is whole */

  const CausalDiagnostic *diagnostics; /* NULL: not yet made, likewise the next two */
  const CausalFinding *findings;
  const CausalPrefix *prefix;
};

/* Are the options what they should be? False, with *err. `options` becomes the caller's, with what an older caller does
 * not know as it is by default. */
bool result_options(const CausalOptions *given, CausalOptions *options, Err *err);

/* Fills result->report of an answer, or of that there is none. May leave the heap_try. */
void result_report(CausalResult *result);

#endif
