#include "report/report.h"

void report_init(Report *report, Heap *heap, const char *tool, bool brief) {
  *report = (Report){.brief = brief, .tool = tool, .verdict_name = "unknown"};
  arena_init(&report->arena, heap);
  members_init(&report->members, &report->arena);
}

void report_fini(Report *report) {
  Heap *heap = report->arena.heap;
  vec_fini(heap, &report->findings);
  vec_fini(heap, &report->lines);
  vec_fini(heap, &report->statistics);
  arena_fini(&report->arena);
}

void report_add(Report *report, const Finding *finding) { vec_push(report->arena.heap, &report->findings, *finding); }

void report_add_line(Report *report, LineWhen when, const char *text) {
  vec_push(report->arena.heap, &report->lines, ((ReportLine){when, text}));
}

void report_add_statistic(Report *report, Statistic statistic) {
  vec_push(report->arena.heap, &report->statistics, statistic);
}
