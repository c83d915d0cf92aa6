/* One line of JSON, for who has many inputs: docs/many.md is the manual of what is written here. */
#include "base/utf8.h"
#include "report/place.h"
#include "report/writers.h"

#include <inttypes.h>
#include <string.h>

static const char *const KINDS[] = {"fail", "pass", "open"}; /* ORDER FindingKind */
_Static_assert(sizeof KINDS / sizeof *KINDS == FINDING_KINDS, "ORDER FindingKind");

static void member_positive(Json *json, const char *key, uint64_t number) {
  json_key(json, key);
  if (number) json_count(json, number);
  else json_null(json);
}

/* ---- the input ---- */

static bool is_utf8(const char *text) {
  uint32_t point;
  for (size_t left = strlen(text), n; left > 0; text += n, left -= n)
    if ((n = utf8_decode(text, left, &point)) == 0) return false;
  return true;
}

/* The bytes in hexadecimal, where a string of JSON cannot hold them. */
static void write_bytes(Json *json, Arena *arena, const char *path) {
  const size_t length = strlen(path);
  char *hex = arena_alloc(arena, 2 * length + 1);
  for (size_t i = 0; i < length; i++) snprintf(hex + 2 * i, 3, "%02x", (unsigned char)path[i]);
  json_member_string(json, "bytes", hex);
}

static void write_file(Json *json, Arena *arena, const ReportFile *file) {
  json_member_string(json, "path", file ? file->path : NULL);
  if (file && !is_utf8(file->path)) write_bytes(json, arena, file->path);
  json_key(json, "size");
  if (file && file->is_file) json_count(json, file->size);
  else json_null(json);
  json_key(json, "time");
  if (file && file->is_file) json_count(json, file->time);
  else json_null(json);
  json_member_string(json, "options", file ? file->options : NULL);
}

/* The hash is a string: as a number it would be rounded where numbers are those of JavaScript. */
static void write_share(Json *json, Arena *arena, const Report *report) {
  const ReportFile *file = report->file;
  if (!file || !file->shares) return;
  json_member_open(json, "share", '{', JSON_ROW);
  json_member_count(json, "number", file->share);
  json_member_count(json, "of", file->shares);
  json_member_string(json, "hash", report->hash ? arena_format(arena, "%016" PRIx64, *report->hash) : NULL);
  json_member_bool(json, "empty", report->empty);
  json_close(json);
}

/* ---- the answer ---- */

static ExitCode exit_code(const Report *report) {
  if (report->failure) return report->failure;
  return report->refused ? EXIT_ERROR : (ExitCode)verdict_exit_code(report->verdict);
}

static void write_events(Json *json, const Report *report) {
  json_key(json, "events");
  for (uint32_t i = 0; i < report->statistics.n; i++) {
    const Statistic *it = &report->statistics.at[i];
    if (it->unit != STATISTIC_COUNT || strcmp(it->name, "events") != 0) continue;
    json_count(json, it->count);
    return;
  }
  json_null(json);
}

static void write_finding(Json *json, const Finding *finding) {
  const Place *place = &finding->place;
  json_open(json, '{', JSON_ROW);
  json_member_string(json, "rule", finding->rule);
  json_member_string(json, "kind", KINDS[finding->kind]);
  json_member_string(json, "level", style_level_name(finding->level));
  json_member_string(json, "message", finding->message);
  json_member_string(json, "file", place->file);
  member_positive(json, "line", place->line);
  member_positive(json, "column", place->column);
  json_member_string(json, "function", place->function);
  member_positive(json, "count", finding->count);
  json_close(json);
}

static void write_findings(Json *json, const Report *report) {
  json_member_open(json, "findings", '[', JSON_ROW);
  for (uint32_t i = 0; i < report_findings(report); i++) {
    Arena arena;
    arena_init(&arena, report->arena.heap);
    const Finding finding = report_finding(report, &arena, i);
    write_finding(json, &finding);
    arena_fini(&arena);
  }
  json_close(json);
}

/* The first error in the text that was read says why, if nothing else does. */
static const char *why_of(const Report *report, Arena *arena) {
  if (report->why) return report->why;
  for (uint32_t i = 0; report->failure && report->inputs && i < report->inputs->remarks.n; i++) {
    const InputRemark *it = &report->inputs->remarks.at[i];
    const Place place = {.file = it->file, .line = it->item.line, .column = it->item.column};
    if (it->item.level == LEVEL_ERROR)
      return arena_format(arena, "%s: %s", place_head(arena, &place), it->item.message);
  }
  return NULL;
}

bool jsonl_write(const Report *report, TextStyle style, FILE *out, Err *err) {
  Arena arena;
  Json json = json_start(out);
  (void)style;
  (void)err;
  arena_init(&arena, report->arena.heap);
  json_open(&json, '{', JSON_ROW);
  write_file(&json, &arena, report->file);
  write_share(&json, &arena, report);
  json_member_string(&json, "schema", report->schema);
  json_member_string(&json, "verdict", report->refused ? "error" : report->verdict_name);
  json_member_count(&json, "exit", exit_code(report));
  write_events(&json, report);
  write_findings(&json, report);
  json_member_string(&json, "why", why_of(report, &arena));
  json_close(&json);
  json_finish(&json);
  arena_fini(&arena);
  return true;
}
