/* random_sml.h: random programs for tests. */
#ifndef TESTS_ORACLE_RANDOM_SML_H
#define TESTS_ORACLE_RANDOM_SML_H

#include "base/vec.h"

typedef enum {
  RANDOM_TINY,  /* 2 or 3 threads of a few statements without loops: every run can be played */
  RANDOM_SMALL, /* 2 to 4 threads, loops, tracked variables: every state can be visited */
  RANDOM_WIDE,  /* 4 to 6 threads of a few statements, as above */
  RANDOM_OPEN   /* one to three threads of a few statements, as above, some of them N or M times */
} RandomSize;

/* Appends the program of that seed, the same on every machine: one declaration, statement, or opening or closing part
 * of a compound statement per line, but for blocks that stand on one line on purpose. It has at least one marked
 * block. */
void random_sml(Heap *heap, uint64_t seed, RandomSize size, CharVec *text);

#endif
