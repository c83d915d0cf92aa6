#include "tests/engines.h"

#include "ask/atomicity.h"
#include "check/certificate_judge.h"
#include "tests/oracle/reach.h"
#include "prove/prove.h"
#include "tests/oracle/colouring.h"
#include "tests/oracle/definition.h"
#include "unfold/certificate_write.h"

#include <stdlib.h>

enum {
  MAX_STATES = 100000,
  MAX_LENGTH = 40,
  MAX_TRACES = 20000,
  SHORT_LENGTH = 16,
  SHORT_TRACES = 1000,
  MAX_EVENTS = 20000,
  MAX_EVENTS_MCMILLAN = 5000 /* its prefixes are large, and slow to make */
};

static bool run_colouring(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return colouring_search(heap, net, MAX_STATES, answers, err);
}

static bool run_definition(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return definition_search(heap, net, (DefinitionLimits){MAX_LENGTH, MAX_TRACES}, answers, err);
}

/* For nets with loops, of which it mostly finds no end. */
static bool run_definition_short(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return definition_search(heap, net, (DefinitionLimits){SHORT_LENGTH, SHORT_TRACES}, answers, err);
}

/* The project's own way, to the witness; every "violated" has passed the judge in check/. */
static bool run_options(Heap *heap, const Net *net, AtomicityOptions options, Answer *answers, Err *err) {
  const AskLimits limits = {.max_events = options.order == UNFOLD_MCMILLAN ? MAX_EVENTS_MCMILLAN : MAX_EVENTS};
  Atomicity result;
  if (!atomicity_check(heap, net, &options, &limits, &result, err)) return false;
  for (uint32_t i = 0; i < result.n_blocks; i++)
    answers[result.blocks[i].block] = result.blocks[i].verdict == VERDICT_HOLDS      ? ANSWER_ATOMIC
                                      : result.blocks[i].verdict == VERDICT_VIOLATED ? ANSWER_VIOLATED
                                                                                     : ANSWER_UNKNOWN;
  atomicity_fini(&result);
  return true;
}

/* As a user has it: proofs, chains, slices, unfolding. */
static bool run_stages(Heap *heap, const Net *net, Answer *answers, Err *err) {
  const AtomicityOptions options = {.tries = TRY_ALL, .colour = {COLOURING_CHAIN, true, NULL}};
  return run_options(heap, net, options, answers, err);
}

/* Slices alone: what needs all threads is left open. */
static bool run_slice_stage(Heap *heap, const Net *net, Answer *answers, Err *err) {
  const AtomicityOptions options = {.tries = TRY_SLICE, .never_whole = true, .colour = {COLOURING_CHAIN, true, NULL}};
  return run_options(heap, net, options, answers, err);
}

/* The unfolding of the whole net alone. */
#define RUN(name, colouring, reduce, by)                                                   \
  static bool name(Heap *heap, const Net *net, Answer *answers, Err *err) {                \
    const AtomicityOptions options = {.colour = {colouring, reduce, NULL}, .order = (by)}; \
    return run_options(heap, net, options, answers, err);                                  \
  }
RUN(run_full, COLOURING_FULL, true, UNFOLD_ERV)
RUN(run_full_mcmillan, COLOURING_FULL, true, UNFOLD_MCMILLAN)
RUN(run_full_unreduced, COLOURING_FULL, false, UNFOLD_ERV)
RUN(run_full_unreduced_mcmillan, COLOURING_FULL, false, UNFOLD_MCMILLAN)
RUN(run_chain, COLOURING_CHAIN, true, UNFOLD_ERV)
RUN(run_chain_mcmillan, COLOURING_CHAIN, true, UNFOLD_MCMILLAN)
RUN(run_chain_unreduced, COLOURING_CHAIN, false, UNFOLD_ERV)
RUN(run_chain_unreduced_mcmillan, COLOURING_CHAIN, false, UNFOLD_MCMILLAN)
#undef RUN

/* The net as another tool's: what is known of its places is which belong to a thread's control. Variables are tokens
 * then. */
