#include "base/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <string.h>

Json json_start(FILE *out) { return (Json){.out = out}; }

Json json_start_in_html(FILE *out) { return (Json){.out = out, .in_html = true}; }

void json_finish(Json *json) {
  assert(json->depth == 0);
  fputc('\n', json->out);
}

static bool in_rows(const Json *json) { return json->depth > 0 && json->layout[json->depth - 1] == JSON_ROW; }

static void break_line(Json *json) {
  static const char BLANKS[2 * JSON_DEPTH + 1] = "                                                                ";
  fputc('\n', json->out);
  fwrite(BLANKS, 1, 2 * (size_t)json->depth, json->out);
}

/* What stands between the last member and the next. */
static void next_member(Json *json) {
  if (json->depth == 0) return;
  bool *filled = &json->filled[json->depth - 1];
  if (*filled) fputc(',', json->out);
  if (!in_rows(json)) break_line(json);
  else if (*filled) fputc(' ', json->out);
  *filled = true;
}

static void next_value(Json *json) {
  const bool in_object = json->depth > 0 && json->bracket[json->depth - 1] == '{';
  assert(json->keyed == in_object);
  if (!in_object) next_member(json);
  json->keyed = false;
}

void json_open(Json *json, char bracket, JsonLayout layout) {
  next_value(json);
  assert(json->depth < JSON_DEPTH && (bracket == '{' || bracket == '['));
  fputc(bracket, json->out);
  const bool row = layout == JSON_ROW || in_rows(json);
  json->bracket[json->depth] = bracket;
  json->layout[json->depth] = row ? JSON_ROW : JSON_LINES;
  json->filled[json->depth] = false;
  json->depth++;
}

void json_close(Json *json) {
  assert(json->depth > 0 && !json->keyed);
  const bool row = in_rows(json);
  json->depth--;
  if (json->filled[json->depth] && !row) break_line(json);
  fputc(json->bracket[json->depth] == '{' ? '}' : ']', json->out);
}

static void write_escape(FILE *out, uint32_t point) {
  switch (point) {
  case '"': fputs("\\\"", out); break;
  case '\\': fputs("\\\\", out); break;
  case '\n': fputs("\\n", out); break;
  case '\r': fputs("\\r", out); break;
  case '\t': fputs("\\t", out); break;
  default: fprintf(out, "\\u%04x", point);
  }
}

/* How many bytes from here on are printable ASCII that stands for itself. */
static size_t plain_length(const char *text, bool in_html) {
  const char escaped = in_html ? '<' : '"';
  size_t n = 0;
  while (text[n] >= ' ' && text[n] <= '~' && text[n] != '"' && text[n] != '\\' && text[n] != escaped) n++;
  return n;
}

static bool is_escaped(uint32_t point, bool in_html) {
  return point < 0x20 || point == 0x7f || point == '"' || point == '\\' || (in_html && point == '<');
}

static void write_string(const Json *json, const char *text) {
  FILE *out = json->out;
  fputc('"', out);
  for (size_t left = strlen(text); left > 0;) {
    const size_t plain = plain_length(text, json->in_html);
    fwrite(text, 1, plain, out);
    text += plain;
    left -= plain;
    if (!left) break;
    uint32_t point, bytes = utf8_decode(text, left, &point);
    if (bytes == 0) {
      fputs("\xef\xbf\xbd", out);
      bytes = 1;
    } else if (is_escaped(point, json->in_html)) {
      write_escape(out, point);
    } else {
      fwrite(text, 1, bytes, out);
    }
    text += bytes;
    left -= bytes;
  }
  fputc('"', out);
}

void json_key(Json *json, const char *key) {
  assert(json->depth > 0 && json->bracket[json->depth - 1] == '{' && !json->keyed);
  next_member(json);
  write_string(json, key);
  fputs(": ", json->out);
  json->keyed = true;
}

void json_string(Json *json, const char *text) {
  next_value(json);
  if (text) write_string(json, text);
  else fputs("null", json->out);
}

void json_count(Json *json, uint64_t number) {
  next_value(json);
  fprintf(json->out, "%llu", (unsigned long long)number);
}

/* The locale's decimal point may be any bytes that are no part of a number: one '.' stands for them. */
void json_number(Json *json, double number) {
  char digits[64];
  next_value(json);
  if (!isfinite(number)) {
    fputs("null", json->out);
    return;
  }
  snprintf(digits, sizeof digits, "%.9g", number);
  for (const char *at = digits; *at;) {
    const size_t plain = strspn(at, "0123456789+-e");
    fwrite(at, 1, plain, json->out);
    at += plain;
    if (*at) fputc('.', json->out);
    at += strcspn(at, "0123456789+-e");
  }
}

void json_bool(Json *json, bool value) {
  next_value(json);
  fputs(value ? "true" : "false", json->out);
}

void json_null(Json *json) {
  next_value(json);
  fputs("null", json->out);
}

void json_member_string(Json *json, const char *key, const char *text) {
  json_key(json, key);
  json_string(json, text);
}

void json_member_count(Json *json, const char *key, uint64_t number) {
  json_key(json, key);
  json_count(json, number);
}

void json_member_bool(Json *json, const char *key, bool value) {
  json_key(json, key);
  json_bool(json, value);
}

void json_member_open(Json *json, const char *key, char bracket, JsonLayout layout) {
  json_key(json, key);
  json_open(json, bracket, layout);
}
