#include "report/summing.h"

#include "base/sort.h"
#include "base/text.h"
#include "report/place.h"

#include <inttypes.h>
#include <string.h>

void summing_init(Summing *sum, Heap *heap) {
  *sum = (Summing){.heap = heap};
  intern_init(&sum->names, heap);
  intern_init(&sum->keys, heap);
}

void summing_fini(Summing *sum) {
  vec_fini(sum->heap, &sum->verdicts);
  vec_fini(sum->heap, &sum->groups);
  vec_fini(sum->heap, &sum->key);
  intern_fini(&sum->keys);
  intern_fini(&sum->names);
}

static uint32_t name_of(Summing *sum, const char *text) {
  return text ? intern_add(&sum->names, text, strlen(text), NULL) : INTERN_NONE;
}

/* ---- counts ---- */

void summing_add_answer(Summing *sum, const char *verdict, ExitCode exit) {
  const uint32_t name = name_of(sum, verdict);
  for (uint32_t i = 0; i < sum->verdicts.n; i++) {
    VerdictCount *it = &sum->verdicts.at[i];
    if (it->name != name || it->exit != exit) continue;
    it->n++;
    sum->n++;
    return;
  }
  vec_push(sum->heap, &sum->verdicts, ((VerdictCount){name, exit, 1}));
  sum->n++;
}

/* The worst comes first. */
static const ExitCode ORDER[] = {EXIT_VIOLATED, EXIT_CHECK, EXIT_ERROR, EXIT_UNKNOWN, EXIT_HOLDS};
enum { N_ORDER = sizeof ORDER / sizeof *ORDER };

ExitCode summing_worse(ExitCode a, ExitCode b) {
  for (int i = 0; i < N_ORDER; i++)
    if (a == ORDER[i] || b == ORDER[i]) return ORDER[i];
  return EXIT_UNKNOWN;
}

static uint64_t count_exit(const Summing *sum, ExitCode exit) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < sum->verdicts.n; i++)
    if (sum->verdicts.at[i].exit == exit) n += sum->verdicts.at[i].n;
  return n;
}

ExitCode summing_exit_code(const Summing *sum, bool missing) {
  for (int i = 0; i < N_ORDER; i++) {
    if (count_exit(sum, ORDER[i])) return ORDER[i];
    if (ORDER[i] == EXIT_UNKNOWN && (missing || !sum->n)) return EXIT_UNKNOWN;
  }
  return EXIT_UNKNOWN;
}

/* ---- groups ---- */

static void add_to_key(Summing *sum, const void *bytes, size_t length) {
  vec_reserve(sum->heap, &sum->key, length);
  memcpy(sum->key.at + sum->key.n, bytes, length);
  sum->key.n += (uint32_t)length;
}

/* Numbers stand for the names; a place has a file or a line. */
static void make_key(Summing *sum, const FindingGroup *group) {
  const bool placed = group->file != INTERN_NONE || group->line;
  const uint32_t parts[] = {group->rule, group->file, group->line, group->column,
                            placed ? INTERN_NONE : group->message};
  vec_clear(&sum->key);
  add_to_key(sum, parts, sizeof parts);
}

static void add_finding(Summing *sum, const LineFinding *finding, uint32_t path) {
  const FindingGroup group = {.rule = name_of(sum, finding->rule),
                              .level = name_of(sum, finding->level),
                              .message = name_of(sum, finding->message),
                              .file = name_of(sum, finding->file),
                              .function = name_of(sum, finding->function),
                              .example = path,
                              .line = finding->line,
                              .column = finding->column};
  bool is_new;
  make_key(sum, &group);
  vec_reserve(sum->heap, &sum->groups, 1); /* so that each key has its group, even if memory runs out */
  const uint32_t number = intern_add(&sum->keys, sum->key.at, sum->key.n, &is_new);
  if (is_new) vec_push(sum->heap, &sum->groups, group);
  FindingGroup *it = &sum->groups.at[number];
  it->inputs += it->last != sum->n + 1;
  it->last = sum->n + 1;
}

