#include "ask/monitoring.h"

#include "ask/call_stacks_read.h"
#include "ask/judging.h"
#include "base/clock.h"

#include <assert.h>
#include <string.h>

/* What is passed around. */
typedef struct {
  Heap *heap;
  const RunSource *source;
  const MonitorOptions *options;
  const AskLimits *limits;
  MonitoringResult *result;
  Err *err;
} Monitoring;

/* ---- the monitor ---- */

typedef struct {
  Monitor *monitor;
  uint64_t last; /* no more events than that */
  bool all;
  const RunInput *forgetful; /* whose names may be forgotten, or NULL */
  Checkpoint *checkpoint;    /* or NULL */
} Feeding;

/* How many have ended, or were freed, before it is worth while to look which of them can be forgotten. */
enum { PATIENCE = 4096 };

/* What has ended or was freed is forgotten if nothing is said of it any more. */
static void forget_names(Monitor *monitor, TraceReader *reader) {
  const MonitorForgotten *forgotten = monitor_forget(monitor);
  for (uint32_t i = 0; i < forgotten->threads.n; i++) trace_forget(reader, TRACE_THREAD_NAME, forgotten->threads.at[i]);
  for (uint32_t i = 0; i < forgotten->objects.n; i++) trace_forget(reader, TRACE_OBJECT_NAME, forgotten->objects.at[i]);
}

/* To the last event, or to a finding that suffices. */
static bool feed(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  const Feeding *feeding = argument;
  const uint64_t left = feeding->last - monitor_events(feeding->monitor);
  (void)run;
  const bool forgets = feeding->forgetful && trace_can_forget(feeding->forgetful->reader);
  if (forgets) monitor_let_forget(feeding->monitor, PATIENCE);
  const bool found = monitor_feed(feeding->monitor, events, n < left ? n : (uint32_t)left);
  if (forgets) forget_names(feeding->monitor, feeding->forgetful->reader);
  const bool more = n < left && (feeding->all || !found);
  if (more && feeding->checkpoint && !feeding->checkpoint->input->why[0]) checkpoint_step(feeding->checkpoint);
  return more;
}

/* The run was opened. */
static bool begin_feeding(void *argument, RunInput *input, Err *err) {
  const Feeding *feeding = argument;
  return checkpoint_begin(feeding->checkpoint, input, feeding->monitor, err);
}

/* ---- once more ---- */

typedef struct {
  Heap *heap;
  RunTaker *take;
  void *argument;
  bool stopped;
} Rereading;

/* Takes the events, unless it is asked to stop. */
static bool take_again(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Rereading *rereading = argument;
  rereading->stopped = heap_asked(rereading->heap) != STOP_NOT;
  return !rereading->stopped && rereading->take(rereading->argument, run, events, n);
}

/* *whole: all that take() needs was read; else there is no time for it. */
static bool reread(const Monitoring *m, RunInput *input, RunTaker *take, void *argument, bool *whole) {
  Rereading rereading = {m->heap, take, argument, false};
  const bool good = run_input_reread(input, take_again, &rereading, m->err);
  *whole = !rereading.stopped && !input->why[0];
  return good;
}

/* The same, and the input is over then. */
static bool read_again(const Monitoring *m, RunInput *input, RunTaker *take, void *argument, bool *whole) {
  const bool good = reread(m, input, take, argument, whole);
  run_input_fini(input);
  return good;
}

/* The cycles of a run in which an engine that knows none has found a violation; none if there is no time for them. */
static bool find_cycles(const Monitoring *m) {
  MonitoringResult *result = m->result;
  MonitorOptions engine = *m->options;
  bool whole;
  engine.engine = MONITOR_SCG;
  Feeding feeding = {monitor_new(m->heap, &engine), monitor_events(result->monitor), engine.all, NULL, NULL};
  RunInput input;
  run_input_init(&input, m->heap, m->source, m->limits);
  const bool good = read_again(m, &input, feed, &feeding, &whole);
  uint32_t found;
  monitor_findings(feeding.monitor, &found);
  if (good && !whole && !found) return monitor_free(feeding.monitor), true;
  monitor_free(result->monitor);
  result->monitor = feeding.monitor;
  result->report.findings = monitor_findings(result->monitor, &result->report.n_findings);
  return good && (found > 0 || err_set(m->err, ERR_CHECK,
                                       "vector clocks see a violation, and the summarized conflict graph does not"));
}

/* ---- the judge ---- */

