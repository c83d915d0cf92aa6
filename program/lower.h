/* lower.h: from the automata of the threads to the net of the program. docs/net.md describes the net.
 *
 * Places: the locks and the copies of the variables in the order of their declarations, then thread by thread its
 * control places and its `held` places. Transitions: thread by thread, in the order of the automaton's edges. */
#ifndef PROGRAM_LOWER_H
#define PROGRAM_LOWER_H

#include "petri/net.h"
#include "program/automaton.h"

/* The most places, transitions and arcs of the net. */
#define LOWER_MAX_PLACES 10000000
#define LOWER_MAX_TRANSITIONS 10000000
#define LOWER_MAX_ARCS 50000000

/* One written thread. */
typedef struct {
  const Flow *flow;
  Automaton automaton;
  U32Vec held; /* the locks that need a `held` place, ascending, as numbers of Program.objects */
} ThreadCode;

/* A net of its own with notes, from the program's heap. `codes` and `share` are per written thread and object; the net
 * is called like the first file. NULL, and *err says why, beyond the limits above. */
Net *lower_program(const Program *program, const Share *share, const ThreadCode *codes, Encoding encoding, Err *err);

#endif
