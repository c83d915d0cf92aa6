/* c2net: compiles a C program to a net. */
#include "base/intern.h"
#include "base/statistics.h"
#include "frontend/c/bitcode.h"
#include "frontend/c/c.h"
#include "frontend/sml/print.h"
#include "petri/net_io.h"
#include "tools/clang.h"
#include "tools/compile_commands.h"
#include "tools/gap_warnings.h"
#include "tools/needed.h"
#include "tools/net_pipe.h"
#include "tools/paths.h"
#include "tools/work.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ORDER of the names */
enum { EMIT_NET, EMIT_BITCODE, EMIT_SML };
static const char *const emitted[] = {"net", "bitcode", "sml", NULL};

typedef struct {
  uint64_t copies;
  uint32_t emit;
  OptionList atomic, library;
  bool functions, stats, verbose;
  const char *output, *main;
  WorkOptions work;
} Arguments;

/* What is passed through heap_try. */
typedef struct {
  Tool *tool;
  Heap *heap;
  const Arguments *arguments;
  OptionList files, flags; /* what is read, and what clang is told besides */
  InFiles inputs;          /* the bitcode of it */
  Omissions omissions;
  EffectVec library;
  Err err;
  bool good, writes; /* it writes the net, or has written it */
} Run;

typedef VEC(const char *) Names;

/* ---- what is read ---- */

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static Words join_words(Run *run, const Words *first, const OptionList *then) {
  Words all = {0};
  for (uint32_t i = 0; first && i < first->n; i++) vec_push(run->heap, &all, first->at[i]);
  for (uint32_t i = 0; i < then->n; i++) vec_push(run->heap, &all, then->at[i]);
  return all;
}

static bool compile(Run *run, const char *folder, const char *path, const Words *options) {
  Words all = join_words(run, options, &run->flags);
  InFile file;
  const bool good = clang_compile(run->heap, folder, path, &all, &file, &run->err);
  vec_fini(run->heap, &all);
  if (good) vec_push(run->heap, &run->inputs, file);
  return good;
}

/* What another part of the program is not known to do is a gap where it is called. */
static bool compile_entry(Run *run, const CompileCommand *c) {
  if (!c->is_known) {
    fprintf(stderr, "%s: warning: it is left out, as it is neither C nor C++: what it defines is not known\n", c->name);
    return true;
  }
  if (c->differs)
    vec_push(run->heap, &run->omissions, ((COmission){c->name, "is compiled in several ways; the first one is taken"}));
  return compile(run, c->folder, c->path, &c->options);
}

/* Of several programs, the one whose `main` is in the file that --main names. */
static bool keep_program(Run *run, const CompileCommands *commands, uint32_t before) {
  char real[PATH_MAX];
  const char *main = run->arguments->main;
  if (!realpath(main, real)) return err_set(&run->err, ERR_INPUT, "--main: %.300s: %s", main, strerror(errno));
  for (uint32_t i = 0, n = before; i < commands->n; i++) {
    if (strcmp(commands->at[i].real, real) == 0 && commands->at[i].is_known)
      return needed_keep(run->heap, &run->inputs, before, n, &run->omissions, &run->err);
    n += commands->at[i].is_known;
  }
  return err_set(&run->err, ERR_INPUT, "--main: %.300s is not in the compilation database", main);
}

static bool read_database(Run *run, const char *path) {
  CompileCommands commands = {0};
  InFile file;
  if (!file_read(run->heap, path, &file, &run->err)) return false;
  const uint32_t before = run->inputs.n;
  bool good = compile_commands_read(run->heap, &file, &commands, &run->err);
  for (uint32_t i = 0; good && i < commands.n; i++) good = compile_entry(run, &commands.at[i]);
  if (good && run->inputs.n == before)
    good = err_set(&run->err, ERR_INPUT, "%.300s: there is neither C nor C++ in it", path);
  if (good && run->arguments->main) good = keep_program(run, &commands, before);
  vec_fini(run->heap, &commands);
  return good;
}

