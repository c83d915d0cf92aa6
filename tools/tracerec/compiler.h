/* compiler.h: `tracerec cc`: the compiler's command line, so that the program can be recorded. */
#ifndef TOOLS_TRACEREC_COMPILER_H
#define TOOLS_TRACEREC_COMPILER_H

#include "base/err.h"
#include "base/heap.h"

#include <limits.h>
#include <stdbool.h>

/* Where the shell would find the command, without links; false: nowhere. */
bool compiler_find(const char *name, char found[PATH_MAX]);

/* Becomes the compiler, with these arguments and those for the recorder; if the first one is "--emit=bitcode", LLVM's
 * bitcode of what is compiled is made before that (beside.h). It returns only where that is not possible, or where
 * several objects are made: with the compiler's exit code. */
bool compiler_exec(Heap *heap, const char *name, char **arguments, int *code, Err *err);

/* Prints the flags with which a compiler without `tracerec cc` finds causal.h. */
bool compiler_print_flags(Err *err);

#endif
