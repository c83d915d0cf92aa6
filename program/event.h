/* event.h: all outcomes of one event, one after another, for explore.c.
 *
 * An event is run as a small program with choices in it: the value that a shared variable holds, either outcome of a
 * test that nothing decides, any value of a tracked variable that takes an unknown result. The run notes the choices
 * it made; run again with the last one advanced, as an odometer, until all have been made. So an `if` in an `atomic`
 * looks at a variable on those paths only on which the program does. */
#ifndef PROGRAM_EVENT_H
#define PROGRAM_EVENT_H

#include "program/explore.h"

/* A choice that the run made, out of n. */
typedef struct {
  uint32_t value, n; /* value < n */
} Choice;

/* With GRANULARITY_ACCESS: a read of an object in an operation. */
typedef struct {
  uint32_t item;      /* of Program.items */
  uint32_t n_tracked; /* reads before it, in the same operation, of variables whose values are in places */
} ReadSite;

/* The exploration of one event: all its outcomes, one after another. */
typedef struct {
  Exploration *x;
  const Flow *flow;
  Automaton *automaton; /* touches and accesses are added to its vectors */
  VEC(ReadSite) reads;  /* of all operations that are more than one event */
  U32Vec reads_start;   /* per operation, and one more: where its reads start */
  VEC(Choice) choices;
  uint32_t n_chosen; /* choices of this run so far */
  bool guessed;      /* one was made that `touches` do not show */
  VEC(Value) stack;
  NoticeVec doubts; /* what is to be said of this run, of operations of which it was not said yet */
  State state;      /* where the event starts; once an OP_SELECT is done, the operation that it leads to */
  uint16_t *values; /* its values, changed by the run; then those of the state that it leads to */
  State target;     /* where it leads to */
  EdgeKind kind;
  uint32_t item;
  uint32_t first_touch, first_access; /* where the vectors stood before */
  uint32_t n_reads, n_temporaries;    /* reads of objects so far, and how many of them are kept in temporaries */
} Event;

/* Makes events of the flow ready to be run; sets automaton->n_temporaries. The automaton has its slots. */
void event_init(Event *event, Exploration *x, const Flow *flow, Automaton *automaton);
void event_fini(Event *event);

/* Runs the event of a state with the next combination of choices; `event->choices` must be empty for the first.
 * False if it cannot happen so: an await whose condition is known to be false, an OP_SELECT that leads nowhere. */
bool event_run(Event *event, State state, const uint16_t *values);

/* Advances to the next combination; false if there is none. */
bool event_advance(Event *event);

#endif
