/* One pass over the lines. Each is checked when it was read, and nothing is allocated for what a line only announces.
 * Functions that read carry the rule of the grammar that they read. */
#include "check/certificate_judge.h"

#include "check/atomic_judge.h"
#include "check/coloured_read.h"
#include "check/cosets.h"
#include "check/every_judge.h"
#include "check/facts_read.h"
#include "check/formula_read.h"
#include "check/lines.h"
#include "check/never_judge.h"
#include "check/part.h"
#include "check/past.h"
#include "check/run_proof.h"
#include "check/slice_judge.h"
#include "check/upward_read.h"

#include "petri/complement.h"
#include "petri/instance.h"
#include "petri/safe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The most steps of a run, and events of a prefix. */
#define MOST INT32_MAX

/* Threads that are enough for a block. */
typedef struct {
  uint32_t block;
  bool *kept; /* per thread */
} Slice;

/* A proof, and the claims after it. */
typedef struct {
  Heap *heap;
  const Net *net;
  Lines lines;
  CertificateReport *report;
  Err *err;
  VEC(PlaceId) places; /* of the claim at hand */
  U32Vec preset;       /* of the current event */
  uint32_t size;       /* of the proof at hand: steps or events */
  RunProof run;
  bool is_unsafe; /* that was claimed of the run */
  bool is_safe;   /* that the net is was shown */
  VEC(Slice) slices;
  bool *many;           /* per thread: it stands for any number; NULL: that was not asked yet */
  uint32_t *swapped;    /* per place: the one that it is swapped with where two such threads are; likewise */
  uint32_t with;        /* as in a claim: what the proof at hand is about */
  bool *part;           /* per thread of the notes: the proof at hand is about these alone; or NULL */
  const Net *plain;     /* while a prefix of a net with complements is read: the net without them, */
  uint32_t *complement; /* and per place of it its complement, or PROCESS_NONE */
  Process process;
  Past past;
  Cosets cosets;
  ColouredClaims coloured;
} Reader;

/* ---- verdicts ---- */

/* Puts the place in front of why a line is rejected. */
static bool reject(Reader *reader, size_t line, const Err *why) {
  return err_set(reader->err, ERR_CHECK, "%.300s:%zu: %s", reader->lines.name, line, why->text);
}

static void add_claim(Reader *reader, ClaimKind kind, const uint32_t *numbers, uint32_t n) {
  CertificateReport *report = reader->report;
  vec_push(reader->heap, &report->claims, ((Claim){kind, reader->with, reader->size, report->numbers.n, n}));
  for (uint32_t i = 0; i < n; i++) vec_push(reader->heap, &report->numbers, numbers[i]);
}

/* The end of a line with a claim, which was looked at with this result. */
static bool end_claim(Reader *reader, bool is_true, const Err *why, ClaimKind kind, const uint32_t *numbers,
                      uint32_t n) {
  if (!is_true) return reject(reader, reader->lines.line, why);
  add_claim(reader, kind, numbers, n);
  return true;
}

/* ---- numbers ---- */

/* A number from 1 to n, as one from 0. */
static bool read_index(Reader *reader, const char *what, uint32_t n, uint32_t *index) {
  return lines_index(&reader->lines, what, n, index, reader->err);
}

/* The same, and it is the last of its line. */
static bool read_last_index(Reader *reader, const char *what, uint32_t n, uint32_t *index) {
  return read_index(reader, what, n, index) && lines_at_end(&reader->lines, reader->err);
}

static bool read_size(Reader *reader, const char *what) {
  uint64_t size;
  if (!lines_number(&reader->lines, what, 0, MOST, &size, reader->err)) return false;
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  reader->size = (uint32_t)size;
  lines_next(&reader->lines);
  return true;
}

static int ascending(const void *a, const void *b) {
  const uint32_t x = ((const PlaceId *)a)->v, y = ((const PlaceId *)b)->v;
  return (x > y) - (x < y);
}

/* P1 P2 ...; as a set */
static bool read_places(Reader *reader) {
  uint32_t p, n = 0;
  vec_clear(&reader->places);
  do {
    if (!read_index(reader, "a place", reader->net->n_places, &p)) return false;
    vec_push(reader->heap, &reader->places, (PlaceId){p});
  } while (lines_has_blank(&reader->lines));
  qsort(reader->places.at, reader->places.n, sizeof *reader->places.at, ascending);
  for (uint32_t i = 0; i < reader->places.n; i++)
    if (!n || reader->places.at[n - 1].v != reader->places.at[i].v) reader->places.at[n++] = reader->places.at[i];
  reader->places.n = n;
  return lines_at_end(&reader->lines, reader->err);
}

