/* tracerec.c: compiles programs for recording, and records their runs. */
#include "base/clock.h"
#include "base/file.h"
#include "distil/distil.h"
#include "tools/compile.h"
#include "tools/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const orders[] = {"exact", "sync", NULL};

typedef struct {
  DistilOptions distil;
  const char *out;
  uint32_t order;
  bool keep_raw, stats;
} Arguments;

/* The raw log: a temporary file beside the output, or where temporary files are. */
typedef struct {
  char path[PATH_MAX];
  int file;
} Raw;

static bool create_raw(const Arguments *a, Raw *raw, Err *err) {
  static RawHeader header;
  const char *folder = getenv("TMPDIR");
  const int n = strcmp(a->out, "-") ? snprintf(raw->path, sizeof raw->path, "%s.raw.XXXXXX", a->out)
                                    : snprintf(raw->path, sizeof raw->path, "%s/tracerec.XXXXXX", folder ? folder : "/tmp");
  raw->file = n < (int)sizeof raw->path ? mkostemp(raw->path, O_CLOEXEC) : -1;
  if (raw->file < 0) return err_set(err, ERR_IO, "%s: %s", raw->path, strerror(errno));
  header.magic = RAW_MAGIC;
  header.chunks = RAW_FIRST;
  header.exact = a->order == 0;
  if (a->distil.keep_local) memset(header.shared, 0xff, sizeof header.shared);
  header.functions = a->distil.atomic.n > 0;
  if (ftruncate(raw->file, RAW_FIRST * RAW_CHUNK) || pwrite(raw->file, &header, sizeof header, 0) != (ssize_t)sizeof header) {
    unlink(raw->path);
    return err_set(err, ERR_IO, "%s: %s", raw->path, strerror(errno));
  }
  return true;
}

/* In the child: becomes the program. Where the log goes to stdout, what the program prints goes to stderr. */
_Noreturn static void become(const Arguments *a, const Raw *raw, char **program) {
  char path[PATH_MAX];
  setenv(RAW_VARIABLE, realpath(raw->path, path) ? path : raw->path, 1);
  if (strcmp(a->out, "-") == 0) dup2(STDERR_FILENO, STDOUT_FILENO);
  signal(SIGINT, SIG_DFL);
  signal(SIGQUIT, SIG_DFL);
  execvp(program[0], program);
  fprintf(stderr, "tracerec: %s: %s\n", program[0], strerror(errno));
  _exit(errno == ENOENT ? 127 : 126);
}

static volatile sig_atomic_t child;

static void pass_on(int number) {
  if (child > 0) kill((pid_t)child, number);
}

static void end_it(int number) {
  (void)number;
  pass_on(SIGTERM);
}

/* The recorded process may be another one, which a script has left running: its log is not whole before it ends. */
static void await_recorded(const Raw *raw, pid_t started) {
  const struct sigaction ending = {.sa_handler = end_it, .sa_flags = SA_RESTART};
  uint32_t pid = 0;
  if (pread(raw->file, &pid, sizeof pid, offsetof(RawHeader, pid)) != (ssize_t)sizeof pid || !pid || (pid_t)pid == started) return;
  struct pollfd process = {.fd = pidfd_open((pid_t)pid, 0), .events = POLLIN};
  if (process.fd < 0) return;
  if (poll(&process, 1, 0) == 0) {
    fprintf(stderr, "tracerec: waiting for process %u, which is recorded and still running (Ctrl-C ends it)\n", pid);
    child = (sig_atomic_t)pid;
    sigaction(SIGINT, &ending, NULL);
    while (poll(&process, 1, -1) < 0 && errno == EINTR) {}
    signal(SIGINT, SIG_IGN);
  }
  close(process.fd);
}

