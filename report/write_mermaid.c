/* Mermaid sequence diagrams in Markdown, as code hosts show them: a section per finding. Threads are participants,
 * events are notes over them, and what the violation leads through are messages; where it leads through nothing, each
 * dependence between threads is one. */
#include "report/place.h"
#include "report/rows.h"
#include "report/writers.h"

#include <string.h>

/* '#', ';' and what HTML or Markdown would take for its own are entities. */
static void put_text(FILE *out, const char *text) {
  for (; *text; text++) {
    if (strchr("#;<>&`\"", *text)) fprintf(out, "#%d;", *text);
    else fputc(*text, out);
  }
}

static void put_steps(FILE *out, const Finding *finding, const Row *row) {
  const FindingStep *step = &finding->steps[row->step];
  fprintf(out, "    Note over P%u: ", step->thread);
  if (row->turns) {
    fprintf(out, "%u more turn%s of the loop\n", row->turns, row->turns > 1 ? "s" : "");
    return;
  }
  put_text(out, step->text);
  if (step->place.line) fprintf(out, " (line %u)", step->place.line);
  if (step->values) fputs("<br/>", out), put_text(out, step->values);
  fputc('\n', out);
}

static bool has_chain(const Finding *finding) {
  for (uint32_t i = 0; i < finding->n_edges; i++)
    if (finding->edges[i].kind == EDGE_CHAIN) return true;
  return false;
}

/* The edges of that kind that lead to the step from another thread. */
static void put_messages(FILE *out, const Finding *finding, FindingEdgeKind kind, uint32_t step) {
  for (uint32_t i = 0; i < finding->n_edges; i++) {
    const FindingEdge *edge = &finding->edges[i];
    const uint32_t from = finding->steps[edge->from].thread, to = finding->steps[step].thread;
    if (edge->to != step || edge->kind != kind || from == to) continue;
    fprintf(out, "    P%u->>P%u: ", from, to);
    put_text(out, edge->object ? edge->object : "");
    if (edge->object && edge->label) fputs(": ", out);
    put_text(out, edge->label ? edge->label : edge->object ? "" : "then");
    fputc('\n', out);
  }
}

/* A frame is the time in which its thread is active: from its first row to its last. */
static void put_frames(FILE *out, const Finding *finding, const Rows *rows, uint32_t row, bool opens) {
  const FindingStep *step = &finding->steps[rows->rows[row].step];
  if (!step->frame) return;
  for (uint32_t i = opens ? 0 : row + 1; i < (opens ? row : rows->n); i++)
    if (finding->steps[rows->rows[i].step].frame == step->frame) return;
  fprintf(out, "    %s P%u\n", opens ? "activate" : "deactivate", step->thread);
}

static void put_diagram(FILE *out, Arena *arena, const Finding *finding) {
  const Rows rows = rows_choose(arena, finding);
  const FindingEdgeKind told = has_chain(finding) ? EDGE_CHAIN : EDGE_OTHER;
  fputs("```mermaid\nsequenceDiagram\n", out);
  for (uint32_t i = 0; i < finding->n_threads; i++) {
    if (!rows.shown[i]) continue;
    fprintf(out, "    participant P%u as ", i);
    put_text(out, finding->threads[i].name);
    if (finding->threads[i].about) fputs("<br/>", out), put_text(out, finding->threads[i].about);
    fputc('\n', out);
  }
  for (uint32_t i = 0; i < rows.n; i++) {
    if (!rows.rows[i].turns) put_messages(out, finding, told, rows.rows[i].step);
    put_frames(out, finding, &rows, i, true);
    put_steps(out, finding, &rows.rows[i]);
    put_frames(out, finding, &rows, i, false);
  }
  fputs("```\n", out);
}

/* Markdown's own characters are escaped. */
static void put_markdown(FILE *out, const char *text) {
  for (; *text; text++) {
    if (strchr("\\`*_[]<>#&|", *text)) fputc('\\', out);
    fputc(*text, out);
  }
}

static void put_finding(FILE *out, Arena *arena, const Finding *finding) {
  const char *place = place_head(arena, &finding->place);
  fputs("### ", out);
  put_markdown(out, finding->title ? finding->title : finding->message);
  fputs("\n\n", out);
  if (place[0]) put_markdown(out, place), fputs("\n\n", out);
  put_diagram(out, arena, finding);
  if (finding->why) fputc('\n', out), put_markdown(out, finding->why), fputc('\n', out);
  fputc('\n', out);
}

bool mermaid_write(const Report *report, TextStyle style, FILE *out, Err *err) {
  uint32_t n = 0;
  (void)style;
  (void)err;
  for (uint32_t i = 0; i < report_findings(report); i++) {
    Arena arena;
    arena_init(&arena, report->arena.heap);
    const Finding finding = report_finding(report, &arena, i);
    if (finding.kind == FINDING_FAIL && finding.n_steps) {
      put_finding(out, &arena, &finding);
      n++;
    }
    arena_fini(&arena);
  }
  if (!n && report->nothing) fprintf(out, "%s.\n\n", report->nothing);
  fprintf(out, "verdict: %s", report->verdict_name);
  if (report->why) fputs(": ", out), put_markdown(out, report->why);
  fputc('\n', out);
  return true;
}
