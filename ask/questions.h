/* questions.h: the whole way from a net to its prefix and the answers that it gives: unfold, decide, replay. */
#ifndef ASK_QUESTIONS_H
#define ASK_QUESTIONS_H

#include "ask/ask.h"
#include "base/verdict.h"
#include "petri/formula.h"
#include "unfold/unfold.h"

/* What can be asked of a net. */
typedef enum {
  QUESTION_COVER,    /* can the places be marked all at once? */
  QUESTION_FIRE,     /* can the transition fire? */
  QUESTION_DEADLOCK, /* is there a reachable marking that enables no transition? */
  QUESTION_FORMULA,  /* can the formula hold? */
  QUESTION_STATES,   /* how many markings are reachable? It HOLDS that these are all, or that is unknown */
  QUESTION_OTHER     /* a property (petri/properties.h) that is none of these: its answer is unknown */
} QuestionKind;

/* A question and its answer. */
typedef struct {
  QuestionKind kind;
  const PlaceId *places; /* QUESTION_COVER */
  uint32_t n_places;
  TransId trans;          /* QUESTION_FIRE */
  const Formula *formula; /* QUESTION_FORMULA */
  const char *text;       /* QUESTION_FORMULA: the formula as it was written */
  const char *property;   /* the name of the property that asks it (petri/properties.h); else NULL */
  bool always;            /* of a property: it is true if the answer is no, Property.always */
  const char *why;        /* QUESTION_OTHER: what it is */
  uint32_t most;          /* QUESTION_STATES: no more than so many are counted; 0: no limit */
  uint64_t n_markings;    /* QUESTION_STATES: as many were found */
  Verdict answer;
  TransId *run; /* VERDICT_VIOLATED: a firing sequence to such a marking, or whose last step is the transition */
  uint32_t n_run;
  bool shortest; /* none is shorter; only of a deadlock or a formula this may be unknown */
} Answer;

/* How the net is unfolded, and what is wanted besides the answers. */
typedef struct {
  UnfoldOrder order;
  bool whole_prefix; /* the complete prefix is wanted too; else the unfolding may end when a question is answered */
  bool proof;        /* it is wanted too where an answer is no, as the proof of that */
  bool any_deadlock; /* the first deadlock or marking of a formula that is found will do, near or not */
  bool brief;        /* a search of the markings for all formulas together, of bounded work, is enough: where they are
                        many, or the unfolding comes to its limit of events. What it does not find is unknown */
} QuestionOptions;

/* What the work on the questions left: the prefix, and what it took. */
typedef struct {
  Heap *heap;
  Prefix *prefix; /* of the net; NULL if memory ran out. UNFOLD_NOT_SAFE: the net is refused, and nothing is answered */
  UnfoldCounts counts;
  bool complete;
  Net *complemented;    /* where a formula cannot hold, and a proof of that is wanted: the net with complements */
  PlaceId *complements; /* of these places (petri/complement.h), */
  uint32_t n_complements;
  Prefix *proof; /* and its complete prefix; NULL: there is none */
  char why[160]; /* why something is unknown, or "" */
  double seconds;
  uint64_t bytes;
} QuestionResult;

/* Nothing in it is owned. */
typedef struct {
  const Net *net;
  const Answer *answers;
  uint32_t n_answers;
  const Prefix *prefix;       /* the last one that was unfolded; NULL if memory ran out on the way */
  UnfoldCounts counts;        /* of it, or how far it was */
  bool complete;              /* it is the complete prefix */
  const char *why;            /* why something is unknown; "" if nothing is */
  double seconds;             /* wall clock, of the whole run */
  uint64_t bytes;             /* the most memory in use */
  const PlaceId *complements; /* as in QuestionResult */
  uint32_t n_complements;
  const Prefix *proof;
} AnswerReport;

/* The question whether the text can hold, a list of places or else a formula; what looks like a list is complained of
 * as one. False, with ERR_INPUT, if it is neither. What the question holds is heap-owned, but for the text. */
bool questions_parse_cover(Heap *heap, const Net *net, const char *text, Answer *answer, Err *err);

/* Fills in the answers, in their order; each "yes" has been replayed (check/run_proof.h). A limit of events,
 * memory or time (heap_watch) makes what is not yet decided unknown. A question QUESTION_FIRE ends the unfolding
 * at the first event of its transition, even if the whole prefix is wanted. False, with *err, if the net is none
 * that can be unfolded (ERR_INPUT) or an answer did not stand up to its replay (ERR_CHECK). */
bool questions_answer(Heap *heap, const Net *net, const QuestionOptions *options, const AskLimits *limits,
                      Answer *answers, uint32_t n_answers, QuestionResult *result, Err *err);
void questions_fini(QuestionResult *result);

/* Of all answers together, and of the unfolding itself. */
Verdict questions_verdict(const Answer *answers, uint32_t n_answers, const QuestionResult *result);

#endif
