/* tracerec.c: compiles programs for recording, records their runs, and makes logs of raw logs that were left behind. */
#include "base/clock.h"
#include "base/compile_words.h"
#include "base/file.h"
#include "base/statistics.h"
#include "tools/paths.h"
#include "tools/tool.h"
#include "tools/tracerec/choosing.h"
#include "tools/tracerec/compiler.h"
#include "tools/tracerec/confirming.h"
#include "tools/tracerec/distilling.h"
#include "tools/tracerec/recording.h"
#include "tools/tracerec/steps.h"
#include "tools/tracerec/stressing.h"
#include "tools/tracerec/watching.h"
#include "tools/work.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const orders[] = {"exact", "sync", NULL};

typedef struct {
  OptionList atomic, except;
  Choosing choosing;
  const char *out, *follow;
  uint64_t plan;    /* of the step file */
  uint64_t max_log; /* bytes; 0: as long as it is */
  uint32_t order;
  bool keep_local, keep_raw, stats;
  bool monitor, stop, gdb, no_log;
} Arguments;

/* --- run --- */

/* The elements with commas between. False: too long. */
static bool put_list(const OptionList *list, char *text, size_t size) {
  size_t used = 0;
  for (uint32_t i = 0; i < list->n; i++) {
    const int n = snprintf(text + used, size - used, "%s%s", i ? "," : "", list->at[i]);
    if (n < 0 || (size_t)n >= size - used) return false;
    used += (size_t)n;
  }
  return true;
}

static bool fill_header(const Arguments *a, RawHeader *header, Err *err) {
  header->magic = RAW_MAGIC;
  header->chunks = RAW_FIRST;
  header->exact = a->order == 0;
  header->keep_local = a->keep_local;
  header->functions = a->atomic.n > 0;
  if (a->keep_local) memset(header->shared, 0xff, sizeof header->shared);
  if (put_list(&a->atomic, header->atomic, sizeof header->atomic) &&
      put_list(&a->except, header->except, sizeof header->except))
    return true;
  return err_set(err, ERR_INPUT, "the lists of --atomic and --except may have at most %d characters",
                 RAW_LIST_BYTES - 1);
}

/* The folder that a path is in, which becomes that. */
static const char *folder_of(char *path) {
  char *slash = strrchr(path, '/');
  if (!slash) return ".";
  slash[slash == path] = '\0';
  return path;
}

typedef struct {
  Tool *tool;
  const Arguments *arguments;
  const char *program;
  int status; /* with which it has ended */
  const RawFile *raw;
  DistilResult result;
  Err *err;
  bool done;
} Job;

static void write_log(void *argument) {
  Job *job = argument;
  const Arguments *a = job->arguments;
  char raw[64], folder[PATH_MAX];
  snprintf(raw, sizeof raw, "/proc/self/fd/%d", job->raw->file);
  snprintf(folder, sizeof folder, "%s", job->raw->path);
  const Distilling distilling = {.raw = raw,
                                 .scratch = folder_of(folder),
                                 .program = job->program,
                                 .struck = WIFSIGNALED(job->status),
                                 .out = a->out,
                                 .atomic = a->atomic,
                                 .except = a->except,
                                 .keep_local = a->keep_local};
  job->done = distilling_write(job->tool->heap, &distilling, &job->result, job->err);
}

/* Whoever was to read it has ended. */
static bool is_pipe_broken(const char *out) {
  struct pollfd pipe = {.fd = STDOUT_FILENO};
  return strcmp(out, "-") == 0 && poll(&pipe, 1, 0) == 1 && pipe.revents & POLLERR;
}

/* The raw log is all that there is of the run until the log is written. */
static bool make_log(Job *job) {
  const Arguments *a = job->arguments;
  const bool enough_memory = heap_try(job->tool->heap, write_log, job);
  const bool broken = !job->done && is_pipe_broken(a->out), useless = enough_memory && !job->result.pid;
  if (!a->keep_raw && (job->done || broken || useless)) unlink(job->raw->path);
  else if (!job->done)
    fprintf(stderr,
            "tracerec: the log was not written; the raw log is kept: `tracerec salvage %s -o FILE` makes the log\n",
            job->raw->path);
  if (broken) {
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
  }
  if (!enough_memory) heap_pass_on(job->tool->heap);
  return job->done;
}

static void print_stats(const DistilResult *result, double program, double log) {
  const Statistic rows[] = {STATISTIC("events", result->events),
                            STATISTIC("threads", result->threads),
                            STATISTIC("objects", result->objects),
                            {.name = "program", .unit = STATISTIC_TIME, .seconds = program},
                            {.name = "log", .unit = STATISTIC_TIME, .seconds = log}};
  statistics_print(rows, sizeof rows / sizeof *rows, stderr);
}

