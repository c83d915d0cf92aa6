#include "ask/predicting_inside.h"

#include "base/bitset.h"
#include "base/clock.h"

enum { POLLED = 4096 /* events between two looks at the clock */ };

static JudgeEvent judge_event(const TraceEvent *event) {
  return (JudgeEvent){event->thread, event->object, (JudgeOp)event->op};
}

JudgeEvent predicting_event(const void *events, uint64_t number) {
  return judge_event(&((const TraceEvent *)events)[number]);
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
  for (uint32_t i = 0; i < play->origin.n && more; i++) {
    if (i % POLLED == 0) heap_poll(heap);
    const TraceEvent played = play_event(play, i);
    JudgeEvent event = judge_event(&played);
    if (told->left_out && bitset_has(told->left_out, play->origin.at[i])) event.op = JUDGE_START;
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
  TraceEvent events[POLLED];
  bool found = false;
  for (uint32_t i = 0; i < play->origin.n && !found; i += POLLED) {
    heap_poll(heap);
    found = monitor_feed(monitor, events, play_events(play, i, events, POLLED));
  }
  found = found || monitor_finish(monitor);
  monitor_free(monitor);
  return found || err_set(err, ERR_CHECK, "the monitor sees no cycle in the predicted run");
}

static void add_legs(Heap *heap, Arena *arena, const Play *play, PredictedRun *run) {
  const uint32_t n = play->origin.n;
  U32Vec ends = {0};
  uint32_t thread = n ? play_thread(play, 0) : TRACE_NONE;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t next = i + 1 < n ? play_thread(play, i + 1) : TRACE_NONE;
    if (next != thread) vec_push(heap, &ends, i);
    thread = next;
  }
  PredictedLeg *legs = arena_alloc(arena, ends.n * sizeof *legs);
  for (uint32_t i = 0; i < ends.n; i++) {
    const TraceEvent event = play_event(play, ends.at[i]);
    legs[i] = (PredictedLeg){event.thread, event.location, play->origin.at[ends.at[i]]};
  }
  run->legs = legs;
  run->n_legs = ends.n;
  vec_fini(heap, &ends);
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
    add_legs(heap, &result->arena, play, &run);
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
  result->report.first = &result->first;
  result->seconds = clock_seconds() - start;
}

void predicting_fini(PredictingResult *result) {
  call_stacks_fini(result->heap, &result->stacks);
  if (result->runs.n) play_fini(&result->first);
  play_maker_free(result->maker);
  vec_fini(result->heap, &result->events);
  vec_fini(result->heap, &result->runs);
  arena_fini(&result->arena);
}
