/* The pass over the run says which call of a function is split, and between which of its events, not by what. So the
 * run is read again: of each function that is split one call, as the only transaction, goes through a monitor that
 * knows cycles; of its accesses the monitor sees these two alone, lest it finds what splits a call inside, too. And the
 * run is read once more for the judges of the cycles, who see all of it, from that begin on. */
#include "ask/functions.h"

#include "ask/judging.h"
#include "base/clock.h"

#include <assert.h>

/* What is passed around. */
typedef struct {
  Heap *heap;
  const RunSource *source;
  bool lock_conflicts;
  const AskLimits *limits;
  FunctionsResult *result;
  Err *err;
} Asking;

/* ---- all functions at once ---- */

static bool feed(void *monitor, uint32_t run, const TraceEvent *events, uint32_t n) {
  (void)run;
  monitor_feed(monitor, events, n);
  return true;
}

static bool read_calls(const Asking *a) {
  FunctionsResult *result = a->result;
  Monitor *monitor = monitor_of_calls(a->heap, a->lock_conflicts, &result->calls);
  const bool good = run_input_read(&result->input, feed, monitor, a->err);
  result->report.events = monitor_events(monitor);
  monitor_free(monitor);
  return good;
}

/* ---- one call of each ---- */

/* A call, the events from its begin on, and who looks at them. */
typedef struct {
  FunctionRow *row;
  uint32_t thread; /* that of the call, once it has begun */
  uint32_t depth;  /* of begins in it */
  Monitor *monitor;
  RunJudge *judge; /* instead of the monitor, if not NULL */
  JudgeCycle cycle;
  bool done;
} Witness;

typedef struct {
  Heap *heap;
  VEC(Witness) list;
  TraceEvent *batch;
  const RunInput *input; /* where it comes from */
  uint64_t n_events;     /* before the batch */
  bool stopped;
} Witnesses;

/* What is left out of a call: accesses. Joins, and what begins another life of an object, are needed. */
static bool is_access(const TraceEvent *event) {
  const TraceSort on = (TraceSort)TRACE_SORT[event->op];
  return on == TRACE_ON_LOCK || (on == TRACE_ON_VARIABLE && event->op != TRACE_FREE);
}

/* Of the accesses in the call only two. In place of others there is a begin in a transaction, which means nothing; nor
 * does an end where nothing is open, in place of other begins. */
static TraceEvent seen_by_monitor(Witness *w, const TraceEvent *event, uint64_t number) {
  const CallsRow *calls = &w->row->calls;
  TraceEvent seen = *event;
  if (number == calls->first) w->thread = event->thread;
  const bool own = w->thread == event->thread, kept = number == calls->before || number == calls->at;
  if (own && !kept && (is_access(event) || event->op == TRACE_END)) seen.op = TRACE_BEGIN;
  else if (!own && event->op == TRACE_BEGIN) seen.op = TRACE_END;
  if (seen.op != event->op) seen.object = TRACE_NONE;
  return seen;
}

/* Other calls are none. */
static TraceEvent seen_by_judge(Witness *w, const TraceEvent *event, uint64_t number) {
  const bool begins = number == w->row->calls.first;
  TraceEvent seen = *event;
  if (begins) w->thread = event->thread;
  if (w->thread == event->thread && (begins || w->depth)) {
    w->depth += event->op == TRACE_BEGIN;
    w->depth -= event->op == TRACE_END;
    if (event->op == TRACE_EXIT) w->depth = 0;
  } else if (event->op == TRACE_BEGIN) {
    seen.op = TRACE_END;
    seen.object = TRACE_NONE;
  }
  return seen;
}

/* From the begin on, up to what was found. */
static void show(Witnesses *all, Witness *w, const TraceEvent *events, uint32_t n) {
  const uint64_t first = w->row->calls.first;
  if (w->done || first >= all->n_events + n) return;
  const uint32_t from = first > all->n_events ? (uint32_t)(first - all->n_events) : 0;
  for (uint32_t i = from; i < n; i++)
    all->batch[i] = (w->judge ? seen_by_judge : seen_by_monitor)(w, &events[i], all->n_events + i);
  const LeftOut *left_out = &all->input->left_out;
  if (w->judge && left_out->commuting.met) judging_restore(w->row->finding, all->n_events, events, n);
  w->done = w->judge
                ? !judging_show(w->judge, all->batch + from, left_out->calls ? left_out->calls + from : NULL, n - from)
                : monitor_feed(w->monitor, all->batch + from, n - from);
}

static bool show_all(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Witnesses *all = argument;
  bool more = false;
  (void)run;
  all->stopped = heap_asked(all->heap) != STOP_NOT;
  if (all->stopped) return false;
  for (uint32_t i = 0; i < all->list.n; i++) {
    show(all, &all->list.at[i], events, n);
    more |= !all->list.at[i].done;
  }
  all->n_events += n;
  return more;
}

static bool read_again(const Asking *a, Witnesses *all, LeftOutWhat left_out) {
  RunSource source = *a->source;
  RunInput input;
  source.left_out = left_out;
  all->input = &input;
  all->n_events = 0;
  for (uint32_t i = 0; i < all->list.n; i++) {
    all->list.at[i].done = false;
    all->list.at[i].depth = 0;
  }
  run_input_init(&input, a->heap, &source, a->limits);
  const bool good = run_input_reread(&input, show_all, all, a->err);
  all->stopped |= input.why[0] != '\0';
  run_input_fini(&input);
  return good;
}

/* ---- what is found ---- */

