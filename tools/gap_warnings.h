/* gap_warnings.h: what c2net says of what is not in the net. */
#ifndef TOOLS_GAP_WARNINGS_H
#define TOOLS_GAP_WARNINGS_H

#include "program/program.h"

/* Warns, on stderr, of the program's gaps. Of those that differ by their places alone, and whose addresses come from one
 * place, the first ones are told, and how many there are, unless `all` are to be told. `path`: what was read. */
void gap_warnings_print(Heap *heap, const Program *program, const char *path, bool all);

#endif
