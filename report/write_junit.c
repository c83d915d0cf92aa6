/* JUnit's XML, as test servers read it: what was checked is a test case. A violation is its failure, what is not known
 * is an error, a warning is on its output. */
#include "report/place.h"
#include "report/writers.h"

typedef struct {
  uint32_t tests, failures, errors;
} Counts;

static void put_text(FILE *out, const char *text) {
  for (; *text; text++) {
    switch (*text) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    default: fputc(*text, out);
    }
  }
}

static void put_attribute(FILE *out, const char *name, const char *text) {
  fprintf(out, " %s=\"", name);
  put_text(out, text);
  fputc('"', out);
}

/* What a case is called: what was checked, whatever came of it. */
static const char *case_name(const Finding *finding) { return finding->subject ? finding->subject : finding->message; }

static void put_place(FILE *out, Arena *arena, const Place *place) {
  const char *head = place_head(arena, place);
  if (head[0]) put_text(out, head), fputs(": ", out);
}

static void put_details(FILE *out, Arena *arena, const Finding *finding) {
  put_place(out, arena, &finding->place);
  put_text(out, finding->message);
  for (uint32_t i = 0; i < finding->n_notes; i++) {
    fputc('\n', out);
    put_place(out, arena, &finding->notes[i].place);
    put_text(out, finding->notes[i].message);
  }
}

/* The element of a case that says what came of it; NULL: it passed. */
static const char *outcome_of(const Finding *finding) {
  if (finding->kind == FINDING_OPEN) return "error";
  return finding->kind == FINDING_FAIL && finding->level == LEVEL_ERROR ? "failure" : NULL;
}

static void put_case(FILE *out, Arena *arena, const Report *report, const Finding *finding) {
  const char *outcome = outcome_of(finding);
  fputs("    <testcase", out);
  put_attribute(out, "classname", finding->place.file ? finding->place.file : report->tool);
  put_attribute(out, "name", case_name(finding));
  if (finding->place.file) put_attribute(out, "file", finding->place.file);
  if (finding->place.line) fprintf(out, " line=\"%u\"", finding->place.line);
  if (!outcome && finding->kind == FINDING_PASS) {
    fputs("/>\n", out);
    return;
  }
  fprintf(out, ">\n      <%s", outcome ? outcome : "system-out");
  if (outcome) put_attribute(out, "type", finding->rule), put_attribute(out, "message", finding->message);
  fputc('>', out);
  put_details(out, arena, finding);
  fprintf(out, "</%s>\n    </testcase>\n", outcome ? outcome : "system-out");
}

/* Why there is no answer, or what it is. */
static const char *why_of(const Report *report) {
  if (report->why) return report->why;
  for (uint32_t i = 0; report->inputs && i < report->inputs->remarks.n; i++)
    if (report->inputs->remarks.at[i].item.level == LEVEL_ERROR) return report->inputs->remarks.at[i].item.message;
  return report->verdict_name;
}

static Place place_of(const Report *report) {
  for (uint32_t i = 0; report->inputs && i < report->inputs->remarks.n; i++) {
    const InputRemark *it = &report->inputs->remarks.at[i];
    if (it->item.level == LEVEL_ERROR)
      return (Place){.file = it->file, .line = it->item.line, .column = it->item.column};
  }
  return (Place){0};
}

/* Of an answer without findings that pass: what was asked is a case by itself. */
static Finding whole(const Report *report) {
  const bool holds = report->verdict == VERDICT_HOLDS;
  return (Finding){.rule = "answer",
                   .subject = report->question ? report->question : report->tool,
                   .kind = holds ? FINDING_PASS : FINDING_OPEN,
                   .level = LEVEL_ERROR,
                   .place = place_of(report),
                   .message = why_of(report)};
}

static Finding finding_at(const Report *report, Arena *arena, uint32_t i) {
  return i < report_findings(report) ? report_finding(report, arena, i) : whole(report);
}

static uint32_t count_cases(const Report *report, Counts *counts) {
  bool all = report->verdict == VERDICT_VIOLATED;
  uint32_t n = report_findings(report);
  for (uint32_t i = 0; i < n; i++) {
    Arena arena;
    arena_init(&arena, report->arena.heap);
    const Finding finding = report_finding(report, &arena, i);
    const char *outcome = outcome_of(&finding);
    counts->failures += outcome && outcome[0] == 'f';
    counts->errors += outcome && outcome[0] == 'e';
    all |= finding.kind != FINDING_FAIL;
    arena_fini(&arena);
  }
  if (!all) counts->errors += report->verdict != VERDICT_HOLDS;
  if (!all) n++;
  return counts->tests = n;
}

bool junit_write(const Report *report, TextStyle style, FILE *out, Err *err) {
  Counts counts = {0};
  (void)style;
  (void)err;
  count_cases(report, &counts);
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite", out);
  put_attribute(out, "name", report->tool);
  fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"0\">\n", counts.tests, counts.failures,
          counts.errors);
  for (uint32_t i = 0; i < counts.tests; i++) {
    Arena arena;
    arena_init(&arena, report->arena.heap);
    const Finding finding = finding_at(report, &arena, i);
    put_case(out, &arena, report, &finding);
    arena_fini(&arena);
  }
  fputs("  </testsuite>\n</testsuites>\n", out);
  return true;
}
