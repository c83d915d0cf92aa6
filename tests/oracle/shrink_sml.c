/* A step takes a few lines out, or replaces one. Steps know nothing of the language but what opens and closes a
 * compound statement: one that makes the program illegal does not keep the fault, and is not taken. */
#include "tests/oracle/shrink_sml.h"

#include <string.h>

typedef enum { LINE_PLAIN, LINE_OPEN, LINE_MIDDLE, LINE_CLOSE, LINE_SEPARATOR } LineKind;

typedef struct {
  const char *at; /* into the text; without the newline */
  size_t length;
} Line;

typedef struct {
  Heap *heap;
  CharVec *text, next; /* the smallest program so far, and a candidate */
  VEC(Line) lines;     /* of the text */
  VEC(bool) dropped;   /* per line: is it missing in the candidate? */
  StillFails *still_fails;
  void *argument;
} Shrinker;

static bool starts_with(Line line, const char *word) {
  return line.length >= strlen(word) && memcmp(line.at, word, strlen(word)) == 0;
}

static LineKind kind_of(Line line) {
  while (line.length && *line.at == ' ') line.at++, line.length--;
  if (!line.length) return LINE_PLAIN;
  const char last = line.at[line.length - 1];
  if (starts_with(line, "||")) return LINE_SEPARATOR;
  if (*line.at == '}') return last == '{' ? LINE_MIDDLE : LINE_CLOSE;
  if (last == '{' || (starts_with(line, "begin") && last != ';')) return LINE_OPEN;
  return starts_with(line, "end") ? LINE_CLOSE : LINE_PLAIN;
}

static void split_lines(Shrinker *shrinker) {
  vec_clear(&shrinker->lines);
  const char *at = shrinker->text->at, *end = at + shrinker->text->n;
  while (at < end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const size_t length = (size_t)((newline ? newline : end) - at);
    vec_push(shrinker->heap, &shrinker->lines, ((Line){at, length}));
    at += length + 1;
  }
  vec_clear(&shrinker->dropped);
  vec_resize_zeroed(shrinker->heap, &shrinker->dropped, shrinker->lines.n);
}

static void append(Shrinker *shrinker, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) vec_push(shrinker->heap, &shrinker->next, text[i]);
}

/* Takes the candidate in `next` if it still fails. */
static bool try_next(Shrinker *shrinker) {
  if (!shrinker->still_fails(shrinker->argument, shrinker->next.at, shrinker->next.n)) return false;
  const CharVec old = *shrinker->text;
  *shrinker->text = shrinker->next;
  shrinker->next = old;
  split_lines(shrinker);
  return true;
}

/* Tries the text without the lines that are marked as dropped, with `instead` (may be NULL) in place of line `at`. */
static bool try_lines(Shrinker *shrinker, uint32_t at, const char *instead) {
  vec_clear(&shrinker->next);
  for (uint32_t i = 0; i < shrinker->lines.n; i++) {
    if (shrinker->dropped.at[i]) continue;
    const Line line = shrinker->lines.at[i];
    if (instead && i == at) append(shrinker, instead, strlen(instead));
    else append(shrinker, line.at, line.length);
    append(shrinker, "\n", 1);
  }
  if (shrinker->next.n && try_next(shrinker)) return true;
  memset(shrinker->dropped.at, 0, shrinker->dropped.n * sizeof *shrinker->dropped.at);
  return false;
}

/* Tries the text without the lines from .. to - 1. */
static bool try_without(Shrinker *shrinker, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) shrinker->dropped.at[i] = true;
  return try_lines(shrinker, 0, NULL);
}

/* The line that closes what line i opens; with `middle`, the first that stands in the middle at the same depth. lines.n
 * if there is none. */
static uint32_t find_close(const Shrinker *shrinker, uint32_t i, bool middle) {
  uint32_t depth = 0;
  for (; i < shrinker->lines.n; i++) {
    const LineKind kind = kind_of(shrinker->lines.at[i]);
    if (kind == LINE_OPEN) depth++;
    if (kind == LINE_MIDDLE && depth == 1 && middle) return i;
    if (kind == LINE_CLOSE && --depth == 0) return middle ? shrinker->lines.n : i;
  }
  return shrinker->lines.n;
}