void summing_add_findings(Summing *sum, const LineReader *reader, const ResultLine *line) {
  uint32_t path = INTERN_NONE;
  for (uint32_t i = 0; i < line->n_findings; i++) {
    const LineFinding finding = result_line_finding(reader, line, i);
    if (finding.passed) continue;
    if (path == INTERN_NONE) path = name_of(sum, line->file.path);
    add_finding(sum, &finding, path);
  }
}

void summing_add(Summing *sum, const LineReader *reader, const ResultLine *line) {
  summing_add_findings(sum, reader, line);
  summing_add_answer(sum, line->verdict, line->exit);
}

/* ---- as text ---- */

enum { VERDICT_WIDTH = 12 };

void summing_write_head(FILE *out) { fprintf(out, "%-*s  findings       events  input\n", VERDICT_WIDTH, "verdict"); }

static Style style_of(ExitCode exit) {
  if (exit == EXIT_HOLDS) return STYLE_HOLDS;
  return exit == EXIT_UNKNOWN ? STYLE_UNKNOWN : STYLE_VIOLATED;
}

void summing_write_row(Heap *heap, const ResultLine *line, bool colour, FILE *out) {
  Arena arena;
  arena_init(&arena, heap);
  const char *verdict = text_clean(&arena, line->verdict);
  const uint32_t length = text_length(verdict);
  style_put(style_of(line->exit), verdict, colour, out);
  fprintf(out, "%*s  %8" PRIu32, length < VERDICT_WIDTH ? (int)(VERDICT_WIDTH - length) : 0, "", line->n_wrong);
  if (line->has_events) fprintf(out, " %12" PRIu64, line->events);
  else fprintf(out, " %12s", "-");
  const char *path = text_clean(&arena, line->file.path), *why = line->why ? text_clean(&arena, line->why) : "";
  const bool says_path = strncmp(why, path, strlen(path)) == 0; /* as errors do */
  if (!says_path) fprintf(out, "  %s", path);
  fprintf(out, "%s%s\n", !*why ? "" : says_path ? "  " : ": ", why);
  arena_fini(&arena);
}

void summing_write_missing(Heap *heap, const char *path, FILE *out) {
  Arena arena;
  arena_init(&arena, heap);
  fprintf(out, "%-*s  %8s %12s  %s\n", VERDICT_WIDTH, "missing", "-", "-", text_clean(&arena, path));
  arena_fini(&arena);
}

static const char *text_of(const Summing *sum, uint32_t name) {
  return name == INTERN_NONE ? NULL : sum->names.strings.at[name];
}

static int compare_texts(const Summing *sum, uint32_t a, uint32_t b) {
  const char *x = text_of(sum, a), *y = text_of(sum, b);
  return strcmp(x ? x : "", y ? y : "");
}

/* Most inputs first, then by place, so that the order of the inputs does not matter. */
static int compare_groups(uint32_t a, uint32_t b, const void *sum_) {
  const Summing *sum = sum_;
  const FindingGroup *x = &sum->groups.at[a], *y = &sum->groups.at[b];
  if (x->inputs != y->inputs) return x->inputs > y->inputs ? -1 : 1;
  const int by_file = compare_texts(sum, x->file, y->file);
  if (by_file) return by_file;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  if (x->column != y->column) return x->column < y->column ? -1 : 1;
  const int by_rule = compare_texts(sum, x->rule, y->rule);
  return by_rule ? by_rule : compare_texts(sum, x->message, y->message);
}

static const char *clean(const Summing *sum, Arena *arena, uint32_t name) {
  const char *text = text_of(sum, name);
  return text ? text_clean(arena, text) : NULL;
}

static Style style_of_name(const char *level) {
  for (Level i = 0; i < LEVELS; i++)
    if (strcmp(style_level_name(i), level) == 0) return style_of_level(i);
  return STYLE_NOTE;
}

