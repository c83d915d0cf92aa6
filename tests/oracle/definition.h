/* definition.h: causal atomicity by Definition 3 itself (A. Farzan, P. Madhusudan, "Causal Atomicity", CAV 2006), for
 * tiny nets.
 *
 * All runs of the uncoloured net are played, step by step. Runs that differ only in the order of independent steps are
 * the same trace and are played once: a trace is the set of its events, an event is its transition with the events
 * that produced the tokens it takes. Every event is judged when it first occurs, by nothing but its causes. */
#ifndef TESTS_ORACLE_DEFINITION_H
#define TESTS_ORACLE_DEFINITION_H

#include "petri/net.h"
#include "tests/oracle/answer.h"

typedef struct {
  uint32_t max_length; /* runs are cut at so many steps */
  uint32_t max_traces; /* the search ends after so many traces, prefixes included */
} DefinitionLimits;

/* One answer per block of the notes. False with *err if the net has no notes, a transition takes nothing, or a place
 * gets a second token; the answers are then untouched. */
bool definition_search(Heap *heap, const Net *net, DefinitionLimits limits, Answer *answers, Err *err);

#endif
