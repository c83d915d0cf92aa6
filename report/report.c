#include "report/report.h"

#include <assert.h>

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

void report_add_each(Report *report, uint32_t n, FindingMaker *make, const void *argument) {
  assert(!report->each.n && report->findings.n <= UINT32_MAX - n);
  report->each.n = n;
  report->each.make = make;
  report->each.argument = argument;
}

uint32_t report_findings(const Report *report) { return report->findings.n + report->each.n; }

Finding report_finding(const Report *report, Arena *arena, uint32_t i) {
  assert(i < report_findings(report));
  if (i < report->findings.n) return report->findings.at[i];
  return report->each.make(arena, report->each.argument, i - report->findings.n);
}

void report_add_line(Report *report, LineWhen when, const char *text) {
  vec_push(report->arena.heap, &report->lines, ((ReportLine){when, text}));
}

void report_add_statistic(Report *report, Statistic statistic) {
  vec_push(report->arena.heap, &report->statistics, statistic);
}
