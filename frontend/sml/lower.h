/* lower.h: from the automata of the threads to the net of the program. docs/net.md describes the net.
 *
 * Places: the locks and the copies of the variables in the order of their declarations, then thread by thread its
 * control places and its `held` places. Transitions: thread by thread, in the order of the automaton's edges. */
#ifndef FRONTEND_SML_LOWER_H
#define FRONTEND_SML_LOWER_H

#include "frontend/sml/automaton.h"

/* The most places, transitions and arcs of the net. */
#define SML_MAX_PLACES 10000000
#define SML_MAX_TRANSITIONS 10000000
#define SML_MAX_ARCS 50000000

/* One written thread. */
typedef struct {
  const Flow *flow;
  Automaton automaton;
  U32Vec held; /* the locks that need a `held` place, ascending, as numbers of Ast.globals */
} ThreadCode;

/* `codes` and `share` are per thread and global of the AST. NULL, and an error in `diag`, beyond the limits above. */
Net *lower_program(const Ast *ast, const Share *share, const ThreadCode *codes, Encoding encoding, Diag *diag);

#endif
