#include "report/measure.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

enum { EM = 1000, ELLIPSIS = 0x2026, ARROW = 0x2192, NO_TEXT = 0xfffd };

/* The next code point of clean text. */
static uint32_t next_character(const char **text) {
  const unsigned char *at = (const unsigned char *)*text;
  const uint32_t more = *at < 0x80 ? 0 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
  uint32_t character = more ? *at & (0x3fu >> more) : *at;
  for (uint32_t i = 1; i <= more && at[i]; i++) character = character << 6 | (at[i] & 0x3fu);
  for (uint32_t i = 0; i <= more && **text; i++) ++*text;
  return character;
}

/* Ideographs, and other signs that are as wide as high. */
static bool is_square(uint32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) || c >= 0x1f000;
}

/* The advance of a character in thousandths of the font's size: about as in DejaVu, the widest of the usual fonts. */
static int advance(SketchFont font, uint32_t character) {
  static const struct {
    const char *characters;
    int width;
  } CLASSES[] = {
      {" .,:;'|!()[]ijl", 370}, {"ftrIJ", 420}, {"mMW@%", 990}, {"w+-<>=~", 830}, {"ABCDEFGHKLNOPQRSTUVXYZ", 750}};
  if (is_square(character)) return EM;
  if (font == FONT_MONO) return 600;
  int width = character < 0x80 ? 630 : 750;
  if (character == ELLIPSIS || character == ARROW || character == NO_TEXT) width = EM;
  for (size_t i = 0; i < sizeof CLASSES / sizeof *CLASSES; i++)
    if (character && character < 0x80 && strchr(CLASSES[i].characters, (int)character)) width = CLASSES[i].width;
  return font == FONT_BOLD ? width + 70 : width;
}

/* Of what is wider than any picture it is enough to know that. */
static int round_up(int64_t thousandths) {
  const int64_t points = (thousandths + EM - 1) / EM, widest = 1 << 28;
  return (int)(points < widest ? points : widest);
}

int measure_text(SketchFont font, int size, const char *text) {
  assert(size > 0);
  int64_t width = 0;
  while (*text) width += advance(font, next_character(&text));
  return round_up(width * size);
}

/* How many characters fit into `width` beside an ellipsis. */
static uint32_t count_fitting(SketchFont font, int size, const char *text, int64_t width) {
  uint32_t n = 0;
  for (int64_t used = advance(font, ELLIPSIS); *text; n++) {
    used += advance(font, next_character(&text));
    if (used * size > width * EM) break;
  }
  return n;
}

/* How many of the last ones. */
static uint32_t count_fitting_back(SketchFont font, int size, const char *text, int64_t width) {
  uint32_t n = text_length(text);
  int64_t used = advance(font, ELLIPSIS);
  for (const char *at = text; *at;) used += advance(font, next_character(&at));
  for (; *text && used * size > width * EM; n--) used -= advance(font, next_character(&text));
  return n;
}

const char *measure_fit(Arena *arena, SketchFont font, int size, const char *text, int width) {
  if (measure_text(font, size, text) <= width) return text;
  return text_shorten(arena, text, count_fitting(font, size, text, width) + 1);
}

const char *measure_fit_front(Arena *arena, SketchFont font, int size, const char *text, int width) {
  if (measure_text(font, size, text) <= width) return text;
  return text_shorten_front(arena, text, count_fitting_back(font, size, text, width) + 1);
}
