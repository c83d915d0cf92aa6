#include "ask/atomicity.h"

#include "ask/entered.h"
#include "ask/safety.h"
#include "base/clock.h"

#include <stdio.h>
#include <string.h>

/* What is passed through heap_try: memory may run out at any point, and what was known then stays known. */
typedef struct {
  Heap *heap;
  const Net *net;
  const AtomicityOptions *options;
  const AskLimits *limits;
  Atomicity *result;
  Coloured *coloured;
  Prefix *prefix;
  PlaceId *targets; /* the red places */
  uint32_t n_targets;
  uint32_t *target_of; /* per block of the result: its target, or NOTE_NONE if red cannot be marked */
  UnfoldCounts counts;
  Err *err;
  bool good;
} Run;

static void list_blocks(Run *run) {
  const uint32_t n = run->net->notes->n_blocks;
  Atomicity *result = run->result;
  result->blocks = heap_zeroed(run->heap, ((size_t)n + 1) * sizeof *result->blocks);
  result->witnesses = heap_zeroed(run->heap, ((size_t)n + 1) * sizeof *result->witnesses);
  for (uint32_t b = 0; b < n; b++)
    if (!run->options->colour.blocks || run->options->colour.blocks[b])
      result->blocks[result->n_blocks++] = (BlockVerdict){.block = b};
}

static void list_targets(Run *run) {
  const Atomicity *result = run->result;
  run->targets = heap_alloc(run->heap, ((size_t)result->n_blocks + 1) * sizeof *run->targets);
  run->target_of = heap_alloc(run->heap, ((size_t)result->n_blocks + 1) * sizeof *run->target_of);
  for (uint32_t i = 0; i < result->n_blocks; i++) {
    const PlaceId red = colour_result_red(run->coloured, result->blocks[i].block);
    run->target_of[i] = red.v == PLACE_NONE.v ? NOTE_NONE : run->n_targets;
    if (red.v != PLACE_NONE.v) run->targets[run->n_targets++] = red;
  }
}

static bool fail(Run *run) {
  run->good = false;
  return false;
}

/* So many more events than the verdict has taken may be spent on whether the net is 1-safe, if there is no limit
 * of events. */
enum { SAFETY_EVENTS = 100000 };

static bool ask_safety(Run *run, Verdict *safe, char *why, size_t room, Err *err) {
  const uint64_t limit = run->limits->max_events;
  return safety_check(run->heap, run->net, limit ? limit : run->counts.events + SAFETY_EVENTS, safe, why, room, err);
}

/* What goes wrong with a net that is not 1-safe is the net's fault; with one that is, it is ours. */
static bool fail_unless_unsafe(Run *run) {
  Err unsafe;
  Verdict safe;
  char why[160];
  if (!ask_safety(run, &safe, why, sizeof why, &unsafe)) *run->err = unsafe;
  else if (safe == VERDICT_HOLDS && run->err->kind == ERR_INPUT) run->err->kind = ERR_CHECK;
  return fail(run);
}

static void show(void *argument, const UnfoldCounts *counts) {
  const Run *run = argument;
  ask_show(run->limits, run->heap, counts->events, counts);
}

/* The prefix of the coloured net, unless no block needs one and there is nothing to prove. */
static bool unfold_coloured(Run *run) {
  const AtomicityOptions *options = run->options;
  list_targets(run);
  if (!run->n_targets && !options->proof) return true;
  const UnfoldOptions unfolding = {.order = options->order,
                                   .max_events = run->limits->max_events,
                                   .targets = run->targets,
                                   .n_targets = run->n_targets,
                                   .stop_at_targets = true,
                                   .counts = &run->counts,
                                   .progress = show,
                                   .progress_argument = run};
  run->prefix = unfold(run->heap, colour_result_net(run->coloured), &unfolding, run->err);
  if (!run->prefix) return fail(run);
  prefix_explain(run->prefix, run->result->why, sizeof run->result->why);
  if (run->prefix->status != UNFOLD_NOT_SAFE) return true;
  err_set(run->err, ERR_INPUT, "the coloured net is not 1-safe: '%.200s' can get a second token",
          colour_result_net(run->coloured)->place_name[run->prefix->unsafe_place.v]);
  return fail_unless_unsafe(run);
}

/* The witness of result block i, whose red place the event covers: expanded, and put before the judge. */
static bool find_witness(Run *run, uint32_t i, EventId event) {
  const uint32_t n = prefix_local_run(run->prefix, event, NULL);
  TransId *coloured_run = heap_alloc(run->heap, ((size_t)n + 1) * sizeof *coloured_run);
  prefix_local_run(run->prefix, event, coloured_run);
  TransId *steps;
  uint32_t n_steps;
  const bool expanded = colour_expand_run(run->coloured, coloured_run, n, &steps, &n_steps, run->err);
  heap_release(run->heap, coloured_run);
  if (!expanded) return fail_unless_unsafe(run);
  Witness *witness = &run->result->witnesses[i];
  BlockVerdict *block = &run->result->blocks[i];
  const bool judged = witness_judge(run->heap, run->net, block->block, steps, n_steps, witness, run->err);
  heap_release(run->heap, steps);
  if (!judged) return fail_unless_unsafe(run);
  block->verdict = VERDICT_VIOLATED;
  block->entered = ENTERED_SOMETIMES;
  block->witness = witness;
  return true;
}

