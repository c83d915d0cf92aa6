/* questions.h: the whole way from a net to its prefix and the answers that it gives: unfold, decide, replay. */
#ifndef TOOLS_QUESTIONS_H
#define TOOLS_QUESTIONS_H

#include "report/answers.h"

typedef struct {
  UnfoldOrder order;
  uint64_t max_events;        /* 0: no limit */
  bool whole_prefix;          /* the complete prefix is wanted too; else the unfolding may end when a question is answered */
  bool proof;                 /* it is wanted too where an answer is no, as the proof of that */
  void (*progress)(void *argument, const UnfoldCounts *counts); /* may be NULL */
  void *progress_argument;
} QuestionOptions;

typedef struct {
  Heap *heap;
  Prefix *prefix;      /* of the net; NULL if memory ran out. UNFOLD_NOT_SAFE: the net is refused, and nothing is answered */
  UnfoldCounts counts;
  bool complete;
  char why[160];       /* why something is unknown, or "" */
  double seconds;
  uint64_t bytes;
} QuestionResult;

/* Fills in the answers, in their order; each "yes" has been replayed (check/run_proof.h). A limit of events, memory or time (heap_watch) makes
 * what is not yet decided unknown. A question QUESTION_FIRE ends the unfolding at the first event of its transition, even if the
 * whole prefix is wanted. False, with *err, if the net is none that can be unfolded (ERR_INPUT) or an answer did not stand up
 * to its replay (ERR_CHECK). */
bool questions_answer(Heap *heap, const Net *net, const QuestionOptions *options, Answer *answers, uint32_t n_answers,
                      QuestionResult *result, Err *err);
void questions_fini(QuestionResult *result);

#endif