/* The judge, and how it is shown the run. */
typedef struct {
  RunJudge *judge;
  const RunReport *report;
  const RunInput *input;
} Showing;

static bool show_events(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  const Showing *showing = argument;
  const RunInput *input = showing->input;
  (void)run;
  for (uint32_t i = 0; input->left_out.commuting.met && i < showing->report->n_findings; i++)
    judging_restore(&showing->report->findings[i], input->n_events, events, n);
  return judging_show(showing->judge, events, input->left_out.calls, n);
}

static void believe(RunJudge *judge, const MonitorTransaction *transaction, const MonitorAccess *access) {
  const JudgeEvent event = {transaction->thread, access->object, (JudgeOp)access->op};
  run_judge_believe(judge, access->event, &event, transaction->first);
}

static void show_findings(RunJudge *judge, const MonitorFinding *findings, uint32_t n) {
  for (uint32_t c = 0; c < n; c++)
    for (uint32_t i = 0; i < findings[c].n; i++) {
      believe(judge, &findings[c].transactions[i], &findings[c].edges[i].from);
      believe(judge, &findings[c].transactions[(i + 1) % findings[c].n], &findings[c].edges[i].to);
    }
}

/* With the accesses in calls that commute as they were; *whole: there was time for it. */
static bool show_run(const Monitoring *m, RunJudge *judge, bool *whole) {
  RunSource source = *m->source;
  RunInput input;
  Showing showing = {judge, &m->result->report, &input};
  source.left_out = LEFT_OUT_BUT_CALLS;
  run_input_init(&input, m->heap, &source, m->limits);
  return read_again(m, &input, show_events, &showing, whole);
}

bool monitoring_agrees(Heap *heap, const RunReport *report, const MonitorOptions *options, Err *err) {
  const JudgeOptions rules = {options->lock_conflicts, options->notion == MONITOR_CAUSAL};
  JudgeCycle *cycles = heap_alloc(heap, report->n_findings * sizeof *cycles);
  for (uint32_t i = 0; i < report->n_findings; i++) cycles[i] = judging_cycle(heap, &report->findings[i], 0);
  RunJudge *judge = run_judge_new(heap, cycles, report->n_findings, &rules);
  show_findings(judge, report->findings, report->n_findings);
  const bool good = run_judge_decide(judge, err);
  run_judge_free(judge);
  for (uint32_t i = 0; i < report->n_findings; i++) judging_release(heap, &cycles[i]);
  heap_release(heap, cycles);
  return good;
}

/* `again`: the run can be read again, with the same numbers. */
static bool judge_findings(const Monitoring *m, bool again) {
  Heap *heap = m->heap;
  const RunReport *report = &m->result->report;
  bool good = true;
  const JudgeOptions rules = {m->options->lock_conflicts, m->options->notion == MONITOR_CAUSAL};
  JudgeCycle *cycles = heap_alloc(heap, report->n_findings * sizeof *cycles);
  for (uint32_t i = 0; i < report->n_findings; i++) cycles[i] = judging_cycle(heap, &report->findings[i], 0);
  RunJudge *judge = run_judge_new(heap, cycles, report->n_findings, &rules);
  if (again) good = show_run(m, judge, &again);
  if (!again) {
    run_judge_free(judge);
    judge = run_judge_new(heap, cycles, report->n_findings, &rules);
    show_findings(judge, report->findings, report->n_findings);
  }
  good = good && run_judge_decide(judge, m->err);
  run_judge_free(judge);
  for (uint32_t i = 0; i < report->n_findings; i++) judging_release(heap, &cycles[i]);
  heap_release(heap, cycles);
  m->result->report.checked = again ? RUN_CHECKED : RUN_AGREES;
  return good;
}

/* ---- what is suppressed ---- */

/* Are its names, of which `names` are the run's, among those that are suppressed? */
static bool is_suppressed(LeftOut *left_out, const TraceNames *names, const MonitorFinding *finding) {
  for (uint32_t i = 0; i < finding->n; i++) {
    const MonitorTransaction *it = &finding->transactions[i];
    const MonitorAccess *ends[] = {&finding->edges[i].from, &finding->edges[i].to};
    const TraceEvent begin = {it->thread, it->label, it->location, TRACE_BEGIN};
    if (it->ordinal && monitor_splits(finding, i) && left_out_why(left_out, names, &begin)) return true;
    for (uint32_t k = 0; k < 2 && finding->edges[i].kind == MONITOR_CONFLICT; k++) {
      const TraceEvent event = {it->thread, ends[k]->object, ends[k]->location, ends[k]->op};
      if (left_out_why(left_out, names, &event)) return true;
    }
  }
  return false;
}