/* ---- runs ---- */

/* s T1 T2 ... */
static bool read_steps(Reader *reader) {
  Err why;
  if (!lines_word(&reader->lines, "s")) {
    char what[80];
    snprintf(what, sizeof what, "'s' and step %u of %u", reader->run.steps.n + 1, reader->size);
    return lines_expected(&reader->lines, what, reader->err);
  }
  do {
    uint32_t t;
    if (!read_index(reader, "a transition", reader->net->n_trans, &t)) return false;
    if (!run_proof_step(&reader->run, (TransId){t}, &why)) return reject(reader, reader->lines.line, &why);
  } while (reader->run.steps.n < reader->size && lines_has_blank(&reader->lines));
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  lines_next(&reader->lines);
  return true;
}

static bool read_covers(Reader *reader) {
  Err why;
  if (!read_places(reader)) return false;
  const bool is_true = run_proof_covers(&reader->run, reader->places.at, reader->places.n, &why);
  return end_claim(reader, is_true, &why, CLAIM_COVERS, &reader->places.at->v, reader->places.n);
}

static bool read_fires(Reader *reader) {
  Err why;
  uint32_t t;
  if (!read_last_index(reader, "a transition", reader->net->n_trans, &t)) return false;
  return end_claim(reader, run_proof_fires(&reader->run, (TransId){t}, &why), &why, CLAIM_FIRES, &t, 1);
}

static bool read_deadlock(Reader *reader) {
  Err why;
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  return end_claim(reader, run_proof_deadlock(&reader->run, &why), &why, CLAIM_DEADLOCK, NULL, 0);
}

static bool read_unsafe(Reader *reader) {
  Err why;
  uint32_t p;
  if (!read_last_index(reader, "a place", reader->net->n_places, &p)) return false;
  reader->is_unsafe = true;
  return end_claim(reader, run_proof_unsafe(&reader->run, (PlaceId){p}, &why), &why, CLAIM_UNSAFE, &p, 1);
}

static bool read_splits(Reader *reader) {
  Err why;
  uint32_t b;
  if (!read_last_index(reader, "a block", reader->net->notes ? reader->net->notes->n_blocks : 0, &b)) return false;
  return end_claim(reader, run_proof_splits(&reader->run, b, &why), &why, CLAIM_SPLITS, &b, 1);
}

/* F: its number in the report */
static bool read_formula(Reader *reader, uint32_t *number) {
  Formula formula;
  if (!formula_read(&reader->lines, reader->heap, reader->net, &formula, reader->err)) return false;
  *number = reader->report->formulas.n;
  vec_push(reader->heap, &reader->report->formulas, formula);
  return true;
}

static bool read_satisfies(Reader *reader) {
  Err why;
  uint32_t f;
  if (!read_formula(reader, &f)) return false;
  const bool is_true = run_proof_satisfies(&reader->run, &reader->report->formulas.at[f], &why);
  return end_claim(reader, is_true, &why, CLAIM_SATISFIES, &f, 1);
}

/* ---- prefixes ---- */

/* C1 C2 ...: the preset of an event of t, to `preset` */
static bool read_preset(Reader *reader, TransId t) {
  const uint32_t n = net_pre(reader->net, t).n;
  uint32_t c;
  vec_clear(&reader->preset);
  for (uint32_t i = 0; i < n; i++) {
    if (!read_index(reader, "a condition", reader->process.conditions.n, &c)) return false;
    if (i && c <= vec_last(&reader->preset))
      return err_set(reader->err, ERR_INPUT,
                     "%.300s:%zu: the conditions of a preset must be ascending, but %u comes after %u",
                     reader->lines.name, reader->lines.line, c + 1, vec_last(&reader->preset) + 1);
    vec_push(reader->heap, &reader->preset, c);
  }
  return true;
}

/* E, of event e */
static bool read_corresponding(Reader *reader, uint32_t e, uint32_t *other) {
  uint64_t number;
  if (!lines_number(&reader->lines, "an earlier event", 0, e - 1, &number, reader->err)) return false;
  *other = (uint32_t)number;
  return true;
}

