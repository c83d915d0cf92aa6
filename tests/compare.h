/* compare.h: one program, given to several engines. */
#ifndef TESTS_COMPARE_H
#define TESTS_COMPARE_H

#include "tests/engines.h"

enum { COMPARE_MAX_ENGINES = 16 };

typedef struct {
  const Engine *engines[COMPARE_MAX_ENGINES];
  uint32_t n_engines;
  bool tiny; /* run those that are only for tiny programs too */
  Granularity granularity;
} Comparison;

typedef struct {
  bool agreed;       /* it compiles, no engine failed, and no two disagree on a block: atomic against violated */
  bool legal;        /* it compiles */
  char text[1200];   /* if they did not agree: who says what of which block, or what failed; else "" */
  uint32_t n[3];     /* how many blocks are atomic, violated, unknown, by all engines taken together */
  uint32_t undecided[COMPARE_MAX_ENGINES]; /* blocks of which the engine does not know, per engine that was run */
  double seconds[COMPARE_MAX_ENGINES];     /* CPU time of each engine */
} Outcome;

Outcome compare_engines(const Comparison *comparison, const char *text, size_t length);

/* Makes the program, of which the engines do not agree, as small as it gets while it still compiles and they do not. */
void compare_shrink(const Comparison *comparison, Heap *heap, CharVec *text);

#endif
