#include "tools/tool.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/machine.h"
#include "base/vec.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  Tool *tool;
  ToolBody *body;
  const void *argument;
} Running;

static void run(void *argument) {
  const Running *running = argument;
  running->body(running->tool, running->argument);
}

/* A body that has no argument is one. */
typedef struct {
  void (*body)(Tool *tool);
} Main;

static void run_main(Tool *tool, const void *argument) { ((const Main *)argument)->body(tool); }

static void run_within(const Running *running, int left) {
  Tool *tool = running->tool;
  Running copy = *running;
  char why[100] = "out of memory";
  if (tool->heap && heap_try(tool->heap, run, &copy)) return;
  if (tool->heap) heap_explain(tool->heap, heap_why(tool->heap), why, sizeof why);
  fprintf(stderr, "%s: %s\n", tool->name, why);
  tool->exit_code = left;
}

/* Beyond the limit of a file's size (ulimit -f) a write fails, as on a full disk. With a handler, since what is ignored
 * stays so for the programs we start. */
static void go_on(int number) { (void)number; }

static void survive_limits(void) {
  if (signal(SIGXFSZ, go_on) == SIG_IGN) signal(SIGXFSZ, SIG_IGN);
}

/* What was printed has to have been written, too; whose error was told says nothing more. */
static void finish_output(Tool *tool) {
  Err err;
  const bool written = fflush(stdout) == 0 && !ferror(stdout);
  if (written || tool->exit_code == EXIT_ERROR || tool->exit_code == EXIT_CHECK) return;
  err_set(&err, ERR_IO, "<stdout>: writing failed");
  tool_complain(tool, &err);
}

int tool_main(const char *name, int argc, char **argv, void (*body)(Tool *tool), int left) {
  Tool tool = {.name = name, .heap = heap_new(0), .argc = argc, .argv = argv, .exit_code = EXIT_HOLDS};
  const Main it = {body};
  survive_limits();
  run_within(&(Running){&tool, run_main, &it}, left);
  finish_output(&tool);
  /* who asked it to stop does not want to wait until each piece is given back */
  if (tool.heap && heap_asked(tool.heap) != STOP_NOT) {
    fflush(NULL);
    _exit(tool.exit_code);
  }
  heap_free(tool.heap);
  return tool.exit_code;
}

int tool_run_part(const Tool *whole, ToolBody *body, const void *argument, int left) {
  Tool part = *whole;
  part.heap = heap_new(0);
  part.exit_code = EXIT_HOLDS;
  run_within(&(Running){&part, body, argument}, left);
  heap_free(part.heap);
  return part.exit_code;
}

bool tool_options(Tool *tool, const Command *command, OptionList *operands) {
  const OptionsResult result = options_parse(tool->heap, command, tool->argc, tool->argv, operands, &tool->given);
  tool->command = command;
  if (result == OPTIONS_RUN) return true;
  tool->exit_code = result == OPTIONS_DONE ? EXIT_HOLDS : EXIT_ERROR;
  return false;
}

bool tool_obeys(const ToolRule *rules, size_t n, Err *err) {
  for (size_t i = 0; i < n; i++)
    if (rules[i].broken) return err_set(err, ERR_INPUT, "%s", rules[i].text);
  return true;
}

/* Its bit in tool->given; 0: there is no such option. */
static uint64_t bit_of(const Tool *tool, const char *name) {
  for (uint32_t i = 0; i < tool->command->n_options; i++)
    if (strcmp(tool->command->options[i].name, name) == 0) return (uint64_t)1 << i;
  return 0;
}

bool tool_was_given(const Tool *tool, const char *name) { return tool->given & bit_of(tool, name); }

bool tool_take_given(Tool *tool, const char *name) {
  const bool given = tool_was_given(tool, name);
  tool->given &= ~bit_of(tool, name);
  return given;
}

bool tool_has_use(const Tool *tool, const ToolMode *modes, size_t n, Err *err) {
  for (size_t i = 0; i < n; i++)
    for (const char *const *name = modes[i].useless; modes[i].is_on && *name; name++)
      if (tool_was_given(tool, *name)) return err_set(err, ERR_INPUT, "--%s has no use %s", *name, modes[i].what);
  return true;
}

/* ---- options, written again ---- */

