/* engines.h: every way in which the project decides causal atomicity, as one table: they must all say the same. */
#ifndef TESTS_ENGINES_H
#define TESTS_ENGINES_H

#include "frontend/sml.h"
#include "tests/oracle/answer.h"

typedef struct {
  const char *name;
  Encoding encoding; /* of the nets that it is given; the blocks have the same numbers in both */
  bool only_tiny;    /* too slow for any but tiny programs */
  /* One answer per block of the net's notes. False with *err on failure; ERR_LIMIT is taken for all blocks unknown. */
  bool (*run)(Heap *heap, const Net *net, Answer *answers, Err *err);
} Engine;

extern const Engine ENGINES[];
extern const uint32_t N_ENGINES;

/* An engine that calls every block atomic: tests of the comparison need one that errs. */
extern const Engine LYING_ENGINE;

#endif
