/* program_input.h: from the text of a program to its net. */
#ifndef ASK_PROGRAM_INPUT_H
#define ASK_PROGRAM_INPUT_H

#include "base/file.h"
#include "frontend/sml/sml.h"

/* How the text of a program is read, and who hears its errors and warnings. */
typedef struct {
  SmlOptions sml;
  const char *const *warnings; /* switches, as diag_switch has them */
  uint32_t n_warnings;
  void (*say)(const void *argument,
              const Diag *diag); /* sees the errors and warnings of each text, while there is the text; may be NULL */
  const void *say_argument;
} ProgramOptions;

/* "NAME=NUMBER"; the name is the heap's. False if it is not that, or the number is too large. */
bool program_input_define(Heap *heap, const char *text, SmlDefine *define);

/* False, with ERR_INPUT, if the text has no word: most likely what was to write it has failed. `what` was expected. */
bool program_input_expect(const InFile *file, const char *what, Err *err);

/* Makes *diag ready for a text: warnings are switched. False, with ERR_INPUT, if the file is no text, or there is
 * no such warning. In either case the diag is to be given back. */
bool program_input_begin(Heap *heap, const InFile *file, const ProgramOptions *options, Diag *diag, Err *err);

/* Lets the one who asked see what was found. */
void program_input_say(const ProgramOptions *options, const Diag *diag);

/* The net, with notes. NULL, with ERR_INPUT, if there was an error; its text is empty if say() has seen all. */
Net *program_input_compile(Heap *heap, const InFile *file, const ProgramOptions *options, Err *err);

#endif
