/* happening.h: the runs that show violated blocks of a C program are given to `tracerec confirm`, which makes them
 * happen, if it can. docs/confirming.md. */
#ifndef TOOLS_HAPPENING_H
#define TOOLS_HAPPENING_H

#include "base/options.h"
#include "report/report.h"
#include "tools/tool.h"

/* What is run, as words of a shell, and which of its functions are blocks, too. */
typedef struct {
  const char *program;
  const OptionList *atomic;
  bool functions; /* each is */
} Happening;

/* Runs the program if something in the report is violated, and lets tracerec say on stderr
 * what came of it (`quiet`: only its verdict). The tool's exit code stays, but where tracerec fails. False, with *err,
 * if it cannot be run. */
bool happening_confirm(Tool *tool, const Report *report, const Happening *of, bool quiet, Err *err);

#endif