static bool run_foreign(Heap *heap, const Net *net, Colouring colouring, Answer *answers, Err *err) {
  Notes notes = *net->notes;
  Net foreign = *net;
  PlaceNote *places = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *places);
  for (uint32_t p = 0; p < net->n_places; p++) {
    places[p] = net->notes->places[p];
    if (places[p].role != ROLE_CONTROL) places[p] = NO_PLACE_NOTE;
  }
  notes.places = places;
  foreign.notes = &notes;
  const bool good = run_options(heap, &foreign, (AtomicityOptions){.colour = {colouring, true, NULL}}, answers, err);
  heap_release(heap, places);
  return good;
}

static bool run_full_foreign(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_foreign(heap, net, COLOURING_FULL, answers, err);
}

static bool run_chain_foreign(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_foreign(heap, net, COLOURING_CHAIN, answers, err);
}

/* The coloured net without the unfolder, and the net itself: their markings one by one. */
static bool run_markings(Heap *heap, const Net *net, Answer *answers, Err *err) {
  const ColourOptions options = {.colouring = COLOURING_FULL, .reduce = true};
  Reach *own = reach_explore(heap, net, MAX_STATES);
  const bool is_safe = own->unsafe_from == REACH_NONE;
  reach_free(own);
  if (!is_safe) return err_set(err, ERR_INPUT, "the net is not 1-safe");
  Coloured *coloured = colour_net(heap, net, &options, err);
  if (!coloured) return false;
  Reach *reach = reach_explore(heap, colour_result_net(coloured), MAX_STATES);
  const bool safe = reach->unsafe_from == REACH_NONE;
  for (uint32_t b = 0; b < net->notes->n_blocks; b++) {
    const PlaceId red = colour_result_red(coloured, b);
    if (red.v == PLACE_NONE.v) answers[b] = ANSWER_ATOMIC;
    else if (reach_find_place(reach, red) != REACH_NONE) answers[b] = ANSWER_VIOLATED;
    else answers[b] = reach->complete ? ANSWER_ATOMIC : ANSWER_UNKNOWN;
  }
  reach_free(reach);
  colour_free(coloured);
  return safe || err_set(err, ERR_INPUT, "the coloured net is not 1-safe");
}

/* "Atomic" or nothing. What is proved must stand before the judge in check/. */
static bool run_proofs(Heap *heap, const Net *net, ProveOptions options, Answer *answers, Err *err) {
  char *text = NULL;
  size_t length = 0;
  FILE *certificate = open_memstream(&text, &length);
  if (!certificate) return err_set(err, ERR_LIMIT, "there is no memory for a certificate");
  certificate_begin(certificate, net);
  options.certificate = certificate;
  Proofs *proofs = prove_net(heap, net, &options);
  certificate_end(certificate);
  fclose(certificate);
  uint32_t n_proved = 0;
  for (uint32_t b = 0; b < proofs->n_blocks; b++) {
    answers[b] = proofs->blocks[b].kind == PROVED_NOT ? ANSWER_UNKNOWN : ANSWER_ATOMIC;
    n_proved += answers[b] == ANSWER_ATOMIC;
  }
  prove_free(proofs);
  CertificateReport report;
  const InFile file = {text, length, "certificate"};
  bool good = certificate_judge(heap, net, &file, &report, err) == VERDICT_HOLDS;
  if (good && report.claims.n != n_proved)
    good = err_set(err, ERR_CHECK, "%u blocks are claimed, not %u", report.claims.n, n_proved);
  certificate_judge_report_fini(&report);
  free(text);
  return good;
}

static bool run_movers(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_proofs(heap, net, (ProveOptions){.movers = true}, answers, err);
}

