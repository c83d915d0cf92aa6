/* notions.h: what causalcheck does about each of its notions of atomicity, apart from reading its command line. */
#ifndef TOOLS_NOTIONS_H
#define TOOLS_NOTIONS_H

#include "tools/input.h"
#include "tools/tool.h"
#include "tools/work.h"

typedef enum { FORMAT_TEXT, FORMAT_JSON } CheckFormat;

typedef struct {
  InputOptions input;
  const char *output, *block, *dot, *svg, *export_coloured, *certificate;
  uint32_t colouring, order, format; /* ColouringKind, UnfoldOrder, CheckFormat */
  WorkOptions work;
  bool no_reduce, stats, verbose;
} CheckArguments;

/* Checks the net, writes all that was asked for, and sets the tool's exit code. False, with *err, if that fails. */
bool check_causal(Tool *tool, const CheckArguments *arguments, const Net *net, Err *err);
bool check_serializable(Tool *tool, const CheckArguments *arguments, const Net *net, Err *err);

/* Per block of the net: is it the one asked for, by name or by the line on which it begins? *chosen is heap-owned; NULL if
 * `wanted` is: all of them. False, with ERR_INPUT, if there is no such block. */
bool choose_blocks(Heap *heap, const Net *net, const char *wanted, const bool **chosen, Err *err);

#endif
