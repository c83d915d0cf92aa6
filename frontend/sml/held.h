/* held.h: which locks a thread holds where: which releases may find their lock not held, which acquires may find it
 * held.
 *
 * A forward data flow over the states of the automaton, so it sees that `if (f) { acquire(l) } ... if (f) {
 * release(l) }` is right where f is tracked. Two bits per lock and state: held on every way there, held on some way
 * there. The locks are looked at 64 at a time, one word each, so the work is linear in states and locks / 64. */
#ifndef FRONTEND_SML_HELD_H
#define FRONTEND_SML_HELD_H

#include "frontend/sml/automaton.h"

/* Sets needs_place[0 .. globals - 1] for each lock that some release of the thread may find not held by the thread:
 * the net must then say who holds it. Warns about these releases, and about acquires of a lock that may be held;
 * `warned` has a flag per statement, so that a statement in a proc is told once. */
void held_analyse(const Exploration *x, const Flow *flow, const Automaton *automaton, bool *needs_place, bool *warned);

#endif
