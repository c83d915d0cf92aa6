#include "base/diag.h"

#include "base/excerpt.h"
#include "base/suggest.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void diag_init(Diag *diag, Heap *heap, const char *file, const char *text, size_t length) {
  *diag = (Diag){.file = file, .text = text, .length = length};
  arena_init(&diag->arena, heap);
}

void diag_fini(Diag *diag) {
  Heap *heap = diag->arena.heap;
  vec_fini(heap, &diag->items);
  vec_fini(heap, &diag->line_starts);
  arena_fini(&diag->arena);
}

static void find_lines(Diag *diag) {
  Heap *heap = diag->arena.heap;
  vec_push(heap, &diag->line_starts, 0);
  for (const char *at = diag->text, *end = at + diag->length; at < end; at++) {
    at = memchr(at, '\n', (size_t)(end - at));
    if (!at) break;
    vec_push(heap, &diag->line_starts, (uint32_t)(at - diag->text) + 1);
  }
}

void diag_locate(Diag *diag, size_t offset, uint32_t *line, uint32_t *column) {
  assert(offset <= diag->length);
  if (!diag->line_starts.n) find_lines(diag);
  uint32_t from = 0, to = diag->line_starts.n; /* the line is in from .. to - 1 */
  while (to - from > 1) {
    const uint32_t middle = from + (to - from) / 2;
    if (diag->line_starts.at[middle] <= offset) from = middle;
    else to = middle;
  }
  *line = from + 1;
  *column = (uint32_t)(offset - diag->line_starts.at[from]) + 1;
}

static bool silenced(const Diag *diag, const char *option) {
  for (uint32_t i = 0; option && i < diag->n_silenced; i++)
    if (!strcmp(diag->silenced[i], option)) return true;
  return false;
}

static bool drop(Diag *diag, Level level, const char *option) {
  if (level == LEVEL_WARNING) diag->dropped = silenced(diag, option);
  if (level == LEVEL_ERROR) diag->dropped = diag_full(diag);
  return diag->dropped;
}

static const char *format_message(Arena *arena, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  const size_t size = length < 0 ? 1 : (size_t)length + 1;
  char *text = arena_zeroed(arena, size, 1);
  vsnprintf(text, size, format, arguments);
  return text;
}

void diag_add(Diag *diag, Level level, const char *option, size_t offset, size_t length, const char *format, ...) {
  if (drop(diag, level, option)) return;
  DiagItem item = {.level = level, .option = option, .length = length ? (uint32_t)length : 1};
  if (offset != DIAG_NOWHERE) diag_locate(diag, offset, &item.line, &item.column);
  va_list arguments;
  va_start(arguments, format);
  item.message = format_message(&diag->arena, format, arguments);
  va_end(arguments);
  vec_push(diag->arena.heap, &diag->items, item);
  diag->n_errors += level == LEVEL_ERROR;
  diag->n_warnings += level == LEVEL_WARNING;
}

bool diag_full(const Diag *diag) { return diag->max_errors && diag->n_errors >= diag->max_errors; }

/* Switches the warnings that `name` means on or off; false if there is none of that name. */
static bool set_switch(const char *const *names, bool *off, const char *name, bool to_off) {
  bool found = false;
  for (uint32_t i = 0; names[i]; i++)
    if (!strcmp(name, names[i]) || !strcmp(name, "all")) {
      off[i] = to_off;
      found = true;
    }
  return found;
}

static bool unknown_switch(const char *const *names, const char *text, const char *name, Err *err) {
  Suggestion meant = suggest_for(name);
  for (uint32_t i = 0; names[i]; i++) suggest_offer(&meant, names[i]);
  suggest_offer(&meant, "all");
  return err_set(err, ERR_INPUT, "-W %.100s: no such warning%s", text, suggest_words(&meant));
}

bool diag_switch(Diag *diag, const char *const *names, const char *const *switches, uint32_t n_switches, Err *err) {
  uint32_t n = 0;
  while (names[n]) n++;
  bool *off = arena_zeroed(&diag->arena, n, sizeof *off);
  for (uint32_t i = 0; i < n_switches; i++) {
    const bool to_off = !strncmp(switches[i], "no-", 3);
    const char *name = switches[i] + (to_off ? 3 : 0);
    if (!set_switch(names, off, name, to_off)) return unknown_switch(names, switches[i], name, err);
  }
  const char **list = arena_alloc(&diag->arena, n * sizeof *list);
  diag->n_silenced = 0;
  for (uint32_t i = 0; i < n; i++)
    if (off[i]) list[diag->n_silenced++] = names[i];
  diag->silenced = list;
  return true;
}

/* ---- printing ---- */

static void print_source(const Diag *diag, const DiagItem *item, FILE *out, bool colour) {
  const size_t start = diag->line_starts.at[item->line - 1];
  const char *line = diag->text + start;
  size_t length = (item->line < diag->line_starts.n ? diag->line_starts.at[item->line] - 1 : diag->length) - start;
  if (length && line[length - 1] == '\r') length--;
  excerpt_print(line, length, item->column, item->length, colour, out);
}

static void print_item(const Diag *diag, const DiagItem *item, FILE *out, bool colour) {
  style_begin(STYLE_PLACE, colour, out);
  excerpt_print_safe(diag->file, strlen(diag->file), out);
  if (item->line) fprintf(out, ":%u:%u", item->line, item->column);
  fputs(": ", out);
  style_begin(style_of_level(item->level), colour, out);
  fprintf(out, "%s:", style_level_name(item->level));
  style_end(colour, out);
  fputc(' ', out);
  excerpt_print_safe(item->message, strlen(item->message), out);
  if (item->option) fprintf(out, " [-W%s]", item->option);
  fputc('\n', out);
  if (item->line) print_source(diag, item, out, colour);
}

/* The place at which an item is reported: that of the item which it belongs to. */
typedef struct {
  uint32_t line, column, index;
} ItemKey;

static int compare_keys(const void *left, const void *right) {
  const ItemKey *a = left, *b = right;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

void diag_print(const Diag *diag, FILE *out, bool colour) {
  if (!diag->items.n) return;
  Heap *heap = diag->arena.heap;
  ItemKey *keys = heap_alloc(heap, diag->items.n * sizeof *keys);
  for (uint32_t i = 0, head = 0; i < diag->items.n; i++) {
    if (diag->items.at[i].level != LEVEL_NOTE) head = i;
    keys[i] = (ItemKey){diag->items.at[head].line, diag->items.at[head].column, i};
  }
  qsort(keys, diag->items.n, sizeof *keys, compare_keys);
  for (uint32_t i = 0; i < diag->items.n; i++) print_item(diag, &diag->items.at[keys[i].index], out, colour);
  heap_release(heap, keys);
  if (diag_full(diag)) fprintf(out, "%u errors; further ones are not shown\n", diag->n_errors);
}
