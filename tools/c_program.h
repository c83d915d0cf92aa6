/* c_program.h: C programs as inputs of causalcheck: c2net makes a net of them. */
#ifndef TOOLS_C_PROGRAM_H
#define TOOLS_C_PROGRAM_H

#include "base/err.h"
#include "base/file.h"
#include "base/options.h"

/* Is it the name of a C or C++ program, of LLVM's bitcode of one, or of a compilation database; or is it a program that
 * was linked? */
bool c_program_is(const char *path);

/* What is said of it on the command line. */
typedef struct {
  OptionList atomic; /* functions whose calls are blocks, too: "f,g" */
  bool functions;    /* each call of a function is one */
  bool verbose;      /* each thing that is not in the net is said */
} CProgramOptions;

/* The text of its net, the heap's. c2net is beside the running program, or in PATH. False, with ERR_IO, if there is no c2net, or it ends without
 * a word. What c2net complains of it has printed by then: false, without a text, with the kind of its error
 * (net_is_absent). */
bool c_program_read(Heap *heap, const char *path, const CProgramOptions *options, InFile *file, Err *err);

#endif
