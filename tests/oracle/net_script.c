#include "tests/oracle/net_script.h"

#include "base/intern.h"
#include "petri/unit_notes.h"

#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 40, LINE_ROOM = 128 };

typedef VEC(const char *) NameVec;

typedef struct {
  Heap *heap;
  NetBuilder *builder;
  Intern places, units, transitions; /* each numbered as in the net */
  NameVec begins, ends;              /* strings of `transitions` */
} Script;

static uint32_t number(Intern *names, const char *name, bool *is_new) {
  return intern_add(names, name, strlen(name), is_new);
}

static bool add_place(Script *s, const char *name, const char *unit, bool marked) {
  bool is_new;
  number(&s->places, name, &is_new);
  if (!is_new) return false;
  const PlaceId place = net_add_place(s->builder, name, marked);
  if (strcmp(unit, "-") == 0) return true;
  const uint32_t u = number(&s->units, unit, &is_new);
  if (is_new) net_add_unit(s->builder, unit);
  net_set_unit(s->builder, place, u);
  return true;
}

static bool find_place(Script *s, const char *name, PlaceId *place) {
  bool is_new;
  place->v = number(&s->places, name, &is_new);
  return !is_new;
}

static TransId find_transition(Script *s, const char *name) {
  bool is_new;
  const uint32_t t = number(&s->transitions, name, &is_new);
  if (is_new) net_add_trans(s->builder, name);
  return (TransId){t};
}

static bool add_arc(Script *s, const char *from, const char *to) {
  PlaceId place;
  if (*from == 't') {
    if (!find_place(s, to, &place)) return false;
    net_add_output(s->builder, find_transition(s, from), place);
  } else {
    if (!find_place(s, from, &place) || *to != 't') return false;
    net_add_input(s->builder, place, find_transition(s, to));
  }
  return true;
}

static bool add_mark(Script *s, NameVec *marks, const char *name) {
  bool is_new;
  const uint32_t t = number(&s->transitions, name, &is_new);
  vec_push(s->heap, marks, s->transitions.strings.at[t]);
  return !is_new;
}

static bool read_line(Script *s, const char *line) {
  char a[NAME_ROOM], b[NAME_ROOM];
  int end = 0;
  if (*line == '#' || *line == '\0') return true;
  if (sscanf(line, "--begin=%39s%n", a, &end) == 1 && !line[end]) return add_mark(s, &s->begins, a);
  if (sscanf(line, "--end=%39s%n", a, &end) == 1 && !line[end]) return add_mark(s, &s->ends, a);
  if (sscanf(line, "%39s -> %39s%n", a, b, &end) == 2 && !line[end]) return add_arc(s, a, b);
  if (*line != 'p' || sscanf(line, "%39s %39s%n", a, b, &end) != 2) return false;
  return (!line[end] || strcmp(line + end, " *") == 0) && add_place(s, a, b, line[end]);
}

static bool read_lines(Script *s, const char *text, size_t length, Err *err) {
  for (const char *at = text, *end = text + length, *next; at < end; at = next) {
    char line[LINE_ROOM];
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const size_t n = (size_t)((newline ? newline : end) - at);
    next = at + n + 1;
    snprintf(line, sizeof line, "%.*s", (int)n, at);
    if (n >= sizeof line || !read_line(s, line))
      return err_set(err, ERR_INPUT, "the script has an odd line: %.100s", line);
  }
  return true;
}

static Net *finish(Script *s, Err *err) {
  Net *net = net_freeze(s->builder, err);
  if (net && !s->begins.n) err_set(err, ERR_INPUT, "the script marks no block");
  const BlockMarks marks = {s->begins.at, s->begins.n, s->ends.at, s->ends.n};
  if (net && s->begins.n && net_check_presets(net, "script", err) && net_add_unit_notes(net, &marks, err)) return net;
  net_free(net);
  return NULL;
}

Net *net_script(Heap *heap, const char *text, size_t length, Err *err) {
  Script s = {.heap = heap, .builder = net_builder_new(heap)};
  intern_init(&s.places, heap);
  intern_init(&s.units, heap);
  intern_init(&s.transitions, heap);
  Net *net = NULL;
  if (read_lines(&s, text, length, err)) net = finish(&s, err);
  else net_builder_free(s.builder);
  vec_fini(heap, &s.begins);
  vec_fini(heap, &s.ends);
  intern_fini(&s.places);
  intern_fini(&s.units);
  intern_fini(&s.transitions);
  return net;
}