/* The second proof alone must prove all that the first one does. */
static bool run_stronger(Heap *heap, const Net *net, ProveOptions first, ProveOptions second, Answer *answers,
                         Err *err) {
  if (!run_proofs(heap, net, first, answers, err)) return false;
  Answer *before = heap_alloc(heap, ((size_t)net->notes->n_blocks + 1) * sizeof *before);
  for (uint32_t b = 0; b < net->notes->n_blocks; b++) before[b] = answers[b];
  bool good = run_proofs(heap, net, second, answers, err);
  for (uint32_t b = 0; good && b < net->notes->n_blocks; b++)
    if (before[b] == ANSWER_ATOMIC && answers[b] != ANSWER_ATOMIC)
      good = err_set(err, ERR_CHECK, "a weaker proof is one of block %u, but not a stronger one", b + 1);
  heap_release(heap, before);
  return good;
}

static bool run_environment(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_stronger(heap, net, (ProveOptions){.movers = true}, (ProveOptions){.environment = true}, answers, err);
}

static bool run_pairs(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_stronger(heap, net, (ProveOptions){.environment = true}, (ProveOptions){.pairs = true}, answers, err);
}

/* As the tools do: each proof for what is left. */
static bool run_all_proofs(Heap *heap, const Net *net, Answer *answers, Err *err) {
  const ProveOptions all = {.movers = true, .environment = true, .pairs = true};
  return run_proofs(heap, net, all, answers, err);
}

/* The block of a program by explicit search, with these threads alone: the others do not start. */
static bool search_part(Heap *heap, const Net *net, const uint32_t *threads, uint32_t n, uint32_t block, Answer *answer,
                        Err *err) {
  bool *marked = heap_alloc(heap, (size_t)net->n_places + 1);
  Answer *answers = heap_alloc(heap, ((size_t)net->notes->n_blocks + 1) * sizeof *answers);
  for (uint32_t p = 0; p < net->n_places; p++) {
    const PlaceNote *note = &net->notes->places[p];
    bool kept = note->role != ROLE_CONTROL;
    for (uint32_t i = 0; i < n; i++) kept = kept || note->thread == threads[i];
    marked[p] = net->marked[p] && kept;
  }
  Net part = *net;
  part.marked = marked;
  const bool good = colouring_search(heap, &part, MAX_STATES, answers, err);
  if (good) *answer = answers[block];
  heap_release(heap, answers);
  heap_release(heap, marked);
  return good;
}

/* What is not proved, by explicit search: with the threads of a slice alone, which must give the answer; and with those
 * of a chain that comes back, of which "violated" is one. */
static bool run_parts(Heap *heap, const Net *net, bool slice, Answer *answers, Err *err) {
  const ProveOptions options = {.movers = true, .environment = true, .pairs = true, .slice = true};
  Proofs *proofs = prove_net(heap, net, &options);
  bool good = true;
  for (uint32_t b = 0; good && b < proofs->n_blocks; b++) {
    const BlockProof *proof = &proofs->blocks[b];
    answers[b] = ANSWER_UNKNOWN;
    if (slice && proof->n_slice) {
      good = search_part(heap, net, proof->slice, proof->n_slice, b, &answers[b], err);
    } else if (!slice && proof->n_chain) {
      good = search_part(heap, net, proof->chain, proof->n_chain, b, &answers[b], err);
      if (answers[b] == ANSWER_ATOMIC) answers[b] = ANSWER_UNKNOWN;
    }
  }
  prove_free(proofs);
  return good;
}

static bool run_slice(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_parts(heap, net, true, answers, err);
}
static bool run_chain_threads(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_parts(heap, net, false, answers, err);
}

static bool run_liar(Heap *heap, const Net *net, Answer *answers, Err *err) {
  (void)heap, (void)err;
  for (uint32_t b = 0; b < net->notes->n_blocks; b++) answers[b] = ANSWER_ATOMIC;
  return true;
}

/* ---- certificates ---- */

/* Is the text a certificate of so many atomic blocks of the program's own net? */
static bool judge_claims(Heap *heap, const Net *net, const char *text, size_t length, uint32_t n_blocks, Err *err) {
  CertificateReport report;
  const InFile file = {(char *)(uintptr_t)text, length, "certificate"};
  bool good = certificate_judge(heap, net, &file, &report, err) == VERDICT_HOLDS;
  uint32_t n = 0;
  for (uint32_t i = 0; good && i < report.claims.n; i++) n += report.claims.at[i].kind == CLAIM_ATOMIC;
  if (good && n != n_blocks) good = err_set(err, ERR_CHECK, "%u blocks are claimed, not %u", n, n_blocks);
  certificate_judge_report_fini(&report);
  return good;
}

