/* SARIF 2.1.0 (OASIS), as editors and code hosts show it. docs/sarif.md says what stands where.
 *
 * An example run is a code flow: a thread flow for each thread, and the order of execution is the interleaving. Columns
 * are counted in characters there, and in bytes here: where the line of the source can be read they are counted again.
 */
#include "report/place.h"
#include "report/rules.h"
#include "report/sources.h"
#include "report/writers.h"

#include "base/intern.h"

#include <string.h>

#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

typedef struct {
  const Report *report;
  Json json;
  Arena arena;
  Intern files; /* the artifacts, by number */
  Sources *sources;
} Log;

/* ---- small things ---- */

static void write_text(Log *log, const char *key, const char *text) {
  json_member_open(&log->json, key, '{', JSON_ROW);
  json_member_string(&log->json, "text", text);
  json_close(&log->json);
}

static bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("-._~/", c));
}

/* A path as a reference of RFC 3986: relative ones stay relative. */
static const char *uri_of(Arena *arena, const char *path) {
  static const char DIGITS[] = "0123456789ABCDEF";
  const char *start = path[0] == '/' ? "file://" : "";
  char *uri = arena_alloc(arena, strlen(start) + 3 * strlen(path) + 1), *to = uri;
  to += strlen(strcpy(to, start));
  for (; *path; path++) {
    const unsigned char c = (unsigned char)*path;
    if (is_plain(*path)) {
      *to++ = *path;
    } else {
      *to++ = '%';
      *to++ = DIGITS[c >> 4];
      *to++ = DIGITS[c & 15];
    }
  }
  *to = '\0';
  return uri;
}

/* ---- places ---- */

/* The column in characters. */
static uint32_t column_of(Log *log, const Place *place) {
  const SourceLine line = sources_line(log->sources, place->file, place->line, place->column);
  uint32_t column = 1;
  for (uint32_t i = 0; line.text && i + 1 < place->column; i++) column += ((unsigned char)line.text[i] & 0xc0) != 0x80;
  return line.text ? column : place->column;
}

static void write_artifact_location(Log *log, const char *file, const char *key) {
  Json *json = &log->json;
  json_member_open(json, key, '{', JSON_ROW);
  json_member_string(json, "uri", uri_of(&log->arena, file));
  json_member_count(json, "index", intern_add(&log->files, file, strlen(file), NULL));
  json_close(json);
}

static void write_region(Log *log, const Place *place) {
  Json *json = &log->json;
  if (!place->line) return;
  json_member_open(json, "region", '{', JSON_ROW);
  json_member_count(json, "startLine", place->line);
  if (place->column) json_member_count(json, "startColumn", column_of(log, place));
  json_close(json);
}

static void write_logical(Log *log, const char *name, const char *kind) {
  Json *json = &log->json;
  json_member_open(json, "logicalLocations", '[', JSON_ROW);
  json_open(json, '{', JSON_ROW);
  json_member_string(json, "fullyQualifiedName", name);
  if (kind) json_member_string(json, "kind", kind);
  json_close(json);
  json_close(json);
}

/* The members of a location. */
static void write_place(Log *log, const Place *place, const char *message) {
  Json *json = &log->json;
  if (place->file) {
    json_member_open(json, "physicalLocation", '{', JSON_ROW);
    write_artifact_location(log, place->file, "artifactLocation");
    write_region(log, place);
    json_close(json);
  }
  if (place->function) write_logical(log, place->function, "function");
  else if (place->other) write_logical(log, place->other, NULL);
  if (message) write_text(log, "message", message);
}

static void write_location(Log *log, const char *key, const Place *place, const char *message) {
  if (key) json_key(&log->json, key);
  json_open(&log->json, '{', JSON_ROW);
  write_place(log, place, message);
  json_close(&log->json);
}

/* ---- a result ---- */

static void write_related(Log *log, const Finding *finding) {
  Json *json = &log->json;
  json_member_open(json, "relatedLocations", '[', JSON_LINES);
  for (uint32_t i = 0; i < finding->n_notes; i++) {
    json_open(json, '{', JSON_ROW);
    json_member_count(json, "id", i + 1);
    write_place(log, &finding->notes[i].place, finding->notes[i].message);
    json_close(json);
  }
  json_close(json);
}

