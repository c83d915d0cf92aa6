/* reduce.h: a smaller automaton of a thread that does the same to what is shared.
 *
 * An edge is silent if it touches nothing, and is no lock's, nor the begin or the end of a block: which way control
 * goes where nobody knows. An OP_SKIP is none: it may stand for something
 * that the frontend has left out. What matters of a thread to the others, to its blocks and to races is which sequences
 * of other edges there are, and these stay what they were:
 *   - a state that is left by one silent edge alone is the one that it leads to;
 *   - a silent edge gives way to copies of the edges of the state that it leads to, where that makes no more of them:
 *     no other edge leads there, or one edge leads away from there;
 *   - states from which the same edges lead to the same states are one. Edges are the same if they do the same, at the
 *     same place of the source.
 * Silent edges that make more of others stay. */
#ifndef PROGRAM_REDUCE_H
#define PROGRAM_REDUCE_H

#include "program/automaton.h"

/* Makes it smaller; the flow is the one that it was made of. */
void reduce_automaton(Automaton *automaton, const Program *program, const Flow *flow);

#endif