/* "Atomic" is only what the judge has accepted. A block may be left out of the certificate for a limit alone. */
static bool take_certified(const Atomicity *result, Answer *answers, Err *err) {
  for (uint32_t i = 0; i < result->n_blocks; i++) {
    const BlockVerdict *block = &result->blocks[i];
    if (block->verdict == VERDICT_HOLDS && !block->is_proved && !result->why[0])
      return err_set(err, ERR_CHECK, "block %u is not in the certificate", block->block + 1);
    answers[block->block] = block->verdict == VERDICT_HOLDS && block->is_proved ? ANSWER_ATOMIC
                            : block->verdict == VERDICT_VIOLATED                ? ANSWER_VIOLATED
                                                                                : ANSWER_UNKNOWN;
  }
  return true;
}

/* The blocks that are asked about, with the certificate of those that are atomic, which goes to the text. */
static bool run_certified(Heap *heap, const Net *net, AtomicityOptions options, Answer *answers, Err *err) {
  const AskLimits limits = {.max_events = options.order == UNFOLD_MCMILLAN ? MAX_EVENTS_MCMILLAN : MAX_EVENTS};
  char *text = NULL;
  size_t length = 0;
  Atomicity result;
  uint32_t n = 0;
  options.certificate = open_memstream(&text, &length);
  if (!options.certificate) return err_set(err, ERR_LIMIT, "there is no memory for a certificate");
  certificate_begin(options.certificate, net);
  bool good = atomicity_check(heap, net, &options, &limits, &result, err);
  certificate_end(options.certificate);
  fclose(options.certificate);
  if (good) {
    for (uint32_t i = 0; i < result.n_blocks; i++) n += result.blocks[i].is_proved;
    good = take_certified(&result, answers, err) && judge_claims(heap, net, text, length, n, err);
    atomicity_fini(&result);
  }
  free(text);
  return good;
}

static bool run_certified_blocks(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_certified(heap, net, (AtomicityOptions){.colour = {COLOURING_CHAIN, true, NULL}}, answers, err);
}

static bool run_certified_stages(Heap *heap, const Net *net, Answer *answers, Err *err) {
  const AtomicityOptions options = {.tries = TRY_ALL, .colour = {COLOURING_CHAIN, true, NULL}};
  return run_certified(heap, net, options, answers, err);
}

/* Slices, and threads that end begin anew, but no proofs. */
static bool run_certified_slices(Heap *heap, const Net *net, Answer *answers, Err *err) {
  const AtomicityOptions options = {.tries = TRY_SLICE, .colour = {COLOURING_CHAIN, true, NULL}};
  return run_certified(heap, net, options, answers, err);
}

/* Each block by itself. */
static bool run_certified_each(Heap *heap, const Net *net, bool reduce, UnfoldOrder order, Answer *answers, Err *err) {
  bool *blocks = heap_zeroed(heap, (size_t)net->notes->n_blocks + 1), good = true;
  for (uint32_t b = 0; good && b < net->notes->n_blocks; b++) {
    blocks[b] = true;
    good = run_certified(heap, net, (AtomicityOptions){.colour = {COLOURING_CHAIN, reduce, blocks}, .order = order},
                         answers, err);
    blocks[b] = false;
  }
  heap_release(heap, blocks);
  return good;
}

static bool run_certified_block(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_certified_each(heap, net, true, UNFOLD_ERV, answers, err);
}
static bool run_certified_unreduced(Heap *heap, const Net *net, Answer *answers, Err *err) {
  return run_certified_each(heap, net, false, UNFOLD_MCMILLAN, answers, err);
}

enum { EVERYWHERE = OF_PROGRAMS | OF_NETS | REFUSES, NETS_ONLY = OF_NETS | REFUSES };

