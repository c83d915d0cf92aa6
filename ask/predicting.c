#include "ask/predicting_inside.h"

#include "base/bitset.h"
#include "base/clock.h"

enum { POLLED = 4096 /* events between two looks at the clock */ };

static JudgeEvent judge_event(const TraceEvent *event) {
  return (JudgeEvent){event->thread, event->object, (JudgeOp)event->op};
}

JudgeEvent *predicting_events(Heap *heap, const TraceEvent *events, uint64_t n) {
  JudgeEvent *copy = heap_alloc(heap, heap_product(heap, n + 1, sizeof *copy));
  for (uint64_t i = 0; i < n; i++) copy[i] = judge_event(&events[i]);
  return copy;
}

/* Has it the cycle? */
static bool judge_cycle(Heap *heap, const Play *play, const PredictingTold *told, const MonitorFinding *finding,
                        Err *err) {
  JudgeEdge *edges = heap_alloc(heap, finding->n * sizeof *edges);
  uint64_t *transactions = heap_alloc(heap, finding->n * sizeof *transactions);
  for (uint32_t i = 0; i < finding->n; i++) {
    edges[i] =
        (JudgeEdge){(JudgeReason)finding->edges[i].kind, finding->edges[i].from.event, finding->edges[i].to.event};
    transactions[i] = finding->transactions[i].first;
  }
  const JudgeCycle cycle = {finding->n, transactions, edges};
  RunJudge *judge = run_judge_new(heap, &cycle, 1, &(JudgeOptions){0});
  bool more = true;
  for (uint32_t i = 0; i < play->events.n && more; i++) {
    if (i % POLLED == 0) heap_poll(heap);
    JudgeEvent event = judge_event(&play->events.at[i]);
    if (told->left_out && bitset_has(told->left_out, (uint32_t)play->origin.at[i])) event.op = JUDGE_START;
    more = run_judge_see_call(judge, &event, told->calls ? told->calls[play->origin.at[i]] : 0);
  }
  const bool good = run_judge_decide(judge, err);
  run_judge_free(judge);
  heap_release(heap, edges);
  heap_release(heap, transactions);
  return good;
}

/* And does the monitor see it? */
static bool monitor_play(Heap *heap, const Play *play, Err *err) {
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){.engine = MONITOR_SCG});
  const uint32_t n = play->events.n;
  bool found = false;
  for (uint32_t i = 0; i < n && !found; i += POLLED) {
    heap_poll(heap);
    found = monitor_feed(monitor, play->events.at + i, n - i < POLLED ? n - i : POLLED);
  }
  found = found || monitor_finish(monitor);
  monitor_free(monitor);
  return found || err_set(err, ERR_CHECK, "the monitor sees no cycle in the predicted run");
}

static void add_legs(Arena *arena, const Play *play, PredictedRun *run) {
  const TraceEvent *events = play->events.at;
  const uint32_t n = play->events.n;
  for (uint32_t i = 0; i < n; i++) run->n_legs += i + 1 == n || events[i + 1].thread != events[i].thread;
  PredictedLeg *leg = arena_alloc(arena, run->n_legs * sizeof *leg);
  run->legs = leg;
  for (uint32_t i = 0; i < n; i++)
    if (i + 1 == n || events[i + 1].thread != events[i].thread)
      *leg++ = (PredictedLeg){events[i].thread, events[i].location, play->origin.at[i]};
}

/* Which transactions are left before they are entered? */
static bool *find_split(Arena *arena, const MonitorFinding *finding) {
  bool *split = arena_zeroed(arena, finding->n, sizeof *split);
  for (uint32_t i = 0; i < finding->n; i++) split[i] = monitor_splits(finding, i);
  return split;
}

/* From the numbers of the play to those of what was recorded. */
static void to_origins(const Play *play, MonitorFinding *finding) {
  for (uint32_t i = 0; i < finding->n; i++) {
    finding->transactions[i].first = play->origin.at[finding->transactions[i].first];
    finding->transactions[i].last = play->origin.at[finding->transactions[i].last];
    finding->edges[i].from.event = play->origin.at[finding->edges[i].from.event];
    finding->edges[i].to.event = play->origin.at[finding->edges[i].to.event];
  }
  finding->event = play->origin.at[finding->event];
}

bool predicting_add(Heap *heap, PredictingResult *result, Play *play, const PredictingTold *told,
                    const MonitorFinding *cycle, Err *err) {
  PredictedRun run = {.finding = *cycle, .names = play->names};
  const bool good = judge_cycle(heap, play, told, &run.finding, err) && monitor_play(heap, play, err);
  if (good) {
    run.split = find_split(&result->arena, &run.finding);
    to_origins(play, &run.finding);
    add_legs(&result->arena, play, &run);
    vec_push(heap, &result->runs, run);
  }
  if (good && result->runs.n == 1) result->first = *play;
  else play_fini(play);
  return good;
}

void predicting_begin(PredictingResult *result, Heap *heap) {
  *result = (PredictingResult){.heap = heap};
  arena_init(&result->arena, heap);
}

void predicting_end(PredictingResult *result, double start) {
  result->report.runs = result->runs.at;
  result->report.n_runs = result->runs.n;
  result->report.events_of_first = result->first.events.at;
  result->report.origin_of_first = result->first.origin.at;
  result->report.n_first = result->first.events.n;
  result->seconds = clock_seconds() - start;
}

void predicting_fini(PredictingResult *result) {
  call_stacks_fini(result->heap, &result->stacks);
  if (result->runs.n) play_fini(&result->first);
  play_maker_free(result->maker);
  vec_fini(result->heap, &result->runs);
  arena_fini(&result->arena);
}
