/* paths.h: the files of one command line are different ones: no output is an input, or another output. */
#ifndef TOOLS_PATHS_H
#define TOOLS_PATHS_H

#include "base/err.h"
#include "base/heap.h"

#include <stddef.h>

/* What a path is there for. */
typedef struct {
  const char *what; /* "--dot", "the result"; NULL: an input */
  const char *path; /* "-": stdin or stdout; NULL: not given */
} PathUse;

/* False, with ERR_INPUT, if two of them, of which one at least is an output, are one file, by whatever names: a file
 * or pipe that is there, or one that is to be made; or both go to stdout. Devices, as /dev/null, may be given any
 * number of times. */
bool paths_differ(Heap *heap, const PathUse *uses, size_t n, Err *err);

#endif