/* The first event that covers the red place of result block i, or EVENT_NONE. */
static EventId red_event(const Run *run, uint32_t i) {
  return run->target_of[i] == NOTE_NONE ? EVENT_NONE : run->prefix->target_event[run->target_of[i]];
}

/* Is it known that red cannot be marked? */
static bool is_never_red(const Run *run, uint32_t i) {
  return run->target_of[i] == NOTE_NONE ||
         (run->prefix->status == UNFOLD_COMPLETE && red_event(run, i).v == EVENT_NONE.v);
}

static bool find_witnesses(Run *run) {
  for (uint32_t i = 0; i < run->result->n_blocks; i++)
    if (red_event(run, i).v != EVENT_NONE.v && !find_witness(run, i, red_event(run, i))) return false;
  return true;
}

/* A block whose red place cannot be marked is atomic if the net is 1-safe. */
static bool find_atomic(Run *run) {
  Verdict safe = VERDICT_UNKNOWN;
  bool asked = false;
  for (uint32_t i = 0; i < run->result->n_blocks; i++) {
    if (!is_never_red(run, i)) continue;
    if (!asked && !ask_safety(run, &safe, run->result->why, sizeof run->result->why, run->err)) return fail(run);
    asked = true;
    run->result->blocks[i].verdict = safe;
  }
  return true;
}

static bool colour(Run *run) {
  run->coloured = colour_net(run->heap, run->net, &run->options->colour, run->err);
  if (run->coloured) return true;
  if (run->err->kind != ERR_LIMIT) return fail(run);
  snprintf(run->result->why, sizeof run->result->why, "%.150s", run->err->text);
  return false;
}

static Verdict joint_verdict(const Atomicity *result) {
  VerdictTally tally = {0};
  for (uint32_t i = 0; i < result->n_blocks; i++) verdict_count(&tally, result->blocks[i].verdict);
  return verdict_join(&tally);
}

/* Where the prefix is complete and was looked at to the end, no red place is covered. */
static bool show_proof(Run *run) {
  const AtomicityOptions *options = run->options;
  if (!options->proof || joint_verdict(run->result) != VERDICT_HOLDS || run->prefix->status != UNFOLD_COMPLETE)
    return true;
  run->result->proved =
      options->proof(options->proof_argument, run->coloured, run->prefix, run->targets, run->n_targets, run->err);
  return run->result->proved || fail(run);
}

/* So many more events than the verdict has taken may be spent on whether blocks can be entered. */
enum { ENTRY_EVENTS = 20000 };

static void body(void *argument) {
  Run *run = argument;
  if (!run->result->n_blocks || !colour(run)) return;
  const Net *net = colour_result_net(run->coloured);
  run->result->stats.places = net->n_places;
  run->result->stats.transitions = net->n_trans;
  if (run->options->coloured && !run->options->coloured(run->options->coloured_argument, net, run->err)) {
    fail(run);
    return;
  }
  if (!unfold_coloured(run)) return;
  if (!find_witnesses(run) || !find_atomic(run)) return;
  if (show_proof(run))
    entered_find(run->heap, run->net, run->result->blocks, run->result->n_blocks, run->counts.events + ENTRY_EVENTS);
}

bool atomicity_check(Heap *heap, const Net *net, const AtomicityOptions *options, const AskLimits *limits,
                     Atomicity *result, Err *err) {
  const double start = clock_seconds();
  if (!net->notes)
    return err_set(err, ERR_INPUT, "the net has no annotations about threads and blocks%s",
                   net->n_units ? "; with its units as threads, name a block with --begin and --end"
                                : ", and no NUPN units that could be threads");
  *result = (Atomicity){.heap = heap};
  Run run = {
      .heap = heap, .net = net, .options = options, .limits = limits, .result = result, .err = err, .good = true};
  list_blocks(&run);
  if (!heap_try(heap, body, &run))
    heap_explain_after(heap, heap_why(heap), run.counts.events, "events", result->why, sizeof result->why);
  result->stats.events = run.counts.events;
  result->stats.conditions = run.counts.conditions;
  result->stats.cutoffs = run.counts.cutoffs;
  result->stats.bytes = heap_peak(heap);
  result->stats.seconds = clock_seconds() - start;
  result->verdict = joint_verdict(result);
  prefix_free(run.prefix);
  colour_free(run.coloured);
  heap_release(heap, run.targets);
  heap_release(heap, run.target_of);
  if (!run.good) atomicity_fini(result);
  return run.good;
}

void atomicity_fini(Atomicity *result) {
  for (uint32_t i = 0; i < result->n_blocks; i++)
    if (result->blocks[i].witness) witness_fini(&result->witnesses[i]);
  heap_release(result->heap, result->blocks);
  heap_release(result->heap, result->witnesses);
  *result = (Atomicity){.heap = result->heap};
}
