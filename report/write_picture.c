/* Pictures of all findings, one below the other. */
#include "report/writers.h"

#include "report/picture.h"

typedef bool DrawFindings(Heap *heap, const Finding *findings, uint32_t n, const char *nothing, FILE *out, Err *err);

/* What the picture says where there is nothing to draw, with the reason if there is one. */
static bool draw(const Report *report, DrawFindings *picture, FILE *out, Err *err) {
  Arena arena;
  arena_init(&arena, report->arena.heap);
  const char *nothing = report->nothing ? report->nothing : "There is nothing to draw";
  if (report->why) nothing = arena_format(&arena, "%s: %s", nothing, report->why);
  const uint32_t n = report_findings(report);
  Finding *findings = arena_zeroed(&arena, n, sizeof *findings);
  for (uint32_t i = 0; i < n; i++) findings[i] = report_finding(report, &arena, i);
  const bool good = picture(report->arena.heap, findings, n, nothing, out, err);
  arena_fini(&arena);
  return good;
}

bool picture_write_dot(const Report *report, TextStyle style, FILE *out, Err *err) {
  (void)style;
  return draw(report, picture_dot, out, err);
}

bool picture_write_svg(const Report *report, TextStyle style, FILE *out, Err *err) {
  (void)style;
  return draw(report, picture_svg, out, err);
}
