#include "report/of_functions.h"

#include "report/functions_table.h"
#include "report/of_left_out.h"
#include "report/of_run.h"
#include "report/of_run_cycle.h"
#include "report/place.h"
#include "report/run_words.h"
#include "report/vocabulary.h"

typedef struct {
  Report *report;
  Arena *arena;
  const FunctionsReport *result;
  bool brief;
} Making;

/* ---- the table ---- */

/* "T2 writes balance at bank.c:10:5": what comes between. */
static const char *rival_of(const Making *m, const FunctionRow *row) {
  const MonitorAccess *rival = &row->finding->edges[0].to;
  const Place place = run_place(m->arena, m->result->names, rival->location, rival->event);
  const bool known = run_location(m->arena, m->result->names, rival->location) != NULL;
  return arena_format(m->arena, "%s %s %s %s",
                      run_short_thread(m->arena, m->result->names, row->finding->transactions[1].thread),
                      run_deed(m->arena, m->result->names, rival->op, rival->object), known ? "at" : "in",
                      place_words(m->arena, &place));
}

static const char *verdict_of(const Making *m, const FunctionRow *row) {
  switch (row->calls.kind) {
  case CALLS_SPLIT: return arena_format(m->arena, "split here: %s", rival_of(m, row));
  case CALLS_INHERIT:
    return arena_format(m->arena, "inherits from %s",
                        functions_table_name(m->arena, m->result->names, row->calls.callee));
  case CALLS_THREADS: return "forks or joins threads";
  case CALLS_ATOMIC: break;
  }
  return m->result->why ? "unknown" : "atomic";
}

static void add_table(const Making *m) {
  const FunctionsReport *result = m->result;
  FunctionsLine *lines = arena_zeroed(m->arena, result->n_rows + 1, sizeof *lines);
  for (uint32_t i = 0; i < result->n_rows; i++) {
    const CallsRow *calls = &result->rows[i].calls;
    lines[i] = (FunctionsLine){functions_table_name(m->arena, result->names, calls->label), calls->calls,
                               verdict_of(m, &result->rows[i])};
  }
  functions_table_add(m->report, lines, result->n_rows);
}

/* ---- the atomic functions ---- */

static void add_candidates(const Making *m) {
  const FunctionsReport *result = m->result;
  FunctionsNames names = {.arena = m->arena};
  for (uint32_t i = 0; i < result->n_rows && !result->why; i++)
    if (result->rows[i].calls.kind == CALLS_ATOMIC)
      functions_table_list(&names, result->names, result->rows[i].calls.label);
  if (names.list) report_add_line(m->report, LINE_ALWAYS, names.list);
}

/* ---- findings and members ---- */

static Finding make_finding(Arena *arena, const void *argument, uint32_t i) {
  const Making *making = argument;
  const RunCycleWords words = {.brief = making->brief, .rule = "not-causally-atomic", .what = "is not causally atomic"};
  return of_run_cycle(arena, making->result->names, making->result->rows[i].finding, &words);
}

static void make_members(Members *members, const void *argument, uint32_t i) {
  static const char *const KINDS[] = {"atomic", "threads", "inherits", "split"}; /* ORDER CallsKind */
  const Making *making = argument;
  const FunctionsReport *result = making->result;
  const FunctionRow *row = &result->rows[i];
  const bool unknown = row->calls.kind == CALLS_ATOMIC && result->why;
  members_string(members, "function", run_label(members->arena, result->names, row->calls.label));
  members_count(members, "calls", row->calls.calls);
  members_string(members, "verdict", unknown ? "unknown" : KINDS[row->calls.kind]);
  members_count(members, "split", row->calls.split);
  members_count(members, "inherit", row->calls.inherit);
  members_count(members, "threads", row->calls.threads);
  members_string(members, "from", run_label(members->arena, result->names, row->calls.callee));
  if (row->finding) of_run_cycle_members(members, result->names, row->finding, NULL);
}

static void add_members(const Making *m) {
  Members *members = &m->report->members;
  members_string(members, "analysis", "functions");
  members_count(members, "events", m->result->events);
  members_count(members, "threads", m->result->threads);
  members_count(members, "entities", m->result->entities);
  members_count(members, "skipped", m->result->skipped);
  of_left_out_members(members, &m->result->suppressed);
  members_each(members, "functions", m->result->n_rows, make_members, m);
}

/* ---- all of it ---- */

static uint32_t count_split(const FunctionsReport *result) {
  uint32_t n = 0;
  while (n < result->n_rows && result->rows[n].finding) n++;
  return n;
}

void of_functions(Report *report, const FunctionsReport *result, bool refine, double seconds, uint64_t bytes) {
  Making *making = arena_zeroed(&report->arena, 1, sizeof *making);
  *making = (Making){.report = report, .arena = &report->arena, .result = result, .brief = report->brief};
  report->schema = OF_RUN_SCHEMA;
  report->question = "causal atomicity of the functions of a run";
  report->verdict = result->verdict;
  report->verdict_name = vocabulary_verdict(ASKED_ATOMIC, result->verdict);
  report->why = result->why;
  report->nothing =
      result->verdict == VERDICT_HOLDS ? "Every function is atomic in this run" : "No violation was found";
  report->shows_sources = true;
  report->lines_alone = refine;
  report_add_each(report, count_split(result), make_finding, making);
  if (!report->brief) add_members(making);
  if (refine) add_candidates(making);
  else if (result->n_rows) add_table(making);
  if (!refine) of_left_out_line(report, &result->suppressed);
  if (result->why) report_add_line(report, LINE_FULL, arena_format(&report->arena, "unknown: %s", result->why));
  report_add_statistic(report, STATISTIC("events", result->events));
  report_add_statistic(report, STATISTIC("threads", result->threads));
  report_add_statistic(report, STATISTIC("entities", result->entities));
  report_add_statistic(report, STATISTIC_SECONDS(seconds));
  report_add_statistic(report, STATISTIC_BYTES(bytes));
}