static bool check_event(Reader *reader, TransId t, bool is_cutoff, uint32_t other, PastOrder order, Err *why) {
  Process *process = &reader->process;
  const uint32_t e = process->events.n;
  if (is_cutoff && process->events.at[other].is_cutoff)
    return err_set(why, ERR_CHECK, "event %u: its corresponding event %u is a cut-off", e, other);
  return process_add(process, t, reader->preset.at, is_cutoff, why) &&
         (!is_cutoff || past_check_cutoff(&reader->past, e, other, order, why));
}

/* e T C1 C2 ...  |  x T C1 C2 ... E */
static bool read_event(Reader *reader, PastOrder order) {
  const uint32_t e = reader->process.events.n;
  const bool is_live = lines_word(&reader->lines, "e"), is_cutoff = !is_live && lines_word(&reader->lines, "x");
  uint32_t t, other = 0;
  Err why;
  if (!is_live && !is_cutoff) {
    char what[80];
    snprintf(what, sizeof what, "event %u of %u, which begins with 'e' or 'x'", e, reader->size);
    return lines_expected(&reader->lines, what, reader->err);
  }
  if (!read_index(reader, "a transition", reader->net->n_trans, &t) || !read_preset(reader, (TransId){t})) return false;
  if (is_cutoff && !read_corresponding(reader, e, &other)) return false;
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  if (!check_event(reader, (TransId){t}, is_cutoff, other, order, &why))
    return reject(reader, reader->lines.line, &why);
  lines_next(&reader->lines);
  return true;
}

static bool read_uncovered(Reader *reader) {
  Err why;
  if (!read_places(reader)) return false;
  const bool is_true = cosets_uncovered(&reader->cosets, reader->places.at, reader->places.n, &why);
  return end_claim(reader, is_true, &why, CLAIM_UNCOVERED, &reader->places.at->v, reader->places.n);
}

static bool read_dead(Reader *reader) {
  uint32_t t;
  Err why;
  if (!read_last_index(reader, "a transition", reader->net->n_trans, &t)) return false;
  const uint32_t e = reader->process.first_of[t];
  if (e) err_set(&why, ERR_CHECK, "'%.200s' can fire: see event %u", reader->net->trans_name[t], e);
  return end_claim(reader, !e, &why, CLAIM_DEAD, &t, 1);
}

/* ---- proofs ---- */

typedef struct {
  const char *word;
  bool (*read)(Reader *reader);
} ClaimReader;

static const ClaimReader RUN_CLAIMS[] = {{"covers", read_covers},
                                         {"fires", read_fires},
                                         {"deadlock", read_deadlock},
                                         {"unsafe", read_unsafe},
                                         {"splits", read_splits},
                                         {"satisfies", read_satisfies},
                                         {NULL, NULL}};
/* Of a net with some numbers of threads, which has other places than the one at hand. */
static const ClaimReader INSTANCE_CLAIMS[] = {{"splits", read_splits}, {NULL, NULL}};
static const ClaimReader PREFIX_CLAIMS[] = {{"uncovered", read_uncovered}, {"dead", read_dead}, {NULL, NULL}};

static const ClaimReader *find_claim(Reader *reader, const ClaimReader *claims) {
  for (; claims->word; claims++)
    if (lines_word(&reader->lines, claims->word)) return claims;
  return NULL;
}

/* claim* */
static bool read_claims(Reader *reader, const ClaimReader *claims) {
  for (const ClaimReader *claim; (claim = find_claim(reader, claims));) {
    if (!claim->read(reader)) return false;
    lines_next(&reader->lines);
  }
  return true;
}

/* N steps* claim* */
static bool read_run(Reader *reader) {
  const size_t line = reader->lines.line;
  const uint32_t n_before = reader->report->claims.n;
  Err why;
  if (!read_size(reader, "a number of steps")) return false;
  while (reader->run.steps.n < reader->size)
    if (!read_steps(reader)) return false;
  reader->is_unsafe = false;
  if (!read_claims(reader, reader->with ? INSTANCE_CLAIMS : RUN_CLAIMS)) return false;
  if (!reader->is_unsafe && !run_proof_safe(&reader->run, &why)) return reject(reader, line, &why);
  if (reader->report->claims.n == n_before) add_claim(reader, CLAIM_RUN, NULL, 0);
  return true;
}