/* Is the input, if any is named, another file than the output? */
static bool would_keep(Tool *tool, const char *input, const Arguments *a, Err *err) {
  const PathUse paths[] = {{NULL, input}, {"--output", a->out}};
  return paths_differ(tool->heap, paths, sizeof paths / sizeof *paths, err);
}

/* Puts the plan that is to be followed, if there is one, into the header. */
static bool read_plan(Tool *tool, const Arguments *a, RawHeader *header, Err *err) {
  InFile file;
  if (!a->follow) return a->plan == 1 || err_set(err, ERR_INPUT, "--plan needs --follow");
  if (a->plan < 1 || a->plan > UINT32_MAX) return err_set(err, ERR_INPUT, "--plan expects a number from 1");
  if (!file_read(tool->heap, a->follow, &file, err)) return false;
  const bool good = strlen(file.text) == file.length
                        ? steps_parse(a->follow, file.text, (uint32_t)a->plan, &header->plan, err)
                        : err_set(err, ERR_INPUT, "%s: not a step file, which is text", a->follow);
  file_release(tool->heap, &file);
  return good;
}

/* What became of the plan. */
static void say_followed(const RawFile *raw) {
  static RawHeader header;
  char text[300];
  if (pread(raw->file, &header, sizeof header, 0) != (ssize_t)sizeof header || !header.plan.n_legs) return;
  steps_outcome(&header.plan, text, sizeof text);
  fprintf(stderr, "tracerec: %s\n", text);
}

/* The run, if it is watched. */
typedef struct {
  WatchOptions options;
  Watching *watching; /* NULL: it is not */
} Watch;

static bool open_watch(void *argument, const RawFile *raw, Err *err) {
  Watch *watch = argument;
  watch->watching = watching_open(&watch->options, raw->file, err);
  return watch->watching != NULL;
}

static void start_watch(void *argument, pid_t program) { watching_start(((const Watch *)argument)->watching, program); }

static bool names_all_functions(const OptionList *list) {
  for (uint32_t i = 0; i < list->n; i++)
    if (strstr(list->at[i], "all-functions")) return true;
  return false;
}

#define LEAST_LOG (UINT64_C(1) << 20)
#define MOST_LOG (UINT64_C(1) << 40)

/* The newest copies of chunks are kept. */
static void bound_log(const Arguments *a, RawHeader *header) {
  header->ring.first = header->chunks;
  header->ring.chunks = (uint32_t)(a->max_log / RAW_CHUNK);
  header->chunks += header->ring.chunks;
}

/* Can the run be recorded, and watched, as it is asked? */
static bool may_record(const Arguments *a, Err *err) {
  const ToolRule rules[] = {
      {!a->monitor && (a->stop || a->gdb), "--stop and --gdb need --monitor"},
      {a->monitor && a->follow, "--monitor and --follow exclude each other"},
      {a->no_log && !a->monitor, "--no-log needs --monitor"},
      {a->no_log && a->out, "--no-log and --output exclude each other"},
      {a->no_log && a->max_log, "--max-log is about a log, and --no-log makes none"},
      {a->max_log && a->monitor && !a->out,
       "with --monitor there is no log for --max-log, unless -o FILE says where it goes"},
      {a->max_log && (a->max_log < LEAST_LOG || a->max_log > MOST_LOG), "--max-log expects from 1M to 1024G"},
      {a->follow && choosing_is_some(&a->choosing),
       "--follow needs all accesses, so it excludes --sample, --start-after and --only-in"},
      {a->monitor && names_all_functions(&a->atomic),
       "--monitor does not know all functions that threads start with, so --atomic=all-functions cannot leave them out; name the functions"}};
  return tool_obeys(rules, sizeof rules / sizeof *rules, err);
}

/* A violation is what counts, before how the program ended. */
static int watched_exit_code(Verdict verdict, int status) {
  const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (verdict == VERDICT_VIOLATED || (good && verdict == VERDICT_UNKNOWN)) return verdict_exit_code(verdict);
  return recording_end(status);
}

