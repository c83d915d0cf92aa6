#include "tools/tracerec/drawing.h"

#include "ask/monitoring.h"
#include "base/file.h"
#include "report/of_run.h"
#include "report/writers.h"

typedef struct {
  const Report *report;
  const Writer *writer;
} Picture;

static bool write_picture(void *argument, FILE *out, Err *err) {
  const Picture *picture = argument;
  return picture->writer->write(picture->report, (TextStyle){0}, out, err);
}

static bool write_as(Heap *heap, const Report *report, const char *format, const char *path, Err *err) {
  Picture picture = {report, writers_find(format)};
  return !path || file_write(heap, path, write_picture, &picture, err);
}

static bool has_event(const MonitorFinding *finding, uint64_t event) {
  for (uint32_t i = 0; i < finding->n; i++)
    if (finding->transactions[i].first <= event && event <= finding->transactions[i].last) return true;
  return false;
}

static uint32_t find(const RunReport *report, const uint64_t *events, uint32_t n) {
  for (uint32_t i = 0; i < report->n_findings; i++) {
    uint32_t has = 0;
    while (has < n && has_event(&report->findings[i], events[has])) has++;
    if (has == n) return i;
  }
  return 0;
}

static bool draw(Heap *heap, const MonitoringResult *result, const RunReport *one, const Drawing *files, Err *err) {
  Report report;
  report_init(&report, heap, "tracerec", false);
  of_run(&report, one, result->size, result->seconds, heap_peak(heap));
  const bool good = write_as(heap, &report, "dot", files->dot, err) &&
                    write_as(heap, &report, "svg", files->svg, err) &&
                    write_as(heap, &report, "html", files->html, err);
  report_fini(&report);
  return good;
}

bool drawing_write(Heap *heap, const char *log, const uint64_t *events, uint32_t n, const Drawing *files, Err *err) {
  if (!files->dot && !files->svg && !files->html) return true;
  const Spool spool = spool_plain(log);
  const RunSource source = {.inputs = &spool, .n = 1, .trace = {.format = -1}};
  const AskLimits limits = {.allow_empty = true};
  MonitoringResult result;
  bool good = monitoring_run(heap, &source, &(MonitorOptions){.all = true}, &limits, &result, err);
  if (good && result.report.n_findings) {
    RunReport one = result.report;
    one.findings = &result.report.findings[find(&result.report, events, n)];
    one.n_findings = 1;
    good = draw(heap, &result, &one, files, err);
  }
  monitoring_fini(&result);
  return good;
}