/* 'run' N steps* claim* */
static bool read_run_proof(Reader *reader) {
  run_proof_init(&reader->run, reader->heap, reader->net);
  const bool good = read_run(reader);
  reader->report->n_steps += reader->run.steps.n;
  run_proof_fini(&reader->run);
  return good;
}

/* ORDER */
static bool read_order(Reader *reader, PastOrder *order) {
  if (lines_word(&reader->lines, " erv")) *order = PAST_ERV;
  else if (lines_word(&reader->lines, " mcmillan")) *order = PAST_MCMILLAN;
  else return lines_expected(&reader->lines, "an order, 'erv' or 'mcmillan'", reader->err);
  return true;
}

/* ORDER N event* */
static bool read_events(Reader *reader) {
  PastOrder order = PAST_ERV;
  if (!read_order(reader, &order) || !read_size(reader, "a number of events")) return false;
  while (reader->process.events.n <= reader->size)
    if (!read_event(reader, order)) return false;
  return true;
}

/* claim* */
static bool read_prefix_claims(Reader *reader) {
  reader->is_safe = true;
  add_claim(reader, CLAIM_COMPLETE, NULL, 0);
  return read_claims(reader, PREFIX_CLAIMS);
}

/* 'prefix' ORDER N event*, and what `claims` reads after a complete one */
static bool read_prefix(Reader *reader, bool (*claims)(Reader *reader)) {
  const size_t line = reader->lines.line;
  Err why;
  process_init(&reader->process, reader->heap, reader->net);
  past_init(&reader->past, &reader->process);
  bool good = read_events(reader);
  if (good) {
    cosets_init(&reader->cosets, &reader->process);
    good = cosets_complete(&reader->cosets, &why) ? claims(reader) : reject(reader, line, &why);
    cosets_fini(&reader->cosets);
  }
  reader->report->n_events += reader->process.events.n - 1;
  reader->report->n_conditions += reader->process.conditions.n;
  reader->report->n_pairs += reader->process.n_pairs;
  past_fini(&reader->past);
  process_fini(&reader->process);
  return good;
}

/* 'prefix' ORDER N event* claim* */
static bool read_prefix_proof(Reader *reader) { return read_prefix(reader, read_prefix_claims); }

/* ---- formulas that never hold ---- */

/* F, which is one of the plain net */
static bool read_never(Reader *reader) {
  Err why;
  uint32_t f;
  const Net *net = reader->net;
  reader->net = reader->plain;
  const bool read = read_formula(reader, &f);
  reader->net = net;
  if (!read) return false;
  const bool is_true = never_judge(&reader->cosets, &reader->report->formulas.at[f], reader->complement, &why);
  return end_claim(reader, is_true, &why, CLAIM_NEVER, &f, 1);
}

static const ClaimReader NEVER_CLAIMS[] = {{"never", read_never}, {NULL, NULL}};

static bool read_never_claims(Reader *reader) { return read_claims(reader, NEVER_CLAIMS); }

/* 'prefix' prefix, of the net with complements of reader->places */
static bool read_complement_prefix(Reader *reader) {
  const Net *net = reader->net;
  if (!lines_word(&reader->lines, "prefix")) return lines_expected(&reader->lines, "'prefix'", reader->err);
  Net *complemented = net_with_complements(reader->heap, net, reader->places.at, reader->places.n);
  reader->complement = heap_alloc(reader->heap, ((size_t)net->n_places + 1) * sizeof *reader->complement);
  for (uint32_t p = 0; p < net->n_places; p++) reader->complement[p] = PROCESS_NONE;
  for (uint32_t i = 0; i < reader->places.n; i++) reader->complement[reader->places.at[i].v] = net->n_places + i;
  reader->plain = net;
  reader->net = complemented;
  const bool good = read_prefix(reader, read_never_claims);
  reader->net = net;
  heap_release(reader->heap, reader->complement);
  net_free(complemented);
  return good;
}

/* 'complement' P* prefix; the complements are right if the net is 1-safe */
static bool read_complement(Reader *reader) {
  Err why;
  vec_clear(&reader->places);
  if (lines_has_blank(&reader->lines) ? !read_places(reader) : !lines_at_end(&reader->lines, reader->err)) return false;
  if (!reader->is_safe && !net_is_safe(reader->heap, reader->net)) {
    err_set(&why, ERR_CHECK, "the net is not known to be 1-safe");
    return reject(reader, reader->lines.line, &why);
  }
  reader->is_safe = true;
  lines_next(&reader->lines);
  return read_complement_prefix(reader);
}