static bool record(Tool *tool, const Arguments *a, char **program, Err *err) {
  static RawHeader header;
  static Watch watch;
  RawFile raw;
  uint8_t *table;
  int status = 0;
  bool recorded = true;
  Verdict verdict = VERDICT_HOLDS;
  if (!may_record(a, err)) return false;
  if (a->out && strcmp(a->out, "-") == 0 && isatty(STDOUT_FILENO))
    return err_set(err, ERR_INPUT,
                   "refusing to write a binary log to a terminal; use -o FILE, or pipe it to tracecheck");
  if (!would_keep(tool, strchr(*program, '/') ? *program : NULL, a, err) || !fill_header(a, &header, err) ||
      !read_plan(tool, a, &header, err) || !choosing_make(tool->heap, &a->choosing, program[0], &header, &table, err))
    return false;
  bound_log(a, &header);
  watch.options = (WatchOptions){.atomic = a->atomic,
                                 .except = a->except,
                                 .no_log = !a->out,
                                 .stop = a->stop,
                                 .debug = a->gdb,
                                 .stats = a->stats,
                                 .memory = tool_default_memory()};
  const Recording recording = {.out = a->out,
                               .header = &header,
                               .table = table,
                               .program = program,
                               .opened = a->monitor ? open_watch : NULL,
                               .started = a->monitor ? start_watch : NULL,
                               .argument = &watch};
  const double start = clock_seconds();
  if (!recording_run(&recording, &raw, &status, err)) return false;
  if (watch.watching) verdict = watching_end(watch.watching, &recorded);
  const double end = clock_seconds();
  if (recording_is_void(&recording, status)) {
    unlink(raw.path);
    tool->exit_code = WEXITSTATUS(status);
    return true;
  }
  if (a->follow) say_followed(&raw);
  if (!a->out) {
    unlink(raw.path);
    if (!recorded) return err_set(err, ERR_INPUT, "%s was not recorded; was it built with `tracerec cc`?", program[0]);
    tool->exit_code = watched_exit_code(verdict, status);
    return true;
  }
  Job job = {.tool = tool, .arguments = a, .program = program[0], .status = status, .raw = &raw, .err = err};
  if (!make_log(&job)) return false;
  if (a->stats) print_stats(&job.result, end - start, clock_seconds() - end);
  tool->exit_code = watched_exit_code(verdict, status);
  return true;
}

/* The number of arguments before the program, whose own options are none of ours. */
static int count_ours(const Command *command, int argc, char **argv) {
  int i = 1;
  for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
    if (strcmp(argv[i], "--") == 0) return i;
    for (uint32_t k = 0; k < command->n_options; k++) {
      const Option *option = &command->options[k];
      const bool letter = argv[i][1] == option->letter && !argv[i][2];
      const bool name = strncmp(argv[i], "--", 2) == 0 && strcmp(argv[i] + 2, option->name) == 0;
      if ((letter || name) && option->kind != OPTION_FLAG) i++;
    }
  }
  return i < argc ? i : argc;
}

static void run(Tool *tool) {
  Arguments arguments = {.plan = 1}, *a = &arguments;
  const Option options[] = {
      {"output", 'o', OPTIONS_OUTPUT, OPTION_TEXT, &a->out, "FILE", NULL,
       "write the log to FILE (default: stdout; the program's output then goes to stderr; with --monitor: no log)"},
      {"monitor", 'm', OPTIONS_RECORDING, OPTION_FLAG, &a->monitor, NULL, NULL,
       "monitor the run while it goes on, and tell the first violation on stderr"},
      {"no-log", 0, OPTIONS_RECORDING, OPTION_FLAG, &a->no_log, NULL, NULL,
       "with --monitor: make no log, which is the default there"},
      {"max-log", 0, OPTIONS_RECORDING, OPTION_BYTES, &a->max_log, "SIZE", NULL,
       "keep only so much of the raw log, the newest part (1M, 100M, 10G)"},
      {"stop", 0, OPTIONS_RECORDING, OPTION_FLAG, &a->stop, NULL, NULL,
       "with --monitor: end the program at a violation"},
      {"gdb", 0, OPTIONS_RECORDING, OPTION_FLAG, &a->gdb, NULL, NULL,
       "with --monitor: stop the program at a violation, and run gdb on it"},
      {"atomic", 'a', OPTIONS_RECORDING, OPTION_LIST, &a->atomic, "FUNCTION,...", NULL,
       "each call of these functions is a transaction; all-functions: every call except of main and of functions that threads start with; all-calls: these, too"},
      {"except", 0, OPTIONS_RECORDING, OPTION_LIST, &a->except, "FUNCTION,...", NULL, "except calls of these"},
      {"order", 0, OPTIONS_RECORDING, OPTION_CHOICE, &a->order, NULL, orders,
       "exact: order racy accesses, too (default); sync: only synchronised ones"},
      {"follow", 0, OPTIONS_RECORDING, OPTION_TEXT, &a->follow, "STEPS", NULL,
       "hold threads so that the run follows the steps of `tracepredict --format=steps`"},
      {"plan", 0, OPTIONS_RECORDING, OPTION_COUNT, &a->plan, "N", NULL, "of these, follow plan N (default 1)"},
      {"sample", 0, OPTIONS_RECORDING, OPTION_LIST, &a->choosing.sample, "FUNCTION,...", NULL,
       "record accesses only in calls of these functions"},
      {"start-after", 0, OPTIONS_RECORDING, OPTION_TEXT, &a->choosing.start, "FUNCTION", NULL,
       "record accesses only after the first call of this function"},
      {"only-in", 0, OPTIONS_RECORDING, OPTION_LIST, &a->choosing.below, "DIR,...", NULL,
       "record only accesses by code whose source is below these folders"},
      {"keep-local", 0, OPTIONS_RECORDING, OPTION_FLAG, &a->keep_local, NULL, NULL,
       "keep objects that only one thread accesses"},
      {"keep-raw", 0, OPTIONS_OUTPUT, OPTION_FLAG, &a->keep_raw, NULL, NULL, "keep the raw log"},
      {"stats", 0, OPTIONS_OUTPUT, OPTION_FLAG, &a->stats, NULL, NULL, "print the log's size and the times on stderr"},
  };
  const Command command = {
      "tracerec run",
      "PROGRAM [ARGUMENT...]",
      "Runs a program that was built with `tracerec cc` and writes the log of its run, for tracecheck.",
      "Signals are passed on to the program. While the log is being written they are ignored, so that it is not lost; kill -9 abandons it.\n"
      "Exit code: the program's own; 3 a usage error, nothing was recorded, or there is no log.\n"
      "Example: tracerec run --atomic=deposit ./bank | tracecheck -\n",
      options,
      sizeof options / sizeof *options,
      0,
      0};
  OptionList operands;
  Err err;
  const int argc = tool->argc, ours = count_ours(&command, argc, tool->argv);
  tool->argc = ours;
  if (!tool_options(tool, &command, &operands)) return;
  char **program = tool->argv + ours + (ours < argc && strcmp(tool->argv[ours], "--") == 0);
  if (!a->out && !a->monitor) a->out = "-";
  if (program < tool->argv + argc && *program) {
    if (!record(tool, a, program, &err)) tool_complain(tool, &err);
  } else {
    err_set(&err, ERR_INPUT, "run: no program was given (see `tracerec run --help`)");
    tool_complain(tool, &err);
  }
}

