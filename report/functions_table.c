#include "report/functions_table.h"

#include "report/run_words.h"

#include <string.h>

typedef struct {
  Report *report;
  Arena *arena;
  int name_width, calls_width, verdict_width;
} Table;

const char *functions_table_name(Arena *arena, const TraceNames *names, uint32_t label) {
  const char *name = run_label(arena, names, label);
  return name ? name : "(no name)";
}

void functions_table_list(FunctionsNames *to, const TraceNames *names, uint32_t label) {
  const char *name = label == TRACE_NONE ? "" : trace_name(names, TRACE_LABEL_NAME, label);
  if (!*name || strchr(name, ',')) return;
  name = functions_table_name(to->arena, names, label);
  to->list = to->list ? arena_format(to->arena, "%s,%s", to->list, name) : name;
}

static void widen(int *width, const char *text) {
  if ((int)strlen(text) > *width) *width = (int)strlen(text);
}

static const char *count_of(const Table *t, const FunctionsLine *line) {
  return arena_format(t->arena, "%llu", (unsigned long long)line->calls);
}

static void add_line(const Table *t, const char *name, const char *calls, const char *verdict) {
  report_add_line(t->report, LINE_FULL,
                  arena_format(t->arena, "| %-*s | %*s | %-*s |", t->name_width, name, t->calls_width, calls,
                               t->verdict_width, verdict));
}

static void add_rule(const Table *t) {
  char *dashes = arena_zeroed(t->arena, (size_t)(t->name_width + t->calls_width + t->verdict_width) + 11, 1);
  memset(dashes, '-', (size_t)(t->name_width + t->calls_width + t->verdict_width) + 10);
  dashes[0] = dashes[t->name_width + 3] = dashes[t->name_width + t->calls_width + 6] =
      dashes[t->name_width + t->calls_width + t->verdict_width + 9] = '|';
  report_add_line(t->report, LINE_FULL, dashes);
}

void functions_table_add(Report *report, const FunctionsLine *lines, uint32_t n) {
  Table table = {report, &report->arena, (int)strlen("function"), (int)strlen("calls"), (int)strlen("verdict")};
  for (uint32_t i = 0; i < n; i++) {
    widen(&table.name_width, lines[i].name);
    widen(&table.calls_width, count_of(&table, &lines[i]));
    widen(&table.verdict_width, lines[i].verdict);
  }
  add_line(&table, "function", "calls", "verdict");
  add_rule(&table);
  for (uint32_t i = 0; i < n; i++) add_line(&table, lines[i].name, count_of(&table, &lines[i]), lines[i].verdict);
}
