/* input_options.h: the options that the tools share about their input. */
#ifndef TOOLS_INPUT_OPTIONS_H
#define TOOLS_INPUT_OPTIONS_H

#include "ask/block_input.h"
#include "ask/run_input.h"
#include "base/options.h"
#include "report/inputs.h"

/* What was given on the command line. The strings are argv's. */
typedef struct {
  OptionList defines, warnings; /* -D NAME=VALUE, -W NAME */
  uint32_t granularity, encoding, colour;
  OptionList begins, ends; /* transitions of a net without notes */
  Inputs *inputs;          /* where texts and messages are kept; may be NULL */
  SmlUnmarked unmarked;    /* also of a net; SML_UNMARKED_WARNS: it is only to be converted, nothing is said of it */
} InputOptions;

extern const char *const INPUT_GRANULARITIES[], *const INPUT_ENCODINGS[], *const INPUT_COLOURS[];

/* The rows of a tool's option table for what concerns SML: in all tools; in one that makes a net of it; and messages,
 * with colour. */
#define INPUT_SML_OPTIONS(in)                                                                      \
  {"define",       'D',      OPTIONS_INPUT, OPTION_LIST,                                           \
   &(in)->defines, "NAME=N", NULL,          "set the count NAME of 'NAME * { }' to N"},            \
  {                                                                                                \
    "granularity", 0, OPTIONS_INPUT, OPTION_CHOICE, &(in)->granularity, NULL, INPUT_GRANULARITIES, \
        "what is one event: a statement or test (default), or each access to a global"             \
  }

#define INPUT_ENCODING(in)                                                                                           \
  {                                                                                                                  \
    "encoding", 0, OPTIONS_INPUT, OPTION_CHOICE, &(in)->encoding, NULL, INPUT_ENCODINGS,                             \
        "how variables become places: with no more copies than needed (default), or one per thread, as in the paper" \
  }

#define INPUT_MESSAGES(in)                                                                                  \
  {"warn",          'W',    OPTIONS_INPUT, OPTION_LIST,                                                     \
   &(in)->warnings, "NAME", NULL,          "turn a warning on, or off with no-NAME (no-all: all of them)"}, \
  {                                                                                                         \
    "color", 0, OPTIONS_OUTPUT, OPTION_CHOICE, &(in)->colour, NULL, INPUT_COLOURS,                          \
        "colour in messages (default auto: on a terminal, unless NO_COLOR is set)"                          \
  }

/* All of them, and what makes a net without notes a program. */
#define INPUT_OPTIONS(in)                                                                                 \
  INPUT_SML_OPTIONS(in), INPUT_ENCODING(in), INPUT_MESSAGES(in),                                          \
      {"begin",       0,                                                                                  \
       OPTIONS_INPUT, OPTION_LIST,                                                                        \
       &(in)->begins, "TRANSITION",                                                                       \
       NULL,          "in a net with NUPN units as threads: the transition (id or name) begins a block"}, \
  {                                                                                                       \
    "end", 0, OPTIONS_INPUT, OPTION_LIST, &(in)->ends, "TRANSITION", NULL,                                \
        "in such a net: the transition ends the block of its unit"                                        \
  }

/* Should messages on that stream be coloured? */
bool input_wants_colour(const InputOptions *options, FILE *stream);

/* Which transactions of a run count (ask/chosen.h). */
#define INPUT_CHOSEN(chosen)                                                                              \
  {"atomic",                                                                                              \
   0,                                                                                                     \
   OPTIONS_INPUT,                                                                                         \
   OPTION_LIST,                                                                                           \
   &(chosen)->atomic,                                                                                     \
   "NAME,...",                                                                                            \
   NULL,                                                                                                  \
   "of the transactions in the run only those with these names count (default, and all-functions: all)"}, \
  {                                                                                                       \
    "except", 0, OPTIONS_INPUT, OPTION_LIST, &(chosen)->except, "NAME,...", NULL,                         \
        "those with these names do not count"                                                             \
  }

/* What is left out of a run (ask/suppressions.h), in a tool's option table. */
#define INPUT_SUPPRESS(path)                                            \
  {                                                                     \
    "suppress", 0, OPTIONS_INPUT, OPTION_TEXT, path, "FILE", NULL,      \
        "leave out what FILE says: known violations, and what commutes" \
  }

/* Reads the file of that path, or, if it is NULL, nothing: then the list is empty, and its name is NULL. False, with
 * *err, if that fails. */
bool input_suppressions(Heap *heap, const char *path, Suppressions *suppressions, Err *err);

/* Warns, on stderr, of what was skipped in a run, and of names that it does not have; also of suppressions that nothing
 * in it matches, if it was read to its end. */
void input_warn_run(const char *tool, const char *run, const RunRemarks *remarks, const Suppressions *suppressions);

/* What the options say of programs, whose errors and warnings go to stderr. The heap's, and the options must live as
 * long. False, with *err, if a -D is malformed. */
bool input_program(Heap *heap, const InputOptions *options, ProgramOptions *program, Err *err);

/* The same of what has blocks. */
bool input_blocks(Heap *heap, const InputOptions *options, BlockInputOptions *blocks, Err *err);

#endif
