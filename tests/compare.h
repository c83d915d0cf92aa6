/* compare.h: one program, or one net of another tool, given to several engines. */
#ifndef TESTS_COMPARE_H
#define TESTS_COMPARE_H

#include "tests/engines.h"

typedef enum { INPUT_SML, INPUT_NET /* a script, tests/oracle/net_script.h */ } Input;

/* What a net of another tool is to the engines. */
typedef enum {
  NET_GOOD,
  NET_REFUSED, /* a unit is not sequential, and all that must say so did */
  NET_UNSAFE /* not 1-safe: an engine may refuse it, or say "unknown", or "violated", where a run shows that before any
              */
             /* second token; never "atomic" */
} NetKind;

typedef struct {
  const Engine *engines[MAX_ENGINES];
  uint32_t n_engines;
  bool tiny; /* run those that are only for tiny programs too */
  Input input;
  Granularity granularity; /* of programs */
} Comparison;

typedef struct {
  bool agreed; /* it compiles, no engine failed, and no two disagree on a block: atomic against violated */
  bool legal;  /* it compiles, or can be read */
  NetKind kind;
  char text[1200];                 /* if they did not agree: who says what of which block, or what failed; else "" */
  uint32_t n[3];                   /* how many blocks are atomic, violated, unknown, by all engines taken together */
  uint32_t undecided[MAX_ENGINES]; /* blocks of which the engine does not know, per engine that was run */
  double seconds[MAX_ENGINES];     /* CPU time of each engine */
} Outcome;

Outcome compare_engines(const Comparison *comparison, const char *text, size_t length);

/* Makes the input, of which the engines do not agree, as small as it gets while it is still legal and they do not. */
void compare_shrink(const Comparison *comparison, Heap *heap, CharVec *text);

#endif
