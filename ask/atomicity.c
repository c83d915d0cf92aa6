#include "ask/atomicity.h"

#include "ask/gaps.h"
#include "ask/safety.h"
#include "ask/stages.h"
#include "base/clock.h"

#include <stdio.h>

/* ---- what the stages share ---- */

bool question_fail(Question *q) {
  q->good = false;
  return false;
}

uint64_t question_events(const Question *q) { return q->before.events + q->unfolding.counts.events; }

bool question_is_over(Question *q) {
  char *why = q->result->why;
  if (!q->is_over)
    q->is_over = ask_is_over(q->limits, q->heap, heap_asked(q->heap), question_events(q), why, sizeof q->result->why);
  return q->is_over;
}

void question_decide(Question *q, uint32_t i, Verdict verdict, const char *grounds) {
  BlockVerdict *block = &q->result->blocks[i];
  block->verdict = verdict;
  block->grounds = verdict == VERDICT_UNKNOWN ? NULL : grounds;
}

bool question_take_run(Question *q, uint32_t i, TransId *steps, uint32_t n_steps, const char *grounds) {
  Witness *witness = &q->result->witnesses[i];
  BlockVerdict *block = &q->result->blocks[i];
  const bool judged = witness_judge(q->heap, q->net, block->block, steps, n_steps, witness, q->err);
  if (judged && q->keeps_runs) {
    q->run[i] = steps;
    q->n_run[i] = n_steps;
  } else {
    heap_release(q->heap, steps);
  }
  if (!judged) return question_fail_unless_unsafe(q);
  block->entered = ENTERED_SOMETIMES;
  block->witness = witness;
  question_decide(q, i, VERDICT_VIOLATED, grounds);
  return true;
}

bool question_change_run(Question *q, uint32_t i, TransId *steps, uint32_t n_steps) {
  Witness witness;
  if (!witness_judge(q->heap, q->net, q->result->blocks[i].block, steps, n_steps, &witness, q->err)) {
    heap_release(q->heap, steps);
    return question_fail_unless_unsafe(q);
  }
  witness_fini(&q->result->witnesses[i]);
  q->result->witnesses[i] = witness;
  if (q->keeps_runs) {
    heap_release(q->heap, q->run[i]);
    q->run[i] = steps;
    q->n_run[i] = n_steps;
  } else {
    heap_release(q->heap, steps);
  }
  return true;
}

void question_begin_proof(Question *q) {
  if (!q->options->certificate) return;
  q->result->is_cut = true;
  q->result->cut_at = ftell(q->options->certificate);
}

void question_end_proof(Question *q) { q->result->is_cut = false; }

/* So many more events than the verdict has taken may be spent on whether the net is 1-safe, if there is no limit
 * of events. */
enum { SAFETY_EVENTS = 100000 };

static bool ask_safety(Question *q, Verdict *safe, char *why, size_t room, Err *err) {
  const uint64_t limit = q->limits->max_events;
  return safety_check(q->heap, q->net, limit ? limit : question_events(q) + SAFETY_EVENTS, safe, why, room, err);
}

bool question_is_safe(Question *q) {
  if (q->asked_safe) return true;
  q->asked_safe = true;
  return ask_safety(q, &q->safe, q->result->why, sizeof q->result->why, q->err) || question_fail(q);
}

bool question_fail_unless_unsafe(Question *q) {
  Err unsafe;
  Verdict safe;
  char why[160];
  if (!ask_safety(q, &safe, why, sizeof why, &unsafe)) *q->err = unsafe;
  else if (safe == VERDICT_HOLDS && q->err->kind == ERR_INPUT) q->err->kind = ERR_CHECK;
  return question_fail(q);
}

/* ---- the run ---- */

static void list_blocks(Question *q) {
  const uint32_t n = q->net->notes->n_blocks;
  Atomicity *result = q->result;
  result->blocks = heap_zeroed(q->heap, ((size_t)n + 1) * sizeof *result->blocks);
  result->witnesses = heap_zeroed(q->heap, ((size_t)n + 1) * sizeof *result->witnesses);
  q->chosen = heap_zeroed(q->heap, (size_t)n + 1);
  q->given_up = heap_zeroed(q->heap, (size_t)n + 1);
  q->is_loose = heap_zeroed(q->heap, (size_t)n + 1);
  q->run = heap_zeroed(q->heap, ((size_t)n + 1) * sizeof *q->run);
  q->n_run = heap_zeroed(q->heap, ((size_t)n + 1) * sizeof *q->n_run);
  for (uint32_t b = 0; b < n; b++)
    if (!q->options->colour.blocks || q->options->colour.blocks[b])
      result->blocks[result->n_blocks++] = (BlockVerdict){.block = b};
}

