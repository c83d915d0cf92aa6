/* random_rich.h: random programs with `self`, arrays, semaphores, reader-writer locks, fork, join and assert; each as a
 * second text, too, which says the same without these: copies written out, elements as variables of their own, computed
 * indices as choices, semaphores and such locks as variables. */
#ifndef TESTS_ORACLE_RANDOM_RICH_H
#define TESTS_ORACLE_RANDOM_RICH_H

#include "base/vec.h"

#include <stdbool.h>

/* Appends the program of that seed, or what says the same in plain words. All blocks have names; those of a name in the
 * plain text are one block of the other. Laid out as random_sml does. */
void random_rich(Heap *heap, uint64_t seed, bool plain, CharVec *text);

#endif