/* ---- coloured nets ---- */

/* Has the part at hand all threads of the slice? */
static bool has_slice(const Reader *reader, const Slice *slice) {
  bool all = true;
  for (uint32_t i = 0; all && i < reader->net->notes->n_threads; i++) all = reader->part[i] || !slice->kept[i];
  return all;
}

/* It was shown of the net at hand; so of the whole? */
static bool claim_atomic(Reader *reader, uint32_t block) {
  bool good = !reader->part;
  Err why;
  for (uint32_t i = 0; !good && i < reader->slices.n; i++)
    good = reader->slices.at[i].block == block && has_slice(reader, &reader->slices.at[i]);
  if (good) add_claim(reader, CLAIM_ATOMIC, &block, 1);
  else err_set(&why, ERR_CHECK, "these threads are not seen to be enough for block %u", block + 1);
  return good || reject(reader, reader->lines.line, &why);
}

static bool claim_blocks(Reader *reader) {
  const bool *blocks = reader->coloured.colouring.blocks;
  for (uint32_t b = 0; b < reader->net->notes->n_blocks; b++)
    if (blocks[b] && !claim_atomic(reader, b)) return false;
  return true;
}

/* Nothing; but no red place is ever marked. */
static bool check_red(Reader *reader) {
  const Simulation *simulation = &reader->coloured.simulation;
  Err why;
  for (uint32_t b = 0; b < simulation->colouring->facts->net->notes->n_blocks; b++) {
    const PlaceId red = {simulation->red[b]};
    if (red.v != FACT_NONE && !cosets_uncovered(&reader->cosets, &red, 1, &why))
      return reject(reader, reader->lines.line, &why);
  }
  return true;
}

static bool has_red(const Reader *reader) {
  const Simulation *simulation = &reader->coloured.simulation;
  bool any = false;
  for (uint32_t b = 0; b < reader->net->notes->n_blocks; b++) any = any || simulation->red[b] != FACT_NONE;
  return any;
}

/* prefix? */
static bool read_coloured_prefix(Reader *reader) {
  const Net *net = reader->net;
  reader->size = 0;
  if (!has_red(reader)) return true;
  if (!lines_word(&reader->lines, "prefix"))
    return lines_expected(&reader->lines, "a claim that fits here, or 'prefix'", reader->err);
  reader->net = reader->coloured.net;
  const bool good = read_prefix(reader, check_red);
  reader->net = net;
  return good;
}

/* prefix?; `line` is that of the claims */
static bool judge_coloured(Reader *reader, size_t line) {
  Err why;
  if (!simulation_judge(&reader->coloured.simulation, &why)) return reject(reader, line, &why);
  return read_coloured_prefix(reader) && claim_blocks(reader);
}

/* 'coloured' claims prefix */
static bool read_coloured(Reader *reader, const ThreadFacts *facts) {
  const size_t line = reader->lines.line;
  Err why;
  bool good = coloured_read(&reader->lines, facts, &reader->coloured, &why, reader->err);
  if (good) good = judge_coloured(reader, line);
  else if (reader->err->kind == ERR_CHECK) reject(reader, reader->lines.line, &why);
  coloured_claims_fini(&reader->coloured);
  return good;
}

/* ---- threads ---- */

typedef struct {
  const char *word;
  bool (*judge)(AtomicJudge *judge, uint32_t block, Err *err);
} AtomicClaim;

static const AtomicClaim ATOMIC_CLAIMS[] = {
    {"movers", atomic_judge_movers}, {"environment", atomic_judge_environment}, {"pairs", atomic_judge_pairs}};
enum { N_ATOMIC_CLAIMS = sizeof ATOMIC_CLAIMS / sizeof *ATOMIC_CLAIMS };

static const AtomicClaim *find_atomic_claim(Reader *reader) {
  for (uint32_t i = 0; i < N_ATOMIC_CLAIMS; i++)
    if (lines_word(&reader->lines, ATOMIC_CLAIMS[i].word)) return &ATOMIC_CLAIMS[i];
  return NULL;
}

