#include "check/threads_read.h"

#include "check/atomic_judge.h"
#include "check/every_judge.h"
#include "check/facts_read.h"
#include "check/part.h"
#include "check/prefix_read.h"
#include "check/slice_judge.h"
#include "check/states_judge.h"
#include "check/upward_read.h"

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
  if (good) reader_claim(reader, CLAIM_ATOMIC, &block, 1);
  else err_set(&why, ERR_CHECK, "these threads are not seen to be enough for block %u", block + 1);
  return good || reader_reject(reader, reader->lines.line, &why);
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
      return reader_reject(reader, reader->lines.line, &why);
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
  const bool good = prefix_read(reader, check_red);
  reader->net = net;
  return good;
}

/* prefix?; `line` is that of the claims */
static bool judge_coloured(Reader *reader, size_t line) {
  Err why;
  if (!simulation_judge(&reader->coloured.simulation, &why)) return reader_reject(reader, line, &why);
  return read_coloured_prefix(reader) && claim_blocks(reader);
}

/* 'coloured' claims prefix */
static bool read_coloured(Reader *reader, const ThreadFacts *facts) {
  const size_t line = reader->lines.line;
  Err why;
  bool good = coloured_read(&reader->lines, facts, &reader->coloured, &why, reader->err);
  if (good) good = judge_coloured(reader, line);
  else if (reader->err->kind == ERR_CHECK) reader_reject(reader, reader->lines.line, &why);
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
  if (!reader_last_index(reader, "a block", reader->net->notes->n_blocks, &b)) return false;
  if (!claim->judge(judge, b, &why)) return reader_reject(reader, reader->lines.line, &why);
  if (!claim_atomic(reader, b)) return false;
  lines_next(&reader->lines);
  return true;
}

