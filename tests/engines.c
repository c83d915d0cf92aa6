#include "tests/engines.h"

#include "tests/oracle/colouring.h"
#include "tests/oracle/definition.h"
#include "tools/atomicity.h"

enum { MAX_STATES = 100000, MAX_LENGTH = 40, MAX_TRACES = 20000, MAX_EVENTS = 30000, MAX_EVENTS_MCMILLAN = 5000 };

/* ---- the oracles ---- */

static bool run_colouring(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return colouring_search(heap, net, MAX_STATES, answers, err);
}

static bool run_definition(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return definition_search(heap, net, (DefinitionLimits){MAX_LENGTH, MAX_TRACES}, answers, err);
}

/* ---- what causalcheck does: colour, unfold, and have every witness judged ---- */

static bool run_atomicity(Heap *heap, const Net *net, AtomicityOptions options, Answer *answers, Err *err) {
  static const Answer answer_of[] = {
      [VERDICT_ATOMIC] = ANSWER_ATOMIC, [VERDICT_VIOLATED] = ANSWER_VIOLATED, [VERDICT_UNKNOWN] = ANSWER_UNKNOWN};
  options.max_events = options.order == UNFOLD_MCMILLAN ? MAX_EVENTS_MCMILLAN : MAX_EVENTS;
  Atomicity result;
  if (!atomicity_check(heap, net, &options, &result, err)) return false;
  for (uint32_t i = 0; i < result.n_blocks; i++) answers[result.blocks[i].block] = answer_of[result.blocks[i].verdict];
  atomicity_fini(&result);
  return true;
}

static bool run_full(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_atomicity(heap, net, (AtomicityOptions){.colour = {COLOURING_FULL, true, NULL}}, answers, err);
}

static bool run_full_unreduced(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_atomicity(heap, net, (AtomicityOptions){.colour = {COLOURING_FULL, false, NULL}}, answers, err);
}

static bool run_full_mcmillan(Heap *heap, const Net *net, Answer *answers, Err *err) {
  const AtomicityOptions options = {.colour = {COLOURING_FULL, true, NULL}, .order = UNFOLD_MCMILLAN};
  return run_atomicity(heap, net, options, answers, err);
}

static bool run_chain(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_atomicity(heap, net, (AtomicityOptions){.colour = {COLOURING_CHAIN, true, NULL}}, answers, err);
}

static bool run_chain_unreduced(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_atomicity(heap, net, (AtomicityOptions){.colour = {COLOURING_CHAIN, false, NULL}}, answers, err);
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
    {"full", ENCODING_COMPACT, false, run_full},
    {"full-paper", ENCODING_PAPER, false, run_full},
    {"full-unreduced", ENCODING_COMPACT, false, run_full_unreduced},
    {"full-mcmillan", ENCODING_COMPACT, false, run_full_mcmillan},
    {"chain", ENCODING_COMPACT, false, run_chain},
    {"chain-unreduced", ENCODING_PAPER, false, run_chain_unreduced},
};
const uint32_t N_ENGINES = sizeof ENGINES / sizeof *ENGINES;

const Engine LYING_ENGINE = {"liar", ENCODING_COMPACT, false, run_liar};
