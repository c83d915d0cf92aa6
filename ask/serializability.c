#include "ask/serializability.h"

#include "ask/entered.h"
#include "ask/gaps.h"
#include "base/clock.h"
#include "serial/model_check.h"

#include <stdio.h>

/* What is passed through heap_try: memory may run out at any point. */
typedef struct {
  Heap *heap;
  const Net *net;
  const bool *blocks;
  const AskLimits *limits;
  ModelCounts counts;
  Serializability *result;
  Err *err;
  bool good;
} Run;

static void explain(Run *run, ModelStatus status) {
  char *why = run->result->why;
  const size_t room = sizeof run->result->why;
  if (status == MODEL_LIMIT) heap_explain_limit(run->limits->max_events, "states", why, room);
  else heap_explain_after(run->heap, heap_asked(run->heap), run->counts.states, "states", why, room);
}

/* So many events may be spent on whether blocks can be entered. */
enum { ENTRY_EVENTS = 100000 };

static void find_entered(Run *run) {
  Serializability *result = run->result;
  const uint32_t n = run->net->notes->n_blocks;
  result->blocks = heap_zeroed(run->heap, heap_product(run->heap, n, sizeof *result->blocks));
  for (uint32_t b = 0; b < n; b++)
    if (!run->blocks || run->blocks[b])
      result->blocks[result->n_blocks++] = (BlockVerdict){.block = b, .verdict = VERDICT_HOLDS};
  entered_find(run->heap, run->net, result->blocks, result->n_blocks, ENTRY_EVENTS);
}

static void show(void *argument, const ModelCounts *counts) {
  const Run *run = argument;
  ask_show(run->limits, run->heap, counts->states, NULL);
}

static void body(void *argument) {
  Run *run = argument;
  ModelResult found;
  const ModelOptions options = {.blocks = run->blocks,
                                .max_states = run->limits->max_events,
                                .counts = &run->counts,
                                .progress = show,
                                .progress_argument = run};
  run->good = model_check(run->heap, run->net, &options, &found, run->err);
  if (!run->good) return;
  if (found.status == MODEL_VIOLATED) {
    run->good = conflict_judge(run->heap, run->net, run->blocks, found.run, found.n_run, &run->result->cycle, run->err);
    heap_release(run->heap, found.run);
    run->result->verdict = VERDICT_VIOLATED;
  } else if (found.status == MODEL_SERIALIZABLE && gaps_any(run->net, GAPS_OF_EVENTS)) {
    gaps_explain(run->net, GAPS_OF_EVENTS, run->result->why, sizeof run->result->why);
  } else if (found.status == MODEL_SERIALIZABLE) {
    run->result->verdict = VERDICT_HOLDS;
    find_entered(run);
  } else {
    explain(run, found.status);
  }
}

bool serializability_check(Heap *heap, const Net *net, const bool *blocks, const AskLimits *limits,
                           Serializability *result, Err *err) {
  const double start = clock_seconds();
  if (!net->notes) return err_set(err, ERR_INPUT, "the net has no annotations about threads and blocks");
  *result = (Serializability){.verdict = VERDICT_UNKNOWN};
  Run run = {.heap = heap, .net = net, .blocks = blocks, .limits = limits, .result = result, .err = err, .good = true};
  const bool done = heap_try(heap, body, &run);
  /* whether a block can be entered may stay open */
  if (!done && result->verdict == VERDICT_UNKNOWN)
    heap_explain_after(heap, heap_why(heap), run.counts.states, "states", result->why, sizeof result->why);
  result->states = run.counts.states;
  result->bytes = heap_peak(heap);
  result->seconds = clock_seconds() - start;
  return run.good;
}

void serializability_fini(Heap *heap, Serializability *result) {
  if (result->verdict == VERDICT_VIOLATED) conflict_cycle_fini(&result->cycle);
  heap_release(heap, result->blocks);
}
