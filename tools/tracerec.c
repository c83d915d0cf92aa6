/* tracerec.c: compiles programs for recording, records their runs, and makes logs of raw logs that were left behind. */
#include "base/clock.h"
#include "base/statistics.h"
#include "tools/paths.h"
#include "tools/tool.h"
#include "tools/tracerec/compiler.h"
#include "tools/tracerec/distilling.h"
#include "tools/tracerec/recording.h"
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
  const char *out;
  uint32_t order;
  bool keep_local, keep_raw, stats;
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

static bool record(Tool *tool, const Arguments *a, char **program, Err *err) {
  static RawHeader header;
  RawFile raw;
  int status = 0;
  if (strcmp(a->out, "-") == 0 && isatty(STDOUT_FILENO))
    return err_set(err, ERR_INPUT,
                   "refusing to write a binary log to a terminal; use -o FILE, or pipe it to tracecheck");
  if (!would_keep(tool, strchr(*program, '/') ? *program : NULL, a, err) || !fill_header(a, &header, err)) return false;
  const Recording recording = {a->out, &header, program};
  const double start = clock_seconds();
  if (!recording_run(&recording, &raw, &status, err)) return false;
  const double end = clock_seconds();
  if (recording_is_void(&recording, status)) {
    unlink(raw.path);
    tool->exit_code = WEXITSTATUS(status);
    return true;
  }
  Job job = {.tool = tool, .arguments = a, .program = program[0], .status = status, .raw = &raw, .err = err};
  if (!make_log(&job)) return false;
  if (a->stats) print_stats(&job.result, end - start, clock_seconds() - end);
  tool->exit_code = recording_end(status);
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
  Arguments arguments = {.out = "-"}, *a = &arguments;
  const Option options[] = {
      {"output", 'o', OPTIONS_OUTPUT, OPTION_TEXT, &a->out, "FILE", NULL,
       "write the log to FILE (default: stdout; the program's output then goes to stderr)"},
      {"atomic", 'a', OPTIONS_RECORDING, OPTION_LIST, &a->atomic, "FUNCTION,...", NULL,
       "each call of these functions is a transaction; all-functions: every call except of main and of functions that threads start with; all-calls: these, too"},
      {"except", 0, OPTIONS_RECORDING, OPTION_LIST, &a->except, "FUNCTION,...", NULL, "except calls of these"},
      {"order", 0, OPTIONS_RECORDING, OPTION_CHOICE, &a->order, NULL, orders,
       "exact: order racy accesses, too (default); sync: only synchronised ones"},
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
  if (program < tool->argv + argc && *program) {
    if (!record(tool, a, program, &err)) tool_complain(tool, &err);
  } else {
    err_set(&err, ERR_INPUT, "run: no program was given (see `tracerec run --help`)");
    tool_complain(tool, &err);
  }
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
    return err_set(err, ERR_INPUT, "'%s' is not run, salvage or a compiler (see --help)", operands->at[0]);
  if (cflags) return compiler_print_flags(err);
  return err_set(err, ERR_INPUT,
                 "expected run and a program, salvage and a raw log, or a compiler and its arguments (see --help)");
}

static void body(Tool *tool) {
  bool cflags = false;
  const Option options[] = {{"cflags", 0, OPTIONS_OUTPUT, OPTION_FLAG, &cflags, NULL, NULL,
                             "print the compiler flag that makes causal.h available"}};
  const Command command = {
      "tracerec",
      "cc|c++|clang|... ARGUMENT... or run PROGRAM... or salvage RAW",
      "Records runs of pthread programs: `tracerec cc` compiles and links as the compiler does, `tracerec run` runs "
      "and writes a log, `tracerec salvage` makes a log from what a killed one left. See `tracerec run --help` and "
      "`tracerec salvage --help`.",
      "cc and c++ are gcc and g++, or what TRACEREC_CC and TRACEREC_CXX say; gcc-12, /usr/bin/clang and the like\n"
      "name the compiler.\n"
      "Exit codes: 3 a usage or input error, otherwise those of the compiler or the program.\n"
      "Example: tracerec cc -O1 bank.c -o bank -pthread && tracerec run -o run.bin ./bank\n",
      options,
      sizeof options / sizeof *options,
      0,
      1};
  OptionList operands;
  Err err;
  if (tool->argc > 1 && compiler_is_name(tool->argv[1])) {
    compiler_exec(tool->heap, tool->argv[1], tool->argv + 2, &err);
    tool_complain(tool, &err);
  } else if (is_command(tool, "run")) {
    shift(tool);
    run(tool);
  } else if (is_command(tool, "salvage")) {
    shift(tool);
    salvage(tool);
  } else if (tool_options(tool, &command, &operands) && !do_without(cflags, &operands, &err)) {
    tool_complain(tool, &err);
  }
}

int main(int argc, char **argv) { return tool_main("tracerec", argc, argv, body, EXIT_ERROR); }
