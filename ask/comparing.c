#include "ask/comparing.h"

#include "ask/analysing.h"
#include "ask/monitoring.h"
#include "ask/predicting.h"
#include "base/clock.h"

#include <string.h>

/* One of the analyses, at work. All read the same file, so numbers of labels and locations mean the same. */
typedef struct {
  Heap *own; /* its memory */
  Heap *heap;
  const RunSource *source;
  const AskLimits *limits;
  const Stop *stop; /* ends the analyses, each of which has found what it has, but not the table */
  ComparingResult *result;
  CompareColumn column;
  Err *err;
  bool good;
} Comparing;

/* ---- rows ---- */

static CompareRow *row_of(Comparing *c, uint32_t label, uint32_t location) {
  for (uint32_t i = 0; i < c->result->rows.n; i++)
    if (c->result->rows.at[i].label == label && c->result->rows.at[i].location == location)
      return &c->result->rows.at[i];
  vec_push(c->heap, &c->result->rows, ((CompareRow){.label = label, .location = location}));
  return &vec_last(&c->result->rows);
}

/* What reduction proves holds in all runs that respect locks. */
static bool is_proved(const Comparing *c, const CompareRow *row) {
  return c->column != COMPARE_PREDICT && c->column != COMPARE_REDUCTION && c->column != COMPARE_BLOCKS &&
         row->cells[COMPARE_REDUCTION] == VERDICT_HOLDS;
}

/* Of what was not found, the analysis says that it is not there if it came to its end; else it stays unknown, if
 * it is not proved. */
static void settle(Comparing *c, bool ended) {
  for (uint32_t i = 0; i < c->result->rows.n; i++) {
    CompareRow *row = &c->result->rows.at[i];
    if (row->cells[c->column] == VERDICT_UNKNOWN && (ended || is_proved(c, row))) row->cells[c->column] = VERDICT_HOLDS;
  }
}

static void set_why(Comparing *c, const char *why) {
  if (why) c->result->comparison.why[c->column] = arena_format(&c->result->arena, "%s", why);
}

/* A transaction of a cycle that is split. One that reduction proves can be moved together in any run that respects
 * locks, with all others of this sort; then others of the cycle are still split, and these are what is to be
 * mended. */
static void mark_split(Comparing *c, const MonitorTransaction *it) {
  if (!it->ordinal) return;
  CompareRow *row = row_of(c, it->label, it->location);
  if (!is_proved(c, row)) row->cells[c->column] = VERDICT_VIOLATED;
}

