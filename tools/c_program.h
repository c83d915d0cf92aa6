/* c_program.h: C programs as inputs of causalcheck: c2net makes a net of them. */
#ifndef TOOLS_C_PROGRAM_H
#define TOOLS_C_PROGRAM_H

#include "base/err.h"
#include "base/file.h"

/* Is it the name of a C or C++ program, of LLVM's bitcode of one, or of a compilation database; or is it a program that
 * was linked? */
bool c_program_is(const char *path);

/* The text of its net, the heap's; `verbose`: each thing that is not in it is said. c2net is beside the running program, or in PATH. False, with ERR_IO, if there is no
 * c2net, or it ends without a word. What c2net complains of it has printed by then: false, without a text, with the
 * kind of its error (net_is_absent). */
bool c_program_read(Heap *heap, const char *path, bool verbose, InFile *file, Err *err);

#endif
