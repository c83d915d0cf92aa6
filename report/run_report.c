#include "report/run_report.h"

const char *run_verdict_name(const RunReport *report) {
  if (report->verdict == VERDICT_VIOLATED) return "violated";
  if (report->verdict == VERDICT_UNKNOWN) return "unknown";
  return report->notion == MONITOR_CAUSAL ? "atomic" : "serializable";
}

void run_report_text(Heap *heap, const RunReport *report, RunStyle style, FILE *out) {
  const char *what = report->notion == MONITOR_CAUSAL ? "is not causally atomic" : "is not serializable";
  for (uint32_t i = 0; !style.quiet && i < report->n_findings; i++)
    finding_text(heap, report->names, &report->findings[i], what, style, out);
  if (!style.quiet && report->checked == RUN_AGREES)
    fputs("note: the input was not read again: the cycles were checked for consistency, not against the run\n", out);
  if (!style.quiet && report->why) fprintf(out, "unknown: %s\n", report->why);
  verdict_text(report->verdict, run_verdict_name(report), style, out);
}

void run_report_json(Heap *heap, const RunReport *report, FILE *out) {
  static const char *const CHECKS[] = {"no", "consistent", "run"}; /* ORDER RunChecked */
  _Static_assert(sizeof CHECKS / sizeof *CHECKS == RUN_CHECKED + 1, "ORDER RunChecked");
  Json writer = json_start(out), *json = &writer;
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "schema", "tracecheck/1");
  json_member_string(json, "verdict", run_verdict_name(report));
  json_member_string(json, "why", report->why);
  json_member_string(json, "notion", report->notion == MONITOR_CAUSAL ? "causal" : "serializable");
  json_member_count(json, "events", report->events);
  json_member_count(json, "threads", report->threads);
  json_member_count(json, "entities", report->entities);
  json_member_count(json, "skipped", report->skipped);
  json_member_string(json, "checked", CHECKS[report->checked]);
  json_member_open(json, "violations", '[', JSON_LINES);
  for (uint32_t i = 0; i < report->n_findings; i++) {
    json_open(json, '{', JSON_LINES);
    finding_json(heap, report->names, &report->findings[i], json);
    json_close(json);
  }
  json_close(json);
  json_close(json);
  json_finish(json);
}

bool run_report_dot(Heap *heap, const RunReport *report, FILE *out, Err *err) {
  Arena arena;
  Drawing drawing;
  arena_init(&arena, heap);
  drawing_init(&drawing, heap, "cycles");
  for (uint32_t i = 0; i < report->n_findings; i++) finding_draw(&arena, report->names, &report->findings[i], i, &drawing);
  const bool good = drawing_write_dot(&drawing, out, err);
  drawing_fini(&drawing);
  arena_fini(&arena);
  return good;
}
