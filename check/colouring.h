/* colouring.h: the plain chain colouring of a net whose threads are known (docs/colours.md, "The colouring of the
 * judge"), made from facts that have been judged: each thread as an automaton whose steps have effects on the objects
 * of the facts and on the chain. If a block that is asked about is not causally atomic, some run of these automata
 * marks its red.
 *
 * The chain is at CHAIN_NOWHERE, CHAIN_CARRIED, or where chain_at says. A thread's state is a control and a mode. */
#ifndef CHECK_COLOURING_H
#define CHECK_COLOURING_H

#include "check/groups.h"

enum { CHAIN_NOWHERE, CHAIN_CARRIED, CHAIN_PUT };

/* Modes: no part in the chain; carries it; from MODE_CHOSEN on two for each block, chain not yet put down, put down. */
enum { MODE_FREE, MODE_CARRIES, MODE_CHOSEN };

/* Where the chain is if it was put on the group by a reader or a writer, the chosen thread or another one. */
static inline uint32_t chain_at(uint32_t group, bool writes, bool by_other) {
  return CHAIN_PUT + 4 * group + 2 * (uint32_t)writes + (uint32_t)by_other;
}

/* A state of a thread's automaton. */
typedef struct {
  uint32_t control, mode;
} ColouringState;

#define COLOURING_RED UINT32_MAX

/* A step of a thread, with the effects of its transition on the objects. */
typedef struct {
  uint32_t from, to; /* states; `to` may be COLOURING_RED: marks the red of the block of `from`, leaves the objects */
  uint32_t step;     /* of the facts */
  uint32_t chain_from, chain_to; /* the chain is found at the one and left at the other; FACT_NONE: not looked at */
  bool chooses;                  /* no block was chosen before, but is now */
} ColouringStep;

/* The colouring. Arrays are the heap's. */
typedef struct {
  Heap *heap;
  const ThreadFacts *facts;
  /* claimed */
  Groups groups;
  bool *blocks; /* per block of the notes: is it asked about? */
  /* found */
  bool *may_choose; /* per thread: it is the first of those that behave alike */
  Intern numbers;   /* of states */
  VEC(ColouringState) states;
  U32Vec initial;    /* per thread: a state */
  U32Vec step_start; /* per state, + 1 */
  VEC(ColouringStep) steps;
  /* scratch */
  uint64_t *values, *chain; /* those that may occur */
  VEC(uint8_t) known;       /* per state: what is known of it */
  bool changed;             /* something new was met in this round */
} Colouring;

/* Nothing is claimed yet. The facts have been judged, and live as long. */
void colouring_init(Colouring *colouring, const ThreadFacts *facts);
void colouring_fini(Colouring *colouring);

/* The block is asked about. */
void colouring_ask(Colouring *colouring, uint32_t block);

/* Makes the states and steps, without those that never happen or cannot matter. False, with ERR_CHECK, if the groups
 * are not as they should be (groups_judge). */
bool colouring_make(Colouring *colouring, Err *err);

/* How many places the chain can be at, counted with the first two. */
static inline uint32_t colouring_chain_values(const Colouring *colouring) {
  return chain_at(colouring->groups.has_readers.n, false, false);
}

/* The number of the state, or FACT_NONE if no thread comes to it. */
uint32_t colouring_find_state(const Colouring *colouring, uint32_t control, uint32_t mode);

#endif
