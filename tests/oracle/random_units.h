/* random_units.h: random nets of "another tool", as scripts (net_script.h). */
#ifndef TESTS_ORACLE_RANDOM_UNITS_H
#define TESTS_ORACLE_RANDOM_UNITS_H

#include "base/vec.h"

/* Appends the net of that seed, the same on every machine. It has two to four units, a few shared tokens, and a begin
 * at least; most, not all, are 1-safe and have sequential units. */
void random_units(Heap *heap, uint64_t seed, CharVec *text);

#endif