/* B */
static bool read_atomic_claim(Reader *reader, AtomicJudge *judge, const AtomicClaim *claim) {
  uint32_t b;
  Err why;
  if (!read_last_index(reader, "a block", reader->net->notes->n_blocks, &b)) return false;
  if (!claim->judge(judge, b, &why)) return reject(reader, reader->lines.line, &why);
  if (!claim_atomic(reader, b)) return false;
  lines_next(&reader->lines);
  return true;
}

/* T1 T2 ... */
static bool read_threads(Reader *reader, uint32_t n_threads, bool *kept) {
  while (lines_has_blank(&reader->lines)) {
    uint32_t thread;
    if (!read_index(reader, "a thread", n_threads, &thread)) return false;
    kept[thread] = true;
  }
  return lines_at_end(&reader->lines, reader->err);
}

/* The block, and which threads of the notes; others need no name. */
static void claim_slice(Reader *reader, const Slice *slice) {
  CertificateReport *report = reader->report;
  const uint32_t first = report->numbers.n;
  vec_push(reader->heap, &report->numbers, slice->block);
  for (uint32_t i = 0; i < reader->net->notes->n_threads; i++)
    if (slice->kept[i]) vec_push(reader->heap, &report->numbers, i);
  vec_push(reader->heap, &report->claims, ((Claim){CLAIM_SLICE, 0, 0, first, report->numbers.n - first}));
}

/* B T1 T2 ... */
static bool read_slice(Reader *reader, AtomicJudge *judge) {
  const uint32_t n_threads = judge->facts->n_threads;
  Slice slice;
  Err why;
  if (!read_index(reader, "a block", reader->net->notes->n_blocks, &slice.block)) return false;
  slice.kept = heap_zeroed(reader->heap, (size_t)n_threads + 1);
  vec_push(reader->heap, &reader->slices, slice);
  if (!read_threads(reader, n_threads, slice.kept)) return false;
  if (!slice_judge(judge, slice.block, slice.kept, &why)) return reject(reader, reader->lines.line, &why);
  claim_slice(reader, &slice);
  lines_next(&reader->lines);
  return true;
}

/* The facts hold for every number of threads. */
static bool judge_every(Reader *reader, const ThreadFacts *facts) {
  Err why;
  if (reader->many) return true;
  reader->many = heap_zeroed(reader->heap, (size_t)facts->n_threads + 1);
  reader->swapped = heap_alloc(reader->heap, ((size_t)facts->net->n_places + 1) * sizeof *reader->swapped);
  return every_judge(facts, reader->many, reader->swapped, &why) || reject(reader, reader->lines.line, &why);
}

/* B */
static bool read_every(Reader *reader, AtomicJudge *judge) {
  uint32_t b;
  Err why;
  if (!read_last_index(reader, "a block", reader->net->notes->n_blocks, &b)) return false;
  if (!judge_every(reader, judge->facts)) return false;
  if (!atomic_judge_every(judge, b, reader->many, &why)) return reject(reader, reader->lines.line, &why);
  add_claim(reader, CLAIM_EVERY, &b, 1);
  lines_next(&reader->lines);
  return true;
}

/* claim, of the block; `line` is that of the claim */
static bool read_upward_claim(Reader *reader, const ThreadFacts *facts, uint32_t block, size_t line) {
  UpwardClaim claim;
  Err why;
  bool good = upward_read(&reader->lines, facts, &claim, &why, reader->err);
  if (!good && reader->err->kind == ERR_CHECK) reject(reader, reader->lines.line, &why);
  if (good && !upward_judge(&claim, block, reader->many, reader->swapped, &why)) good = reject(reader, line, &why);
  if (good) add_claim(reader, CLAIM_EVERY, &block, 1);
  upward_claim_fini(&claim);
  return good;
}

/* B claim */
static bool read_upward(Reader *reader, AtomicJudge *judge) {
  const size_t line = reader->lines.line;
  uint32_t b;
  return read_index(reader, "a block", reader->net->notes->n_blocks, &b) && judge_every(reader, judge->facts) &&
         read_upward_claim(reader, judge->facts, b, line);
}

