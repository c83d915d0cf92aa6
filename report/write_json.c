/* docs/json.md is the manual of what is written here. */
#include "report/writers.h"

static const char *const ROLES[] = {"before", "inside", "other", "back"}; /* ORDER FindingRole */
_Static_assert(sizeof ROLES / sizeof *ROLES == FINDING_ROLES, "ORDER FindingRole");
static const char *const EDGES[] = {"order", "chain", "other"}; /* ORDER FindingEdgeKind */
_Static_assert(sizeof EDGES / sizeof *EDGES == EDGE_OTHER + 1, "ORDER FindingEdgeKind");
static const char *const KINDS[] = {"fail", "pass", "open"}; /* ORDER FindingKind */
_Static_assert(sizeof KINDS / sizeof *KINDS == FINDING_KINDS, "ORDER FindingKind");

static void write_positive(Json *json, const char *key, uint32_t number) {
  json_key(json, key);
  if (number) json_count(json, number);
  else json_null(json);
}

static void write_place(Json *json, const Place *place) {
  json_key(json, "place");
  if (!place->file && !place->line && !place->other) {
    json_null(json);
    return;
  }
  json_open(json, '{', JSON_ROW);
  json_member_string(json, "file", place->file);
  write_positive(json, "line", place->line);
  write_positive(json, "column", place->column);
  json_member_string(json, "function", place->function);
  json_member_string(json, "elsewhere", place->other);
  json_close(json);
}

static void write_notes(Json *json, const Finding *finding) {
  json_member_open(json, "notes", '[', JSON_LINES);
  for (uint32_t i = 0; i < finding->n_notes; i++) {
    const FindingNote *note = &finding->notes[i];
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "level", style_level_name(note->level));
    write_place(json, &note->place);
    json_member_string(json, "message", note->message);
    json_close(json);
  }
  json_close(json);
}

static void write_threads(Json *json, const Finding *finding) {
  json_member_open(json, "threads", '[', JSON_LINES);
  for (uint32_t i = 0; i < finding->n_threads; i++) {
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "name", finding->threads[i].name);
    json_member_string(json, "about", finding->threads[i].about);
    json_close(json);
  }
  json_close(json);
}

static void write_steps(Json *json, const Finding *finding) {
  json_member_open(json, "steps", '[', JSON_LINES);
  for (uint32_t i = 0; i < finding->n_steps; i++) {
    const FindingStep *step = &finding->steps[i];
    json_open(json, '{', JSON_ROW);
    json_member_count(json, "thread", step->thread);
    write_place(json, &step->place);
    json_member_string(json, "text", step->text);
    json_member_string(json, "words", step->words);
    json_member_string(json, "values", step->values);
    json_member_string(json, "role", ROLES[step->role]);
    json_member_bool(json, "matters", step->matters);
    json_close(json);
  }
  json_close(json);
}

static void write_edges(Json *json, const Finding *finding) {
  json_member_open(json, "edges", '[', JSON_LINES);
  for (uint32_t i = 0; i < finding->n_edges; i++) {
    const FindingEdge *edge = &finding->edges[i];
    json_open(json, '{', JSON_ROW);
    json_member_count(json, "from", edge->from);
    json_member_count(json, "to", edge->to);
    json_member_string(json, "kind", EDGES[edge->kind]);
    json_member_string(json, "object", edge->object);
    json_member_string(json, "label", edge->label);
    json_close(json);
  }
  json_close(json);
}

static void write_finding(Json *json, const Finding *finding) {
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "rule", finding->rule);
  json_member_string(json, "kind", KINDS[finding->kind]);
  json_member_string(json, "level", style_level_name(finding->level));
  json_member_string(json, "message", finding->message);
  json_member_string(json, "grounds", finding->grounds);
  write_place(json, &finding->place);
  write_notes(json, finding);
  write_threads(json, finding);
  write_steps(json, finding);
  json_member_bool(json, "run", finding->n_steps > 0 && !finding->no_run);
  write_edges(json, finding);
  json_close(json);
}

bool json_write(const Report *report, TextStyle style, FILE *out, Err *err) {
  (void)style;
  (void)err;
  Json writer = json_start(out), *json = &writer;
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "schema", report->schema);
  json_member_string(json, "verdict", report->verdict_name);
  json_member_string(json, "why", report->why);
  members_write(&report->members, json);
  json_member_open(json, "findings", '[', JSON_LINES);
  for (uint32_t i = 0; i < report_findings(report); i++) {
    Arena arena;
    arena_init(&arena, report->arena.heap);
    const Finding finding = report_finding(report, &arena, i);
    write_finding(json, &finding);
    arena_fini(&arena);
  }
  json_close(json);
  json_close(json);
  json_finish(json);
  return true;
}