/* --- confirm --- */

typedef struct {
  Tool *tool;
  const Confirming *confirming;
} ConfirmJob;

static void do_confirm(void *argument) {
  const ConfirmJob *job = argument;
  Err err;
  Verdict verdict = VERDICT_UNKNOWN;
  if (!confirming_run(job->tool->heap, job->confirming, &verdict, &err)) tool_complain(job->tool, &err);
  else job->tool->exit_code = verdict_exit_code(verdict);
  if (fflush(stdout) == 0 && !ferror(stdout)) return;
  err_set(&err, ERR_IO, "<stdout>: writing failed");
  tool_complain(job->tool, &err);
}

static const char *const syncs[] = {SYNC_NAMES NULL};

/* What confirm was asked besides what run knows. */
typedef struct {
  uint64_t tries, leg;
  uint32_t sync;
} ConfirmArguments;

static bool confirm_it(Tool *tool, const Arguments *a, const ConfirmArguments *more, Confirming *c, Err *err) {
  static RawHeader header;
  char gdb[PATH_MAX];
  const PathUse paths[] = {{NULL, c->run},
                           {"--witness", c->witness},
                           {"--output", a->out},
                           {"the result", "-"},
                           {"--dot", c->pictures.dot},
                           {"--svg", c->pictures.svg},
                           {"--html", c->pictures.html}};
  const WorkOptions limits = work_defaults();
  const ToolRule rules[] = {
      {!c->run && !c->witness, "confirm expects one run, --, and a program (see `tracerec confirm --help`)"},
      {c->run && c->witness, "--witness needs no run: the program is run"},
      {!c->program || !*c->program, "confirm: no program was given (see `tracerec confirm --help`)"},
      {more->tries < 1 || more->tries > UINT32_MAX, "--tries expects a number from 1"},
      {more->leg < 1 || more->leg > 3600 * 1000, "--leg expects from 1 to 3600000 milliseconds"},
      {c->gdb && !compiler_find("gdb", gdb), "--gdb needs gdb, which is not in PATH"}};
  if (!tool_obeys(rules, sizeof rules / sizeof *rules, err) || !fill_header(a, &header, err) ||
      !paths_differ(tool->heap, paths, sizeof paths / sizeof *paths, err))
    return false;
  c->header = &header;
  c->atomic = a->atomic;
  c->except = a->except;
  c->out = a->out;
  c->tries = (uint32_t)more->tries;
  c->timeout = (uint32_t)more->leg;
  c->sync = (Sync)more->sync;
  ConfirmJob job = {tool, c};
  const StopReason why = work_within_limits(tool, &limits, do_confirm, &job);
  if (why != STOP_NOT) work_give_up(tool, why);
  return true;
}

