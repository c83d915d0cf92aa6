/* word.h: a shortest word of a thread that has a given profile: what the thread does, statement by statement. */
#ifndef PREDICT_PUSHDOWN_WORD_H
#define PREDICT_PUSHDOWN_WORD_H

#include "base/vec.h"
#include "program/control.h"

/* How two accesses of a word belong together. */
typedef enum {
  WORD_ORDER,    /* first, and later second; one access can be both */
  WORD_TOGETHER, /* first, and later second, in one transaction */
  WORD_SPLIT     /* likewise, but not in one event */
} WordRelation;

/* An access to a global. */
typedef struct {
  uint32_t object; /* of Program.objects */
  bool write;
} WordAccess;

/* The two accesses that a word has to have. */
typedef struct {
  WordRelation relation;
  WordAccess first, second;
} WordGoal;

/* What a step of a word is. */
typedef enum { WORD_EVENT, WORD_BEGIN, WORD_END, WORD_CALL } WordOp;

/* An event with its accesses; or the begin or end of a block; or a call. */
typedef struct {
  uint8_t op;                    /* a WordOp */
  uint32_t node;                 /* of the control, the one with which it starts */
  uint32_t accesses, n_accesses; /* of Word.accesses: nodes of the control */
} WordStep;

/* A word. Its vectors are the heap's, until word_fini. */
typedef struct {
  VEC(WordStep) steps;
  U32Vec accesses;
  uint32_t first, second; /* where they are in `accesses` */
} Word;

/* Finds a word with the fewest steps for a thread that starts with the proc; it ends with the event of `second`.
 * False, with *word untouched, if there is none with at most `max` steps. *word starts as {0}. */
bool word_find(Heap *heap, const Control *control, uint32_t proc, WordGoal goal, uint32_t max, Word *word);
void word_fini(Heap *heap, Word *word);

#endif
