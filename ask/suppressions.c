#include "ask/suppressions.h"

#include "base/file.h"
#include "base/glob.h"
#include "base/suggest.h"

#include <assert.h>
#include <string.h>

static const char *const KINDS[] = {"function", "place", "object", "commutes"}; /* ORDER SuppressKind */
_Static_assert(sizeof KINDS / sizeof *KINDS == SUPPRESS_KINDS, "ORDER SuppressKind");

const char *suppressions_kind(SuppressKind kind) { return KINDS[kind]; }

/* ---- the file ---- */

/* The line that is read, without blanks around it. */
typedef struct {
  Heap *heap;
  Suppressions *to;
  const char *begin, *at, *end;
  uint32_t line;
  Err *err;
} Parser;

static bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

static uint32_t column_of(const Parser *p, const char *at) { return (uint32_t)(at - p->begin) + 1; }

static bool complain(const Parser *p, const char *at, const char *text, const char *more) {
  return err_set(p->err, ERR_INPUT, "%s:%u:%u: %s%s", p->to->name, p->line, column_of(p, at), text, more);
}

static bool complain_of_kind(const Parser *p, const char *word, size_t length) {
  char wrong[SUGGEST_MOST + 2], text[SUGGEST_MOST + 100];
  snprintf(wrong, sizeof wrong, "%.*s", (int)(length < sizeof wrong ? length : sizeof wrong - 1), word);
  Suggestion meant = suggest_for(wrong);
  for (uint32_t i = 0; i < SUPPRESS_KINDS; i++) suggest_offer(&meant, KINDS[i]);
  snprintf(text, sizeof text, "expected function:, place:, object: or commutes:, not '%s'", wrong);
  return complain(p, word, text, suggest_words(&meant));
}

/* KIND, a colon, and a pattern. */
static bool parse_entry(Parser *p) {
  const char *word = p->at, *colon = memchr(word, ':', (size_t)(p->end - word));
  const char *end = colon ? colon : p->end;
  while (end > word && is_blank(end[-1])) end--;
  Suppression entry = {.line = p->line, .column = column_of(p, word)};
  while (entry.kind < SUPPRESS_KINDS &&
         (strlen(KINDS[entry.kind]) != (size_t)(end - word) || memcmp(KINDS[entry.kind], word, (size_t)(end - word))))
    entry.kind++;
  if (entry.kind == SUPPRESS_KINDS) return complain_of_kind(p, word, (size_t)(end - word));
  if (!colon) return complain(p, end, "expected a colon after ", KINDS[entry.kind]);
  for (p->at = colon + 1; p->at < p->end && is_blank(*p->at);) p->at++;
  if (p->at == p->end) return complain(p, p->end, "expected a pattern after ", KINDS[entry.kind]);
  entry.pattern = arena_format(&p->to->arena, "%.*s", (int)(p->end - p->at), p->at);
  vec_push(p->heap, &p->to->all, entry);
  return true;
}

static bool parse_line(Parser *p, const char *end) {
  const char *nul = memchr(p->begin, '\0', (size_t)(end - p->begin));
  if (nul) return complain(p, nul, "expected text, not a zero byte", "");
  p->at = p->begin;
  p->end = end;
  while (p->at < p->end && is_blank(*p->at)) p->at++;
  while (p->end > p->at && is_blank(p->end[-1])) p->end--;
  return p->at == p->end || *p->at == '#' || parse_entry(p);
}

static bool parse(Parser *p, const InFile *file) {
  const char *end = file->text + file->length;
  for (p->begin = file->text; p->begin < end; p->line++) {
    const char *newline = memchr(p->begin, '\n', (size_t)(end - p->begin));
    if (!parse_line(p, newline ? newline : end)) return false;
    p->begin = newline ? newline + 1 : end;
  }
  return true;
}

bool suppressions_read(Heap *heap, const char *path, Suppressions *suppressions, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return false;
  *suppressions = (Suppressions){.name = file.name};
  arena_init(&suppressions->arena, heap);
  Parser p = {.heap = heap, .to = suppressions, .line = 1, .err = err};
  const bool good = parse(&p, &file);
  file_release(heap, &file);
  if (!good) suppressions_fini(heap, suppressions);
  return good;
}

void suppressions_fini(Heap *heap, Suppressions *suppressions) {
  vec_fini(heap, &suppressions->all);
  arena_fini(&suppressions->arena);
}

/* ---- names ---- */

static bool matches_place(const char *pattern, const char *place) {
  for (const char *end = place + strlen(place);; end--) {
    if ((*end == '\0' || *end == ':') && glob_matches(pattern, place, (size_t)(end - place))) return true;
    if (end == place) return false;
  }
}

bool suppressions_match(const Suppression *entry, const char *name) {
  assert(entry->kind < SUPPRESS_KINDS);
  if (!*name) return false;
  if (entry->kind != SUPPRESS_PLACE) return glob_matches(entry->pattern, name, strlen(name));
  for (const char *slash = name;; name = slash + 1) {
    if (matches_place(entry->pattern, name)) return true;
    slash = strchr(name, '/');
    if (!slash) return false;
  }
}
