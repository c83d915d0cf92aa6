/* causalsum: what lines of results from several files come to together, and what is missing. */
#include "report/joining.h"
#include "report/summing.h"
#include "tools/input_list.h"
#include "tools/output.h"
#include "tools/work.h"

#include "base/sort.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  OptionList files;
  const char *list, *output;
  uint32_t format, colour;
  WorkOptions work;
} Arguments;

enum { FORMAT_TEXT, FORMAT_JSONL };

/* A result: of those of one input, or of one share of what is in it, and one question, the one that counts. */
typedef struct {
  const char *text; /* the line */
  size_t length;    /* with its end */
  uint32_t path, question, verdict;
  uint64_t share, shares; /* shares 0: of the whole input */
  ExitCode exit;
  uint64_t time;
  uint32_t place; /* in the list; INTERN_NONE: it is not there; 0: there is no list */
} Entry;

typedef struct {
  Tool *tool;
  const Arguments *arguments;
  LineReader reader;
  VEC(Entry) entries;
  Intern keys; /* of the entries: schema, options, share, path */
  Intern questions, names;
  CharVec key;
  InputList list;       /* of --list */
  uint64_t again, half; /* results that were given again; lines that are none, or not whole */
  uint64_t missing;     /* inputs of the list that have no result; without a list, lines that are half written */
  Summing sum;
  Err *err;
  bool good;
} Adding;

/* ---- reading ---- */

static void add_to_key(Adding *a, const char *text) {
  const size_t length = strlen(text) + 1;
  vec_reserve(a->tool->heap, &a->key, length);
  memcpy(a->key.at + a->key.n, text, length);
  a->key.n += (uint32_t)length;
}

/* What was asked, and of which input. */
static uint32_t key_of(Adding *a, const ResultLine *line, uint32_t *question) {
  char share[50];
  vec_clear(&a->key);
  add_to_key(a, line->schema);
  add_to_key(a, line->file.options);
  *question = intern_add(&a->questions, a->key.at, a->key.n, NULL);
  snprintf(share, sizeof share, "%" PRIu64 "/%" PRIu64, line->file.share, line->file.shares);
  add_to_key(a, share);
  add_to_key(a, line->file.path);
  return intern_add(&a->keys, a->key.at, a->key.n, NULL);
}

/* Which of two results of an input counts: the one of the later state of the file; of one state, the one that knows
 * more, and what is violated is so. */
static int rank_of(ExitCode exit) {
  static const int RANKS[] = {3, 4, 1, 0, 2}; /* ORDER ExitCode */
  return RANKS[exit];
}

static bool is_better(const Entry *a, const Entry *b) {
  return a->time != b->time ? a->time > b->time : rank_of(a->exit) > rank_of(b->exit);
}

static const char *name_at(const Adding *a, uint32_t i) { return a->names.strings.at[i]; }

static void take_again(Adding *a, const Entry *entry, Entry *known) {
  const bool differ = entry->time == known->time && rank_of(entry->exit) >= 3 && rank_of(known->exit) >= 3 &&
                      entry->exit != known->exit;
  a->again++;
  if (differ)
    fprintf(stderr, "causalsum: warning: %s has two results, '%s' and '%s'\n", name_at(a, entry->path),
            name_at(a, known->verdict), name_at(a, entry->verdict));
  if (is_better(entry, known)) *known = *entry;
}

static void take_line(Adding *a, const ResultLine *line, const char *text, size_t length) {
  Heap *heap = a->tool->heap;
  uint32_t question;
  const uint32_t number = key_of(a, line, &question);
  const Entry entry = {.text = text,
                       .length = length,
                       .path = intern_add(&a->names, line->file.path, strlen(line->file.path), NULL),
                       .verdict = intern_add(&a->names, line->verdict, strlen(line->verdict), NULL),
                       .question = question,
                       .share = line->file.share,
                       .shares = line->file.shares,
                       .exit = line->exit,
                       .time = line->file.is_file ? line->file.time : 0};
  if (number == a->entries.n) vec_push(heap, &a->entries, entry);
  else take_again(a, &entry, &a->entries.at[number]);
}

static void say_broken(const char *name, uint64_t number) {
  fprintf(stderr, "causalsum: %s:%" PRIu64 ": warning: this is no result, or not a whole one; it is left out\n", name,
          number);
}

static bool read_file(Adding *a, const char *path) {
  InFile file;
  uint64_t number = 0;
  if (!file_read(a->tool->heap, path, &file, a->err)) return false;
  for (const char *at = file.text, *end = at + file.length; at < end;) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    ResultLine line;
    heap_poll_asked(a->tool->heap);
    number++;
    if (stop && result_line_read(&a->reader, at, (size_t)(stop - at), &line))
      take_line(a, &line, at, (size_t)(stop + 1 - at));
    else {
      say_broken(file.name, number);
      a->half++;
    }
    at = stop ? stop + 1 : end;
  }
  return true; /* the text stays, for the entries are in it */
}