/* Was it compiled after that program was linked? Then it is no part of it. */
static bool is_newer(const char *bitcode, const char *program) {
  struct stat a, b;
  if (stat(bitcode, &a) != 0 || stat(program, &b) != 0) return false;
  return a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
         (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec > b.st_mtim.tv_nsec);
}

static bool is_read(const Run *run, const char *path) {
  for (uint32_t i = 0; i < run->inputs.n; i++)
    if (strcmp(run->inputs.at[i].name, path) == 0) return true;
  return false;
}

static bool read_bitcode_of(Run *run, const char *program, const char *path) {
  InFile file;
  if (is_read(run, path)) return true;
  if (!file_read(run->heap, path, &file, &run->err)) return false;
  if (is_newer(path, program))
    return err_set(&run->err, ERR_INPUT, "%.300s was made of newer sources than %.300s, which should be built again",
                   path, program);
  vec_push(run->heap, &run->inputs, file);
  return true;
}

/* What `tracerec cc --emit=bitcode` made it of. */
static bool read_linked(Run *run, const char *path, const InFile *program) {
  CharVec lines = {0};
  if (!bitcode_section(run->heap, program, &lines, &run->err)) return false;
  if (!lines.n)
    return err_set(&run->err, ERR_INPUT,
                   "%.300s does not say what bitcode it is made of: build it with `tracerec cc --emit=bitcode`", path);
  vec_push(run->heap, &lines, '\0');
  for (const char *line = strtok(lines.at, "\n"); line; line = strtok(NULL, "\n"))
    if (!read_bitcode_of(run, path, line)) return false;
  return true;
}

/* Bitcode, or LLVM's text of it, or what was made with bitcode; or else C. */
static bool read_input(Run *run, const char *path) {
  InFile file;
  if (compile_commands_is(path)) return read_database(run, path);
  if (!file_read(run->heap, path, &file, &run->err)) return false;
  const bool linked = bitcode_is_linked(file.text, file.length);
  const bool compiled = linked || bitcode_recognise(file.text, file.length) || ends_with(path, ".ll");
  if (!compiled) return file_release(run->heap, &file), compile(run, NULL, path, NULL);
  if (run->flags.n)
    return err_set(&run->err, ERR_INPUT, "%.300s is compiled already: there is no use for '%.100s'", path,
                   run->flags.at[0]);
  if (linked) return read_linked(run, path, &file);
  vec_push(run->heap, &run->inputs, file);
  return true;
}

/* ---- the net ---- */

/* Who reads it from a pipe says so, too. */
static void warn(const Run *run, const Program *program) {
  struct stat out;
  const bool piped = fstat(STDOUT_FILENO, &out) == 0 && S_ISFIFO(out.st_mode) && !run->arguments->output;
  gap_warnings_print(run->heap, program, run->files.at[0], run->arguments->verbose);
  if (!program->blocks.n && !piped)
    fprintf(stderr, "%s: warning: no block is marked, so there is nothing to check\n", run->files.at[0]);
}

static void print_stats(const Net *net) {
  const Statistic rows[] = {STATISTIC("threads", net->notes->n_threads), STATISTIC("blocks", net->notes->n_blocks),
                            STATISTIC("gaps", net->notes->n_gaps), STATISTIC("places", net->n_places),
                            STATISTIC("transitions", net->n_trans)};
  statistics_print(rows, sizeof rows / sizeof *rows, stderr);
}

static void list_atomic(Run *run, Names *words) {
  for (uint32_t i = 0; i < run->arguments->atomic.n; i++) {
    const char *list = run->arguments->atomic.at[i];
    char *copy = heap_alloc(run->heap, strlen(list) + 1);
    memcpy(copy, list, strlen(list) + 1);
    for (char *name = strtok(copy, ","); name; name = strtok(NULL, ",")) vec_push(run->heap, words, name);
  }
}

static bool write_net(Run *run, Net *net) {
  const Arguments *a = run->arguments;
  run->writes = true;
  const bool good = net_write(run->heap, net, NET_PNML, a->output ? a->output : "-", &run->err);
  if (good && a->stats) print_stats(net);
  return good;
}

static bool print_program(void *argument, FILE *stream, Err *err) {
  const Program *program = argument;
  return print_sml(program, program->heap, stream, err);
}

