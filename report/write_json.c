/* docs/json.md is the manual of what is written here. */
#include "report/write_json.h"

#include "base/sort.h"
#include "report/writers.h"

static const char *const ROLES[] = {"before", "inside", "other", "back"}; /* ORDER FindingRole */
_Static_assert(sizeof ROLES / sizeof *ROLES == FINDING_ROLES, "ORDER FindingRole");
static const char *const EDGES[] = {"order", "chain", "other"}; /* ORDER FindingEdgeKind */
_Static_assert(sizeof EDGES / sizeof *EDGES == EDGE_OTHER + 1, "ORDER FindingEdgeKind");
static const char *const KINDS[] = {"fail", "pass", "open"}; /* ORDER FindingKind */
_Static_assert(sizeof KINDS / sizeof *KINDS == FINDING_KINDS, "ORDER FindingKind");

/* ---- members that are there only if they say something ---- */

static void add_string(Json *json, const char *key, const char *text) {
  if (text) json_member_string(json, key, text);
}

static void add_positive(Json *json, const char *key, uint64_t number) {
  if (number) json_member_count(json, key, number);
}

static void add_true(Json *json, const char *key, bool value) {
  if (value) json_member_bool(json, key, true);
}

/* ---- places, threads, variables ---- */

static void put_place(Json *json, const Place *place) {
  if (!place->file && !place->line && !place->other) {
    json_null(json);
    return;
  }
  json_open(json, '{', JSON_ROW);
  add_string(json, "file", place->file);
  add_positive(json, "line", place->line);
  add_positive(json, "column", place->column);
  add_string(json, "function", place->function);
  add_string(json, "elsewhere", place->other);
  json_close(json);
}

static void write_place(Json *json, const Place *place) {
  json_key(json, "place");
  put_place(json, place);
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

static void write_variables(Json *json, const Finding *finding) {
  static const char *const VARIABLES[] = {"variable", "local", "lock"}; /* ORDER FindingVariableKind */
  _Static_assert(sizeof VARIABLES / sizeof *VARIABLES == FINDING_VARIABLE_KINDS, "ORDER FindingVariableKind");
  json_member_open(json, "variables", '[', JSON_LINES);
  for (uint32_t i = 0; i < finding->n_variables; i++) {
    const FindingVariable *variable = &finding->variables[i];
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "name", variable->name);
    json_member_string(json, "kind", VARIABLES[variable->kind]);
    if (variable->kind == FINDING_LOCAL) json_member_count(json, "thread", variable->thread);
    json_member_string(json, "initial", variable->initial);
    json_close(json);
  }
  json_close(json);
}

/* ---- events and steps ---- */

/* The events of the program that are steps of an example. */
typedef struct {
  const Finding *finding;
  uint32_t *of_step;  /* per step: its event */
  uint32_t *first_of; /* per event: its first step */
  uint32_t n;
} Events;

static int compare_events(uint32_t a, uint32_t b, const void *steps_) {
  const FindingStep *steps = steps_;
  return (steps[a].event > steps[b].event) - (steps[a].event < steps[b].event);
}

/* Events are numbered in the order in which they first happen. */
static Events find_events(Arena *arena, const Finding *finding) {
  const uint32_t n = finding->n_steps;
  Events events = {.finding = finding};
  uint32_t *order = arena_alloc(arena, ((size_t)n + 1) * sizeof *order),
           *first = arena_alloc(arena, ((size_t)n + 1) * sizeof *first); /* per step: the first one of its event */
  events.of_step = arena_alloc(arena, ((size_t)n + 1) * sizeof *events.of_step);
  events.first_of = arena_alloc(arena, ((size_t)n + 1) * sizeof *events.first_of);
  for (uint32_t i = 0; i < n; i++) order[i] = i;
  sort_numbers(order, n, compare_events, finding->steps);
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t event = finding->steps[order[i]].event;
    const bool again = i > 0 && event && finding->steps[order[i - 1]].event == event;
    first[order[i]] = again ? first[order[i - 1]] : order[i];
  }
  for (uint32_t i = 0; i < n; i++) {
    if (first[i] == i) events.first_of[events.n++] = i;
    events.of_step[i] = first[i] == i ? events.n - 1 : events.of_step[first[i]];
  }
  return events;
}

static void write_accesses(Json *json, const FindingStep *step) {
  if (!step->n_accesses) return;
  json_member_open(json, "accesses", '[', JSON_ROW);
  for (uint32_t i = 0; i < step->n_accesses; i++) {
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "object", step->accesses[i].object);
    json_member_string(json, "mode", step->accesses[i].how);
    json_close(json);
  }
  json_close(json);
}

static void write_stack(Json *json, const FindingStep *step) {
  if (!step->n_stack) return;
  json_member_open(json, "stack", '[', JSON_ROW);
  for (uint32_t i = 0; i < step->n_stack; i++) put_place(json, &step->stack[i]);
  json_close(json);
}

