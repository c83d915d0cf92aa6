#include "report/of_run.h"

#include "report/of_run_cycle.h"
#include "report/vocabulary.h"

static void add_findings(Report *report, const RunReport *result) {
  const bool causal = result->notion == MONITOR_CAUSAL;
  const RunCycleWords words = {.brief = report->brief,
                               .rule = causal ? "not-causally-atomic" : "not-serializable",
                               .what = causal ? "is not causally atomic" : "is not serializable"};
  for (uint32_t i = 0; i < result->n_findings; i++) {
    const Finding finding = of_run_cycle(&report->arena, result->names, &result->findings[i], &words);
    report_add(report, &finding);
  }
}

static void add_members(Report *report, const RunReport *result) {
  static const char *const CHECKS[] = {"no", "consistent", "run"}; /* ORDER RunChecked */
  _Static_assert(sizeof CHECKS / sizeof *CHECKS == RUN_CHECKED + 1, "ORDER RunChecked");
  Members *members = &report->members;
  members_string(members, "notion", result->notion == MONITOR_CAUSAL ? "causal" : "serializable");
  members_count(members, "events", result->events);
  members_count(members, "threads", result->threads);
  members_count(members, "entities", result->entities);
  members_count(members, "skipped", result->skipped);
  members_string(members, "checked", CHECKS[result->checked]);
  members_open(members, "violations", '[', JSON_LINES);
  for (uint32_t i = 0; i < result->n_findings; i++) {
    members_open(members, NULL, '{', JSON_LINES);
    of_run_cycle_members(members, result->names, &result->findings[i]);
    members_close(members);
  }
  members_close(members);
}

void of_run(Report *report, const RunReport *result, MonitorSize size, double seconds, uint64_t bytes) {
  const bool causal = result->notion == MONITOR_CAUSAL;
  report->schema = "tracecheck/1";
  report->question = causal ? "causal atomicity of a run" : "serializability of a run";
  report->verdict = result->verdict;
  report->verdict_name = vocabulary_verdict(causal ? ASKED_ATOMIC : ASKED_SERIALIZABLE, result->verdict);
  report->why = result->why;
  report->nothing =
      result->verdict == VERDICT_HOLDS ? "No transaction is violated in this run" : "No violation was found";
  report->shows_sources = true;
  add_findings(report, result);
  if (!report->brief) add_members(report, result);
  if (result->checked == RUN_AGREES)
    report_add_line(report, LINE_FULL,
                    "note: the input was not read again, so the cycles were checked for consistency only, "
                    "not against the run");
  if (result->why) report_add_line(report, LINE_FULL, arena_format(&report->arena, "unknown: %s", result->why));
  report_add_statistic(report, STATISTIC("events", result->events));
  report_add_statistic(report, STATISTIC("threads", result->threads));
  report_add_statistic(report, STATISTIC("entities", result->entities));
  report_add_statistic(report, STATISTIC("most nodes", size.most_nodes));
  report_add_statistic(report, STATISTIC("most edges", size.most_edges));
  report_add_statistic(report, STATISTIC_SECONDS(seconds));
  report_add_statistic(report, STATISTIC_BYTES(bytes));
}