static void confirm(Tool *tool) {
  Arguments arguments = {.out = "confirmed.bin"}, *a = &arguments;
  ConfirmArguments more_arguments = {.tries = 3, .leg = 1000, .sync = SYNC_ALL}, *more = &more_arguments;
  Confirming confirming = {.limit = STRESSING_LIMIT}, *c = &confirming;
  const Option options[] = {
      {"tries", 'n', OPTIONS_QUESTION, OPTION_COUNT, &more->tries, "N", NULL,
       "run the program at most so often for each violation (default 3)"},
      {"leg", 0, OPTIONS_QUESTION, OPTION_COUNT, &more->leg, "MS", NULL,
       "hold a thread for at most so many milliseconds (default 1000)"},
      {"run-limit", 0, OPTIONS_LIMITS, OPTION_SECONDS, &c->limit, "TIME", NULL,
       "kill the program after that time; what it did till then is looked at (default 1m)"},
      {"first", 0, OPTIONS_QUESTION, OPTION_FLAG, &c->first, NULL, NULL,
       "stop at the first violation that is confirmed"},
      {"witness", 0, OPTIONS_QUESTION, OPTION_TEXT, &c->witness, "FILE", NULL,
       "confirm the violations in FILE, of `causalcheck --confirm`, not those that are predicted of a RUN"},
      {"gdb", 0, OPTIONS_QUESTION, OPTION_FLAG, &c->gdb, NULL, NULL,
       "run what is confirmed once more, in gdb, which stops at the split"},
      {"sync", 's', OPTIONS_QUESTION, OPTION_CHOICE, &more->sync, NULL, syncs,
       "what the prediction respects, as for tracepredict (default all)"},
      {"output", 'o', OPTIONS_OUTPUT, OPTION_TEXT, &a->out, "FILE", NULL,
       "the log of a run that confirms something (default confirmed.bin); beside it .steps, what it followed, and .txt, what the program printed"},
      {"dot", 0, OPTIONS_OUTPUT, OPTION_TEXT, &c->pictures.dot, "FILE", NULL, "draw what was confirmed as a DOT graph"},
      {"svg", 0, OPTIONS_OUTPUT, OPTION_TEXT, &c->pictures.svg, "FILE", NULL, "draw it as an SVG picture"},
      {"html", 0, OPTIONS_OUTPUT, OPTION_TEXT, &c->pictures.html, "FILE", NULL,
       "write a page in which one steps through it"},
      {"quiet", 'q', OPTIONS_OUTPUT, OPTION_FLAG, &c->quiet, NULL, NULL, "print only the verdict"},
      {"atomic", 'a', OPTIONS_RECORDING, OPTION_LIST, &a->atomic, "FUNCTION,...", NULL,
       "as for `tracerec run`, with which RUN was recorded"},
      {"except", 0, OPTIONS_RECORDING, OPTION_LIST, &a->except, "FUNCTION,...", NULL, "likewise"},
  };
  const Command command = {
      "tracerec confirm",
      "[RUN] -- PROGRAM [ARGUMENT...]",
      "Predicts violations from a recorded run, and runs the program again so that they happen, if they can.",
      "Exit codes: 1 something was confirmed, 0 nothing was predicted, 2 predicted, but not confirmed (which is not safe),\n"
      "3 a usage or input error, 4 a self-check failed.\n"
      "Example: tracerec confirm run.bin -- ./bank\n",
      options,
      sizeof options / sizeof *options,
      0,
      1};
  OptionList operands;
  Err err;
  int ours = 1;
  while (ours < tool->argc && strcmp(tool->argv[ours], "--")) ours++;
  c->program = ours < tool->argc ? tool->argv + ours + 1 : NULL;
  tool->argc = ours;
  if (!tool_options(tool, &command, &operands)) return;
  c->run = operands.n ? operands.at[0] : NULL;
  if (!confirm_it(tool, a, more, c, &err)) tool_complain(tool, &err);
}

/* --- split, stress --- */

typedef struct {
  Tool *tool;
  const Stressing *stressing;
} StressJob;

static void do_stress(void *argument) {
  const StressJob *job = argument;
  Err err;
  Verdict verdict = VERDICT_UNKNOWN;
  if (!stressing_run(job->tool->heap, job->stressing, &verdict, &err)) tool_complain(job->tool, &err);
  else job->tool->exit_code = verdict_exit_code(verdict);
  if (fflush(stdout) == 0 && !ferror(stdout)) return;
  err_set(&err, ERR_IO, "<stdout>: writing failed");
  tool_complain(job->tool, &err);
}

static const char *const ways[] = {STRESSING_NAMES NULL};

