#include "report/of_run.h"

#include "report/of_left_out.h"
#include "report/of_run_cycle.h"
#include "report/vocabulary.h"

/* What the makers of findings and members need. */
typedef struct {
  const RunReport *result;
  bool brief;
} Making;

static Finding make_finding(Arena *arena, const void *argument, uint32_t i) {
  const Making *making = argument;
  const bool causal = making->result->notion == MONITOR_CAUSAL;
  const RunCycleWords words = {.brief = making->brief,
                               .rule = causal ? "not-causally-atomic" : "not-serializable",
                               .what = causal ? "is not causally atomic" : "is not serializable",
                               .stacks = making->result->stacks};
  return of_run_cycle(arena, making->result->names, &making->result->findings[i], &words);
}

static void make_members(Members *members, const void *argument, uint32_t i) {
  const Making *making = argument;
  of_run_cycle_members(members, making->result->names, &making->result->findings[i], making->result->stacks);
}

static void add_members(Report *report, const Making *making) {
  const RunReport *result = making->result;
  static const char *const CHECKS[] = {"no", "consistent", "run"}; /* ORDER RunChecked */
  _Static_assert(sizeof CHECKS / sizeof *CHECKS == RUN_CHECKED + 1, "ORDER RunChecked");
  Members *members = &report->members;
  members_string(members, "notion", result->notion == MONITOR_CAUSAL ? "causal" : "serializable");
  members_count(members, "events", result->events);
  members_count(members, "threads", result->threads);
  members_count(members, "entities", result->entities);
  members_count(members, "skipped", result->skipped);
  of_left_out_members(members, &result->suppressed);
  members_string(members, "checked", CHECKS[result->checked]);
  members_each(members, "violations", result->n_findings, make_members, making);
}

void of_run(Report *report, const RunReport *result, MonitorSize size, double seconds, uint64_t bytes) {
  const bool causal = result->notion == MONITOR_CAUSAL;
  report->schema = OF_RUN_SCHEMA;
  report->question = causal ? "causal atomicity of a run" : "serializability of a run";
  report->verdict = result->verdict;
  report->verdict_name = vocabulary_verdict(causal ? ASKED_ATOMIC : ASKED_SERIALIZABLE, result->verdict);
  report->why = result->why;
  report->nothing =
      result->verdict == VERDICT_HOLDS ? "No transaction is violated in this run" : "No violation was found";
  report->shows_sources = true;
  Making *making = arena_zeroed(&report->arena, 1, sizeof *making);
  *making = (Making){result, report->brief};
  report_add_each(report, result->n_findings, make_finding, making);
  if (!report->brief) add_members(report, making);
  if (result->checked == RUN_AGREES)
    report_add_line(report, LINE_FULL,
                    "note: the input was not read again, so the cycles were checked for consistency only, "
                    "not against the run");
  of_left_out_line(report, &result->suppressed);
  if (result->why) report_add_line(report, LINE_FULL, arena_format(&report->arena, "unknown: %s", result->why));
  report_add_statistic(report, STATISTIC("events", result->events));
  report_add_statistic(report, STATISTIC("threads", result->threads));
  report_add_statistic(report, STATISTIC("entities", result->entities));
  report_add_statistic(report, STATISTIC("most nodes", size.most_nodes));
  report_add_statistic(report, STATISTIC("most edges", size.most_edges));
  report_add_statistic(report, STATISTIC_SECONDS(seconds));
  report_add_statistic(report, STATISTIC_BYTES(bytes));
}