/* Those that rows have. */
static void copy_names(TraceNames *to, const TraceNames *from) {
  static const TraceNameKind KINDS[] = {TRACE_LABEL_NAME, TRACE_LOCATION_NAME};
  for (uint32_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
    for (uint32_t i = 0; i < trace_name_count(from, KINDS[k]); i++)
      trace_names_add(to, KINDS[k], trace_name(from, KINDS[k], i));
}

/* ---- the analyses ---- */

static void analyse(Comparing *c) {
  AnalysingResult found;
  const AnalysisOptions options = {.kind = c->column == COMPARE_BLOCKS ? ANALYSIS_BLOCKS : ANALYSIS_REDUCTION};
  c->good = analysing_run(c->own, c->source, &options, c->limits, &found, c->err);
  if (!c->good) return;
  uint32_t n = 0;
  const AnalysisRow *rows = found.report.analysis ? analysis_rows(found.report.analysis, &n) : NULL;
  for (uint32_t i = 0; i < n; i++) {
    CompareRow *row = row_of(c, rows[i].label, rows[i].location);
    row->count = rows[i].transactions;
    row->cells[c->column] = found.report.why && rows[i].verdict == VERDICT_HOLDS ? VERDICT_UNKNOWN : rows[i].verdict;
  }
  Comparison *comparison = &c->result->comparison;
  comparison->events = found.report.events;
  comparison->threads = found.report.threads;
  comparison->entities = found.report.entities;
  comparison->suppressed = found.report.suppressed;
  set_why(c, found.report.why);
  if (c->column == COMPARE_BLOCKS) copy_names(c->result->names, found.report.names);
}

static void monitor(Comparing *c) {
  MonitoringResult found;
  const MonitorOptions options = {MONITOR_SCG, MONITOR_SERIALIZABLE, false, true};
  c->good = monitoring_run(c->own, c->source, &options, c->limits, &found, c->err);
  if (!c->good) return;
  for (uint32_t i = 0; i < found.report.n_findings; i++) {
    const MonitorFinding *finding = &found.report.findings[i];
    for (uint32_t k = 0; finding->edges && k < finding->n; k++)
      if (monitor_splits(finding, k)) mark_split(c, &finding->transactions[k]);
  }
  settle(c, !found.report.why);
  set_why(c, found.report.why);
}

static void predict(Comparing *c) {
  PredictingResult found;
  const PredictingOptions options = {
      .sync = c->column == COMPARE_PREDICT_LOCKS ? SYNC_ALL : SYNC_NONE, .all = true, .budget = PREDICTING_BUDGET};
  c->good = predicting_runs(c->own, c->source, &options, c->limits, &found, c->err);
  if (!c->good) return;
  for (uint32_t i = 0; i < found.runs.n; i++)
    for (uint32_t k = 0; k < found.runs.at[i].finding.n; k++)
      if (found.runs.at[i].split[k]) mark_split(c, &found.runs.at[i].finding.transactions[k]);
  settle(c, !found.report.why);
  set_why(c, found.report.why);
}

static void compare_body(void *argument) {
  Comparing *c = argument;
  if (c->column == COMPARE_MONITOR) monitor(c);
  else if (c->column == COMPARE_REDUCTION || c->column == COMPARE_BLOCKS) analyse(c);
  else predict(c);
}

/* ---- all of it ---- */

/* In a heap_try of the table's heap, too: its memory may run out in the midst. */
static void compare_in_own(void *argument) {
  Comparing *c = argument;
  char why[100];
  if (heap_try(c->own, compare_body, c)) return;
  heap_explain(c->own, heap_why(c->own), why, sizeof why);
  settle(c, false);
  set_why(c, why);
}

static bool compare_column(Comparing *c) {
  Comparison *comparison = &c->result->comparison;
  const double start = clock_seconds();
  c->own = heap_new(heap_limit(c->heap));
  if (!c->own) heap_give_up(c->heap);
  heap_watch(c->own, c->stop);
  c->good = true;
  if (!heap_try(c->heap, compare_in_own, c)) {
    heap_free(c->own);
    heap_pass_on(c->heap);
  }
  comparison->seconds[c->column] = clock_seconds() - start;
  comparison->bytes[c->column] = heap_peak(c->own);
  heap_free(c->own);
  return c->good;
}

bool comparing_run(Heap *heap, const RunSource *source, const AskLimits *limits, ComparingResult *result, Err *err) {
  /* blocks first, which knows all the rows, then reduction, which the others ask */
  static const CompareColumn ORDER[] = {COMPARE_BLOCKS, COMPARE_REDUCTION, COMPARE_MONITOR, COMPARE_PREDICT,
                                        COMPARE_PREDICT_LOCKS};
  *result = (ComparingResult){.names = trace_names_new(heap)};
  arena_init(&result->arena, heap);
  Comparing comparing = {
      .heap = heap, .source = source, .limits = limits, .stop = heap_watched(heap), .result = result, .err = err};
  heap_watch(heap, NULL);
  bool good = true;
  for (uint32_t i = 0; good && i < COMPARE_COLUMNS; i++) {
    comparing.column = ORDER[i];
    good = compare_column(&comparing);
  }
  heap_watch(heap, comparing.stop);
  result->comparison.names = result->names;
  result->comparison.rows = result->rows.at;
  result->comparison.n = result->rows.n;
  return good;
}

Verdict comparing_verdict(const Comparison *comparison) {
  VerdictTally tally = {0};
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) {
    verdict_count(&tally, comparison->why[c] ? VERDICT_UNKNOWN : VERDICT_HOLDS);
    for (uint32_t i = 0; i < comparison->n; i++) verdict_count(&tally, comparison->rows[i].cells[c]);
  }
  return verdict_join(&tally);
}

void comparing_fini(Heap *heap, ComparingResult *result) {
  arena_fini(&result->arena);
  vec_fini(heap, &result->rows);
  trace_names_free(result->names);
}