/* ---- the order, and what is missing ---- */

static int compare_entries(uint32_t x, uint32_t y, const void *adding) {
  const Adding *a = adding;
  const Entry *s = &a->entries.at[x], *t = &a->entries.at[y];
  if (s->place != t->place) return s->place < t->place ? -1 : 1;
  const int by_path = strcmp(name_at(a, s->path), name_at(a, t->path));
  if (by_path) return by_path;
  if (s->question != t->question) return s->question < t->question ? -1 : 1;
  if (s->shares != t->shares) return s->shares < t->shares ? -1 : 1;
  return (s->share > t->share) - (s->share < t->share);
}

static uint32_t *in_order(Adding *a) {
  const uint32_t n = a->entries.n;
  uint32_t *order = heap_alloc(a->tool->heap, heap_product(a->tool->heap, (uint64_t)n + 1, sizeof *order));
  for (uint32_t i = 0; i < n; i++) order[i] = i;
  sort_numbers(order, n, compare_entries, a);
  return order;
}

/* Inputs of the list are in its order, others behind them, by their paths. */
static bool place_entries(Adding *a) {
  static const OptionList none = {0};
  uint64_t others = 0;
  if (!a->arguments->list) return true;
  if (!input_list_make(a->tool->heap, &none, a->arguments->list, &a->list, a->err)) return false;
  for (uint32_t i = 0; i < a->entries.n; i++) {
    const char *path = name_at(a, a->entries.at[i].path);
    const uint32_t place = intern_find(&a->list.paths, path, strlen(path));
    others += place == INTERN_NONE;
    a->entries.at[i].place = place;
  }
  if (others)
    fprintf(stderr, "causalsum: warning: %" PRIu64 " result%s of no input in the list\n", others,
            others > 1 ? "s are" : " is");
  return true;
}

static void tell_missing(Adding *a, FILE *out) {
  for (uint32_t i = 0; i < a->list.paths.strings.n; i++) {
    const char *path = a->list.paths.strings.at[i];
    if (intern_find(&a->names, path, a->list.paths.lengths.at[i]) != INTERN_NONE) continue;
    a->missing++;
    if (!a->arguments->work.quiet) summing_write_missing(a->tool->heap, path, out);
  }
}

/* ---- the sum ---- */

static void tell_oddities(const Adding *a) {
  if (a->again)
    fprintf(stderr, "causalsum: warning: %" PRIu64 " result%s given more than once\n", a->again,
            a->again > 1 ? "s are" : " is");
  if (a->questions.strings.n > 1)
    fprintf(stderr, "causalsum: warning: the results answer %" PRIu32 " different questions: tools or options differ\n",
            a->questions.strings.n);
}

static void read_entry(Adding *a, const Entry *entry, ResultLine *line) {
  heap_poll_asked(a->tool->heap);
  if (!result_line_read(&a->reader, entry->text, entry->length - 1, line)) heap_give_up(a->tool->heap);
}

static void put_row(const Adding *a, const ResultLine *line, bool colour, FILE *out) {
  const bool wanted = a->arguments->format == FORMAT_TEXT && !a->arguments->work.quiet;
  if (wanted) summing_write_row(a->tool->heap, line, colour, out);
}

/* Are they of shares of the same input, for the same question? */
static bool are_joined(const Entry *x, const Entry *y) {
  return x->shares && x->shares == y->shares && x->path == y->path && x->question == y->question;
}

/* The results of the shares of one input. How many there are. */
static uint32_t put_shares(Adding *a, const uint32_t *order, uint32_t n, bool colour, FILE *out) {
  const Entry *first = &a->entries.at[order[0]];
  Joining joining;
  ResultLine line;
  uint32_t i = 0;
  joining_init(&joining, a->tool->heap);
  for (; i < n && are_joined(first, &a->entries.at[order[i]]); i++) {
    read_entry(a, &a->entries.at[order[i]], &line);
    summing_add_findings(&a->sum, &a->reader, &line);
    joining_add(&joining, &line);
  }
  line = joining_result(&joining, name_at(a, first->path));
  summing_add_answer(&a->sum, line.verdict, line.exit);
  put_row(a, &line, colour, out);
  joining_fini(&joining);
  return i;
}

static void put_whole(Adding *a, const Entry *entry, bool colour, FILE *out) {
  ResultLine line;
  read_entry(a, entry, &line);
  summing_add(&a->sum, &a->reader, &line);
  put_row(a, &line, colour, out);
}

static void put_entries(Adding *a, const uint32_t *order, bool colour, FILE *out) {
  for (uint32_t i = 0; i < a->entries.n;) {
    const Entry *entry = &a->entries.at[order[i]];
    const uint32_t from = i;
    if (entry->shares) i += put_shares(a, order + i, a->entries.n - i, colour, out);
    else put_whole(a, entry, colour, out), i++;
    for (uint32_t k = from; a->arguments->format == FORMAT_JSONL && k < i; k++)
      fwrite(a->entries.at[order[k]].text, 1, a->entries.at[order[k]].length, out);
  }
}