static void write_events(Json *json, const Events *events) {
  json_member_open(json, "events", '[', JSON_LINES);
  for (uint32_t i = 0; i < events->n; i++) {
    const FindingStep *step = &events->finding->steps[events->first_of[i]];
    json_open(json, '{', JSON_ROW);
    json_member_count(json, "thread", step->thread);
    write_place(json, &step->place);
    json_member_string(json, "text", step->text);
    write_accesses(json, step);
    write_stack(json, step);
    json_close(json);
  }
  json_close(json);
}

static void write_sets(Json *json, const FindingStep *step) {
  if (!step->n_sets) return;
  json_member_open(json, "sets", '[', JSON_ROW);
  for (uint32_t i = 0; i < step->n_sets; i++) {
    json_open(json, '[', JSON_ROW);
    json_count(json, step->sets[i].variable);
    json_string(json, step->sets[i].value);
    json_close(json);
  }
  json_close(json);
}

static void write_steps(Json *json, const Events *events) {
  const Finding *finding = events->finding;
  json_member_open(json, "steps", '[', JSON_LINES);
  for (uint32_t i = 0; i < finding->n_steps; i++) {
    const FindingStep *step = &finding->steps[i];
    json_open(json, '{', JSON_ROW);
    json_member_count(json, "event", events->of_step[i]);
    json_member_string(json, "role", ROLES[step->role]);
    add_string(json, "part", step->part);
    add_positive(json, "frame", step->frame);
    add_string(json, "words", step->words);
    add_true(json, "matters", step->matters);
    write_sets(json, step);
    json_close(json);
  }
  json_close(json);
}

static void write_frames(Json *json, const Finding *finding) {
  json_member_open(json, "frames", '[', JSON_ROW);
  for (uint32_t i = 0; i < finding->n_frames; i++) json_string(json, finding->frames[i]);
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
    add_string(json, "object", edge->object);
    if (edge->modes[0]) {
      json_member_open(json, "modes", '[', JSON_ROW);
      for (int end = 0; end < 2; end++) json_string(json, edge->modes[end]);
      json_close(json);
    } else {
      add_string(json, "label", edge->label);
    }
    json_close(json);
  }
  json_close(json);
}

static void write_finding(Json *json, Arena *arena, const Finding *finding) {
  const Events events = find_events(arena, finding);
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "rule", finding->rule);
  json_member_string(json, "kind", KINDS[finding->kind]);
  json_member_string(json, "level", style_level_name(finding->level));
  json_member_string(json, "message", finding->message);
  json_member_string(json, "grounds", finding->grounds);
  write_place(json, &finding->place);
  write_notes(json, finding);
  write_threads(json, finding);
  write_frames(json, finding);
  write_variables(json, finding);
  write_events(json, &events);
  write_steps(json, &events);
  json_member_bool(json, "run", finding->n_steps > 0 && !finding->no_run);
  write_edges(json, finding);
  json_close(json);
}

/* ---- the whole ---- */

static void write_sources(Json *json, const Inputs *inputs) {
  json_member_open(json, "sources", '[', JSON_LINES);
  for (uint32_t i = 0; inputs && i < inputs->texts.n; i++) {
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "file", inputs->texts.at[i].file);
    json_member_string(json, "text", inputs->texts.at[i].text);
    json_close(json);
  }
  json_close(json);
}

static void write_diagnostics(Json *json, const Inputs *inputs) {
  json_member_open(json, "diagnostics", '[', JSON_LINES);
  for (uint32_t i = 0; inputs && i < inputs->remarks.n; i++) {
    const DiagItem *item = &inputs->remarks.at[i].item;
    const Place place = {.file = inputs->remarks.at[i].file, .line = item->line, .column = item->column};
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "level", style_level_name(item->level));
    json_member_string(json, "option", item->option);
    write_place(json, &place);
    json_member_count(json, "length", item->length);
    json_member_string(json, "message", item->message);
    json_close(json);
  }
  json_close(json);
}

void json_write_result(const Report *report, Json *json) {
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "schema", report->schema);
  json_member_string(json, "verdict", report->verdict_name);
  json_member_string(json, "why", report->why);
  write_sources(json, report->inputs);
  write_diagnostics(json, report->inputs);
  members_write(&report->members, json);
  json_member_open(json, "findings", '[', JSON_LINES);
  for (uint32_t i = 0; i < report_findings(report); i++) {
    Arena arena;
    arena_init(&arena, report->arena.heap);
    const Finding finding = report_finding(report, &arena, i);
    write_finding(json, &arena, &finding);
    arena_fini(&arena);
  }
  json_close(json);
  json_close(json);
  json_finish(json);
}

bool json_write(const Report *report, TextStyle style, FILE *out, Err *err) {
  (void)style;
  (void)err;
  Json json = json_start(out);
  json_write_result(report, &json);
  return true;
}
