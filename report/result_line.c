#include "report/result_line.h"

#include <string.h>

bool line_reader_init(LineReader *reader, Heap *heap, Err *err) {
  *reader = (LineReader){.json = json_reader_new(heap, err), .heap = heap};
  return reader->json;
}

void line_reader_fini(LineReader *reader) {
  json_reader_free(reader->json);
  vec_fini(reader->heap, &reader->path);
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The bytes that hexadecimal digits stand for; NULL if they stand for no path. */
static const char *read_bytes(LineReader *reader, const char *hex) {
  vec_clear(&reader->path);
  for (; *hex; hex += 2) {
    const int high = digit_of(hex[0]), low = high < 0 ? -1 : digit_of(hex[1]);
    if (low < 0 || high + low == 0) return NULL;
    vec_push(reader->heap, &reader->path, (char)(high * 16 + low));
  }
  vec_push(reader->heap, &reader->path, '\0');
  return reader->path.at;
}

static bool read_file(LineReader *reader, JsonValue root, ReportFile *file) {
  const char *bytes = json_reader_string(reader->json, root, "bytes");
  const char *options = json_reader_string(reader->json, root, "options");
  *file = (ReportFile){.path = json_reader_string(reader->json, root, "path"), .options = options};
  if (bytes) file->path = read_bytes(reader, bytes);
  file->is_file = json_reader_count(reader->json, root, "size", &file->size) &&
                  json_reader_count(reader->json, root, "time", &file->time);
  return file->path && file->options;
}

/* Where the line is about a share of what is in the file. */
static bool read_share(const LineReader *reader, JsonValue root, ResultLine *line) {
  const JsonValue share = json_reader_member(reader->json, root, "share");
  ReportFile *file = &line->file;
  if (!json_reader_has(reader->json, root, "share")) return true;
  line->hash = json_reader_string(reader->json, share, "hash");
  return share && json_reader_count(reader->json, share, "number", &file->share) &&
         json_reader_count(reader->json, share, "of", &file->shares) &&
         json_reader_bool(reader->json, share, "empty", &line->empty) && file->share >= 1 &&
         file->share <= file->shares;
}

static bool read_answer(const LineReader *reader, JsonValue root, ResultLine *line) {
  uint64_t code;
  line->schema = json_reader_string(reader->json, root, "schema");
  line->verdict = json_reader_string(reader->json, root, "verdict");
  line->why = json_reader_string(reader->json, root, "why");
  line->has_events = json_reader_count(reader->json, root, "events", &line->events);
  if (!line->schema || !line->verdict || !json_reader_count(reader->json, root, "exit", &code) || code > EXIT_CHECK)
    return false;
  line->exit = (ExitCode)code;
  return true;
}

static bool read_findings(const LineReader *reader, JsonValue root, ResultLine *line) {
  line->findings = json_reader_list(reader->json, root, "findings");
  const size_t n = json_reader_length(reader->json, line->findings);
  if (!line->findings || n > UINT32_MAX) return false;
  line->n_findings = (uint32_t)n;
  for (uint32_t i = 0; i < line->n_findings; i++) {
    const JsonValue finding = json_reader_object(reader->json, line->findings, i);
    if (!finding || !json_reader_string(reader->json, finding, "rule") ||
        !json_reader_string(reader->json, finding, "message"))
      return false;
    line->n_wrong += !result_line_finding(reader, line, i).passed;
  }
  return true;
}

bool result_line_read(LineReader *reader, const char *text, size_t length, ResultLine *line) {
  *line = (ResultLine){0};
  const JsonValue root = json_reader_read(reader->json, text, length);
  return root && read_file(reader, root, &line->file) && read_share(reader, root, line) &&
         read_answer(reader, root, line) && read_findings(reader, root, line);
}

static uint32_t number_of(const LineReader *reader, JsonValue finding, const char *key) {
  uint64_t number = 0;
  json_reader_count(reader->json, finding, key, &number);
  return number > UINT32_MAX ? 0 : (uint32_t)number;
}

LineFinding result_line_finding(const LineReader *reader, const ResultLine *line, uint32_t i) {
  const JsonValue at = json_reader_object(reader->json, line->findings, i);
  const char *kind = json_reader_string(reader->json, at, "kind"),
             *level = json_reader_string(reader->json, at, "level");
  return (LineFinding){.rule = json_reader_string(reader->json, at, "rule"),
                       .level = level ? level : "error",
                       .message = json_reader_string(reader->json, at, "message"),
                       .file = json_reader_string(reader->json, at, "file"),
                       .function = json_reader_string(reader->json, at, "function"),
                       .line = number_of(reader, at, "line"),
                       .column = number_of(reader, at, "column"),
                       .passed = kind && strcmp(kind, "pass") == 0};
}