static bool write_sml(Run *run, Program *program) {
  const char *output = run->arguments->output ? run->arguments->output : "-";
  run->writes = program_audit(program, &run->err) && file_write(run->heap, output, print_program, program, &run->err);
  return run->writes;
}

static void add_model(Run *run) {
  InFile file;
  bool needed = false;
  for (uint32_t i = 0; i < run->inputs.n; i++) needed |= clang_needs_model(&run->inputs.at[i]);
  if (needed && clang_model(run->heap, &file)) vec_push(run->heap, &run->inputs, file);
}

static bool convert(Run *run) {
  const Arguments *a = run->arguments;
  Names atomic = {0};
  list_atomic(run, &atomic);
  add_model(run);
  const COptions options = {.copies = (uint32_t)a->copies,
                            .atomic = atomic.at,
                            .n_atomic = atomic.n,
                            .functions = a->functions,
                            .plain = a->emit == EMIT_SML,
                            .library = &run->library,
                            .omissions = run->omissions.at,
                            .n_omissions = run->omissions.n};
  Program program;
  Net *net = NULL;
  const bool good = c_program(run->heap, run->inputs.at, run->inputs.n, &options, &program,
                              a->emit == EMIT_SML ? NULL : &net, &run->err);
  vec_fini(run->heap, &atomic);
  if (!good) return false;
  warn(run, &program);
  const bool written = net ? write_net(run, net) : write_sml(run, &program);
  net_free(net);
  program_fini(&program);
  return written;
}

static bool write_bytes(void *argument, FILE *stream, Err *err) {
  const CharVec *bytes = argument;
  (void)err;
  fwrite(bytes->at, 1, bytes->n, stream);
  return true;
}

static bool emit_bitcode(Run *run) {
  CharVec bytes = {0};
  if (!bitcode_link(run->heap, run->inputs.at, run->inputs.n, &bytes, &run->err)) return false;
  run->writes = true;
  return file_write(run->heap, run->arguments->output ? run->arguments->output : "-", write_bytes, &bytes, &run->err);
}

static bool read_library(Run *run, const char *path) {
  InFile file;
  return file_read(run->heap, path, &file, &run->err) && effects_read(run->heap, &file, &run->library, &run->err);
}

static void convert_body(void *argument) {
  Run *run = argument;
  const OptionList *library = &run->arguments->library;
  run->good = true;
  for (uint32_t i = 0; run->good && i < library->n; i++) run->good = read_library(run, library->at[i]);
  for (uint32_t i = 0; run->good && i < run->files.n; i++) run->good = read_input(run, run->files.at[i]);
  run->good = run->good && (run->arguments->emit == EMIT_BITCODE ? emit_bitcode(run) : convert(run));
}

static bool obeys(Tool *tool, const Arguments *arguments, const OptionList *files, Err *err) {
  PathUse *uses = heap_zeroed(tool->heap, heap_product(tool->heap, (uint64_t)files->n + 1, sizeof *uses));
  bool database = false;
  if (!files->n) return err_set(err, ERR_INPUT, "expected a FILE before '--'");
  for (uint32_t i = 0; i < files->n; i++) database |= compile_commands_is(files->at[i]);
  if (arguments->main && !database)
    return err_set(err, ERR_INPUT, "--main: none of the files is a compilation database");
  for (uint32_t i = 0; i < files->n; i++) uses[i].path = files->at[i];
  uses[files->n] = (PathUse){"--output", arguments->output ? arguments->output : "-"};
  if (arguments->copies > C_MOST_COPIES) return err_set(err, ERR_INPUT, "--threads: at most %d", C_MOST_COPIES);
  return paths_differ(tool->heap, uses, (size_t)files->n + 1, err);
}

/* The last word is none that clang would take its own next word for. */
static bool has_values(const OptionList *flags, Err *err) {
  static const char *const WANT[] = {"-D",         "-U",       "-I",      "-include", "-isystem", "-iquote",
                                     "-idirafter", "-imacros", "-Xclang", "-x",       "-target",  "-isysroot"};
  const char *last = flags->n ? flags->at[flags->n - 1] : "";
  for (size_t i = 0; i < sizeof WANT / sizeof *WANT; i++)
    if (strcmp(last, WANT[i]) == 0) return err_set(err, ERR_INPUT, "expected a word behind '%s', for clang", last);
  return true;
}

