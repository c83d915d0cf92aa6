/* options.h: the command line of a tool, as one table.
 *
 * A tool fills an array of Option rows, each pointing at the variable that it sets, and calls options_parse. The parser
 * (getopt_long underneath, so long options may be cut short and mixed with operands), --help and --version come from
 * the table. Every tool has -h --help and -V --version without a row. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What an option takes, and the type of its target. */
typedef enum {
  OPTION_FLAG,    /* bool: becomes true */
  OPTION_TEXT,    /* const char *: points into argv */
  OPTION_COUNT,   /* uint64_t: decimal */
  OPTION_LIMIT,   /* uint64_t: likewise, at least 1 */
  OPTION_BYTES,   /* uint64_t: decimal, with an optional K, M or G (powers of 1024) */
  OPTION_SECONDS, /* double, > 0: decimal, with an optional s, m or h */
  OPTION_CHOICE,  /* uint32_t: the index in `choices` */
  OPTION_MODE,    /* uint32_t: likewise; without a value, which only '=' gives, the first choice */
  OPTION_SET,     /* uint32_t: choices, separated by commas: bit i is the one with the index i */
  OPTION_LIST     /* OptionList: each use adds one; points into argv */
} OptionKind;

/* What an option is for: --help has a paragraph for each, in this order. */
typedef enum {
  OPTIONS_INPUT,
  OPTIONS_QUESTION,
  OPTIONS_METHOD,
  OPTIONS_RECORDING,
  OPTIONS_LIMITS,
  OPTIONS_OUTPUT,
  OPTIONS_GROUPS
} OptionGroup;

/* The arguments of an OPTION_LIST, in their order. `at` is the heap's. */
typedef struct {
  const char **at;
  uint32_t n;
} OptionList;

/* One row of the table. All strings are constants. */
typedef struct {
  const char *name; /* without the dashes */
  char letter;      /* one-letter form, or 0 */
  OptionGroup group;
  OptionKind kind;
  void *target;               /* of the type that the kind says */
  const char *argument;       /* its name in --help ("FILE"); NULL for a flag and for a choice */
  const char *const *choices; /* NULL-terminated; for OPTION_CHOICE, OPTION_MODE and OPTION_SET */
  const char *help;           /* one sentence, lower case, no full stop */
} Option;

/* A tool: its table of options, and what --help says besides. */
typedef struct {
  const char *name;     /* "sml2net" */
  const char *operands; /* "[FILE|-]" */
  const char *summary;  /* a sentence or two for --help */
  const char *notes;    /* what --help says last: exit codes, an example; ends in a newline */
  const Option *options;
  uint32_t n_options;
  uint32_t min_operands, max_operands;
} Command;

/* What options_parse came to: go on; end with success (--help, --version were answered); end with an error. */
typedef enum { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_BAD } OptionsResult;

/* OPTIONS_RUN: the targets are set, *operands are the operands in order, and bit i of *given says that the option of
 * row i was on the line (there are no more than 64). OPTIONS_DONE: --help or --version was printed on stdout (exit 0,
 * or 3 if stdout failed). OPTIONS_BAD: a usage error was printed on stderr (exit 3). */
OptionsResult options_parse(Heap *heap, const Command *command, int argc, char **argv, OptionList *operands,
                            uint64_t *given);

#endif