/* As on the command line. */
typedef struct {
  uint64_t runs, seed, leg, length;
  double limit;
  uint32_t by;
  bool quiet;
} StressArguments;

static bool stress_it(Tool *tool, const Arguments *a, const StressArguments *more, char **program, Err *err) {
  static RawHeader header;
  const WorkOptions limits = work_defaults();
  const ToolRule rules[] = {{!program || !*program, "no program was given (see --help)"},
                            {strcmp(a->out, "-") == 0, "--output expects a file"},
                            {more->runs < 1 || more->runs > UINT32_MAX, "--runs expects a number from 1"},
                            {more->seed < 1, "--seed expects a number from 1"},
                            {more->leg < 1 || more->leg > 3600 * 1000, "--leg expects from 1 to 3600000 milliseconds"}};
  if (!tool_obeys(rules, sizeof rules / sizeof *rules, err) ||
      !would_keep(tool, strchr(*program, '/') ? *program : NULL, a, err) || !fill_header(a, &header, err))
    return false;
  const Stressing stressing = {.program = program,
                               .header = &header,
                               .atomic = a->atomic,
                               .except = a->except,
                               .out = a->out,
                               .by = (StressingBy)more->by,
                               .seed = more->seed,
                               .length = more->length,
                               .runs = (uint32_t)more->runs,
                               .timeout = (uint32_t)more->leg,
                               .limit = more->limit,
                               .quiet = more->quiet};
  StressJob job = {tool, &stressing};
  const StopReason why = work_within_limits(tool, &limits, do_stress, &job);
  if (why != STOP_NOT) work_give_up(tool, why);
  return true;
}

/* Both commands: `split` has the options from the first on, `stress` two more. */
static void stress_command(Tool *tool, Command command, Arguments *a, const StressArguments *more) {
  OptionList operands;
  Err err;
  const int argc = tool->argc, ours = count_ours(&command, argc, tool->argv);
  tool->argc = ours;
  if (!tool_options(tool, &command, &operands)) return;
  char **program = tool->argv + ours + (ours < argc && strcmp(tool->argv[ours], "--") == 0);
  if (!stress_it(tool, a, more, program < tool->argv + argc ? program : NULL, &err)) tool_complain(tool, &err);
}

#define STRESS_OPTIONS(a, more, runs_help, file_help)                                                        \
  {"runs", 'n', OPTIONS_QUESTION, OPTION_COUNT, &(more)->runs, "N", NULL, runs_help},                        \
      {"seed",                                                                                               \
       0,                                                                                                    \
       OPTIONS_QUESTION,                                                                                     \
       OPTION_COUNT,                                                                                         \
       &(more)->seed,                                                                                        \
       "S",                                                                                                  \
       NULL,                                                                                                 \
       "all choices of the first run depend on S, those of the next one on S + 1, and so on (default 1)"},   \
      {"leg",                                                                                                \
       0,                                                                                                    \
       OPTIONS_QUESTION,                                                                                     \
       OPTION_COUNT,                                                                                         \
       &(more)->leg,                                                                                         \
       "MS",                                                                                                 \
       NULL,                                                                                                 \
       "hold a thread for at most so many milliseconds (default 200)"},                                      \
      {"run-limit",    0,                                                                                    \
       OPTIONS_LIMITS, OPTION_SECONDS,                                                                       \
       &(more)->limit, "TIME",                                                                               \
       NULL,           "kill the program after that time; what it did till then is looked at (default 1m)"}, \
      {"atomic",                                                                                             \
       'a',                                                                                                  \
       OPTIONS_RECORDING,                                                                                    \
       OPTION_LIST,                                                                                          \
       &(a)->atomic,                                                                                         \
       "FUNCTION,...",                                                                                       \
       NULL,                                                                                                 \
       "as for `tracerec run`; then one more run comes first, in which no thread is held"},                  \
      {"except", 0, OPTIONS_RECORDING, OPTION_LIST, &(a)->except, "FUNCTION,...", NULL, "likewise"},         \
      {"output", 'o', OPTIONS_OUTPUT, OPTION_TEXT, &(a)->out, "FILE", NULL, file_help}, {                    \
    "quiet", 'q', OPTIONS_OUTPUT, OPTION_FLAG, &(more)->quiet, NULL, NULL, "print only the verdict"          \
  }

