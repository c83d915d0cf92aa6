/* notions.h: what causalcheck does about each of its notions of atomicity, apart from reading its command line. */
#ifndef TOOLS_NOTIONS_H
#define TOOLS_NOTIONS_H

#include "tools/output.h"
#include "tools/work.h"

/* The stages of --prove, as bits of a set. */
typedef enum { STAGE_MOVERS, STAGE_ENVIRONMENT, STAGE_PAIRS, STAGE_SLICE, STAGE_UNFOLD } StageName;
enum { STAGES_ALL = (1 << (STAGE_UNFOLD + 1)) - 1 };

/* The command line of causalcheck, as far as its notions look at it. */
typedef struct {
  InputOptions input;
  OutputOptions output;
  const char *path, *export_coloured, *certificate;
  const char *confirm; /* words of a shell, that run the program; or NULL */
  OptionList blocks;
  OptionList atomic; /* functions of a C program whose calls are blocks, too */
  bool functions;    /* each call of a function is */
  uint32_t colouring, order; /* ColouringKind, UnfoldOrder */
  WorkOptions work;
  bool no_reduce;
  uint32_t prove; /* a set of StageName */
  uint64_t jobs;  /* processes at a time */
  bool any_number;
  bool assertions, deadlock, races; /* what it may come to is asked, not whether it is atomic */
  OptionList exclusive;
} CheckArguments;

/* Reads the program or net, checks it, writes all that was asked for, and sets the tool's exit code. False, with *err,
 * if that fails. */
bool notion_causal(Tool *tool, const CheckArguments *arguments, Err *err);
bool notion_serializable(Tool *tool, const CheckArguments *arguments, Err *err);
bool notion_reaching(Tool *tool, const CheckArguments *arguments, Err *err);

/* How it is read. False, with *err, if an option says nonsense. */
bool notion_reading(Heap *heap, const CheckArguments *arguments, BlockInputOptions *options, Err *err);

/* What is to be checked. False, with *err, if the input cannot be read, or (ERR_INPUT) has no such block, or is a net
 * and an option is about programs. */
bool notion_input(const Tool *tool, const CheckArguments *arguments, BlockInput *input, Err *err);

#endif
