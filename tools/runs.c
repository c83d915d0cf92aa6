#include "tools/runs.h"

#include "base/clock.h"
#include "check/run_judge.h"
#include "tools/run_input.h"

#include <string.h>
#include <sys/stat.h>

/* ---- the monitor ---- */

typedef struct {
  const WorkOptions *work;
  double start;
  Progress progress;
  char *why; /* of the limit that was reached, 200 bytes */
} Watch;

static bool is_over(Watch *watch, uint64_t events) {
  const WorkOptions *work = watch->work;
  progress_count(&watch->progress, events);
  if (*work_interrupted() == WORK_CANCELLED) snprintf(watch->why, 200, "interrupted after %llu events", (unsigned long long)events);
  else if (work->timeout > 0 && clock_seconds() - watch->start > work->timeout)
    snprintf(watch->why, 200, "the time of %g s was up after %llu events", work->timeout, (unsigned long long)events);
  return watch->why[0] != '\0';
}

/* As many of the n events as the limit allows. */
static uint32_t allowed(Watch *watch, uint64_t events, uint32_t n) {
  const uint64_t most = watch->work->max_events;
  if (!most || events + n <= most) return n;
  snprintf(watch->why, 200, "the limit of %llu events was reached", (unsigned long long)most);
  return (uint32_t)(most - events);
}

/* Feeds the monitor to the end of the run, to a finding that suffices, or to a limit. */
static bool feed(TraceReader *reader, Monitor *monitor, bool all, Watch *watch, Err *err) {
  const TraceEvent *events;
  uint32_t n = 0;
  while (watch->why[0] == '\0' && !is_over(watch, monitor_events(monitor))) {
    if (!trace_next(reader, &events, &n, err)) return false;
    if (n == 0) break;
    if (monitor_feed(monitor, events, allowed(watch, monitor_events(monitor), n)) && !all) return true;
  }
  if (watch->why[0] == '\0') monitor_finish(monitor);
  return true;
}

/* ---- once more ---- */

