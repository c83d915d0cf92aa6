#include "tools/tool.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  Tool *tool;
  void (*body)(Tool *tool);
} Running;

static void run(void *argument) {
  const Running *running = argument;
  running->body(running->tool);
}

/* Beyond the limit of a file's size (ulimit -f) a write fails, as on a full disk. With a handler, since what is ignored
 * stays so for the programs we start. */
static void go_on(int number) { (void)number; }

static void survive_limits(void) {
  if (signal(SIGXFSZ, go_on) == SIG_IGN) signal(SIGXFSZ, SIG_IGN);
}

int tool_main(const char *name, int argc, char **argv, void (*body)(Tool *tool), int left) {
  Tool tool = {.name = name, .heap = heap_new(0), .argc = argc, .argv = argv, .exit_code = EXIT_HOLDS};
  Running running = {&tool, body};
  survive_limits();
  if (!tool.heap || !heap_try(tool.heap, run, &running)) {
    char why[100] = "out of memory";
    if (tool.heap) heap_explain(tool.heap, heap_why(tool.heap), why, sizeof why);
    fprintf(stderr, "%s: %s\n", name, why);
    tool.exit_code = left;
  }
  /* who asked it to stop does not want to wait until each piece is given back */
  if (tool.heap && heap_asked(tool.heap) != STOP_NOT) {
    fflush(NULL);
    _exit(tool.exit_code);
  }
  heap_free(tool.heap);
  return tool.exit_code;
}

bool tool_options(Tool *tool, const Command *command, OptionList *operands) {
  const OptionsResult result = options_parse(tool->heap, command, tool->argc, tool->argv, operands, &tool->given);
  tool->command = command;
  if (result == OPTIONS_RUN) return true;
  const bool good = result == OPTIONS_DONE && fflush(stdout) == 0 && !ferror(stdout);
  tool->exit_code = good ? EXIT_HOLDS : EXIT_ERROR;
  return false;
}

bool tool_obeys(const ToolRule *rules, size_t n, Err *err) {
  for (size_t i = 0; i < n; i++)
    if (rules[i].broken) return err_set(err, ERR_INPUT, "%s", rules[i].text);
  return true;
}

static bool was_given(const Tool *tool, const char *name) {
  for (uint32_t i = 0; i < tool->command->n_options; i++)
    if (strcmp(tool->command->options[i].name, name) == 0) return tool->given >> i & 1;
  return false;
}

bool tool_has_use(const Tool *tool, const ToolMode *modes, size_t n, Err *err) {
  for (size_t i = 0; i < n; i++)
    for (const char *const *name = modes[i].useless; modes[i].is_on && *name; name++)
      if (was_given(tool, *name)) return err_set(err, ERR_INPUT, "--%s has no use %s", *name, modes[i].what);
  return true;
}

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

uint64_t tool_default_memory(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 4 * 3 : 0;
}
