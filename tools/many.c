#include "tools/many.h"

#include "base/clock.h"
#include "base/machine.h"
#include "report/summing.h"
#include "tools/input_list.h"
#include "tools/resume.h"
#include "tools/workers.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The results that wait until those before them are there are so many for each process, at most. */
enum { WINDOW = 64 };

/* What came of an input, as long as it is not written. */
typedef struct {
  char *line; /* with the end of the line */
  char *said; /* on stderr */
  size_t n_line, n_said;
  bool is_kept; /* the line is that of the file of --resume */
} Result;

/* Number `number`, from 1, of so many shares; of 0: there is one share, which is all. */
typedef struct {
  uint64_t number, of;
} Share;

typedef struct {
  Tool *tool;
  const Many *many;
  Share inside; /* of what is in each input */
  InputList inputs;
  uint32_t n, jobs;
  uint32_t given;      /* to processes; */
  uint32_t written;    /* those before that input; or that were left out because it was to end */
  uint32_t done, kept; /* kept: of these, that were done before */
  Result *results;     /* per input */
  Workers *workers;
  LineReader reader;
  Resume *resume; /* or NULL */
  Summing sum;
  const char *output; /* file of --output, or NULL */
  FILE *out;
  bool as_text, colour, quiet, good, answered;
  bool on_terminal;    /* the result goes to one */
  const char *options; /* of the tool, for each line */
  Progress progress;
  Err *err;
} Driver;

/* ---- one input ---- */