/* ('movers' B | 'environment' B | 'pairs' B | 'every' B | upward | 'slice' B T* | coloured)*; of a part only some */
static bool read_atomic_claims(Reader *reader, AtomicJudge *judge) {
  for (;;) {
    const AtomicClaim *claim = find_atomic_claim(reader);
    reader->size = 0;
    if (claim && !read_atomic_claim(reader, judge, claim)) return false;
    if (claim) continue;
    if (lines_word(&reader->lines, "coloured")) {
      if (!read_coloured(reader, judge->facts)) return false;
    } else if (!reader->part && lines_word(&reader->lines, "every")) {
      if (!read_every(reader, judge)) return false;
    } else if (!reader->part && lines_word(&reader->lines, "upward")) {
      if (!read_upward(reader, judge)) return false;
    } else if (!reader->part && lines_word(&reader->lines, "slice")) {
      if (!read_slice(reader, judge)) return false;
    } else {
      return true;
    }
  }
}

/* facts claim*; `line` is that of the proof */
static bool read_facts(Reader *reader, ThreadFacts *facts, size_t line) {
  Err why;
  if (!facts_read(&reader->lines, facts, &why, reader->err))
    return reader->err->kind == ERR_CHECK ? reject(reader, reader->lines.line, &why) : false;
  if (!thread_facts_judge(facts, &why)) return reject(reader, line, &why);
  AtomicJudge judge;
  atomic_judge_init(&judge, facts);
  const bool good = read_atomic_claims(reader, &judge);
  atomic_judge_fini(&judge);
  return good;
}

/* 'proof' facts claim* */
static bool read_thread_proof(Reader *reader) {
  const size_t line = reader->lines.line;
  ThreadFacts facts;
  Err why;
  reader->size = 0;
  if (!thread_facts_init(&facts, reader->heap, reader->net, reader->is_safe, &why)) return reject(reader, line, &why);
  reader->is_safe = true;
  const bool good = read_facts(reader, &facts, line);
  thread_facts_fini(&facts);
  heap_release(reader->heap, reader->many);
  heap_release(reader->heap, reader->swapped);
  reader->many = NULL;
  reader->swapped = NULL;
  return good;
}

/* 'proof' facts claim*, of the part */
static bool read_part_proof(Reader *reader) {
  const Net *whole = reader->net;
  if (!lines_word(&reader->lines, "proof")) return lines_expected(&reader->lines, "'proof'", reader->err);
  Net *part = part_of_net(reader->heap, whole, reader->part);
  reader->net = part;
  const bool good = read_thread_proof(reader);
  reader->net = whole;
  net_free(part);
  return good;
}

/* 'part' T* proof; a part of a net that is 1-safe, as was shown with the slices, is so, too */
static bool read_part(Reader *reader) {
  const Notes *notes = reader->net->notes;
  Err why;
  if (!reader->slices.n) {
    err_set(&why, ERR_CHECK, "a part of a net proves nothing where no block is sliced");
    return reject(reader, reader->lines.line, &why);
  }
  reader->part = heap_zeroed(reader->heap, (size_t)notes->n_threads + 1);
  bool good = read_threads(reader, notes->n_threads, reader->part);
  if (good) lines_next(&reader->lines);
  good = good && read_part_proof(reader);
  heap_release(reader->heap, reader->part);
  reader->part = NULL;
  return good;
}

/* ---- nets with some numbers of threads ---- */

/* 'run' proof, of that net */
static bool read_instance_run(Reader *reader, const uint32_t *numbers) {
  const Net *net = reader->net;
  Err why;
  Net *instance = instance_of(reader->heap, net, numbers, &why);
  if (!instance) return reject(reader, reader->lines.line, &why);
  reader->net = instance;
  const bool good =
      lines_word(&reader->lines, "run") ? read_run_proof(reader) : lines_expected(&reader->lines, "'run'", reader->err);
  reader->net = net;
  net_free(instance);
  return good;
}

/* 'with' N1 N2 ... and a run; as many numbers as are open */
static bool read_with(Reader *reader) {
  CertificateReport *report = reader->report;
  const uint32_t n = reader->net->notes ? reader->net->notes->n_counts : 0, first = report->with.n;
  Err why;
  if (!n) {
    err_set(&why, ERR_CHECK, "the net leaves no number of threads open");
    return reject(reader, reader->lines.line, &why);
  }
  for (uint32_t i = 0; i < n; i++) {
    uint64_t number;
    if (!lines_number(&reader->lines, "a number of threads", 0, INSTANCE_MAX_THREADS, &number, reader->err))
      return false;
    vec_push(reader->heap, &report->with, (uint32_t)number);
  }
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  lines_next(&reader->lines);
  reader->with = first + 1;
  const bool good = read_instance_run(reader, report->with.at + first);
  reader->with = 0;
  return good;
}