const Engine ENGINES[] = {
    {"colouring", ENCODING_COMPACT, false, OF_PROGRAMS | OF_NETS, true, run_colouring},
    {"colouring-paper", ENCODING_PAPER, false, OF_PROGRAMS, false, run_colouring},
    {"definition", ENCODING_PAPER, true, OF_PROGRAMS, false, run_definition},
    {"definition-short", ENCODING_COMPACT, false, OF_NETS, false, run_definition_short},
    {"full", ENCODING_COMPACT, false, EVERYWHERE, false, run_full},
    {"full-paper", ENCODING_PAPER, false, OF_PROGRAMS, false, run_full},
    {"full-mcmillan", ENCODING_COMPACT, false, EVERYWHERE, false, run_full_mcmillan},
    {"full-unreduced", ENCODING_COMPACT, false, EVERYWHERE, false, run_full_unreduced},
    {"full-unreduced-mcmillan", ENCODING_COMPACT, false, NETS_ONLY, false, run_full_unreduced_mcmillan},
    {"full-markings", ENCODING_COMPACT, false, EVERYWHERE, false, run_markings},
    {"full-foreign", ENCODING_COMPACT, false, OF_PROGRAMS, false, run_full_foreign},
    {"chain", ENCODING_COMPACT, false, EVERYWHERE, true, run_chain},
    {"chain-paper", ENCODING_PAPER, false, OF_PROGRAMS, false, run_chain},
    {"chain-mcmillan", ENCODING_COMPACT, false, NETS_ONLY, false, run_chain_mcmillan},
    {"chain-foreign", ENCODING_COMPACT, false, OF_PROGRAMS, false, run_chain_foreign},
    {"chain-unreduced", ENCODING_COMPACT, false, EVERYWHERE, false, run_chain_unreduced},
    {"chain-unreduced-mcmillan", ENCODING_COMPACT, false, NETS_ONLY, false, run_chain_unreduced_mcmillan},
    {"certified", ENCODING_COMPACT, false, EVERYWHERE, true, run_certified_blocks},
    {"certified-stages", ENCODING_COMPACT, false, EVERYWHERE, true, run_certified_stages},
    {"certified-slices", ENCODING_COMPACT, false, EVERYWHERE, true, run_certified_slices},
    {"certified-block", ENCODING_COMPACT, false, EVERYWHERE, true, run_certified_block},
    {"certified-paper", ENCODING_PAPER, false, OF_PROGRAMS, false, run_certified_block},
    {"certified-unreduced", ENCODING_COMPACT, false, EVERYWHERE, false, run_certified_unreduced},
    {"stages", ENCODING_COMPACT, false, EVERYWHERE, true, run_stages},
    {"movers", ENCODING_COMPACT, false, OF_PROGRAMS | OF_NETS, true, run_movers},
    {"environment", ENCODING_COMPACT, false, OF_PROGRAMS | OF_NETS, true, run_environment},
    {"slice", ENCODING_COMPACT, false, OF_PROGRAMS, true, run_slice},
    {"slice-stage", ENCODING_COMPACT, false, OF_PROGRAMS | OF_NETS, true, run_slice_stage},
    {"chain-threads", ENCODING_COMPACT, false, OF_PROGRAMS, true, run_chain_threads},
    {"environment-paper", ENCODING_PAPER, false, OF_PROGRAMS, true, run_environment},
    {"pairs", ENCODING_COMPACT, false, OF_PROGRAMS | OF_NETS, true, run_pairs},
    {"pairs-paper", ENCODING_PAPER, false, OF_PROGRAMS, true, run_pairs},
    {"all-proofs", ENCODING_COMPACT, false, OF_PROGRAMS | OF_NETS, true, run_all_proofs},
};
_Static_assert(sizeof ENGINES / sizeof *ENGINES <= MAX_ENGINES, "a comparison has room for all engines");
const uint32_t N_ENGINES = sizeof ENGINES / sizeof *ENGINES;

const Engine LYING_ENGINE = {"liar", ENCODING_COMPACT, false, OF_PROGRAMS | OF_NETS, false, run_liar};
