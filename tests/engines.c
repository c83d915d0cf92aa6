#include "tests/engines.h"

#include "tests/oracle/colouring.h"
#include "tests/oracle/definition.h"

enum { MAX_STATES = 100000, MAX_LENGTH = 40, MAX_TRACES = 20000 };

static bool run_colouring(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return colouring_search(heap, net, MAX_STATES, answers, err);
}

static bool run_definition(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return definition_search(heap, net, (DefinitionLimits){MAX_LENGTH, MAX_TRACES}, answers, err);
}

static bool run_liar(Heap *heap, const Net *net, Answer *answers, Err *err) {
  (void)heap, (void)err;
  for (uint32_t b = 0; b < net->notes->n_blocks; b++) answers[b] = ANSWER_ATOMIC;
  return true;
}

const Engine ENGINES[] = {
    {"colouring", ENCODING_COMPACT, false, run_colouring},
    {"colouring-paper", ENCODING_PAPER, false, run_colouring},
    {"definition", ENCODING_PAPER, true, run_definition},
};
const uint32_t N_ENGINES = sizeof ENGINES / sizeof *ENGINES;

const Engine LYING_ENGINE = {"liar", ENCODING_COMPACT, false, run_liar};