/* Times that are no count of nanoseconds which JSON can hold (before 1970, after 2262) are not known. */
static ReportFile file_of(const char *path, const char *options, Share inside) {
  static const int64_t LATEST = INT64_MAX / 1000000000;
  struct stat info;
  ReportFile file = {.path = path, .options = options, .share = inside.number, .shares = inside.of};
  if (strcmp(path, "-") == 0 || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return file;
  if (info.st_mtim.tv_sec < 0 || info.st_mtim.tv_sec >= LATEST) return file;
  file.is_file = true;
  file.size = (uint64_t)info.st_size;
  file.time = (uint64_t)info.st_mtim.tv_sec * 1000000000 + (uint64_t)info.st_mtim.tv_nsec;
  return file;
}

static void do_one(Tool *tool, const void *argument) {
  const Many *many = argument;
  many->one(tool, many->arguments, many->output->file->path);
}

static void run_one(Tool *tool, const Many *many, const char *path, Share inside) {
  const ReportFile file = file_of(path, tool_options_text(tool->heap, tool), inside);
  many->output->file = &file;
  do_one(tool, many);
}

static ReportFile file_at(const Driver *d, uint32_t i) {
  return file_of(d->inputs.paths.strings.at[i], d->options, d->inside);
}

/* What it has is no result of the input, though it could be taken for one. */
static void end_as_killed(void) {
  signal(SIGTERM, SIG_DFL);
  raise(SIGTERM);
}

static int serve(void *argument, uint32_t i) {
  const Driver *d = argument;
  const ReportFile file = file_at(d, i);
  resume_leave(d->resume);
  d->many->output->file = &file;
  const int code = tool_run_part(d->tool, do_one, d->many, EXIT_UNKNOWN);
  if (work_was_interrupted()) end_as_killed();
  return code;
}

/* ---- what came of it ---- */

/* The line of an input that has not written one. */
static void make_line(Driver *d, const ReportFile *file, int code, const char *why, Result *result) {
  Report report;
  char *text = NULL;
  size_t length = 0;
  Err err;
  FILE *out = open_memstream(&text, &length);
  if (!out) heap_give_up(d->tool->heap);
  report_init(&report, d->tool->heap, d->tool->name, true);
  report.file = file;
  report.schema = d->many->schema;
  report.verdict_name = code == EXIT_UNKNOWN ? "unknown" : "error";
  report.failure = code == EXIT_UNKNOWN ? EXIT_HOLDS : code == EXIT_CHECK ? EXIT_CHECK : EXIT_ERROR;
  report.why = why;
  jsonl_write(&report, (TextStyle){0}, out, &err);
  report_fini(&report);
  result->line = fclose(out) == 0 ? heap_alloc_or_null(d->tool->heap, length + 1) : NULL;
  if (result->line) memcpy(result->line, text, length + 1);
  free(text);
  if (!result->line) heap_give_up(d->tool->heap);
  result->n_line = length;
}

/* "tracecheck: runs/17.bin: No such file" says why. */
static void make_line_of_said(Driver *d, uint32_t i, int code, const char *said, size_t n, Result *result) {
  const char *name = d->tool->name;
  const char *stop = memchr(said, '\n', n);
  char why[1024];
  size_t length = stop ? (size_t)(stop - said) : n, head = strlen(name) + 2;
  if (length > head && strncmp(said, name, head - 2) == 0) said += head, length -= head;
  snprintf(why, sizeof why, "%.*s", length < sizeof why ? (int)length : (int)sizeof why - 1, said);
  const ReportFile file = file_at(d, i);
  make_line(d, &file, code, why[0] ? why : NULL, result);
}

/* The signals that others send: they say nothing about the input. */
static bool is_sent(int signal_number) {
  return signal_number == SIGKILL || signal_number == SIGTERM || signal_number == SIGINT || signal_number == SIGHUP;
}

/* After a crash the next one would crash, too. But what was killed is to be tried again: a line without the state of
 * the file is that of no file, for --resume. */
static void make_line_of_death(Driver *d, const PieceResult *it, Result *result) {
  char why[200], said[400];
  if (it->killed)
    snprintf(why, sizeof why, "the process was killed by signal %d (%s)", it->killed, strsignal(it->killed));
  else snprintf(why, sizeof why, "the process ended with exit code %d", it->code);
  ReportFile file = file_at(d, it->piece);
  if (is_sent(it->killed)) file.is_file = false;
  make_line(d, &file, EXIT_UNKNOWN, why, result);
  snprintf(said, sizeof said, ": %s\n", why);
  const char *path = d->inputs.paths.strings.at[it->piece];
  const size_t size = strlen(d->tool->name) + strlen(path) + strlen(said) + 3;
  result->said = heap_alloc(d->tool->heap, size);
  result->n_said = (size_t)snprintf(result->said, size, "%s: %s%s", d->tool->name, path, said);
}

static char *copy(Heap *heap, const char *text, size_t n) {
  char *to = heap_alloc(heap, n + 1);
  memcpy(to, text, n);
  to[n] = '\0';
  return to;
}

static void forget(Driver *d, Result *result) {
  if (!result->is_kept) heap_release(d->tool->heap, result->line);
  heap_release(d->tool->heap, result->said);
  *result = (Result){0};
}

/* ---- written in order ---- */

static void put_line(Driver *d, const Result *result) {
  ResultLine line;
  if (!d->as_text) fwrite(result->line, 1, result->n_line, d->out);
  if (!result_line_read(&d->reader, result->line, result->n_line - 1, &line)) heap_give_up(d->tool->heap);
  summing_add(&d->sum, &d->reader, &line);
  if (d->as_text && !d->quiet) summing_write_row(d->tool->heap, &line, d->colour, d->out);
}

static void put_result(Driver *d, Result *result) {
  if (result->n_said || d->on_terminal) work_progress_clear(&d->progress);
  if (result->n_said) {
    fflush(d->out);
    fwrite(result->said, 1, result->n_said, stderr);
  }
  put_line(d, result);
  forget(d, result);
}

static void put_ready(Driver *d) {
  while (d->written < d->n && d->results[d->written].line) put_result(d, &d->results[d->written++]);
}

/* All that is there, though some before it is not. */
static void put_rest(void *argument) {
  Driver *d = argument;
  for (; d->written < d->n; d->written++)
    if (d->results[d->written].line) put_result(d, &d->results[d->written]);
}

/* Is it one line, whole, and does it say what the exit code says? If it could not be written, it is not. */
static bool is_whole(Driver *d, const PieceResult *it) {
  ResultLine line;
  return it->n_out && memchr(it->out, '\n', it->n_out) == it->out + it->n_out - 1 &&
         result_line_read(&d->reader, it->out, it->n_out - 1, &line) && (int)line.exit == it->code;
}

static void take(void *argument, const PieceResult *it) {
  Driver *d = argument;
  Heap *heap = d->tool->heap;
  Result result = {0};
  if (it->is_broken) make_line_of_death(d, it, &result);
  else {
    if (is_whole(d, it)) result.line = copy(heap, it->out, result.n_line = it->n_out);
    else make_line_of_said(d, it->piece, it->code, it->said, it->n_said, &result);
    result.said = copy(heap, it->said, result.n_said = it->n_said);
  }
  d->results[it->piece] = result;
  d->done++;
  if (d->resume && d->good) d->good = resume_append(d->resume, result.line, result.n_line, d->err);
}

/* ---- progress ---- */

static void show_progress(Driver *d) {
  Progress *p = &d->progress;
  const double time = clock_seconds();
  char left[60] = "";
  if (!p->enabled || time < p->next) return;
  const double rate = (d->done - d->kept) / (time - p->start + 1e-9);
  if (d->done > d->kept) snprintf(left, sizeof left, ", %.0f s left", (d->n - d->done) / rate);
  fprintf(stderr, "\r\033[K%.0f s: %" PRIu32 " of %" PRIu32 " inputs, %.*f inputs/s%s", time - p->start, d->done, d->n,
          rate < 10 ? 1 : 0, rate, left);
  p->next = time + 0.1;
  p->shown = true;
}

/* ---- all of them ---- */

/* The next that is to be given; n: none is. */
static uint32_t next_piece(Driver *d) {
  if (d->given < d->written) d->given = d->written;
  while (d->given < d->n && d->results[d->given].is_kept) d->given++;
  return d->given;
}

static bool give_some(Driver *d) {
  while (next_piece(d) < d->n && d->given - d->written < WINDOW * d->jobs && workers_have_room(d->workers))
    if (!workers_give(d->workers, d->given++, d->err)) return false;
  return true;
}

static void work(void *argument) {
  Driver *d = argument;
  Heap *heap = d->tool->heap;
  d->workers = workers_new(heap, d->jobs, serve, take, d);
  put_ready(d);
  while (d->written < d->n && heap_asked(heap) == STOP_NOT && d->good && !ferror(d->out)) {
    d->good = give_some(d) && workers_wait(d->workers, 100, d->err) && d->good;
    show_progress(d);
    put_ready(d);
  }
}

/* What has come, though it is to end. */
static void take_rest(void *argument) {
  Driver *d = argument;
  if (d->workers && d->good) workers_wait(d->workers, 0, d->err);
}

/* Ends early where it is asked to, and tells what there is. */
static void work_through(Driver *d) {
  Heap *heap = d->tool->heap;
  char why[100];
  work_progress_init(&d->progress, d->many->work);
  StopReason left = work_within_limits(d->tool, &(WorkOptions){0}, work, d);
  work_progress_clear(&d->progress);
  if (left == STOP_NOT) heap_try(heap, take_rest, d);
  workers_free(d->workers);
  if (left == STOP_NOT) left = heap_asked(heap);
  if (!heap_try(heap, put_rest, d) && left == STOP_NOT) left = heap_why(heap);
  if (left == STOP_NOT) return;
  heap_explain(heap, left, why, sizeof why);
  fprintf(stderr, "%s: %s: %" PRIu64 " of %" PRIu32 " inputs are done\n", d->tool->name, why, d->sum.n, d->n);
}

/* Where no process can be started, what is done is told, too. */
static bool write_all(void *argument, FILE *out, Err *err) {
  Driver *d = argument;
  (void)err;
  d->out = out;
  d->on_terminal = work_is_terminal(fileno(out));
  d->colour = d->as_text && input_wants_colour(d->many->input, out);
  if (d->as_text && !d->quiet) summing_write_head(out);
  work_through(d);
  if (d->as_text) summing_write(&d->sum, d->n, d->quiet, d->colour, out);
  if (d->good) d->tool->exit_code = (int)summing_exit_code(&d->sum, d->sum.n < d->n);
  else tool_complain(d->tool, d->err);
  return true;
}

/* Finds what was done before. */
static bool resume(Driver *d, const char *path) {
  if (!path) return true;
  d->resume = resume_open(d->tool, path, d->many->schema, d->options, &d->reader, d->err);
  for (uint32_t i = 0; d->resume && i < d->n; i++) {
    const ReportFile file = file_at(d, i);
    size_t length;
    const char *line = resume_find(d->resume, &file, &length);
    if (line) d->results[i] = (Result){.line = (char *)(uintptr_t)line, .n_line = length, .is_kept = true};
    d->kept += line != NULL;
  }
  d->done = d->kept;
  return d->resume;
}

static void answer(void *driver) {
  Driver *d = driver;
  Heap *heap = d->tool->heap;
  summing_init(&d->sum, heap);
  d->results = heap_zeroed(heap, heap_product(heap, d->n, sizeof *d->results));
  d->answered =
      resume(d, d->many->options->resume) && file_write(heap, d->output ? d->output : "-", write_all, d, d->err);
  resume_close(d->resume);
}

/* What is read of a line is not all the heap's. */
static bool answer_and_release(Driver *d) {
  Heap *heap = d->tool->heap;
  if (!line_reader_init(&d->reader, heap, d->err)) return false;
  const bool done = heap_try(heap, answer, d);
  line_reader_fini(&d->reader);
  if (!done) heap_pass_on(heap);
  return d->answered;
}

/* ---- the command line ---- */

static bool is_text(const OutputOptions *output) { return output->format == writers_number("text"); }

static bool has_use(const Tool *tool, const Many *many, Err *err) {
  static const char *const of_one[] = {"dot",        "svg",         "html",  "stats",   "verbose",         "mci",
                                       "json",       "certificate", "merge", "convert", "export-coloured", "plain",
                                       "checkpoint", NULL};
  const ToolMode modes[] = {{true, "with many inputs", of_one}};
  const ToolRule rules[] = {{!is_text(many->output) && many->output->format != writers_number("jsonl"),
                             "with many inputs --format is text or jsonl"}};
  return tool_has_use(tool, modes, sizeof modes / sizeof *modes, err) &&
         tool_obeys(rules, sizeof rules / sizeof *rules, err);
}

static bool is_same_file(const struct stat *a, const char *path) {
  struct stat b;
  return stat(path, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* A file that is written must be none of the inputs. */
static bool is_no_input(const Driver *d, const char *what, const char *path) {
  struct stat info;
  if (!path || strcmp(path, "-") == 0 || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return true;
  for (uint32_t i = 0; i < d->n; i++)
    if (is_same_file(&info, d->inputs.paths.strings.at[i]))
      return err_set(d->err, ERR_INPUT, "%s would overwrite the input, '%.300s'", what, path);
  return true;
}

static bool paths_are_good(const Tool *tool, const Many *many, Err *err) {
  const PathUse uses[] = {{NULL, many->options->list},
                          {"--resume", many->options->resume},
                          {many->output->output ? "--output" : "the result", many->output->output}};
  if (many->options->resume && strcmp(many->options->resume, "-") == 0)
    return err_set(err, ERR_INPUT, "--resume expects a file, not stdout");
  return paths_differ(tool->heap, uses, sizeof uses / sizeof *uses, err);
}

static bool parse_number(const char **text, uint64_t *number) {
  char *end;
  if (**text < '1' || **text > '9') return false;
  errno = 0;
  *number = strtoull(*text, &end, 10);
  *text = end;
  return errno == 0 && *number <= INT64_MAX; /* as JSON has it */
}

static bool parse_shard(const char *text, Share *share, Err *err) {
  const char *at = text;
  if (!text) return true;
  if (parse_number(&at, &share->number) && *at++ == '/' && parse_number(&at, &share->of) && !*at &&
      share->number <= share->of)
    return true;
  return err_set(err, ERR_INPUT, "--shard expects a number and how many there are, such as 3/8, not '%.100s'", text);
}

static bool make_list(Driver *d, const OptionList *operands, Share of_inputs) {
  if (!input_list_make(d->tool->heap, operands, d->many->options->list, &d->inputs, d->err)) return false;
  if (of_inputs.of > 1) input_list_share(d->tool->heap, &d->inputs, of_inputs.number, of_inputs.of);
  return true;
}

/* So many processes, and for each of them its share of the memory, unless it was said how much. */
static void share_machine(Driver *d) {
  const uint64_t wanted = d->many->options->jobs ? d->many->options->jobs : machine_processors();
  const uint64_t most = wanted < MANY_MOST_JOBS ? wanted : MANY_MOST_JOBS;
  d->jobs = (uint32_t)(most < d->n ? most : d->n ? d->n : 1);
  if (!tool_was_given(d->tool, "max-memory")) d->many->work->max_memory = tool_default_memory() / d->jobs;
}

static bool run_many(Tool *tool, const Many *many, const OptionList *operands, Share of_inputs, Share inside,
                     Err *err) {
  Driver d = {.tool = tool, .many = many, .inside = inside, .err = err, .good = true};
  const char *output = many->output->output;
  if (!has_use(tool, many, err) || !paths_are_good(tool, many, err) || !make_list(&d, operands, of_inputs))
    return false;
  if (d.inputs.twice)
    fprintf(stderr, "%s: warning: %" PRIu32 " input%s given again, and checked once\n", tool->name, d.inputs.twice,
            d.inputs.twice > 1 ? "s are" : " is");
  d.n = d.inputs.paths.strings.n;
  if (!is_no_input(&d, "--output", output) || !is_no_input(&d, "--resume", many->options->resume)) return false;
  d.as_text = is_text(many->output);
  d.quiet = many->work->quiet;
  d.options = tool_options_text(tool->heap, tool);
  many->output->format = writers_number("jsonl");
  many->output->output = NULL;
  share_machine(&d);
  d.output = output;
  return answer_and_release(&d);
}

/* One file, or stdin; where there is one, its parts may be what is shared. */
static bool is_one(const Many *many, const OptionList *operands) {
  return !many->options->list && operands->n < 2 && !(operands->n && input_list_is_directory(operands->at[0]));
}

bool many_are_asked_for(const Many *many, const OptionList *operands) {
  const ManyOptions *options = many->options;
  return options->resume || !is_one(many, operands) || (options->shard && !many->has_parts);
}

void many_run(Tool *tool, const Many *many, const OptionList *operands) {
  static const Share all = {0};
  const bool of_parts = many->has_parts && is_one(many, operands);
  Share share = {0};
  Err err;
  bool good = parse_shard(many->options->shard, &share, &err);
  if (good && !many_are_asked_for(many, operands)) run_one(tool, many, operands->n ? operands->at[0] : "-", share);
  else good = good && run_many(tool, many, operands, of_parts ? all : share, of_parts ? share : all, &err);
  if (!good) tool_complain(tool, &err);
}