typedef struct {
  const Monitoring *monitoring;
  uint32_t n;
  bool good, whole; /* whole: there was time for it */
} Counting;

/* Another monitor goes through the run with all that is suppressed, if the run can be read again. */
static void count_suppressed(void *argument) {
  Counting *counting = argument;
  const Monitoring *m = counting->monitoring;
  MonitorOptions engine = *m->options;
  RunSource source = *m->source;
  LeftOut left_out;
  RunInput input;
  uint32_t n;
  left_out_init(&left_out, m->heap, source.suppressions, LEFT_OUT_ALL);
  engine.engine = MONITOR_SCG;
  engine.all = true;
  source.left_out = LEFT_OUT_COMMUTES;
  Feeding feeding = {monitor_new(m->heap, &engine), UINT64_MAX, true, NULL, NULL};
  run_input_init(&input, m->heap, &source, m->limits);
  counting->good = read_again(m, &input, feed, &feeding, &counting->whole);
  if (counting->whole) monitor_finish(feeding.monitor);
  const MonitorFinding *findings = monitor_findings(feeding.monitor, &n);
  for (uint32_t i = 0; i < n; i++)
    counting->n += findings[i].edges && is_suppressed(&left_out, m->result->report.names, &findings[i]);
  monitor_free(feeding.monitor);
  left_out_fini(&left_out);
}

/* Where there is no time or memory for it, they are not counted. */
static bool tell_suppressed(const Monitoring *m) {
  LeftOutReport *report = &m->result->report.suppressed;
  Counting counting = {.monitoring = m};
  StopReason why = heap_try(m->heap, count_suppressed, &counting) ? STOP_NOT : heap_why(m->heap);
  if (why == STOP_NOT && !counting.good) return false;
  if (why == STOP_NOT && !counting.whole) why = heap_asked(m->heap);
  if (why != STOP_NOT) heap_explain(m->heap, why, report->why, sizeof report->why);
  report->counted = why == STOP_NOT;
  report->violations = counting.n;
  return true;
}

static bool counts_suppressed(const Monitoring *m) {
  const RunReport *report = &m->result->report;
  const LeftOutCount *count = &report->suppressed.count;
  const bool all = report->verdict == VERDICT_HOLDS || (report->verdict == VERDICT_VIOLATED && m->options->all);
  return all && !report->why && (count->transactions || count->accesses) && spool_is_lasting(m->source->inputs);
}

/* ---- what was forgotten ---- */

static void count_names(MonitoringResult *result) {
  if (!result->input.reader) return;
  result->report.threads = trace_name_total(trace_names(result->input.reader), TRACE_THREAD_NAME);
  result->report.entities = trace_name_total(trace_names(result->input.reader), TRACE_OBJECT_NAME);
}

/* Was a name forgotten, so that its number stands for another one now? */
static bool has_forgotten(const RunInput *input) {
  const TraceNames *names = run_input_names(input);
  for (int kind = 0; kind < TRACE_NAME_KINDS; kind++)
    if (trace_name_total(names, (TraceNameKind)kind) != trace_name_count(names, (TraceNameKind)kind)) return true;
  return false;
}

typedef struct {
  const Monitoring *monitoring;
  RunInput input;
  Monitor *monitor;
  bool good, whole;
} Remembering;

/* Reads as far as before, and forgets nothing. */
static void remember(void *argument) {
  Remembering *it = argument;
  const Monitoring *m = it->monitoring;
  it->monitor = monitor_new(m->heap, m->options);
  Feeding feeding = {it->monitor, monitor_events(m->result->monitor), m->options->all, NULL, NULL};
  run_input_init(&it->input, m->heap, m->source, m->limits);
  it->good = reread(m, &it->input, feed, &feeding, &it->whole);
}

/* What is there of the result is handed over. */
static void replace_by(MonitoringResult *result, Remembering *it) {
  const Remembering old = {.input = result->input, .monitor = result->monitor};
  it->input.remarks = old.input.remarks;
  memcpy(it->input.why, old.input.why, sizeof old.input.why);
  result->input = it->input;
  result->monitor = it->monitor;
  it->input = old.input;
  it->monitor = old.monitor;
  const uint32_t n = result->report.n_findings;
  result->report.findings = monitor_findings(result->monitor, &result->report.n_findings);
  assert(result->report.n_findings == n);
  result->report.names = run_input_names(&result->input);
  count_names(result);
}

