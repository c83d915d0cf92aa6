/* engines.h: every way in which the project decides causal atomicity, as one table: they must all say the same. */
#ifndef TESTS_ENGINES_H
#define TESTS_ENGINES_H

#include "frontend/sml/sml.h"
#include "tests/oracle/answer.h"

/* What an engine is given. */
enum {
  OF_PROGRAMS = 1, /* nets of SML programs */
  OF_NETS = 2,     /* nets of other tools, with units for threads */
  REFUSES = 4      /* refuses nets with units that are not sequential; an oracle plays them too */
};

typedef struct {
  const char *name;
  Encoding encoding; /* of the nets of programs; the blocks have the same numbers in both */
  bool only_tiny;    /* too slow for any but tiny programs */
  unsigned takes;    /* of the above */
  bool for_proofs;   /* one of those that short proofs are compared with, or such a proof itself */
  /* One answer per block of the net's notes. False with *err on failure; ERR_LIMIT is taken for all blocks unknown. */
  bool (*run)(Heap *heap, const Net *net, Answer *answers, Err *err);
} Engine;

enum { MAX_ENGINES = 40 };
extern const Engine ENGINES[]; /* MAX_ENGINES at most */
extern const uint32_t N_ENGINES;

/* An engine that calls every block atomic: tests of the comparison need one that errs. */
extern const Engine LYING_ENGINE;

#endif