/* Runs it; signals from the terminal are the program's, others are passed on. */
static bool run_program(const Arguments *a, const Raw *raw, char **program, int *status, Err *err) {
  const struct sigaction passing = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
  fflush(NULL);
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  const pid_t pid = fork();
  if (pid == 0) become(a, raw, program);
  if (pid < 0) return err_set(err, ERR_IO, "fork: %s", strerror(errno));
  child = (sig_atomic_t)pid;
  sigaction(SIGTERM, &passing, NULL);
  sigaction(SIGHUP, &passing, NULL);
  while (waitpid(pid, status, 0) < 0)
    if (errno != EINTR) return err_set(err, ERR_IO, "waitpid: %s", strerror(errno));
  await_recorded(raw, pid);
  child = 0;
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  return true;
}

/* The verdict on a run without transactions would be a good one. */
static void say_missing(const DistilResult *result) {
  if (result->missing)
    fprintf(stderr, "tracerec: warning: no call of %s was recorded: is the name right, and is it not inlined (-fno-inline)?\n", result->missing);
  else if (!result->transactions)
    fprintf(stderr, "tracerec: warning: the log has no transactions: mark them with ATOMIC_BEGIN(\"name\") or --atomic=FUNCTION\n");
}

static void say_lost(const DistilResult *result) {
  static const char *const why[RAW_LOST] = {
      [RAW_LOST_SIGNAL] = "events of signal handlers that interrupted another event are missing",
      [RAW_LOST_FULL] = "threads are cut short, because the disk was full or a file may not be larger",
      [RAW_LOST_ORDER] = "times the order of two accesses was guessed, because a thread did not run for a second, or compiled code copied more than 64 KB at once",
      [RAW_LOST_NAMES] = "names of blocks or libraries are missing, because there are too many"};
  for (uint32_t i = 0; i < RAW_LOST; i++)
    if (result->lost[i]) fprintf(stderr, "tracerec: warning: %u %s\n", result->lost[i], why[i]);
}

typedef struct {
  Heap *heap;
  const Arguments *arguments;
  const char *raw;
  const char *program;
  DistilResult result;
} Job;

static bool write_log(void *argument, FILE *stream, Err *err) {
  Job *job = argument;
  DistilOptions options = job->arguments->distil;
  options.spoil = !job->arguments->keep_raw;
  if (!distil(job->heap, job->raw, stream, &options, &job->result, err)) return false;
  return job->result.pid || err_set(err, ERR_INPUT, "%s was not recorded: is it built with `tracerec cc`?", job->program);
}