static Verdict joint_verdict(const Atomicity *result) {
  VerdictTally tally = {0};
  for (uint32_t i = 0; i < result->n_blocks; i++) verdict_count(&tally, result->blocks[i].verdict);
  return verdict_join(&tally);
}

static bool has_open(const Atomicity *result) {
  bool open = false;
  for (uint32_t i = 0; i < result->n_blocks; i++) open |= result->blocks[i].verdict == VERDICT_UNKNOWN;
  return open;
}

/* So many more events than the verdict has taken may be spent on whether blocks can be entered. */
enum { ENTRY_EVENTS = 20000 };

static bool decide(Question *q) {
  if (q->options->tries && (!stages_prove(q) || !stages_try_chains(q))) return false;
  if (!q->options->never_whole) return stages_unfold(q);
  if (q->options->tries & TRY_SLICE && !stages_unfold(q)) return false;
  if (!q->result->why[0] && has_open(q->result) && !question_is_over(q))
    snprintf(q->result->why, sizeof q->result->why, "%s", ATOMICITY_UNTRIED);
  return true;
}

static void body(void *argument) {
  Question *q = argument;
  Atomicity *result = q->result;
  if (result->n_blocks && stages_any(q) && decide(q))
    entered_find(q->heap, q->net, result->blocks, result->n_blocks, question_events(q) + ENTRY_EVENTS);
}

/* What was shown of the net is not known of a program of which it lacks something. */
static void mind_gaps(Question *q) {
  Atomicity *result = q->result;
  bool changed = false;
  for (uint32_t i = 0; i < result->n_blocks; i++) {
    BlockVerdict *block = &result->blocks[i];
    const GapsAbout about = block->is_of_any_number ? GAPS_OF_ANY_NUMBER : GAPS_OF_EVENTS;
    if (gaps_verdict(q->net, about, block->verdict) == block->verdict) continue;
    *block = (BlockVerdict){.block = block->block};
    changed = true;
  }
  const bool left_open = !result->why[0] && has_open(result) && gaps_any(q->net, GAPS_OF_EVENTS);
  if (!changed && !left_open) return;
  gaps_explain(q->net, GAPS_OF_EVENTS, result->why, sizeof result->why);
  const size_t n = strlen(result->why);
  if (!stages_any(q))
    snprintf(result->why + n, sizeof result->why - n, "; it is too large to be searched without --max-events");
}

static void finish(Question *q, double start) {
  Atomicity *result = q->result;
  mind_gaps(q);
  unfolding_clear(q);
  prove_free(q->proofs);
  heap_release(q->heap, q->chosen);
  heap_release(q->heap, q->given_up);
  heap_release(q->heap, q->is_loose);
  heap_release(q->heap, q->run);
  heap_release(q->heap, q->n_run);
  result->verdict = joint_verdict(result);
  result->stats.events = q->before.events;
  result->stats.conditions = q->before.conditions;
  result->stats.cutoffs = q->before.cutoffs;
  result->stats.bytes = heap_peak(q->heap);
  result->stats.seconds = clock_seconds() - start;
}

/* No proof of what is not known. */
static AtomicityOptions without_proofs(const AtomicityOptions *options, bool no_proofs) {
  AtomicityOptions own = *options;
  if (no_proofs) own.certificate = NULL, own.proof = NULL;
  return own;
}

bool atomicity_check(Heap *heap, const Net *net, const AtomicityOptions *options, const AskLimits *limits,
                     Atomicity *result, Err *err) {
  const double start = clock_seconds();
  if (!net->notes)
    return err_set(err, ERR_INPUT, "the net has no annotations about threads and blocks%s",
                   net->n_units ? remedy_words(limits->remedies, REMEDY_NO_THREADS)
                                : ", and no NUPN units that could be threads");
  *result = (Atomicity){.heap = heap};
  arena_init(&result->arena, heap);
  const AtomicityOptions own = without_proofs(options, gaps_any(net, GAPS_OF_EVENTS));
  Question q = {
      .heap = heap, .net = net, .options = &own, .limits = limits, .result = result, .err = err, .good = true};
  list_blocks(&q);
  if (!heap_try(heap, body, &q))
    heap_explain_after(heap, heap_why(heap), question_events(&q), "events", result->why, sizeof result->why);
  finish(&q, start);
  if (!q.good) atomicity_fini(result);
  return q.good;
}

void atomicity_fini(Atomicity *result) {
  for (uint32_t i = 0; i < result->n_blocks; i++)
    if (result->blocks[i].witness) witness_fini(&result->witnesses[i]);
  heap_release(result->heap, result->blocks);
  heap_release(result->heap, result->witnesses);
  arena_fini(&result->arena);
  *result = (Atomicity){.heap = result->heap};
}
