/* tool.h: what every main has in common: a heap, its arguments, and the exit codes. */
#ifndef TOOLS_TOOL_H
#define TOOLS_TOOL_H

#include "base/err.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/options.h"
#include "base/verdict.h"

/* What the body of a tool works with. */
typedef struct {
  const char *name;
  Heap *heap;
  int argc;
  char **argv;
  const Command *command; /* that tool_options has read; it must live as long as the body */
  uint64_t given;         /* its options that were given, as options_parse has it */
  bool answered;          /* a result was written, or that failed */
  int exit_code;          /* an ExitCode, or that of a program that was run; EXIT_HOLDS at first, the body sets it */
} Tool;

/* Runs the body with a heap of its own and returns the exit code; where memory runs out on the way, or it is
 * interrupted, that is `left`. */
int tool_main(const char *name, int argc, char **argv, void (*body)(Tool *tool), int left);

/* The same within a tool that has read its command line, for one of several things to do: a heap of its own, and an
 * exit code of its own, which is returned. */
typedef void ToolBody(Tool *tool, const void *argument);
int tool_run_part(const Tool *whole, ToolBody *body, const void *argument, int left);

/* Reads the command line. False if that was all (--help, a usage error): then the exit code is set. */
bool tool_options(Tool *tool, const Command *command, OptionList *operands);

/* What a command line must not say. */
typedef struct {
  bool broken;      /* it is said */
  const char *text; /* and why that is wrong */
} ToolRule;

/* False, with ERR_INPUT and the text of the first rule that is broken. */
bool tool_obeys(const ToolRule *rules, size_t n, Err *err);

/* A way of working, and the options that have no use then. */
typedef struct {
  bool is_on;
  const char *what;           /* "with --compare", "for a net" */
  const char *const *useless; /* their names, without dashes; NULL-terminated */
} ToolMode;

/* Was the option of that name given? */
bool tool_was_given(const Tool *tool, const char *name);

/* The same; from now on it is as if it had not been. */
bool tool_take_given(Tool *tool, const char *name);

/* The options that were given and that the answer depends on, as they could be given again: "--all --max-events=100";
 * behind a file that is read for the question there is a hash of what is in it:
 * "--suppress=known.txt#0123456789abcdef". The heap's. */
const char *tool_options_text(Heap *heap, const Tool *tool);

/* False, with ERR_INPUT, if an option was given that has no use in one of the modes that are on. */
bool tool_has_use(const Tool *tool, const ToolMode *modes, size_t n, Err *err);

/* Prints the error on stderr, unless its text is empty because all was said already, and sets the exit code. */
void tool_complain(Tool *tool, const Err *err);

/* Writes a file that goes with the answer, if a path is given. Where a limit ends the writing, or it cannot be drawn,
 * that is said on stderr, the exit code is that of an error, and the answer is printed all the same. False, with *err,
 * if it fails otherwise. */
bool tool_write(Tool *tool, const char *path, FileWriter *write, void *argument, Err *err);

/* A limit for the heap: three quarters of the memory that the process may use (base/machine.h), in bytes; or 0, no
 * limit, if that is not known. */
uint64_t tool_default_memory(void);

#endif