static void write_group(const Summing *sum, const FindingGroup *group, bool colour, FILE *out) {
  Arena arena;
  arena_init(&arena, sum->heap);
  const Place place = {.file = clean(sum, &arena, group->file), .line = group->line, .column = group->column};
  const char *head = place_head(&arena, &place), *level = clean(sum, &arena, group->level);
  if (head[0]) style_put(STYLE_PLACE, arena_format(&arena, "%s: ", head), colour, out);
  style_put(style_of_name(level), level, colour, out);
  fprintf(out, ": %s (in %" PRIu64 " input%s, for example %s)\n", clean(sum, &arena, group->message), group->inputs,
          group->inputs == 1 ? "" : "s", clean(sum, &arena, group->example));
  arena_fini(&arena);
}

static void write_groups(const Summing *sum, bool colour, FILE *out) {
  uint32_t *order = heap_alloc(sum->heap, heap_product(sum->heap, (uint64_t)sum->groups.n + 1, sizeof *order));
  for (uint32_t i = 0; i < sum->groups.n; i++) order[i] = i;
  sort_numbers(order, sum->groups.n, compare_groups, sum);
  for (uint32_t i = 0; i < sum->groups.n; i++) write_group(sum, &sum->groups.at[order[i]], colour, out);
  heap_release(sum->heap, order);
}

/* The worst first; within one exit code the names in their order. */
static int compare_counts(uint32_t a, uint32_t b, const void *sum_) {
  const Summing *sum = sum_;
  const VerdictCount *x = &sum->verdicts.at[a], *y = &sum->verdicts.at[b];
  for (int i = 0; i < N_ORDER; i++)
    if ((x->exit == ORDER[i]) != (y->exit == ORDER[i])) return x->exit == ORDER[i] ? -1 : 1;
  return compare_texts(sum, x->name, y->name);
}

static void write_counts(const Summing *sum, uint64_t of, const uint32_t *order, FILE *out) {
  Arena arena;
  arena_init(&arena, sum->heap);
  fprintf(out, "%" PRIu64, sum->n);
  if (of != sum->n) fprintf(out, " of %" PRIu64, of);
  fprintf(out, " input%s", of == 1 ? "" : "s");
  for (uint32_t i = 0; i < sum->verdicts.n; i++) {
    const VerdictCount *it = &sum->verdicts.at[order[i]];
    const char *name = clean(sum, &arena, it->name);
    const bool is_noun = it->n > 1 && strcmp(name, "error") == 0;
    fprintf(out, "%s %" PRIu64 " %s%s", i ? "," : ":", it->n, name, is_noun ? "s" : "");
  }
  fputc('\n', out);
  arena_fini(&arena);
}

/* By the name that the inputs have that decide it. */
static void write_verdict(const Summing *sum, bool missing, const uint32_t *order, bool colour, FILE *out) {
  Arena arena;
  const char *name = "unknown";
  const ExitCode exit = summing_exit_code(sum, missing);
  arena_init(&arena, sum->heap);
  for (uint32_t i = 0; i < sum->verdicts.n; i++)
    if (sum->verdicts.at[order[i]].exit == exit) {
      name = clean(sum, &arena, sum->verdicts.at[order[i]].name);
      break;
    }
  fputs("verdict: ", out);
  style_put(style_of(exit), name, colour, out);
  fputc('\n', out);
  arena_fini(&arena);
}

void summing_write(const Summing *sum, uint64_t of, bool quiet, bool colour, FILE *out) {
  uint32_t *order = heap_alloc(sum->heap, heap_product(sum->heap, (uint64_t)sum->verdicts.n + 1, sizeof *order));
  for (uint32_t i = 0; i < sum->verdicts.n; i++) order[i] = i;
  sort_numbers(order, sum->verdicts.n, compare_counts, sum);
  if (!quiet) {
    write_counts(sum, of, order, out);
    write_groups(sum, colour, out);
  }
  write_verdict(sum, of > sum->n, order, colour, out);
  heap_release(sum->heap, order);
}
