#include "report/place.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

enum { LONGEST_FILE = 240, LONGEST_FUNCTION = 80 }; /* characters */

/* ":12": its digits; 0 where there is no such number that fits. */
static size_t number_after_colon(const char *at, uint32_t *number) {
  if (*at != ':') return 0;
  const size_t digits = strspn(at + 1, "0123456789");
  if (digits == 0 || digits > 9) return 0;
  *number = 0;
  for (size_t i = 1; i <= digits; i++) *number = *number * 10 + (uint32_t)(at[i] - '0');
  return digits + 1;
}

/* What follows the name of a file, if it is that. */
static bool parse_rest(const char *at, Place *place) {
  size_t n = number_after_colon(at, &place->line);
  if (n == 0 || place->line == 0) return false;
  at += n;
  at += number_after_colon(at, &place->column);
  if (*at && *at != ':') return false;
  place->function = *at && at[1] ? at + 1 : NULL;
  return true;
}

Place place_parse(Arena *arena, const char *text) {
  for (const char *at = text; (at = strchr(at, ':')); at++) {
    Place place = {0};
    if (at == text || !parse_rest(at, &place)) continue;
    place.file = arena_copy(arena, text, (size_t)(at - text));
    return place;
  }
  return (Place){.other = text};
}

const char *place_head(Arena *arena, const Place *place) {
  if (!place->file && !place->line) return place->other ? text_shorten_front(arena, place->other, LONGEST_FILE) : "";
  const char *file = place->file ? text_shorten_front(arena, place->file, LONGEST_FILE) : "<unknown>";
  if (!place->line) return file;
  if (!place->column) return arena_format(arena, "%s:%u", file, place->line);
  return arena_format(arena, "%s:%u:%u", file, place->line, place->column);
}

static const char *in_function(Arena *arena, const Place *place) {
  if (!place->function) return "";
  return arena_format(arena, " in %s", text_shorten(arena, place->function, LONGEST_FUNCTION));
}

const char *place_words(Arena *arena, const Place *place) {
  return arena_format(arena, "%s%s", place_head(arena, place), in_function(arena, place));
}

const char *place_here(Arena *arena, const Place *place) {
  return arena_format(arena, "here%s", in_function(arena, place));
}

void place_member(Members *members, const char *key, const char *text) {
  if (!text) {
    members_null(members, key);
    return;
  }
  const Place place = place_parse(members->arena, text);
  members_open(members, key, '{', JSON_ROW);
  if (place.file) members_string(members, "file", place.file);
  if (place.line) members_count(members, "line", place.line);
  if (place.column) members_count(members, "column", place.column);
  if (place.function) members_string(members, "function", place.function);
  if (place.other) members_string(members, "elsewhere", place.other);
  members_close(members);
}