/* Ends as the program ended. */
static int end_as(int status) {
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

static bool record(Tool *tool, const Arguments *a, char **program, Err *err) {
  Raw raw;
  char path[64];
  int status = 0;
  if (strcmp(a->out, "-") == 0 && isatty(STDOUT_FILENO))
    return err_set(err, ERR_INPUT, "the log is not for a terminal: say -o FILE, or pipe it to tracecheck");
  if (!create_raw(a, &raw, err)) return false;
  const double start = clock_seconds();
  const bool ran = run_program(a, &raw, program, &status, err);
  const double end = clock_seconds();
  if (!a->keep_raw) unlink(raw.path);
  if (!ran) return false;
  snprintf(path, sizeof path, "/proc/self/fd/%d", raw.file);
  Job job = {tool->heap, a, path, program[0], {0}};
  if (WIFEXITED(status) && WEXITSTATUS(status) > 125 && access(program[0], X_OK)) {
    tool->exit_code = WEXITSTATUS(status);
    return true;
  }
  if (!file_write(tool->heap, a->out, write_log, &job, err)) return false;
  say_lost(&job.result);
  say_missing(&job.result);
  heap_release(tool->heap, job.result.missing);
  if (a->stats)
    fprintf(stderr, "events %llu, threads %u, objects %u; program %.3f s, log %.3f s\n", (unsigned long long)job.result.events,
            job.result.threads, job.result.objects, end - start, clock_seconds() - end);
  tool->exit_code = end_as(status);
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
      {"output", 'o', OPTION_TEXT, &a->out, "FILE", NULL, "where the log goes (default: -, and what the program prints goes to stderr)"},
      {"atomic", 'a', OPTION_LIST, &a->distil.atomic, "FUNCTION,...", NULL, "calls of these functions are transactions; all-functions: of all but main and threads' first ones"},
      {"except", 0, OPTION_LIST, &a->distil.except, "FUNCTION,...", NULL, "but not of these"},
      {"order", 0, OPTION_CHOICE, &a->order, NULL, orders, "exact: order racy accesses, too; sync: only those that are synchronised"},
      {"keep-local", 0, OPTION_FLAG, &a->distil.keep_local, NULL, NULL, "keep objects that only one thread accesses"},
      {"keep-raw", 0, OPTION_FLAG, &a->keep_raw, NULL, NULL, "leave the raw log where it is"},
      {"stats", 0, OPTION_FLAG, &a->stats, NULL, NULL, "print the log's size and the times on stderr"},
  };
  const Command command = {"tracerec run", "PROGRAM [ARGUMENT...]",
                           "Runs a program that was built with `tracerec cc` and writes the log of its run, for tracecheck.",
                           "Exit code: the program's own; 3 a usage error, or nothing was recorded.\n"
                           "Example: tracerec run --atomic=deposit ./bank | tracecheck -\n",
                           options, sizeof options / sizeof *options, 0, 0};
  OptionList operands;
  Err err;
  const int argc = tool->argc, ours = count_ours(&command, argc, tool->argv);
  tool->argc = ours;
  if (!tool_options(tool, &command, &operands)) return;
  char **program = tool->argv + ours + (ours < argc && strcmp(tool->argv[ours], "--") == 0);
  if (program < tool->argv + argc && *program) {
    if (!record(tool, a, program, &err)) tool_complain(tool, &err);
  } else {
    err_set(&err, ERR_INPUT, "run: a program is missing (see `tracerec run --help`)");
    tool_complain(tool, &err);
  }
}

/* What is neither run nor a compiler. */
static bool do_without(bool cflags, const OptionList *operands, Err *err) {
  if (operands->n) return err_set(err, ERR_INPUT, "'%s' is neither run nor a compiler (see --help)", operands->at[0]);
  if (cflags) return compile_print_flags(err);
  return err_set(err, ERR_INPUT, "say run and a program, or a compiler and its arguments (see --help)");
}

static void body(Tool *tool) {
  bool cflags = false;
  const Option options[] = {{"cflags", 0, OPTION_FLAG, &cflags, NULL, NULL, "print the flag with which a compiler alone finds causal.h"}};
  const Command command = {"tracerec", "cc|c++|clang|... ARGUMENT... or run PROGRAM...",
                           "Records runs of pthread programs: `tracerec cc` compiles and links as the compiler does, `tracerec run` runs "
                           "and writes a log. See `tracerec run --help`.",
                           "cc and c++ are gcc and g++, or what TRACEREC_CC and TRACEREC_CXX say; gcc-12, /usr/bin/clang and the like\n"
                           "name the compiler.\n"
                           "Exit codes: 3 a usage or input error, else that of the compiler or the program.\n"
                           "Example: tracerec cc -O1 bank.c -o bank -pthread && tracerec run -o run.bin ./bank\n",
                           options, sizeof options / sizeof *options, 0, 1};
  OptionList operands;
  Err err;
  if (tool->argc > 1 && compile_is_compiler(tool->argv[1])) {
    compile_exec(tool->heap, tool->argv[1], tool->argv + 2, &err);
    tool_complain(tool, &err);
  } else if (tool->argc > 1 && strcmp(tool->argv[1], "run") == 0) {
    tool->argc--;
    tool->argv++;
    run(tool);
  } else if (tool_options(tool, &command, &operands) && !do_without(cflags, &operands, &err)) {
    tool_complain(tool, &err);
  }
}

int main(int argc, char **argv) { return tool_main("tracerec", argc, argv, body, EXIT_ERROR); }