/* The finding with its events numbered from the beginning of the run. */
static const MonitorFinding *copy_finding(Arena *arena, const MonitorFinding *from, const CallsRow *calls) {
  MonitorFinding *to = arena_zeroed(arena, 1, sizeof *to);
  *to = (MonitorFinding){from->event + calls->first, from->n, arena_zeroed(arena, from->n, sizeof *to->transactions),
                         arena_zeroed(arena, from->n, sizeof *to->edges)};
  for (uint32_t i = 0; i < from->n; i++) {
    to->transactions[i] = from->transactions[i];
    to->transactions[i].first += calls->first;
    to->transactions[i].last += calls->first;
    to->edges[i] = from->edges[i];
    to->edges[i].from.event += calls->first;
    to->edges[i].to.event += calls->first;
  }
  to->transactions[0].ordinal = calls->ordinal;
  return to;
}

static bool take_findings(const Asking *a, Witnesses *all) {
  for (uint32_t i = 0; i < all->list.n; i++) {
    Witness *w = &all->list.at[i];
    uint32_t n;
    const MonitorFinding *findings = monitor_findings(w->monitor, &n);
    if (n == 0 || findings[0].transactions[0].first != 0)
      return err_set(a->err, ERR_CHECK,
                     "vector clocks see a call that is split, and the summarized conflict graph does not");
    w->row->finding = copy_finding(&a->result->arena, &findings[0], &w->row->calls);
    w->cycle = judging_cycle(a->heap, w->row->finding, w->row->calls.first);
    w->judge = run_judge_new(a->heap, &w->cycle, 1, &(JudgeOptions){a->lock_conflicts, true});
  }
  return true;
}

static bool judge(const Asking *a, const Witnesses *all) {
  for (uint32_t i = 0; i < all->list.n; i++)
    if (!run_judge_decide(all->list.at[i].judge, a->err)) return false;
  return true;
}

static void add_witness(const Asking *a, Witnesses *all, FunctionRow *row) {
  const MonitorOptions options = {MONITOR_SCG, MONITOR_CAUSAL, a->lock_conflicts, false};
  const Witness w = {.row = row, .monitor = monitor_new(a->heap, &options)};
  vec_push(a->heap, &all->list, w);
}

static void witnesses_fini(Witnesses *all) {
  for (uint32_t i = 0; i < all->list.n; i++) {
    Witness *w = &all->list.at[i];
    monitor_free(w->monitor);
    run_judge_free(w->judge);
    judging_release(all->heap, &w->cycle);
  }
  vec_fini(all->heap, &all->list);
  heap_release(all->heap, all->batch);
}

/* *whole: there was time for it. */
static bool explain(const Asking *a, FunctionRow *rows, uint32_t n, bool *whole) {
  Witnesses all = {.heap = a->heap, .batch = heap_alloc(a->heap, TRACE_BATCH * sizeof *all.batch)};
  for (uint32_t i = 0; i < n && rows[i].calls.kind == CALLS_SPLIT; i++) add_witness(a, &all, &rows[i]);
  bool good = all.list.n == 0 || read_again(a, &all, LEFT_OUT_ALL);
  if (good && all.list.n && !all.stopped)
    good = take_findings(a, &all) && read_again(a, &all, LEFT_OUT_BUT_CALLS) && (all.stopped || judge(a, &all));
  *whole = !all.stopped;
  witnesses_fini(&all);
  return good;
}

/* ---- the report ---- */

static FunctionRow *sort_rows(FunctionsResult *result) {
  const Calls *calls = &result->calls;
  FunctionRow *rows = arena_zeroed(&result->arena, calls->rows.n, sizeof *rows);
  uint32_t n = 0;
  for (int kind = CALLS_SPLIT; kind >= CALLS_ATOMIC; kind--)
    for (uint32_t i = 0; i < calls->rows.n; i++)
      if ((int)calls->rows.at[i].kind == kind) rows[n++].calls = calls->rows.at[i];
  assert(n == calls->rows.n);
  return rows;
}

static void fill_report(FunctionsResult *result, const FunctionRow *rows, bool whole) {
  FunctionsReport *report = &result->report;
  RunInput *input = &result->input;
  const uint32_t n = result->calls.rows.n;
  report->names = run_input_names(input);
  report->threads = trace_name_count(report->names, TRACE_THREAD_NAME);
  report->entities = trace_name_count(report->names, TRACE_OBJECT_NAME);
  report->skipped = input->remarks.skipped;
  report->suppressed = run_input_left_out(input);
  report->why = !whole ? "there was no time to check what was found" : run_input_gap(input);
  report->rows = rows;
  report->n_rows = whole ? n : 0;
  const bool split = report->n_rows && rows[0].calls.kind == CALLS_SPLIT;
  report->verdict = split ? VERDICT_VIOLATED : report->why ? VERDICT_UNKNOWN : VERDICT_HOLDS;
}

bool functions_run(Heap *heap, const RunSource *source, bool lock_conflicts, const AskLimits *limits,
                   FunctionsResult *result, Err *err) {
  const double start = clock_seconds();
  *result = (FunctionsResult){.calls = {.heap = heap}};
  const Asking a = {heap, source, lock_conflicts, limits, result, err};
  bool whole;
  arena_init(&result->arena, heap);
  run_input_init(&result->input, heap, source, limits);
  if (!read_calls(&a)) return false;
  FunctionRow *rows = sort_rows(result);
  if (!explain(&a, rows, result->calls.rows.n, &whole)) return false;
  fill_report(result, rows, whole);
  result->seconds = clock_seconds() - start;
  return true;
}

void functions_fini(FunctionsResult *result) {
  run_input_fini(&result->input);
  calls_fini(&result->calls);
  arena_fini(&result->arena);
}
