/* sequential.h: which nets with units for threads may be refused. */
#ifndef TESTS_ORACLE_SEQUENTIAL_H
#define TESTS_ORACLE_SEQUENTIAL_H

#include "petri/net.h"

/* Has each unit at most one token at first, and does each transition take at most one token of each unit, put no more
 * than it takes there, and so keep it at that? */
bool units_are_sequential(const Net *net);

#endif