/* T1 T2 ... */
static bool read_threads(Reader *reader, uint32_t n_threads, bool *kept) {
  while (lines_has_blank(&reader->lines)) {
    uint32_t thread;
    if (!reader_index(reader, "a thread", n_threads, &thread)) return false;
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
  if (!reader_index(reader, "a block", reader->net->notes->n_blocks, &slice.block)) return false;
  slice.kept = heap_zeroed(reader->heap, (size_t)n_threads + 1);
  vec_push(reader->heap, &reader->slices, slice);
  if (!read_threads(reader, n_threads, slice.kept)) return false;
  if (!slice_judge(judge, slice.block, slice.kept, &why)) return reader_reject(reader, reader->lines.line, &why);
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
  return every_judge(facts, reader->many, reader->swapped, &why) || reader_reject(reader, reader->lines.line, &why);
}

/* B */
static bool read_every(Reader *reader, AtomicJudge *judge) {
  uint32_t b;
  Err why;
  if (!reader_last_index(reader, "a block", reader->net->notes->n_blocks, &b)) return false;
  if (!judge_every(reader, judge->facts)) return false;
  if (!atomic_judge_every(judge, b, reader->many, &why)) return reader_reject(reader, reader->lines.line, &why);
  reader_claim(reader, CLAIM_EVERY, &b, 1);
  lines_next(&reader->lines);
  return true;
}

/* claim, of the block; `line` is that of the claim */
static bool read_upward_claim(Reader *reader, const ThreadFacts *facts, uint32_t block, size_t line) {
  UpwardClaim claim;
  Err why;
  bool good = upward_read(&reader->lines, facts, &claim, &why, reader->err);
  if (!good && reader->err->kind == ERR_CHECK) reader_reject(reader, reader->lines.line, &why);
  if (good && !upward_judge(&claim, block, reader->many, reader->swapped, &why))
    good = reader_reject(reader, line, &why);
  if (good) reader_claim(reader, CLAIM_EVERY, &block, 1);
  upward_claim_fini(&claim);
  return good;
}

/* B claim */
static bool read_upward(Reader *reader, AtomicJudge *judge) {
  const size_t line = reader->lines.line;
  uint32_t b;
  return reader_index(reader, "a block", reader->net->notes->n_blocks, &b) && judge_every(reader, judge->facts) &&
         read_upward_claim(reader, judge->facts, b, line);
}

/* ---- where threads never are ---- */

/* Up to `n` places, or to the end of the line, which are added to those of the claim, and to the set. */
static bool read_places(Reader *reader, uint32_t n, bool *set) {
  for (uint32_t i = 0; i < n && lines_has_blank(&reader->lines); i++) {
    uint32_t p;
    if (!reader_index(reader, "a place", reader->net->n_places, &p)) return false;
    vec_push(reader->heap, &reader->places, (PlaceId){p});
    set[p] = true;
  }
  return true;
}

static bool *new_set(const Reader *reader) { return heap_zeroed(reader->heap, (size_t)reader->net->n_places + 1); }

/* Of which the first `size` places are the first set. */
static bool end_states(Reader *reader, bool is_true, const Err *why, ClaimKind kind, uint32_t size) {
  if (!is_true) return reader_reject(reader, reader->lines.line, why);
  reader->size = size;
  const uint32_t none = 0, *places = reader->places.n ? &reader->places.at->v : &none;
  reader_claim(reader, kind, places, reader->places.n);
  reader->size = 0;
  lines_next(&reader->lines);
  return true;
}

/* P1 P2 ... */
static bool read_away(Reader *reader, const ThreadFacts *facts) {
  bool *set = new_set(reader);
  Err why;
  vec_clear(&reader->places);
  bool good = read_places(reader, UINT32_MAX, set) && lines_at_end(&reader->lines, reader->err);
  good = good && end_states(reader, states_judge_away(facts, set, &why), &why, CLAIM_AWAY, reader->places.n);
  heap_release(reader->heap, set);
  return good;
}

/* N P1 ... */
static bool read_apart(Reader *reader, const ThreadFacts *facts) {
  bool *first = new_set(reader), *second = new_set(reader);
  uint64_t size = 0;
  Err why;
  vec_clear(&reader->places);
  bool good = lines_number(&reader->lines, "a number of places", 0, reader->net->n_places, &size, reader->err) &&
              read_places(reader, (uint32_t)size, first) && read_places(reader, UINT32_MAX, second);
  if (good && reader->places.n < size) good = lines_expected(&reader->lines, "a place", reader->err);
  good = good && lines_at_end(&reader->lines, reader->err);
  good = good && end_states(reader, states_judge_apart(facts, first, second, &why), &why, CLAIM_APART, (uint32_t)size);
  heap_release(reader->heap, first);
  heap_release(reader->heap, second);
  return good;
}

/* P1 P2 ..., or none */
static bool read_over(Reader *reader, const ThreadFacts *facts) {
  bool *set = new_set(reader);
  Err why;
  vec_clear(&reader->places);
  bool good = read_places(reader, UINT32_MAX, set) && lines_at_end(&reader->lines, reader->err);
  good = good && end_states(reader, states_judge_over(facts, set, &why), &why, CLAIM_OVER, reader->places.n);
  heap_release(reader->heap, set);
  return good;
}

typedef struct {
  const char *word;
  bool (*read)(Reader *reader, const ThreadFacts *facts);
} StatesClaim;

static const StatesClaim STATES_CLAIMS[] = {{"away", read_away}, {"apart", read_apart}, {"over", read_over}};
enum { N_STATES_CLAIMS = sizeof STATES_CLAIMS / sizeof *STATES_CLAIMS };

/* NULL: the next line is none, or it is about a part of the net. */
static const StatesClaim *find_states_claim(Reader *reader) {
  for (uint32_t i = 0; !reader->part && i < N_STATES_CLAIMS; i++)
    if (lines_word(&reader->lines, STATES_CLAIMS[i].word)) return &STATES_CLAIMS[i];
  return NULL;
}

/* ('movers' B | 'environment' B | 'pairs' B | 'every' B | upward | 'slice' B T* | coloured |
 * 'away' P* | 'apart' N P* | 'over' P*)*; of a part only some */
static bool read_atomic_claims(Reader *reader, AtomicJudge *judge) {
  for (;;) {
    const AtomicClaim *claim = find_atomic_claim(reader);
    reader->size = 0;
    if (claim && !read_atomic_claim(reader, judge, claim)) return false;
    if (claim) continue;
    const StatesClaim *states = find_states_claim(reader);
    if (states && !states->read(reader, judge->facts)) return false;
    if (states) continue;
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
    return reader->err->kind == ERR_CHECK ? reader_reject(reader, reader->lines.line, &why) : false;
  if (!thread_facts_judge(facts, &why)) return reader_reject(reader, line, &why);
  AtomicJudge judge;
  atomic_judge_init(&judge, facts);
  const bool good = read_atomic_claims(reader, &judge);
  atomic_judge_fini(&judge);
  return good;
}

/* 'proof' facts claim* */
bool threads_read(Reader *reader) {
  const size_t line = reader->lines.line;
  ThreadFacts facts;
  Err why;
  reader->size = 0;
  if (!thread_facts_init(&facts, reader->heap, reader->net, reader->is_safe, &why))
    return reader_reject(reader, line, &why);
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
  const bool good = threads_read(reader);
  reader->net = whole;
  net_free(part);
  return good;
}

/* 'part' T* proof; a part of a net that is 1-safe, as was shown with the slices, is so, too */
bool threads_read_part(Reader *reader) {
  const Notes *notes = reader->net->notes;
  Err why;
  if (!reader->slices.n) {
    err_set(&why, ERR_CHECK, "a part of a net proves nothing where no block is sliced");
    return reader_reject(reader, reader->lines.line, &why);
  }
  reader->part = heap_zeroed(reader->heap, (size_t)notes->n_threads + 1);
  bool good = read_threads(reader, notes->n_threads, reader->part);
  if (good) lines_next(&reader->lines);
  good = good && read_part_proof(reader);
  heap_release(reader->heap, reader->part);
  reader->part = NULL;
  return good;
}
