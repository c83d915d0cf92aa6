#include "report/of_predicted_functions.h"

#include "report/functions_table.h"
#include "report/of_left_out.h"
#include "report/of_prediction.h"
#include "report/place.h"
#include "report/run_words.h"
#include "report/vocabulary.h"

#include <string.h>

typedef struct {
  const PredictedFunctionsReport *result;
  Arena *arena;
  bool brief;
} Making;

static const PredictedRun *run_of(const PredictedFunction *function) {
  return function->asked && function->result.report.n_runs ? &function->result.report.runs[0] : NULL;
}

/* "T2 writes balance at bank.c:10:5": what can come between. */
static const char *rival_of(const Making *m, const PredictedRun *run) {
  const MonitorAccess *rival = &run->finding.edges[0].to;
  const Place place = run_place(m->arena, run->names, rival->location, rival->event);
  const bool known = run_location(m->arena, run->names, rival->location) != NULL;
  return arena_format(
      m->arena, "%s %s %s %s", run_short_thread(m->arena, run->names, run->finding.transactions[1].thread),
      run_deed(m->arena, run->names, rival->op, rival->object), known ? "at" : "in", place_words(m->arena, &place));
}

static const char *verdict_of(const Making *m, const PredictedFunction *function) {
  const PredictedRun *run = run_of(function);
  if (!function->asked || function->result.report.verdict == VERDICT_UNKNOWN) return "unknown";
  if (!run) return function->result.report.left_out ? "not likely to be split" : "atomic";
  switch (run->where) {
  case PREDICTED_THREADS: return "forks or joins threads";
  case PREDICTED_INSIDE:
    return arena_format(m->arena, "inherits from %s", functions_table_name(m->arena, run->names, run->callee));
  case PREDICTED_HERE: break;
  }
  return arena_format(m->arena, "can be split here: %s", rival_of(m, run));
}

static void add_table(const Making *m, Report *report) {
  const PredictedFunctionsReport *result = m->result;
  FunctionsLine *lines = arena_zeroed(m->arena, result->n_rows + 1, sizeof *lines);
  for (uint32_t i = 0; i < result->n_rows; i++)
    lines[i] = (FunctionsLine){functions_table_name(m->arena, result->names, result->rows[i]->label),
                               result->rows[i]->calls, verdict_of(m, result->rows[i])};
  functions_table_add(report, lines, result->n_rows);
}

/* ---- findings and members ---- */

static bool is_split_here(const PredictedFunction *function) {
  const PredictedRun *run = run_of(function);
  return run && run->where == PREDICTED_HERE;
}

static Finding make_finding(Arena *arena, const void *argument, uint32_t i) {
  const Making *making = argument;
  return of_prediction_finding(arena, &making->result->rows[i]->result.report, making->brief);
}

static const char *kind_of(const PredictedFunction *function) {
  static const char *const KINDS[] = {"threads", "inherits", "split"}; /* ORDER PredictedWhere */
  const PredictedRun *run = run_of(function);
  if (!function->asked || function->result.report.verdict == VERDICT_UNKNOWN) return "unknown";
  if (!run) return function->result.report.left_out ? "unlikely" : "atomic";
  return KINDS[run->where];
}

static void make_members(Members *members, const void *argument, uint32_t i) {
  const Making *making = argument;
  const PredictedFunction *function = making->result->rows[i];
  const PredictedRun *run = run_of(function);
  members_string(members, "function", run_label(members->arena, making->result->names, function->label));
  members_count(members, "calls", function->calls);
  members_string(members, "verdict", kind_of(function));
  members_string(members, "why", function->asked ? function->result.report.why : NULL);
  members_string(members, "from", run ? run_label(members->arena, run->names, run->callee) : NULL);
  if (run) of_prediction_members(members, &function->result.report);
}

static void add_members(const Making *m, Report *report) {
  static const char *const SYNCS[] = {SYNC_NAMES};
  Members *members = &report->members;
  members_string(members, "analysis", "functions");
  members_string(members, "sync", SYNCS[m->result->sync]);
  of_left_out_members(members, &m->result->suppressed);
  members_count(members, "events", m->result->events);
  members_count(members, "threads", m->result->threads);
  members_count(members, "entities", m->result->entities);
  members_each(members, "functions", m->result->n_rows, make_members, m);
}

/* ---- those that no run splits ---- */

static void add_candidates(const Making *m, Report *report) {
  const PredictedFunctionsReport *result = m->result;
  FunctionsNames names = {.arena = m->arena};
  for (uint32_t i = 0; i < result->n_rows; i++)
    if (strcmp(kind_of(result->rows[i]), "atomic") == 0)
      functions_table_list(&names, result->names, result->rows[i]->label);
  if (names.list) report_add_line(report, LINE_ALWAYS, names.list);
}

/* ---- all of it ---- */

/* Of those that are unknown, the first one's. */
static const char *why_of(const PredictedFunctionsReport *result) {
  const char *why = result->why;
  for (uint32_t i = 0; i < result->n_rows && !why; i++)
    if (result->rows[i]->asked) why = result->rows[i]->result.report.why;
  return why;
}

static bool has_unlikely(const PredictedFunctionsReport *result) {
  for (uint32_t i = 0; i < result->n_rows; i++)
    if (result->rows[i]->asked && result->rows[i]->result.report.left_out) return true;
  return false;
}

void of_predicted_functions(Report *report, const PredictedFunctionsReport *result, bool refine, double seconds,
                            uint64_t bytes) {
  Making *making = arena_zeroed(&report->arena, 1, sizeof *making);
  *making = (Making){result, &report->arena, report->brief};
  uint32_t n_split = 0;
  while (n_split < result->n_rows && is_split_here(result->rows[n_split])) n_split++;
  report->schema = OF_PREDICTION_SCHEMA;
  report->question = "functions that other runs of the same threads split";
  report->verdict = result->verdict;
  report->verdict_name = vocabulary_verdict(has_unlikely(result) ? ASKED_LIKELY : ASKED_PREDICTION, result->verdict);
  report->why = why_of(result);
  report->nothing = result->verdict == VERDICT_HOLDS ? "No violation is predicted" : "No violation was found";
  report->shows_sources = true;
  report_add_each(report, n_split, make_finding, making);
  if (!report->brief) add_members(making, report);
  report->lines_alone = refine;
  if (refine) add_candidates(making, report);
  else if (result->n_rows) add_table(making, report);
  if (!refine) of_left_out_line(report, &result->suppressed);
  if (report->why)
    report_add_line(
        report, LINE_FULL,
        arena_format(&report->arena, "%s: %s", result->verdict == VERDICT_UNKNOWN ? "unknown" : "note", report->why));
  const char *ignored = vocabulary_ignored(result->sync, true);
  if (ignored) report_add_line(report, LINE_FULL, ignored);
  report_add_statistic(report, STATISTIC("events", result->events));
  report_add_statistic(report, STATISTIC("threads", result->threads));
  report_add_statistic(report, STATISTIC("entities", result->entities));
  report_add_statistic(report, STATISTIC_SECONDS(seconds));
  report_add_statistic(report, STATISTIC_BYTES(bytes));
}