/* The first frame is the event itself. */
static void write_stack(Log *log, const FindingStep *step) {
  Json *json = &log->json;
  json_member_open(json, "stack", '{', JSON_LINES);
  json_member_open(json, "frames", '[', JSON_LINES);
  for (uint32_t i = 0; i <= step->n_stack; i++) {
    json_open(json, '{', JSON_ROW);
    write_location(log, "location", i ? &step->stack[i - 1] : &step->place, NULL);
    json_close(json);
  }
  json_close(json);
  json_close(json);
}

static void write_step(Log *log, const Finding *finding, uint32_t i) {
  Json *json = &log->json;
  const FindingStep *step = &finding->steps[i];
  const char *thread = finding->threads[step->thread].name;
  const char *message = step->words ? arena_format(&log->arena, "%s %s", thread, step->words) : step->text;
  json_open(json, '{', JSON_ROW);
  write_location(log, "location", &step->place, message);
  if (step->n_stack) write_stack(log, step);
  json_member_count(json, "executionOrder", i + 1);
  json_member_string(json, "importance", step->matters ? "essential" : "unimportant");
  json_close(json);
}

static bool has_steps(const Finding *finding, uint32_t thread) {
  for (uint32_t i = 0; i < finding->n_steps; i++)
    if (finding->steps[i].thread == thread) return true;
  return false;
}

static void write_thread_flow(Log *log, const Finding *finding, uint32_t thread) {
  Json *json = &log->json;
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "id", finding->threads[thread].name);
  if (finding->threads[thread].about) write_text(log, "message", finding->threads[thread].about);
  json_member_open(json, "locations", '[', JSON_LINES);
  for (uint32_t i = 0; i < finding->n_steps; i++)
    if (finding->steps[i].thread == thread) write_step(log, finding, i);
  json_close(json);
  json_close(json);
}

static void write_code_flow(Log *log, const Finding *finding) {
  Json *json = &log->json;
  json_member_open(json, "codeFlows", '[', JSON_LINES);
  json_open(json, '{', JSON_LINES);
  if (finding->why) write_text(log, "message", finding->why);
  json_member_open(json, "threadFlows", '[', JSON_LINES);
  for (uint32_t t = 0; t < finding->n_threads; t++)
    if (has_steps(finding, t)) write_thread_flow(log, finding, t);
  json_close(json);
  json_close(json);
  json_close(json);
}

/* Only what fails has a level. */
static void write_level(Log *log, const Finding *finding) {
  static const char *const KINDS[] = {"fail", "pass", "open"}; /* ORDER FindingKind */
  _Static_assert(sizeof KINDS / sizeof *KINDS == FINDING_KINDS, "ORDER FindingKind");
  json_member_string(&log->json, "kind", KINDS[finding->kind]);
  if (finding->kind == FINDING_FAIL) json_member_string(&log->json, "level", style_level_name(finding->level));
}

static void write_grounds(Log *log, const char *grounds) {
  json_member_open(&log->json, "properties", '{', JSON_ROW);
  json_member_string(&log->json, "grounds", grounds);
  json_close(&log->json);
}

static void write_result(Log *log, const Finding *finding) {
  Json *json = &log->json;
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "ruleId", finding->rule);
  json_member_count(json, "ruleIndex", rules_find(finding->rule));
  write_level(log, finding);
  write_text(log, "message", finding->message);
  json_member_open(json, "locations", '[', JSON_LINES);
  if (finding->place.file || finding->place.other) write_location(log, NULL, &finding->place, NULL);
  json_close(json);
  if (finding->count) json_member_count(json, "occurrenceCount", finding->count);
  if (finding->n_notes) write_related(log, finding);
  if (finding->n_steps && !finding->no_run) write_code_flow(log, finding);
  if (finding->grounds) write_grounds(log, finding->grounds);
  json_close(json);
}

/* ---- the run ---- */