/* Whoever reads the run again gets other numbers than those of findings from a reading that forgot names. So the same
 * findings are made by one that does not. *same: who reads the run again gets the numbers of the findings; else it
 * cannot be read again, or there is no time or memory. */
static bool recall(const Monitoring *m, bool *same) {
  MonitoringResult *result = m->result;
  Remembering it = {.monitoring = m};
  const bool lasts = spool_is_lasting(m->source->inputs);
  *same = lasts && !has_forgotten(&result->input);
  if (*same || !lasts) return true;
  if (!heap_try(m->heap, remember, &it)) return true; /* the heap takes back what there is of it */
  *same = it.good && it.whole;
  if (*same) replace_by(result, &it);
  monitor_free(it.monitor);
  run_input_fini(&it.input);
  return it.good;
}

/* ---- all of it ---- */

static void find_stacks(const Monitoring *m) {
  MonitoringResult *result = m->result;
  for (uint32_t i = 0; i < result->report.n_findings; i++)
    call_stacks_want(m->heap, &result->stacks, &result->report.findings[i]);
  call_stacks_read(m->heap, &result->stacks, m->source);
  result->report.stacks = &result->stacks;
}

static bool explain(const Monitoring *m) {
  if (m->options->engine == MONITOR_VC) {
    if (!spool_is_lasting(m->source->inputs)) return true;
    if (!find_cycles(m)) return false;
    if (!m->result->report.findings[0].edges) return true;
  }
  bool again;
  if (!recall(m, &again) || !judge_findings(m, again)) return false;
  if (again) find_stacks(m);
  return true;
}

/* What is known of a run, whether it was read to its end or not. */
static void measure(MonitoringResult *result) {
  RunReport *report = &result->report;
  result->seconds = clock_seconds() - result->start;
  if (result->monitor) result->size = monitor_size(result->monitor);
  if (result->monitor) report->events = monitor_events(result->monitor);
  count_names(result);
}

static void fill_report(const MonitorOptions *options, MonitoringResult *result) {
  const RunInput *input = &result->input;
  RunReport *report = &result->report;
  report->names = run_input_names(input);
  report->notion = options->notion;
  report->findings = monitor_findings(result->monitor, &report->n_findings);
  report->why = run_input_gap(input);
  report->verdict = report->n_findings ? VERDICT_VIOLATED : report->why ? VERDICT_UNKNOWN : VERDICT_HOLDS;
  report->skipped = input->remarks.skipped;
  report->suppressed = run_input_left_out(input);
}

bool monitoring_go_on(Heap *heap, const RunSource *source, const MonitorOptions *options, const AskLimits *limits,
                      Checkpoint *checkpoint, MonitoringResult *result, Err *err) {
  *result = (MonitoringResult){.start = clock_seconds()};
  const Monitoring m = {heap, source, options, limits, result, err};
  result->monitor = monitor_new(heap, options);
  run_input_init(&result->input, heap, source, limits);
  /* Suppressions know objects by their numbers. */
  const bool forgets = source->n == 1 && !source->suppressions;
  Feeding feeding = {result->monitor, UINT64_MAX, options->all, forgets ? &result->input : NULL, checkpoint};
  if (checkpoint) result->input.opened = begin_feeding, result->input.opened_argument = &feeding;
  if (!run_input_read(&result->input, feed, &feeding, err)) return false;
  result->input.opened = NULL;
  if (!result->input.why[0]) monitor_finish(result->monitor);
  result->settled = !result->input.why[0];
  measure(result);
  fill_report(options, result);
  if (result->report.n_findings && !explain(&m)) return false;
  return !counts_suppressed(&m) || tell_suppressed(&m);
}

bool monitoring_run(Heap *heap, const RunSource *source, const MonitorOptions *options, const AskLimits *limits,
                    MonitoringResult *result, Err *err) {
  return monitoring_go_on(heap, source, options, limits, NULL, result, err);
}

void monitoring_give_up(const MonitorOptions *options, MonitoringResult *result, const char *why) {
  measure(result);
  result->report.notion = options->notion;
  result->report.verdict = VERDICT_UNKNOWN;
  result->report.why = why;
  result->report.findings = NULL;
  result->report.n_findings = 0;
  result->report.stacks = NULL;
}

void monitoring_fini(MonitoringResult *result) {
  call_stacks_fini(result->input.heap, &result->stacks);
  monitor_free(result->monitor);
  run_input_fini(&result->input);
}