static bool write_sum(void *argument, FILE *out, Err *err) {
  Adding *a = argument;
  const bool as_text = a->arguments->format == FORMAT_TEXT;
  const InputOptions input = {.colour = a->arguments->colour};
  const bool colour = as_text && input_wants_colour(&input, out);
  const uint32_t *order = in_order(a);
  (void)err;
  if (as_text && !a->arguments->work.quiet) summing_write_head(out);
  put_entries(a, order, colour, out);
  if (a->arguments->list) tell_missing(a, as_text ? out : stderr);
  else a->missing = a->half;
  if (as_text) summing_write(&a->sum, a->sum.n + a->missing, a->arguments->work.quiet, colour, out);
  a->tool->exit_code = (int)summing_exit_code(&a->sum, a->missing > 0);
  return true;
}

static bool add_up(Adding *a) {
  Heap *heap = a->tool->heap;
  const Arguments *arguments = a->arguments;
  if (!line_reader_init(&a->reader, heap, a->err)) return false;
  intern_init(&a->keys, heap);
  intern_init(&a->questions, heap);
  intern_init(&a->names, heap);
  summing_init(&a->sum, heap);
  for (uint32_t i = 0; i < arguments->files.n; i++)
    if (!read_file(a, arguments->files.at[i])) return false;
  if (!place_entries(a)) return false;
  tell_oddities(a);
  return file_write(heap, arguments->output ? arguments->output : "-", write_sum, a, a->err);
}

/* A part of a sum is none. */
static void add_body(void *argument) {
  Adding *a = argument;
  a->good = add_up(a);
}

static void run(Adding *a) {
  const StopReason left = work_within_limits(a->tool, &a->arguments->work, add_body, a);
  if (a->reader.json) line_reader_fini(&a->reader);
  if (left != STOP_NOT) work_give_up(a->tool, left);
  else if (!a->good) tool_complain(a->tool, a->err);
}

/* ---- the command line ---- */

static bool paths_are_good(const Tool *tool, const Arguments *a, Err *err) {
  PathUse *uses = heap_zeroed(tool->heap, heap_product(tool->heap, (uint64_t)a->files.n + 2, sizeof *uses));
  for (uint32_t i = 0; i < a->files.n; i++) uses[i].path = a->files.at[i];
  uses[a->files.n].path = a->list;
  uses[a->files.n + 1] = (PathUse){a->output ? "--output" : "the result", a->output ? a->output : "-"};
  return paths_differ(tool->heap, uses, (size_t)a->files.n + 2, err);
}

static void body(Tool *tool) {
  static const char *const formats[] = {"text", "jsonl", NULL};
  Arguments arguments = {.work = work_defaults()}, *a = &arguments;
  const Option options[] = {
      {"list", 0, OPTIONS_INPUT, OPTION_TEXT, &a->list, "FILE|-", NULL,
       "the inputs that there should be, one on each line: say which have no result"},
      LIMIT_OPTIONS(&a->work),
      {"format", 'f', OPTIONS_OUTPUT, OPTION_CHOICE, &a->format, NULL, formats,
       "format of the result (default text); jsonl: the lines, each once and in order"},
      {"output", 'o', OPTIONS_OUTPUT, OPTION_TEXT, &a->output, "FILE", NULL, "write the result there, not to stdout"},
      {"color", 0, OPTIONS_OUTPUT, OPTION_CHOICE, &a->colour, NULL, INPUT_COLOURS,
       "colour in the result (default auto: on a terminal, unless NO_COLOR is set)"},
      {"quiet", 'q', OPTIONS_OUTPUT, OPTION_FLAG, &a->work.quiet, NULL, NULL, "print only the verdict"},
  };
  const Command command = {
      "causalsum",
      "FILE|-...",
      "Adds up results: lines of JSON that tracecheck, tracepredict, causalcheck and netunfold have "
      "written with --format=jsonl or --resume, perhaps on several machines.",
      "Exit codes: 1 an input is violated, or what was asked for was found, else 4 or 3 one has an "
      "error, else 2 one is\n"
      "unknown or missing, else 0; also 3: a usage or input error.\n"
      "Example: causalsum --list=runs.txt shard-*.jsonl\n",
      options,
      sizeof options / sizeof *options,
      1,
      UINT32_MAX};
  Err err;
  Adding adding = {.tool = tool, .arguments = a, .err = &err};
  if (!tool_options(tool, &command, &arguments.files)) return;
  if (paths_are_good(tool, a, &err)) run(&adding);
  else tool_complain(tool, &err);
}

int main(int argc, char **argv) { return tool_main("causalsum", argc, argv, body, EXIT_UNKNOWN); }
