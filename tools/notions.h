/* notions.h: what causalcheck does about each of its notions of atomicity, apart from reading its command line. */
#ifndef TOOLS_NOTIONS_H
#define TOOLS_NOTIONS_H

#include "tools/input.h"
#include "tools/tool.h"
#include "tools/work.h"

typedef enum { FORMAT_TEXT, FORMAT_JSON } CheckFormat;

typedef struct {
  InputOptions input;
  const char *path, *output, *block, *dot, *svg, *export_coloured, *certificate;
  uint32_t colouring, order, format; /* ColouringKind, UnfoldOrder, CheckFormat */
  WorkOptions work;
  bool no_reduce, stats, verbose;
} CheckArguments;

/* Reads the program or net, checks it, writes all that was asked for, and sets the tool's exit code. False, with *err, if that fails. */
bool check_causal(Tool *tool, const CheckArguments *arguments, Err *err);
bool check_serializable(Tool *tool, const CheckArguments *arguments, Err *err);

/* What is to be checked. False, with *err, if the input cannot be read, or (ERR_INPUT) has no such block. */
bool check_input(Heap *heap, const CheckArguments *arguments, BlockInput *input, Err *err);

#endif
