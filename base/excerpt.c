#include "base/excerpt.h"

#include "base/style.h"
#include "base/utf8.h"

#include <assert.h>

enum { SHOWN_BEFORE = 60, SHOWN_BYTES = 110 }; /* of a long line: before the caret, and in all */

/* C0 and C1 controls, line separators, marks that turn the direction of writing, the byte order mark. */
static bool is_control(uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069) || point == 0xfeff;
}

/* One character of the line, and in *columns how many columns it takes; returns its bytes. out NULL: only measures. */
static uint32_t print_char(const char *at, size_t length, FILE *out, uint32_t *columns) {
  uint32_t point;
  const uint32_t bytes = utf8_decode(at, length, &point);
  const bool control = bytes && is_control(point);
  const uint32_t taken = bytes ? bytes : 1;
  if (bytes && (!control || point == '\t')) {
    *columns = 1;
    if (out) fwrite(at, 1, bytes, out);
  } else {
    *columns = 4 * taken;
    for (uint32_t i = 0; out && i < taken; i++) fprintf(out, "\\x%02X", (unsigned)(unsigned char)at[i]);
  }
  return taken;
}

void excerpt_print_safe(const char *text, size_t length, FILE *out) {
  uint32_t columns;
  for (size_t i = 0; i < length;) i += print_char(text + i, length - i, out, &columns);
}

/* Moves to the first byte of the character that `at` is in the middle of. */
static size_t char_start(const char *line, size_t at) {
  for (int i = 0; i < 3 && at && ((unsigned char)line[at] & 0xc0) == 0x80; i++) at--;
  return at;
}

/* The caret under column `column`, after the bytes from .. of the line; tabs are kept. */
static void print_caret(const char *line, size_t from, size_t caret, size_t to, uint32_t length, FILE *out) {
  uint32_t columns, covered = 0;
  for (size_t i = from; i < caret;) {
    const char fill = line[i] == '\t' ? '\t' : ' ';
    i += print_char(line + i, to - i, NULL, &columns);
    for (uint32_t k = 0; k < columns; k++) fputc(fill, out);
  }
  for (size_t i = caret; i < to && i < caret + length; covered += columns)
    i += print_char(line + i, to - i, NULL, &columns);
  fputc('^', out);
  for (uint32_t k = 1; k < covered; k++) fputc('~', out);
  fputc('\n', out);
}

void excerpt_print(const char *line, size_t length, uint32_t column, uint32_t underlined, bool colour, FILE *out) {
  assert(column > 0 && underlined > 0);
  const size_t caret = column - 1 < length ? column - 1 : length;
  const size_t from = length > SHOWN_BYTES && caret > SHOWN_BEFORE ? char_start(line, caret - SHOWN_BEFORE) : 0;
  const size_t to = length - from > SHOWN_BYTES ? char_start(line, from + SHOWN_BYTES) : length;
  fputs(from ? "  ..." : "  ", out);
  excerpt_print_safe(line + from, to - from, out);
  fputs(to < length ? "...\n" : "\n", out);
  fputs(from ? "     " : "  ", out);
  style_begin(STYLE_CARET, colour, out);
  print_caret(line, from, caret, to, underlined, out);
  style_end(colour, out);
}
