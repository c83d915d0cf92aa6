/* values.h: the values of tracked variables in a run of a program's net. */
#ifndef REPORT_VALUES_H
#define REPORT_VALUES_H

#include "petri/net.h"

/* "turn = 1, M = false": the tracked variables whose value the transition changes, in the order of their numbers, and
 * the new value of each. NULL: it changes none. The net has notes: copies of a variable say which value they stand for.
 */
const char *values_changed(Arena *arena, const Net *net, TransId t);

#endif