/* ---- the file ---- */

/* 'causal-certificate' 1 */
static bool read_head(Reader *reader) {
  uint64_t version;
  if (!lines_word(&reader->lines, "causal-certificate"))
    return err_set(reader->err, ERR_INPUT,
                   "%.300s:1: not a certificate: the first line should be 'causal-certificate 1'", reader->lines.name);
  if (!lines_number(&reader->lines, "the version of the format", 1, 1, &version, reader->err)) return false;
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  lines_next(&reader->lines);
  return true;
}

/* 'net' P T A */
static bool read_net(Reader *reader) {
  const Net *net = reader->net;
  const uint64_t most = (uint64_t)1 << 40, n_arcs = (uint64_t)net->n_inputs + net->n_outputs;
  uint64_t p, t, a;
  if (!lines_word(&reader->lines, "net")) return lines_expected(&reader->lines, "'net' and its size", reader->err);
  if (!lines_number(&reader->lines, "a number of places", 0, most, &p, reader->err) ||
      !lines_number(&reader->lines, "a number of transitions", 0, most, &t, reader->err) ||
      !lines_number(&reader->lines, "a number of arcs", 0, most, &a, reader->err) ||
      !lines_at_end(&reader->lines, reader->err))
    return false;
  if (p != net->n_places || t != net->n_trans || a != n_arcs)
    return err_set(reader->err, ERR_INPUT,
                   "%.300s:%zu: a certificate for another net, with %" PRIu64 " places, %" PRIu64
                   " transitions and %" PRIu64 " arcs; this one has %u, %u and %" PRIu64,
                   reader->lines.name, reader->lines.line, p, t, a, net->n_places, net->n_trans, n_arcs);
  lines_next(&reader->lines);
  return true;
}

/* proof* 'end' */
static bool read_proofs(Reader *reader) {
  while (!lines_word(&reader->lines, "end")) {
    bool good;
    if (lines_word(&reader->lines, "run")) good = read_run_proof(reader);
    else if (lines_word(&reader->lines, "prefix")) good = read_prefix_proof(reader);
    else if (lines_word(&reader->lines, "proof")) good = read_thread_proof(reader);
    else if (lines_word(&reader->lines, "part")) good = read_part(reader);
    else if (lines_word(&reader->lines, "with")) good = read_with(reader);
    else if (lines_word(&reader->lines, "complement")) good = read_complement(reader);
    else
      good = lines_expected(&reader->lines,
                            "a claim that fits here, 'run', 'prefix', 'complement', 'proof', 'part', 'with' or 'end'",
                            reader->err);
    if (!good) return false;
  }
  if (reader->lines.at == reader->lines.end) return true;
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  reader->lines.at++;
  reader->lines.line++;
  return reader->lines.at == reader->lines.end || lines_more(&reader->lines, "'end'", reader->err);
}

Verdict certificate_judge(Heap *heap, const Net *net, const InFile *file, CertificateReport *report, Err *err) {
  *report = (CertificateReport){.heap = heap};
  Reader *reader = heap_zeroed(heap, sizeof *reader);
  *reader = (Reader){.heap = heap, .net = net, .report = report, .err = err};
  lines_init(&reader->lines, file);
  const bool holds = read_head(reader) && read_net(reader) && read_proofs(reader);
  vec_fini(heap, &reader->places);
  vec_fini(heap, &reader->preset);
  for (uint32_t i = 0; i < reader->slices.n; i++) heap_release(heap, reader->slices.at[i].kept);
  vec_fini(heap, &reader->slices);
  heap_release(heap, reader);
  if (holds) return VERDICT_HOLDS;
  certificate_judge_report_fini(report);
  return err->kind == ERR_INPUT ? VERDICT_UNKNOWN : VERDICT_VIOLATED;
}

void certificate_judge_report_fini(CertificateReport *report) {
  for (uint32_t i = 0; i < report->formulas.n; i++) formula_fini(&report->formulas.at[i]);
  vec_fini(report->heap, &report->formulas);
  vec_fini(report->heap, &report->claims);
  vec_fini(report->heap, &report->with);
  vec_fini(report->heap, &report->numbers);
}