static void put(Heap *heap, CharVec *text, const char *bytes) {
  const size_t length = strlen(bytes);
  vec_reserve(heap, text, length);
  memcpy(text->at + text->n, bytes, length);
  text->n += (uint32_t)length;
}

static void put_option(Heap *heap, CharVec *text, const Option *option, const char *value) {
  if (text->n) put(heap, text, " ");
  put(heap, text, "--");
  put(heap, text, option->name);
  if (!value) return;
  put(heap, text, "=");
  put(heap, text, value);
}

static void put_number(Heap *heap, CharVec *text, const Option *option, double number) {
  char digits[40];
  snprintf(digits, sizeof digits, "%.15g", number);
  put_option(heap, text, option, digits);
}

/* A pipe is read once, by whom it is for. */
static bool is_read(const Option *option, const char *path) {
  struct stat info;
  return option->group != OPTIONS_METHOD && option->argument && strcmp(option->argument, "FILE") == 0 &&
         stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* What is in a file that is read for each input is a part of the question; if it cannot be read, each one says so. */
static void put_text(Heap *heap, CharVec *text, const Option *option, const char *value) {
  char hash[20];
  InFile file;
  Err err;
  put_option(heap, text, option, value);
  if (!is_read(option, value) || !file_read(heap, value, &file, &err)) return;
  snprintf(hash, sizeof hash, "#%016" PRIx64, hash_bytes(file.text, file.length));
  put(heap, text, hash);
  file_release(heap, &file);
}

static void put_given(Heap *heap, CharVec *text, const Option *option) {
  const void *target = option->target;
  switch (option->kind) {
  case OPTION_FLAG: put_option(heap, text, option, NULL); break;
  case OPTION_TEXT: put_text(heap, text, option, *(const char *const *)target); break;
  case OPTION_COUNT:
  case OPTION_LIMIT:
  case OPTION_BYTES: put_number(heap, text, option, (double)*(const uint64_t *)target); break;
  case OPTION_SECONDS: put_number(heap, text, option, *(const double *)target); break;
  case OPTION_CHOICE:
  case OPTION_MODE: put_option(heap, text, option, option->choices[*(const uint32_t *)target]); break;
  case OPTION_SET:
    for (uint32_t i = 0; option->choices[i]; i++)
      if (*(const uint32_t *)target >> i & 1) put_option(heap, text, option, option->choices[i]);
    break;
  case OPTION_LIST:
    for (uint32_t i = 0; i < ((const OptionList *)target)->n; i++)
      put_option(heap, text, option, ((const OptionList *)target)->at[i]);
    break;
  }
}

/* Of these, which are in the same groups, the answer to one input does not depend. */
static bool is_about_many(const char *name) {
  return strcmp(name, "list") == 0 || strcmp(name, "shard") == 0 || strcmp(name, "jobs") == 0;
}

const char *tool_options_text(Heap *heap, const Tool *tool) {
  CharVec text = {0};
  for (uint32_t i = 0; i < tool->command->n_options; i++) {
    const Option *option = &tool->command->options[i];
    const bool matters = option->group != OPTIONS_OUTPUT && option->group != OPTIONS_RECORDING;
    if (matters && tool->given >> i & 1 && !is_about_many(option->name)) put_given(heap, &text, option);
  }
  vec_push(heap, &text, '\0');
  return text.at;
}

/* ---- errors ---- */

void tool_complain(Tool *tool, const Err *err) {
  const bool ours = err->kind == ERR_CHECK;
  if (err->text[0]) fprintf(stderr, "%s: %s%s\n", tool->name, ours ? "self-check failed: " : "", err->text);
  tool->exit_code = ours ? EXIT_CHECK : err->kind == ERR_LIMIT ? EXIT_UNKNOWN : EXIT_ERROR;
}

bool tool_write(Tool *tool, const char *path, FileWriter *write, void *argument, Err *err) {
  if (!path || file_write(tool->heap, path, write, argument, err)) return true;
  if (err->kind != ERR_LIMIT) return false;
  fprintf(stderr, "%s: %s: %s\n", tool->name, strcmp(path, "-") == 0 ? "<stdout>" : path, err->text);
  tool->exit_code = EXIT_ERROR;
  return true;
}

uint64_t tool_default_memory(void) { return machine_memory() / 4 * 3; }
