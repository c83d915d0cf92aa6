/* states.h: the reachable markings of a net, explicitly: one by one, breadth first, each once. It needs no prefix, and
 * is the faster way to an answer where a net has few markings for its events. It can be done in portions, so that it
 * can take turns with another search. */
#ifndef UNFOLD_STATES_H
#define UNFOLD_STATES_H

#include "petri/formula.h"
#include "unfold/limits.h"
#include "unfold/marks.h"

/* How far the search is. */
typedef enum {
  STATES_MORE,   /* the portion of work is done, and there are markings left to look at */
  STATES_ALL,    /* every reachable marking was found, and none is what is looked for */
  STATES_FOUND,  /* `at` is what is looked for */
  STATES_UNSAFE, /* in `at`, transition `via` puts a second token on `unsafe_place` */
  STATES_FULL,   /* the limit of markings was reached */
  STATES_STOPPED /* the heap was asked to stop */
} StatesStatus;

/* How a marking was found first. */
typedef struct {
  uint32_t parent, trans;
} StatesStep;

/* The search. */
typedef struct States {
  Heap *heap;
  const Net *net;
  Effects effects;
  Marks marks; /* the current marking is the one that is looked at */
  Limits *limits;
  uint32_t most;         /* markings */
  VEC(StatesStep) steps; /* per marking, by its number; of the initial one nothing. As many as were found */
  uint32_t next;         /* the next one to be looked at */
  uint32_t *watch_start; /* per place p: the transitions watchers[watch_start[p] ..] are looked at where p is marked:
                            each is */
  uint32_t *watchers;    /* there for one place of its preset */
  U32Vec enabled;        /* the transitions that the current marking enables, in no particular order */
  uint32_t at;           /* FOUND, UNSAFE: the number of a marking */
  TransId via;
  PlaceId unsafe_place;
} States;

/* Is the current marking, whose enabled transitions are known, what is looked for? */
typedef bool StatesGoal(const void *argument, const States *states);

/* Markings are numbered from 0 in the order in which they are found: no number has a longer way than a larger one. Net
 * and limits must live as long. Every transition has an input place. */
void states_init(States *states, Heap *heap, const Net *net, Limits *limits, uint32_t most);
void states_fini(States *states);

/* Goes on for about `work` looks at a transition or a place. The first marking that is found to be a goal is one that
 * is nearest; with goal NULL all are visited. After anything but STATES_MORE it is not to be called again.
 *
 * The same calls give the same answers, whatever the portions of work. Memory that runs out leaves the heap_try(); then
 * states_fini() is all that may follow. */
StatesStatus states_explore(States *states, StatesGoal *goal, const void *argument, uint64_t work);

/* A shortest firing sequence that leads to the marking. `run` has room for it; with run NULL only its length is
 * returned. */
uint32_t states_run(const States *states, uint32_t marking, TransId *run);

/* Does the current marking enable nothing? A StatesGoal, without argument. */
bool states_is_dead(const void *unused, const States *states);

/* A formula as it is asked about marking after marking. It lives as long, and is not owned. */
typedef struct {
  const Formula *formula;
  bool *values; /* scratch */
} StatesFormula;

/* The scratch memory is the heap's. */
void states_formula_init(StatesFormula *goal, Heap *heap, const Formula *formula);
void states_formula_fini(StatesFormula *goal, Heap *heap);

/* Does the formula hold in the current marking? A StatesGoal; the argument is a StatesFormula. */
bool states_satisfy(const void *goal, const States *states);

#endif
