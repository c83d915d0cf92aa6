/* random_protocol.h: random programs for tests, in which threads keep out of each other's way by what they count, flag
 * and wait for; some do it right, and others nearly. */
#ifndef TESTS_ORACLE_RANDOM_PROTOCOL_H
#define TESTS_ORACLE_RANDOM_PROTOCOL_H

#include "base/vec.h"

/* Appends the program of that seed, the same on every machine, laid out as random_sml does it. It has 2 to 5 threads,
 * at least one marked block, and few enough states to visit them all. */
void random_protocol(Heap *heap, uint64_t seed, CharVec *text);

#endif
