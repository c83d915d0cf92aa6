/* held.h: which locks a thread holds where: which releases may find their lock not held, which acquires may find it
 * held.
 *
 * A forward data flow over the states of the automaton, so it sees that `if (f) { acquire(l) } ... if (f) {
 * release(l) }` is right where f is tracked. Two bits per lock and state: held on every way there, held on some way
 * there. The locks are looked at 64 at a time, one word each, so the work is linear in states and locks / 64. */
#ifndef PROGRAM_HELD_H
#define PROGRAM_HELD_H

#include "program/explore.h"

/* Sets needs_place[0 .. objects - 1] for each lock that some release of the thread may find not held by the thread:
 * the net must then say who holds it. Sets holds[0 .. states - 1] where the thread holds some lock for certain. Notes
 * these releases (NOTICE_UNHELD), and acquires of a lock that may be held (NOTICE_HELD); `warned` has a flag per
 * operation of the program, so that one in a proc is noted once. */
void held_analyse(const Program *program, const Flow *flow, const Automaton *automaton, bool *needs_place, bool *holds,
                  bool *warned, NoticeVec *notices);

#endif