/* How many words stand behind '--': they are for clang. */
static uint32_t count_flags(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--") == 0) return (uint32_t)(argc - i - 1);
  return 0;
}

static void run_all(Tool *tool, const Arguments *arguments, const OptionList *operands, uint32_t n_flags) {
  const uint32_t n_files = operands->n - n_flags;
  Run run = {.tool = tool, .heap = tool->heap, .arguments = arguments};
  run.files = (OptionList){operands->at, n_files};
  run.flags = (OptionList){operands->at + n_files, n_flags};
  if (!obeys(tool, arguments, &run.files, &run.err) || !has_values(&run.flags, &run.err)) {
    tool_complain(tool, &run.err);
    return;
  }
  const StopReason left = work_within_limits(tool, &arguments->work, convert_body, &run);
  if (left != STOP_NOT) work_give_up(tool, left);
  else if (!run.good) tool_complain(tool, &run.err);
  const bool piped = !arguments->output && arguments->emit != EMIT_BITCODE;
  if (tool->exit_code != EXIT_HOLDS && piped && !run.writes) net_pipe_fail(tool);
}

static void body(Tool *tool) {
  Arguments arguments = {.copies = 2, .work = work_defaults()}, *a = &arguments;
  const Option options[] = {
      {"threads", 'n', OPTIONS_INPUT, OPTION_LIMIT, &a->copies, "N", NULL,
       "threads for each pthread_create that may come again and again (default 2, at most 64)"},
      {"atomic", 0, OPTIONS_INPUT, OPTION_LIST, &a->atomic, "FUNCTION,...", NULL,
       "each call of these functions is a block, too"},
      {"functions", 0, OPTIONS_INPUT, OPTION_FLAG, &a->functions, NULL, NULL,
       "each call of any function of the program is a block, too"},
      {"main", 0, OPTIONS_INPUT, OPTION_TEXT, &a->main, "FILE", NULL,
       "of a compilation database of several programs, take the one whose main is in this file"},
      {"library", 0, OPTIONS_INPUT, OPTION_LIST, &a->library, "FILE", NULL,
       "what functions do that are called and are not there: a function, letters, and what it returns, in a line"},
      {"emit", 0, OPTIONS_OUTPUT, OPTION_CHOICE, &a->emit, NULL, emitted,
       "net (the default); sml: an SML program; or bitcode: LLVM's bitcode of all files together"},
      {"output", 'o', OPTIONS_OUTPUT, OPTION_TEXT, &a->output, "FILE", NULL, "write it there, not to stdout"},
      LIMIT_OPTIONS(&a->work),
      {"stats", 0, OPTIONS_OUTPUT, OPTION_FLAG, &a->stats, NULL, NULL, "print the net's size on stderr"},
      {"verbose", 'v', OPTIONS_OUTPUT, OPTION_FLAG, &a->verbose, NULL, NULL,
       "warn of each place, not only of the first ones of a cause"},
  };
  const Command command = {
      "c2net",
      "FILE... [-- CLANG-OPTION...]",
      "Compiles a C program with POSIX threads, or LLVM's bitcode of one, to a 1-safe Petri net with annotations. A FILE may be a project's compile_commands.json.",
      "Exit codes: 0 done, 2 a limit or Ctrl-C came first, 3 a usage or input error; then nothing is written.\n"
      "Example: c2net prog.c -- -Iinclude | causalcheck\n",
      options,
      sizeof options / sizeof *options,
      1,
      UINT32_MAX};
  OptionList operands;
  const uint32_t n_flags = count_flags(tool->argc, tool->argv); /* the words change their places then */
  if (tool_options(tool, &command, &operands)) run_all(tool, &arguments, &operands, n_flags);
  else if (tool->exit_code != EXIT_HOLDS) net_pipe_fail(tool);
}

int main(int argc, char **argv) { return tool_main("c2net", argc, argv, body, EXIT_UNKNOWN); }
