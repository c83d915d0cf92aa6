/* input.h: the options that the tools share about their input, and reading a program or a net with them. */
#ifndef TOOLS_INPUT_H
#define TOOLS_INPUT_H

#include "base/file.h"
#include "base/options.h"
#include "frontend/sml/sml.h"

typedef struct {
  OptionList defines, warnings; /* -D NAME=VALUE, -W NAME */
  uint32_t granularity, encoding, colour;
  OptionList begins, ends;      /* transitions of a net without notes */
  bool abstract_data;           /* no values are known */
  SmlUnmarked unmarked;         /* likewise of a net; SML_UNMARKED_WARNS: it is only to be converted, nothing is said of it */
} InputOptions;

extern const char *const INPUT_GRANULARITIES[], *const INPUT_ENCODINGS[], *const INPUT_COLOURS[];

/* The rows of a tool's option table for what concerns SML, and colour. */
#define INPUT_SML_OPTIONS(in)                                                                                          \
  {"define", 'D', OPTION_LIST, &(in)->defines, "NAME=N", NULL, "let the count NAME of 'NAME * { }' be N"},             \
  {"granularity", 0, OPTION_CHOICE, &(in)->granularity, NULL, INPUT_GRANULARITIES,                                     \
   "what is one event: a statement or test (default), or each access to a global"},                                    \
  {"encoding", 0, OPTION_CHOICE, &(in)->encoding, NULL, INPUT_ENCODINGS,                                               \
   "of variables: no more copies than needed (default), or one per thread as in the paper"},                          \
  {"warn", 'W', OPTION_LIST, &(in)->warnings, "NAME", NULL, "turn a warning on, or off with no-NAME (no-all: every one)"}, \
  {"color", 0, OPTION_CHOICE, &(in)->colour, NULL, INPUT_COLOURS,                                                      \
   "colour in messages (default auto: on a terminal, unless NO_COLOR is set)"}

/* Those, and what makes a net without notes a program. */
#define INPUT_OPTIONS(in)                                                                                              \
  INPUT_SML_OPTIONS(in),                                                                                               \
  {"begin", 0, OPTION_LIST, &(in)->begins, "TRANSITION", NULL,                                                         \
   "in a net with NUPN units as threads: the transition (id or name) begins a block"},                                \
  {"end", 0, OPTION_LIST, &(in)->ends, "TRANSITION", NULL, "likewise: the transition ends the block of its unit"}

/* Should messages on that stream be coloured? */
bool input_wants_colour(const InputOptions *options, FILE *stream);

/* What the options say of SML; warnings are switched in `diag`. False, too, if what `diag` is about is no text at all. */
bool input_sml_options(Heap *heap, const InputOptions *options, SmlOptions *sml, Diag *diag, Err *err);

/* False, with ERR_INPUT, if the text has no word: most likely what was to write it has failed. `what` was expected. */
bool input_expect(const InFile *file, const char *what, Err *err);

/* Compiles SML; its errors and warnings are printed on stderr. NULL if there was an error; *err then has an empty text if all
 * was printed. */
Net *input_compile(Heap *heap, const InFile *file, const InputOptions *options, Err *err);

/* Reads SML, PNML or ll_net from the file ("-": stdin), told from the content. With SML_UNMARKED_PASSES the units of a net
 * without notes are threads also if no block is named. NULL as above. */
Net *input_read_net(Heap *heap, const char *path, const InputOptions *options, Err *err);

#endif