/* Can the input be read again? */
static bool is_file(const char *path) {
  struct stat info;
  return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The cycles of a run in which an engine that knows none has found a violation. */
static bool find_cycles(Heap *heap, const RunsOptions *options, RunsResult *result, Err *err) {
  TraceReader *reader = trace_open(heap, options->path, &options->trace, err);
  if (!reader) return false;
  MonitorOptions engine = options->monitor;
  const uint64_t last = monitor_events(result->monitor);
  engine.engine = MONITOR_SCG;
  Monitor *monitor = monitor_new(heap, &engine);
  const TraceEvent *events;
  uint32_t n = 1;
  bool good = true;
  while (good && n > 0 && monitor_events(monitor) < last && (good = trace_next(reader, &events, &n, err))) {
    const uint64_t left = last - monitor_events(monitor);
    if (monitor_feed(monitor, events, n < left ? n : (uint32_t)left) && !engine.all) break;
  }
  trace_close(reader);
  monitor_free(result->monitor);
  result->monitor = monitor;
  uint32_t found;
  monitor_findings(monitor, &found);
  return good &&
         (found > 0 || err_set(err, ERR_CHECK, "vector clocks see a violation, and the summarized conflict graph does not"));
}

/* ---- the judge ---- */

static JudgeEdge *copy_edges(Heap *heap, const MonitorFinding *finding) {
  JudgeEdge *edges = heap_alloc(heap, finding->n * sizeof *edges);
  for (uint32_t i = 0; i < finding->n; i++)
    edges[i] = (JudgeEdge){(JudgeReason)finding->edges[i].kind, finding->edges[i].from.event, finding->edges[i].to.event};
  return edges;
}

static uint64_t *copy_transactions(Heap *heap, const MonitorFinding *finding) {
  uint64_t *transactions = heap_alloc(heap, finding->n * sizeof *transactions);
  for (uint32_t i = 0; i < finding->n; i++) transactions[i] = finding->transactions[i].first;
  return transactions;
}

static bool show_run(RunJudge *judge, Heap *heap, const RunsOptions *options, Err *err) {
  TraceReader *reader = trace_open(heap, options->path, &options->trace, err);
  if (!reader) return false;
  const TraceEvent *events;
  uint32_t n = 1;
  bool good = true, more = true;
  while (more && n > 0 && (good = trace_next(reader, &events, &n, err)))
    for (uint32_t i = 0; more && i < n; i++)
      more = run_judge_see(judge, &(JudgeEvent){events[i].thread, events[i].object, (JudgeOp)events[i].op});
  trace_close(reader);
  return good;
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

static bool judge_findings(Heap *heap, const RunsOptions *options, RunsResult *result, Err *err) {
  const RunReport *report = &result->report;
  const bool again = is_file(options->path);
  const JudgeOptions rules = {options->monitor.lock_conflicts, options->monitor.notion == MONITOR_CAUSAL};
  JudgeCycle *cycles = heap_alloc(heap, report->n_findings * sizeof *cycles);
  for (uint32_t i = 0; i < report->n_findings; i++)
    cycles[i] = (JudgeCycle){report->findings[i].n, copy_transactions(heap, &report->findings[i]),
                             copy_edges(heap, &report->findings[i])};
  RunJudge *judge = run_judge_new(heap, cycles, report->n_findings, &rules);
  bool good = true;
  if (again) good = show_run(judge, heap, options, err);
  else show_findings(judge, report->findings, report->n_findings);
  good = good && run_judge_decide(judge, err);
  run_judge_free(judge);
  for (uint32_t i = 0; i < report->n_findings; i++) {
    heap_release(heap, (void *)cycles[i].transactions);
    heap_release(heap, (void *)cycles[i].edges);
  }
  heap_release(heap, cycles);
  result->report.checked = again ? RUN_CHECKED : RUN_AGREES;
  return good;
}

/* ---- all of it ---- */

static bool explain(Heap *heap, const RunsOptions *options, RunsResult *result, Err *err) {
  RunReport *report = &result->report;
  if (options->monitor.engine == MONITOR_VC) {
    if (!is_file(options->path)) return true;
    if (!find_cycles(heap, options, result, err)) return false;
    report->findings = monitor_findings(result->monitor, &report->n_findings);
  }
  return judge_findings(heap, options, result, err);
}

static void fill_report(const RunsOptions *options, RunsResult *result) {
  RunReport *report = &result->report;
  *report = (RunReport){.names = trace_names(result->reader), .notion = options->monitor.notion, .events = monitor_events(result->monitor)};
  report->findings = monitor_findings(result->monitor, &report->n_findings);
  report->verdict = report->n_findings ? RUN_VIOLATED : result->why[0] ? RUN_UNKNOWN : RUN_HOLDS;
  report->why = result->why[0] ? result->why : NULL;
  report->threads = trace_name_count(trace_names(result->reader), TRACE_THREAD_NAME);
  report->entities = trace_name_count(trace_names(result->reader), TRACE_OBJECT_NAME);
  report->skipped = trace_skipped(result->reader);
}

bool runs_check(Heap *heap, const RunsOptions *options, RunsResult *result, Err *err) {
  *result = (RunsResult){0};
  Watch watch = {.work = options->work, .start = clock_seconds(), .why = result->why};
  result->reader = trace_open(heap, options->path, &options->trace, err);
  if (!result->reader) return false;
  result->monitor = monitor_new(heap, &options->monitor);
  progress_init(&watch.progress, heap, options->work);
  const bool read = feed(result->reader, result->monitor, options->monitor.all, &watch, err);
  progress_clear(&watch.progress);
  result->seconds = clock_seconds() - watch.start;
  if (!read) return false;
  if (!run_expect(options->path, monitor_events(result->monitor), err)) return false;
  result->size = monitor_size(result->monitor);
  result->cut_short = trace_cut_short(result->reader);
  fill_report(options, result);
  return result->report.n_findings == 0 || explain(heap, options, result, err);
}

void runs_fini(RunsResult *result) {
  monitor_free(result->monitor);
  trace_close(result->reader);
}