static void write_rules(Log *log) {
  Json *json = &log->json;
  json_member_open(json, "rules", '[', JSON_LINES);
  for (uint32_t i = 0; i < N_RULES; i++) {
    json_open(json, '{', JSON_LINES);
    json_member_string(json, "id", RULES[i].id);
    write_text(log, "shortDescription", RULES[i].brief);
    write_text(log, "help", RULES[i].help);
    json_member_open(json, "defaultConfiguration", '{', JSON_ROW);
    json_member_string(json, "level", style_level_name(RULES[i].level));
    json_close(json);
    json_close(json);
  }
  json_close(json);
}

static void write_tool(Log *log) {
  Json *json = &log->json;
  json_member_open(json, "tool", '{', JSON_LINES);
  json_member_open(json, "driver", '{', JSON_LINES);
  json_member_string(json, "name", log->report->tool);
  json_member_string(json, "version", VERSION);
  write_rules(log);
  json_close(json);
  json_close(json);
}

/* What is unknown, and why, is said here: it is no result. */
static void write_invocation(Log *log) {
  static const char *const CODES[] = {"unknown", "what was asked holds", "a violation was found"}; /* ORDER Verdict */
  _Static_assert(sizeof CODES / sizeof *CODES == VERDICT_KINDS, "ORDER Verdict");
  const Report *report = log->report;
  Json *json = &log->json;
  json_member_open(json, "invocations", '[', JSON_LINES);
  json_open(json, '{', JSON_LINES);
  json_member_bool(json, "executionSuccessful", !report->refused);
  json_member_count(json, "exitCode", report->refused ? EXIT_ERROR : (uint64_t)verdict_exit_code(report->verdict));
  json_member_string(json, "exitCodeDescription", report->refused ? "the input was refused" : CODES[report->verdict]);
  json_member_open(json, "toolExecutionNotifications", '[', JSON_LINES);
  if (report->verdict == VERDICT_UNKNOWN || report->why) {
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "level", report->verdict == VERDICT_UNKNOWN ? "warning" : "note");
    write_text(log, "message",
               report->why ? arena_format(&log->arena, "not everything is known: %s", report->why)
                           : "the verdict is unknown");
    json_close(json);
  }
  json_close(json);
  json_close(json);
  json_close(json);
}

static void write_artifacts(Log *log) {
  Json *json = &log->json;
  json_member_open(json, "artifacts", '[', JSON_LINES);
  for (uint32_t i = 0; i < log->files.strings.n; i++) {
    json_open(json, '{', JSON_ROW);
    write_artifact_location(log, log->files.strings.at[i], "location");
    json_close(json);
  }
  json_close(json);
}

static void write_run(Log *log) {
  Json *json = &log->json;
  const Report *report = log->report;
  json_open(json, '{', JSON_LINES);
  write_tool(log);
  write_invocation(log);
  json_member_string(json, "columnKind", "unicodeCodePoints");
  json_member_open(json, "results", '[', JSON_LINES);
  for (uint32_t i = 0; i < report_findings(report); i++) {
    const Finding finding = report_finding(report, &log->arena, i);
    write_result(log, &finding);
    arena_fini(&log->arena);
  }
  json_close(json);
  write_artifacts(log);
  json_member_open(json, "properties", '{', JSON_ROW);
  json_member_string(json, "question", report->question);
  json_member_string(json, "verdict", report->verdict_name);
  json_close(json);
  json_close(json);
}

bool sarif_write(const Report *report, TextStyle style, FILE *out, Err *err) {
  (void)style;
  (void)err;
  Log log = {.report = report, .json = json_start(out)};
  Heap *heap = report->arena.heap;
  arena_init(&log.arena, heap);
  intern_init(&log.files, heap);
  log.sources = sources_new(heap);
  json_open(&log.json, '{', JSON_LINES);
  json_member_string(&log.json, "$schema", SCHEMA);
  json_member_string(&log.json, "version", "2.1.0");
  json_member_open(&log.json, "runs", '[', JSON_LINES);
  write_run(&log);
  json_close(&log.json);
  json_close(&log.json);
  json_finish(&log.json);
  sources_free(log.sources);
  intern_fini(&log.files);
  arena_fini(&log.arena);
  return true;
}
