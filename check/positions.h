/* positions.h: threads of which a certificate does not tell one from the other: the controls of each are sorted into
 * positions, and what one of them can do at a position, so can all that are there. */
#ifndef CHECK_POSITIONS_H
#define CHECK_POSITIONS_H

#include "check/groups.h"

#define POSITIONS_MANY UINT32_MAX

/* What some threads can do, from one position to another. */
typedef struct {
  uint32_t from, to;
  uint32_t step; /* of the facts: one of those that do it; */
  uint32_t kind; /* and its kind */
} PositionStep;

/* The positions. Arrays are the heap's. */
typedef struct {
  Heap *heap;
  const ThreadFacts *facts;
  uint32_t *position_of; /* per control, or FACT_NONE */
  U32Vec kind;           /* per position: the kind of its controls */
  /* found */
  U32Vec class;     /* per position: the class of the threads that come there, which is the position where they start */
  U32Vec most;      /* per position: of a class, how many threads it can have; or POSITIONS_MANY */
  bool *is_initial; /* per position: do threads start there? */
  VEC(PositionStep) steps;
} Positions;

/* None yet, of facts that have been judged, and live as long. */
void positions_init(Positions *positions, const ThreadFacts *facts);
void positions_fini(Positions *positions);

/* The next position. False, with ERR_CHECK, for a control that has one, or is of another kind. */
bool positions_add(Positions *positions, const uint32_t *controls, uint32_t n, Err *err);

static inline uint32_t positions_count(const Positions *positions) { return positions->kind.n; }

/* Finds classes and steps. `many` is per thread: it stands for any number of threads; the groups have been judged.
 * False, with ERR_CHECK, unless each control has a position, and no position is one of two classes. */
bool positions_judge(Positions *positions, const Groups *groups, const bool *many, Err *err);

/* The transition of a step. */
static inline TransId positions_transition(const Positions *positions, const PositionStep *step) {
  return positions->facts->steps.at[step->step].transition;
}

#endif
