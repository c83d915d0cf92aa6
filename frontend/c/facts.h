/* facts.h: which accesses of an object never meet, though nobody knows which of its bytes they are to.
 *
 * Two accesses of two threads are asked for one by one (question.h): is it impossible that both are to one byte, in
 * the same round of each barrier that both threads use? A round is what a thread does between two waits. Where the net
 * follows the barrier, what two threads do in different rounds depends on each other by the barrier alone, so that no
 * dependence is lost if the accesses have no object in common. docs/c.md has the theorem, and what is known of values.
 *
 * What may meet is a graph of the accesses of a cell. Sets of accesses that all may meet cover it: the parts of the
 * cell. An access is to all parts that it is in, at once; if it is in none, nobody else's meets it. */
#ifndef FRONTEND_C_FACTS_H
#define FRONTEND_C_FACTS_H

#include "frontend/c/cells.h"

/* Splits cells into parts (CCell.is_split, Cells.parts), where some accesses of different threads do not meet. */
void facts_find(Cells *cells);

#endif
