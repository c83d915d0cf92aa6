#include "base/text.h"

#include "base/utf8.h"

#include <assert.h>
#include <string.h>

enum { LOOKED_AT = 4096 };

static bool is_control(uint32_t point) { return point < 0x20 || (point >= 0x7f && point < 0xa0); }

bool text_is_binary(const char *bytes, size_t length) {
  const size_t n = length < LOOKED_AT ? length : LOOKED_AT;
  size_t strange = 0;
  for (size_t i = 0; i < n;) {
    uint32_t point, size = utf8_decode(bytes + i, length - i, &point);
    strange += size == 0 || (is_control(point) && !strchr("\t\n\v\f\r", (int)point)) || point == 0;
    i += size ? size : 1;
  }
  return strange * 8 > n;
}

char *text_clean(Arena *arena, const char *text) {
  size_t left = strlen(text);
  if (left > SIZE_MAX / 4) heap_give_up(arena->heap);
  char *clean = arena_alloc(arena, 3 * left + 1), *to = clean;
  while (left > 0) {
    uint32_t point, bytes = utf8_decode(text, left, &point);
    const bool bad = bytes == 0 || is_control(point), space = bytes == 1 && strchr("\t\n\r", text[0]);
    if (bytes == 0) bytes = 1;
    const size_t written = space ? 1 : bad ? 3 : bytes;
    memcpy(to, space ? " " : bad ? "\xef\xbf\xbd" : text, written);
    to += written;
    text += bytes;
    left -= bytes;
  }
  *to = '\0';
  return clean;
}

/* The first byte after the first `count` characters. */
static const char *skip(const char *text, uint32_t count) {
  for (; count > 0 && *text; count--) do
      text++;
    while (((unsigned char)*text & 0xc0) == 0x80);
  return text;
}

uint32_t text_length(const char *text) {
  uint32_t length = 0;
  for (; *text; text = skip(text, 1)) length++;
  return length;
}

char *text_shorten(Arena *arena, const char *text, uint32_t most) {
  assert(most > 0);
  if (!*skip(text, most)) return arena_copy(arena, text, strlen(text));
  return arena_format(arena, "%.*s…", (int)(skip(text, most - 1) - text), text);
}

char *text_shorten_front(Arena *arena, const char *text, uint32_t most) {
  assert(most > 0);
  const uint32_t length = text_length(text);
  if (length <= most) return arena_copy(arena, text, strlen(text));
  return arena_format(arena, "…%s", skip(text, length - most + 1));
}