/* All of a compound statement; its second part; or all but what is inside. */
static bool shrink_compound(Shrinker *shrinker, uint32_t i) {
  const uint32_t close = find_close(shrinker, i, false), middle = find_close(shrinker, i, true);
  if (close >= shrinker->lines.n) return false;
  if (try_without(shrinker, i, close + 1)) return true;
  if (middle < close && try_without(shrinker, middle, close)) return true;
  shrinker->dropped.at[i] = shrinker->dropped.at[close] = true;
  if (middle < close) shrinker->dropped.at[middle] = true;
  return try_lines(shrinker, 0, NULL);
}

/* The thread behind a separator, the one before it (how far declarations go before the first is found by trying), or
 * the separator alone. */
static bool shrink_thread(Shrinker *shrinker, uint32_t i) {
  uint32_t to = i + 1, from = i;
  while (to < shrinker->lines.n && kind_of(shrinker->lines.at[to]) != LINE_SEPARATOR) to++;
  if (try_without(shrinker, i, to)) return true;
  while (from > 0 && kind_of(shrinker->lines.at[from - 1]) != LINE_SEPARATOR) from--;
  for (; from <= i; from++)
    if (try_without(shrinker, from, i + 1)) return true;
  return false;
}

/* Tries line i with the bytes from .. from + length - 1 replaced, unless they are that already. */
static bool try_replaced(Shrinker *shrinker, uint32_t i, size_t from, size_t length, const char *by) {
  const Line line = shrinker->lines.at[i];
  if (strlen(by) == length && memcmp(line.at + from, by, length) == 0) return false;
  CharVec instead = {0};
  vec_reserve(shrinker->heap, &instead, line.length + strlen(by) + 1);
  memcpy(instead.at, line.at, from);
  strcpy(instead.at + from, by);
  strncat(instead.at, line.at + from + length, line.length - from - length);
  const bool done = try_lines(shrinker, i, instead.at);
  vec_fini(shrinker->heap, &instead);
  return done;
}

static size_t find_in(Line line, const char *word) {
  const char *at = memmem(line.at, line.length, word, strlen(word));
  return at ? (size_t)(at - line.at) : line.length;
}

/* A constant on the right of `:=`; a simpler test; two statements of one line on lines of their own. */
static bool simplify_line(Shrinker *shrinker, uint32_t i) {
  const Line line = shrinker->lines.at[i];
  const size_t assign = find_in(line, ":= "), open = find_in(line, "("), blank = find_in(line, "; "),
               begin = find_in(line, "begin"), end = find_in(line, " end");
  if (line.at[line.length - 1] == ';' && assign < line.length && end == line.length) {
    const size_t from = assign + 3, length = line.length - 1 - from;
    if (length > 1 && (try_replaced(shrinker, i, from, length, "0") || try_replaced(shrinker, i, from, length, "1")))
      return true;
  }
  if (open < line.length && line.at[line.length - 1] == '{') {
    const size_t from = open + 1, length = line.length - 3 - from; /* ") {" */
    if (try_replaced(shrinker, i, from, length, "true")) return true;
    if (length > 10 && try_replaced(shrinker, i, from, length, "nondet = 1")) return true;
  }
  if (blank < line.length && try_replaced(shrinker, i, blank, 2, ";\n")) return true;
  if (begin < line.length && line.at[line.length - 1] == ';') {
    const size_t after = begin + strcspn(line.at + begin, " \n");
    if (after < line.length && try_replaced(shrinker, i, after, 1, "\n")) return true;
  }
  return end < line.length && end > 0 && try_replaced(shrinker, i, end, 1, "\n");
}

static bool shrink_line(Shrinker *shrinker, uint32_t i) {
  const Line line = shrinker->lines.at[i];
  switch (kind_of(line)) {
  case LINE_OPEN: return shrink_compound(shrinker, i) || simplify_line(shrinker, i);
  case LINE_SEPARATOR: return shrink_thread(shrinker, i);
  case LINE_PLAIN: return try_without(shrinker, i, i + 1) || (line.length && simplify_line(shrinker, i));
  case LINE_MIDDLE:
  case LINE_CLOSE: break;
  }
  return false;
}

void shrink_sml(Heap *heap, CharVec *text, StillFails *still_fails, void *argument) {
  Shrinker shrinker = {.heap = heap, .text = text, .still_fails = still_fails, .argument = argument};
  split_lines(&shrinker);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < shrinker.lines.n;)
      if (shrink_line(&shrinker, i)) again = true; /* line i is another one now */
      else i++;
  }
  vec_fini(heap, &shrinker.next);
  vec_fini(heap, &shrinker.lines);
  vec_fini(heap, &shrinker.dropped);
}
