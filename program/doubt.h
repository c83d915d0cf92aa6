/* doubt.h: which of the warnings about values are given.
 *
 * The automaton of a thread assumes that the other threads may write anything at any time; so after
 * `if (X > 0)` X may be 0 again, and `X := X - 1` would be warned of. Usually a lock prevents that. Here a thread
 * relies on what it has seen of a shared variable, by reading it, testing it or writing it, for as long as it holds
 * some lock for certain, or if no other thread writes the variable at all. A release while another lock is held changes
 * nothing, nor is it looked at whether the others use the same lock: this is for warnings alone.
 *
 * What it has seen is an interval per state, by a forward data flow over the automaton; one that keeps growing becomes
 * all values. */
#ifndef PROGRAM_DOUBT_H
#define PROGRAM_DOUBT_H

#include "program/explore.h"

/* Gives the notices of x->doubts, which are of this thread, but for those whose edges the thread cannot take by what it
 * has seen of the variables in the operation; of each operation a kind comes once. holds[0 .. states - 1] says where it
 * holds a lock (program/held.h), writers[0 .. objects - 1] how many threads write each object. */
void doubt_settle(Exploration *x, const Flow *flow, const Automaton *automaton, const bool *holds,
                  const uint64_t *writers);

#endif
