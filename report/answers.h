/* answers.h: what netunfold found, and how it is told: as text and as JSON. docs/json.md has the JSON. */
#ifndef REPORT_ANSWERS_H
#define REPORT_ANSWERS_H

#include "base/verdict.h"
#include "unfold/unfold.h"

#include <stdio.h>

typedef enum {
  QUESTION_COVER,   /* can the places be marked all at once? */
  QUESTION_FIRE,    /* can the transition fire? */
  QUESTION_DEADLOCK /* is there a reachable marking that enables no transition? */
} QuestionKind;

/* A question and its answer. */
typedef struct {
  QuestionKind kind;
  const PlaceId *places; /* QUESTION_COVER */
  uint32_t n_places;
  TransId trans;         /* QUESTION_FIRE */
  Verdict answer;
  TransId *run;          /* VERDICT_VIOLATED: a firing sequence to such a marking, or whose last step is the transition */
  uint32_t n_run;
  bool shortest;         /* none is shorter; only of a deadlock this may be unknown */
} Answer;

/* Nothing in it is owned. */
typedef struct {
  const Net *net;
  const Answer *answers;
  uint32_t n_answers;
  const Prefix *prefix;   /* the last one that was unfolded; NULL if memory ran out on the way */
  UnfoldCounts counts;    /* of it, or how far it was */
  bool complete;          /* it is the complete prefix */
  const char *why;        /* why something is unknown; "" if nothing is */
  double seconds;         /* wall clock, of the whole run */
  uint64_t bytes;         /* the most memory in use */
} AnswerReport;

/* A firing sequence line by line, indented; for people. */
void print_run(const Net *net, const TransId *run, uint32_t n_run, FILE *out);

/* With `quiet` the answers alone, without firing sequences and sizes. */
void answers_text(const AnswerReport *report, bool quiet, FILE *out);
void answers_json(const AnswerReport *report, FILE *out);

#endif