static void split(Tool *tool) {
  Arguments arguments = {.out = "split.bin"}, *a = &arguments;
  StressArguments more = {.runs = 10, .seed = 1, .leg = STRESSING_LEG, .limit = STRESSING_LIMIT, .by = BY_SPLIT};
  const Option options[] = {STRESS_OPTIONS(
      a, &more, "run the program at most so often (default 10)",
      "the log of the run with a violation (default split.bin); beside it .txt, what the program printed")};
  const Command command = {
      "tracerec split",
      "PROGRAM [ARGUMENT...]",
      "Runs a program again and again, holding transactions where they hold no lock until another thread has passed, and monitors each run.",
      "Exit codes: 1 a violation was found, 0 none in these runs (which is not safe), 2 interrupted, or a run\n"
      "hung, 3 a usage or input error, 4 a self-check failed.\n"
      "Example: tracerec split ./bank\n",
      options,
      sizeof options / sizeof *options,
      0,
      0};
  stress_command(tool, command, a, &more);
}

static void stress(Tool *tool) {
  Arguments arguments = {.out = "stress.bin"}, *a = &arguments;
  StressArguments more = {.runs = 200, .seed = 1, .leg = STRESSING_LEG, .limit = STRESSING_LIMIT, .by = BY_BOTH};
  const Option options[] = {
      {"by", 0, OPTIONS_QUESTION, OPTION_CHOICE, &more.by, NULL, ways,
       "split: as `tracerec split`; priorities: the first of the threads that can go on does so, and priorities change within transactions; both: split at first (default)"},
      {"length", 0, OPTIONS_QUESTION, OPTION_COUNT, &more.length, "N", NULL,
       "priorities change within the first N steps of transactions (default: as many as a run before had)"},
      STRESS_OPTIONS(
          a, &more, "run the program at most so often (default 200)",
          "the log of the run with a violation (default stress.bin); beside it .txt, what the program printed")};
  const Command command = {
      "tracerec stress",
      "PROGRAM [ARGUMENT...]",
      "Runs a program again and again, with its threads held in ever other ways, and monitors each run.",
      "Exit codes: 1 a violation was found, 0 none in these runs (which is not safe), 2 interrupted, or a run\n"
      "hung, 3 a usage or input error, 4 a self-check failed.\n"
      "Example: tracerec stress --runs=1000 ./bank\n",
      options,
      sizeof options / sizeof *options,
      0,
      0};
  stress_command(tool, command, a, &more);
}

/* --- salvage --- */

