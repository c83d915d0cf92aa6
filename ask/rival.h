/* rival.h: a question about a net, answered by a search of the reachable markings while the net is unfolded: where a
 * net has fewer markings than its prefix has events, that is the faster way. */
#ifndef ASK_RIVAL_H
#define ASK_RIVAL_H

#include "ask/questions.h"
#include "unfold/states.h"

/* A search of the markings, done in portions between those of the unfolding. */
typedef struct {
  Heap *heap;
  const Net *net;
  const Answer *question;
  UnfoldOptions unlimited; /* what `limits` looks at */
  Limits limits;
  States states;
  bool begun, ended; /* `states` is there; there is nothing more to be had of it */
  StatesStatus status;
  StatesFormula formula; /* QUESTION_FORMULA */
  uint64_t portion;      /* of work: the next one */
} Rival;

/* Net and question must live as long. */
void rival_init(Rival *rival, Heap *heap, const Net *net, const Answer *question);
void rival_fini(Rival *rival);

/* Goes on for a portion, twice as long as the one before; true if the answer is known now. Where memory runs out, or
 * there are too many markings, it gives back what it has, and will never know. An UnfoldOptions.rival. */
bool rival_go_on(void *rival);

/* Once it is known: fills in the answer, but for the question itself; the run is the heap's. */
void rival_take(const Rival *rival, Answer *answer);

#endif
