#include "report/of_comparison.h"

#include "report/of_left_out.h"
#include "report/of_run.h"
#include "report/place.h"
#include "report/run_words.h"
#include "report/vocabulary.h"

#include <string.h>

/* A column: its head, its key in JSON, and what it says. */
static const struct {
  const char *head, *key, *cells[VERDICT_KINDS]; /* ORDER Verdict */
} COLUMNS[] = {{"monitored", "monitored", {"unknown", "-", "violated"}},
               {"predicted", "predicted", {"unknown", "-", "predicted"}},
               {"with locks", "predicted_locks", {"unknown", "-", "predicted"}},
               {"reduction", "reduction", {"unknown", "atomic", "not proved"}},
               {"blocks", "blocks", {"unknown", "atomic", "not atomic"}}}; /* ORDER CompareColumn */
_Static_assert(sizeof COLUMNS / sizeof *COLUMNS == COMPARE_COLUMNS, "ORDER CompareColumn");

enum { CELL = sizeof "not proved" - 1 /* the longest */ };

typedef struct {
  Report *report;
  Arena *arena;
  const Comparison *result;
  int width; /* of the first column */
} Making;

static const char *row_text(const Making *m, const CompareRow *row) {
  const char *label = run_label(m->arena, m->result->names, row->label),
             *place = run_location(m->arena, m->result->names, row->location);
  return label && place ? arena_format(m->arena, "%s, %s", label, place) : label ? label : place ? place : "(no name)";
}

/* ---- the table ---- */

static void add_line(const Making *m, const char *first, const char *const *cells) {
  const char *line = arena_format(m->arena, "| %-*s", m->width, first);
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) line = arena_format(m->arena, "%s | %-*s", line, (int)CELL, cells[c]);
  report_add_line(m->report, LINE_ALWAYS, arena_format(m->arena, "%s |", line));
}

static void add_rule(const Making *m) {
  const size_t width = (size_t)m->width + 2;
  char *dashes = arena_zeroed(m->arena, width + 1, 1);
  memset(dashes, '-', width);
  const char *line = arena_format(m->arena, "|%s", dashes);
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) line = arena_format(m->arena, "%s|------------", line);
  report_add_line(m->report, LINE_ALWAYS, arena_format(m->arena, "%s|", line));
}

static void add_figures(const Making *m) {
  const char *seconds[COMPARE_COLUMNS], *bytes[COMPARE_COLUMNS];
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) {
    seconds[c] = arena_format(m->arena, "%.3f", m->result->seconds[c]);
    bytes[c] = arena_format(m->arena, "%.1f", (double)m->result->bytes[c] / 1e6);
  }
  add_line(m, "seconds", seconds);
  add_line(m, "MB", bytes);
}

static void add_table(Making *m) {
  const char *cells[COMPARE_COLUMNS];
  m->width = (int)strlen("transaction");
  for (uint32_t i = 0; i < m->result->n; i++) {
    const int length = (int)strlen(row_text(m, &m->result->rows[i]));
    if (length > m->width) m->width = length;
  }
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) cells[c] = COLUMNS[c].head;
  add_line(m, "transaction", cells);
  add_rule(m);
  for (uint32_t i = 0; i < m->result->n; i++) {
    const CompareRow *row = &m->result->rows[i];
    for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) cells[c] = COLUMNS[c].cells[row->cells[c]];
    add_line(m, row_text(m, row), cells);
  }
  add_figures(m);
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++)
    if (m->result->why[c])
      report_add_line(m->report, LINE_ALWAYS, arena_format(m->arena, "%s: %s", COLUMNS[c].head, m->result->why[c]));
}

/* ---- findings ---- */

/* "transaction 'deposit': predicted; with locks: predicted; reduction: not proved" */
static void add_finding(const Making *m, const CompareRow *row) {
  const char *label = run_label(m->arena, m->result->names, row->label),
             *place = run_location(m->arena, m->result->names, row->location);
  const char *text = label ? arena_format(m->arena, "transaction '%s'", label) : "transaction";
  bool any = false;
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) {
    if (row->cells[c] != VERDICT_VIOLATED) continue;
    text = arena_format(m->arena, "%s%s %s: %s", text, any ? ";" : ":", COLUMNS[c].head,
                        COLUMNS[c].cells[VERDICT_VIOLATED]);
    any = true;
  }
  if (!any) return;
  const Finding finding = {.rule = "possibly-not-atomic",
                           .level = LEVEL_ERROR,
                           .message = text,
                           .place = place ? place_parse(m->arena, place) : (Place){.other = label ? label : "run"}};
  report_add(m->report, &finding);
}

/* ---- members ---- */

static void add_row_members(const Making *m, const CompareRow *row) {
  Members *members = &m->report->members;
  members_open(members, NULL, '{', JSON_LINES);
  members_string(members, "label", run_label(m->arena, m->result->names, row->label));
  place_member(members, "place", run_location(m->arena, m->result->names, row->location));
  members_count(members, "count", row->count);
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++)
    members_string(members, COLUMNS[c].key, COLUMNS[c].cells[row->cells[c]]);
  members_close(members);
}

static void add_costs(const Making *m) {
  Members *members = &m->report->members;
  members_open(members, "costs", '[', JSON_LINES);
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) {
    members_open(members, NULL, '{', JSON_ROW);
    members_string(members, "analysis", COLUMNS[c].key);
    members_number(members, "seconds", m->result->seconds[c]);
    members_count(members, "bytes", m->result->bytes[c]);
    members_string(members, "why", m->result->why[c]);
    members_close(members);
  }
  members_close(members);
}

static void add_members(const Making *m) {
  Members *members = &m->report->members;
  members_string(members, "analysis", "compare");
  members_count(members, "events", m->result->events);
  members_count(members, "threads", m->result->threads);
  members_count(members, "entities", m->result->entities);
  of_left_out_members(members, &m->result->suppressed);
  members_open(members, "transactions", '[', JSON_LINES);
  for (uint32_t i = 0; i < m->result->n; i++) add_row_members(m, &m->result->rows[i]);
  members_close(members);
  add_costs(m);
}

/* ---- all of it ---- */

static const char *why_of(const Making *m) {
  const char *why = NULL;
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++)
    if (m->result->why[c])
      why = arena_format(m->arena, "%s%s%s: %s", why ? why : "", why ? "; " : "", COLUMNS[c].head, m->result->why[c]);
  return why;
}

void of_comparison(Report *report, const Comparison *result) {
  Making making = {.report = report, .arena = &report->arena, .result = result};
  report->schema = OF_RUN_SCHEMA;
  report->question = "what each analysis says of each transaction";
  report->verdict = comparing_verdict(result);
  report->verdict_name = vocabulary_verdict(ASKED_ATOMIC, report->verdict);
  report->why = why_of(&making);
  report->nothing = "A comparison has no picture";
  report->lines_alone = true;
  for (uint32_t i = 0; i < result->n; i++) add_finding(&making, &result->rows[i]);
  add_members(&making);
  add_table(&making);
  of_left_out_line(report, &result->suppressed);
}