/* Nobody writes it any more. */
static bool is_complete(const char *raw, int file, Err *err) {
  uint32_t pid = 0;
  if (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
  if (pread(file, &pid, sizeof pid, offsetof(RawHeader, pid)) != (ssize_t)sizeof pid) pid = 0;
  return err_set(err, ERR_INPUT, "%s: process %u is still running and recording into it", raw, pid);
}

static bool read_header(const char *raw, RawHeader *header, Err *err) {
  const int file = open(raw, O_RDONLY | O_CLOEXEC);
  if (file < 0) return err_set(err, ERR_IO, "%s: %s", raw, strerror(errno));
  const ssize_t n = pread(file, header, sizeof *header, 0);
  const bool good = n < 0 ? err_set(err, ERR_IO, "%s: %s", raw, strerror(errno)) : is_complete(raw, file, err);
  close(file);
  if (!good) return false;
  if (n == (ssize_t)sizeof *header && header->magic == RAW_MAGIC && !header->atomic[RAW_LIST_BYTES - 1] &&
      !header->except[RAW_LIST_BYTES - 1])
    return true;
  return err_set(err, ERR_INPUT, "%s: not a raw log, or not one of this version of tracerec", raw);
}

/* As the run was recorded, if nothing else is said. */
static bool salvage_raw(Tool *tool, const char *raw, Arguments *a, Err *err) {
  static RawHeader header;
  DistilResult result;
  if (!would_keep(tool, raw, a, err) || !read_header(raw, &header, err)) return false;
  if (a->atomic.n && !header.functions)
    return err_set(err, ERR_INPUT, "%s: recorded without --atomic, so it has no function calls", raw);
  if (strcmp(a->out, "-") == 0 && isatty(STDOUT_FILENO))
    return err_set(err, ERR_INPUT,
                   "refusing to write a binary log to a terminal; use -o FILE, or pipe it to tracecheck");
  const char *atomic = header.atomic, *except = header.except;
  if (!a->atomic.n && *atomic) a->atomic = (OptionList){&atomic, 1};
  if (!a->except.n && *except) a->except = (OptionList){&except, 1};
  const Distilling distilling = {
      .raw = raw, .out = a->out, .atomic = a->atomic, .except = a->except, .keep_local = header.keep_local};
  return distilling_write(tool->heap, &distilling, &result, err);
}

typedef struct {
  Tool *tool;
  const char *raw;
  Arguments *arguments;
} Salvaging;

static void do_salvage(void *argument) {
  const Salvaging *s = argument;
  Err err;
  if (!salvage_raw(s->tool, s->raw, s->arguments, &err)) tool_complain(s->tool, &err);
}

static void salvage(Tool *tool) {
  Arguments arguments = {.out = "-"}, *a = &arguments;
  const Option options[] = {
      {"output", 'o', OPTIONS_OUTPUT, OPTION_TEXT, &a->out, "FILE", NULL, "write the log to FILE (default: stdout)"},
      {"atomic", 'a', OPTIONS_RECORDING, OPTION_LIST, &a->atomic, "FUNCTION,...", NULL,
       "use these functions instead of those given to `tracerec run`, which must have had --atomic"},
      {"except", 0, OPTIONS_RECORDING, OPTION_LIST, &a->except, "FUNCTION,...", NULL, "except calls of these"},
  };
  const Command command = {
      "tracerec salvage",
      "RAW",
      "Makes a log from the raw log that `tracerec run` left, because it was killed or the disk was full.",
      "RAW is FILE.raw.XXXXXX next to the FILE of -o, or tracerec.XXXXXX in TMPDIR; it stays as it is.\n"
      "Exit code: 0, or 3: RAW is not a complete raw log, or the log cannot be written.\n"
      "Example: tracerec salvage run.bin.raw.x7Gq2a -o run.bin\n",
      options,
      sizeof options / sizeof *options,
      1,
      1};
  const WorkOptions limits = {.max_memory = 0};
  OptionList operands;
  if (!tool_options(tool, &command, &operands)) return;
  Salvaging salvaging = {tool, operands.at[0], a};
  const StopReason why = work_within_limits(tool, &limits, do_salvage, &salvaging);
  if (why != STOP_NOT) work_give_up(tool, why);
}

/* --- all --- */

static bool is_command(const Tool *tool, const char *name) {
  return tool->argc > 1 && strcmp(tool->argv[1], name) == 0;
}

static void shift(Tool *tool) {
  tool->argc--;
  tool->argv++;
}

/* What is no command. */
static bool do_without(bool cflags, const OptionList *operands, Err *err) {
  if (operands->n)
    return err_set(err, ERR_INPUT, "'%s' is not run, confirm, split, stress, salvage or a compiler (see --help)",
                   operands->at[0]);
  if (cflags) return compiler_print_flags(err);
  return err_set(
      err, ERR_INPUT,
      "expected run, split or stress and a program, confirm, salvage and a raw log, or a compiler and its arguments (see --help)");
}

static void body(Tool *tool) {
  bool cflags = false;
  const Option options[] = {{"cflags", 0, OPTIONS_OUTPUT, OPTION_FLAG, &cflags, NULL, NULL,
                             "print the compiler flag that makes causal.h available"}};
  const Command command = {
      "tracerec",
      "cc|c++|clang|... ARGUMENT... or run PROGRAM... or confirm RUN -- PROGRAM... or split|stress PROGRAM... or salvage RAW",
      "Records runs of pthread programs: `tracerec cc` compiles and links as the compiler does, `tracerec run` runs "
      "and writes a log, `tracerec confirm` makes predicted violations happen, `tracerec split` and `tracerec stress` look for one in run after run, `tracerec salvage` makes a log from what a killed one left. See `tracerec run --help`, "
      "`tracerec confirm --help` and so on.",
      "cc and c++ are gcc and g++, or what TRACEREC_CC and TRACEREC_CXX say; gcc-12, /usr/bin/clang and the like\n"
      "name the compiler. `cc --emit=bitcode` keeps LLVM's bitcode beside each object, for c2net.\n"
      "Exit codes: 3 a usage or input error, otherwise those of the compiler or the program.\n"
      "Example: tracerec cc -O1 bank.c -o bank -pthread && tracerec run -o run.bin ./bank\n",
      options,
      sizeof options / sizeof *options,
      0,
      1};
  OptionList operands;
  Err err;
  if (tool->argc > 1 && compile_word_is_compiler(tool->argv[1])) {
    if (!compiler_exec(tool->heap, tool->argv[1], tool->argv + 2, &tool->exit_code, &err)) tool_complain(tool, &err);
  } else if (is_command(tool, "run")) {
    shift(tool);
    run(tool);
  } else if (is_command(tool, "confirm")) {
    shift(tool);
    confirm(tool);
  } else if (is_command(tool, "split")) {
    shift(tool);
    split(tool);
  } else if (is_command(tool, "stress")) {
    shift(tool);
    stress(tool);
  } else if (is_command(tool, "salvage")) {
    shift(tool);
    salvage(tool);
  } else if (tool_options(tool, &command, &operands) && !do_without(cflags, &operands, &err)) {
    tool_complain(tool, &err);
  }
}

int main(int argc, char **argv) { return tool_main("tracerec", argc, argv, body, EXIT_ERROR); }
