#include "report/of_witness.h"
#include "report/picture.h"
#include "report/verdict.h"

#include <assert.h>

static const char *nothing(Verdict verdict) {
  static const char *const TEXTS[] = {/* ORDER Verdict */
                                      "No marked block was found violated", "Every marked block is causally atomic",
                                      ""};
  _Static_assert(sizeof TEXTS / sizeof *TEXTS == VERDICT_KINDS, "ORDER Verdict");
  return TEXTS[verdict];
}

typedef bool DrawFindings(Heap *heap, const Finding *findings, uint32_t n, const char *nothing, FILE *out, Err *err);

static bool draw(Heap *heap, const AtomicityReport *report, DrawFindings *picture, FILE *out, Err *err) {
  Arena arena;
  arena_init(&arena, heap);
  const Runners runners = runners_of(&arena, report->net);
  Finding *findings = arena_zeroed(&arena, report->n_blocks, sizeof *findings);
  uint32_t n = 0;
  for (uint32_t i = 0; i < report->n_blocks; i++)
    if (report->blocks[i].witness) findings[n++] = of_witness(&arena, report->net, &runners, report->blocks[i].witness);
  const bool good = picture(heap, findings, n, nothing(report->verdict), out, err);
  arena_fini(&arena);
  return good;
}

bool report_dot(Heap *heap, const AtomicityReport *report, FILE *out, Err *err) {
  return draw(heap, report, picture_dot, out, err);
}
bool report_svg(Heap *heap, const AtomicityReport *report, FILE *out, Err *err) {
  return draw(heap, report, picture_svg, out, err);
}
