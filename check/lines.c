#include "check/lines.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void lines_init(Lines *lines, const InFile *file) {
  *lines = (Lines){file->name, file->text, file->text + file->length, 1};
}

static bool is_blank(const Lines *lines, const char *at) { return at == lines->end || *at == ' ' || *at == '\n'; }

bool lines_word(Lines *lines, const char *word) {
  const size_t length = strlen(word);
  if ((size_t)(lines->end - lines->at) < length || memcmp(lines->at, word, length) != 0) return false;
  if (!is_blank(lines, lines->at + length)) return false;
  lines->at += length;
  return true;
}

/* What comes next: a word in quotes, with a '?' for what cannot be shown. */
static const char *found_text(const Lines *lines, char text[32]) {
  const char *at = lines->at;
  size_t n = 0;
  if (at == lines->end) return "the end of the file";
  if (*at == '\n') return "the end of the line";
  if (*at == ' ' && is_blank(lines, ++at)) return "a blank";
  text[n++] = '\'';
  for (; n < 25 && !is_blank(lines, at); at++) text[n++] = *at > ' ' && *at <= '~' ? *at : '?';
  snprintf(text + n, 32 - n, "%s", is_blank(lines, at) ? "'" : "...'");
  return text;
}

bool lines_expected(const Lines *lines, const char *what, Err *err) {
  char found[32];
  return err_set(err, ERR_INPUT, "%.300s:%zu: expected %.300s, found %s", lines->name, lines->line, what,
                 found_text(lines, found));
}

bool lines_more(const Lines *lines, const char *last, Err *err) {
  return err_set(err, ERR_INPUT, "%.300s:%zu: unexpected text after %s", lines->name, lines->line, last);
}

static bool is_digit(const Lines *lines, const char *at) { return at < lines->end && *at >= '0' && *at <= '9'; }

static bool expected_number(const Lines *lines, const char *what, uint64_t low, uint64_t high, Err *err) {
  char text[128];
  if (low > high) snprintf(text, sizeof text, "%.60s, but there are none", what);
  else if (low == high) snprintf(text, sizeof text, "%.60s, which can only be %" PRIu64, what, low);
  else snprintf(text, sizeof text, "%.60s from %" PRIu64 " to %" PRIu64, what, low, high);
  return lines_expected(lines, text, err);
}

bool lines_number(Lines *lines, const char *what, uint64_t low, uint64_t high, uint64_t *number, Err *err) {
  assert(high < UINT64_MAX / 10 - 1);
  const char *at = lines->at;
  if (at == lines->end || *at != ' ' || !is_digit(lines, ++at)) return expected_number(lines, what, low, high, err);
  uint64_t value = 0;
  for (; is_digit(lines, at) && value <= high; at++) value = 10 * value + (uint64_t)(*at - '0');
  if (value < low || value > high || !is_blank(lines, at)) return expected_number(lines, what, low, high, err);
  lines->at = at;
  *number = value;
  return true;
}

bool lines_index(Lines *lines, const char *what, uint64_t n, uint32_t *index, Err *err) {
  uint64_t number = 0;
  if (!lines_number(lines, what, 1, n, &number, err)) return false;
  *index = (uint32_t)(number - 1);
  return true;
}

bool lines_list(Lines *lines, Heap *heap, const char *what, uint64_t n, U32Vec *indices, Err *err) {
  vec_clear(indices);
  while (lines_has_blank(lines)) {
    uint32_t index;
    if (!lines_index(lines, what, n, &index, err)) return false;
    vec_push(heap, indices, index);
  }
  heap_poll(heap);
  return lines_end(lines, err);
}

bool lines_at_end(const Lines *lines, Err *err) {
  if (lines->at < lines->end && *lines->at == '\n') return true;
  return lines_expected(lines, "the end of the line", err);
}

static bool at_comment(const Lines *lines) {
  return lines->at < lines->end && *lines->at == 'c' && is_blank(lines, lines->at + 1);
}

void lines_next(Lines *lines) {
  do {
    const char *end = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    lines->at = end ? end + 1 : lines->end;
    lines->line += end != NULL;
  } while (at_comment(lines));
}

bool lines_end(Lines *lines, Err *err) {
  if (!lines_at_end(lines, err)) return false;
  lines_next(lines);
  return true;
}
