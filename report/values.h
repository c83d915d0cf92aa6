/* values.h: the values of tracked variables and locals, and who holds which lock, along a run of a program's net. They
 * are read off the tokens: copies of variables, locks, and control places with their states. */
#ifndef REPORT_VALUES_H
#define REPORT_VALUES_H

#include "petri/net.h"
#include "report/finding.h"

/* The variables of a run, and what each of its steps sets. */
typedef struct {
  const FindingVariable *variables; /* objects in the order of their numbers, then the locals, thread by thread */
  uint32_t n;
  const uint32_t *threads; /* per variable: of the notes, whose local it is; NOTE_NONE: it is shared */
  const uint32_t *start;   /* steps + 1 */
  const FindingSet *sets;  /* those of step i are sets[start[i] ..], ascending by variable */
} Values;

/* Of a firing sequence of the net, which has notes, from its initial marking. Variables are the locks and tracked
 * variables that it accesses, and the tracked locals of the threads that take a step in it; their `thread` is left 0.
 * All of it belongs to the arena. */
Values values_of_run(Arena *arena, const Net *net, const TransId *run, uint32_t n);

/* "turn = 1, M = false": what the step sets but for locks; NULL: nothing. */
const char *values_phrase(Arena *arena, const Values *values, uint32_t step);

#endif
