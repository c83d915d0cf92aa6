#include "report/comparison.h"

#include "base/json.h"
#include "report/run_words.h"

#include <string.h>

static const char *const HEADS[] = {"monitored", "predicted", "with locks", "reduction", "blocks"};  /* ORDER CompareColumn */
_Static_assert(sizeof HEADS / sizeof *HEADS == COMPARE_COLUMNS, "ORDER CompareColumn");
static const char *const KEYS[] = {"monitored", "predicted", "predicted_locks", "reduction", "blocks"}; /* likewise */

static const char *cell_text(CompareColumn column, Verdict cell) {
  static const char *const TEXTS[COMPARE_COLUMNS][VERDICT_KINDS] = {{"unknown", "-", "violated"},
                                                        {"unknown", "-", "predicted"},
                                                        {"unknown", "-", "predicted"},
                                                        {"unknown", "atomic", "not proved"},
                                                        {"unknown", "atomic", "not atomic"}}; /* ORDER Verdict */
  return TEXTS[column][cell];
}

static const char *row_text(Arena *arena, const TraceNames *names, const CompareRow *row) {
  const char *label = run_label(arena, names, row->label), *place = run_location(arena, names, row->location);
  return label && place ? arena_format(arena, "%s, %s", label, place) : label ? label : place ? place : "(no name)";
}

/* ---- text ---- */

static void put_cells(const char *const *texts, FILE *out) {
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) fprintf(out, " | %-*s", (int)strlen("not proved"), texts[c]);
  fputs(" |\n", out);
}

static void put_line(int width, FILE *out) {
  fputs("|", out);
  for (int i = 0; i < width + 2; i++) fputc('-', out);
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) fputs("|------------", out);
  fputs("|\n", out);
}

static void put_figures(Arena *arena, const Comparison *comparison, int width, FILE *out) {
  const char *seconds[COMPARE_COLUMNS], *bytes[COMPARE_COLUMNS];
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) {
    seconds[c] = arena_format(arena, "%.3f", comparison->seconds[c]);
    bytes[c] = arena_format(arena, "%.1f", (double)comparison->bytes[c] / 1e6);
  }
  fprintf(out, "| %-*s", width, "seconds");
  put_cells(seconds, out);
  fprintf(out, "| %-*s", width, "MB");
  put_cells(bytes, out);
}

void comparison_text(Heap *heap, const Comparison *comparison, FILE *out) {
  Arena arena;
  int width = (int)strlen("transaction");
  arena_init(&arena, heap);
  for (uint32_t i = 0; i < comparison->n; i++) {
    const int length = (int)strlen(row_text(&arena, comparison->names, &comparison->rows[i]));
    if (length > width) width = length;
  }
  fprintf(out, "| %-*s", width, "transaction");
  put_cells(HEADS, out);
  put_line(width, out);
  for (uint32_t i = 0; i < comparison->n; i++) {
    const char *texts[COMPARE_COLUMNS];
    for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) texts[c] = cell_text((CompareColumn)c, comparison->rows[i].cells[c]);
    fprintf(out, "| %-*s", width, row_text(&arena, comparison->names, &comparison->rows[i]));
    put_cells(texts, out);
  }
  put_figures(&arena, comparison, width, out);
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++)
    if (comparison->why[c]) fprintf(out, "%s: %s\n", HEADS[c], comparison->why[c]);
  arena_fini(&arena);
}

/* ---- JSON ---- */

void comparison_json(Heap *heap, const Comparison *comparison, FILE *out) {
  Json writer = json_start(out), *json = &writer;
  Arena arena;
  arena_init(&arena, heap);
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "schema", "tracecheck/1");
  json_member_string(json, "analysis", "compare");
  json_member_count(json, "events", comparison->events);
  json_member_count(json, "threads", comparison->threads);
  json_member_count(json, "entities", comparison->entities);
  json_member_open(json, "transactions", '[', JSON_LINES);
  for (uint32_t i = 0; i < comparison->n; i++) {
    const CompareRow *row = &comparison->rows[i];
    json_open(json, '{', JSON_LINES);
    json_member_string(json, "label", run_label(&arena, comparison->names, row->label));
    json_member_string(json, "location", run_location(&arena, comparison->names, row->location));
    json_member_count(json, "count", row->count);
    for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) json_member_string(json, KEYS[c], cell_text((CompareColumn)c, row->cells[c]));
    json_close(json);
  }
  json_close(json);
  json_member_open(json, "costs", '[', JSON_LINES);
  for (uint32_t c = 0; c < COMPARE_COLUMNS; c++) {
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "analysis", KEYS[c]);
    json_member_number(json, "seconds", comparison->seconds[c]);
    json_member_count(json, "bytes", comparison->bytes[c]);
    json_member_string(json, "why", comparison->why[c]);
    json_close(json);
  }
  json_close(json);
  json_close(json);
  json_finish(json);
  arena_fini(&arena);
}
