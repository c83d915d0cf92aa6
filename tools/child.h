/* child.h: what another program prints, read into memory. */
#ifndef TOOLS_CHILD_H
#define TOOLS_CHILD_H

#include "base/heap.h"
#include "base/vec.h"

/* Runs, in that folder (NULL: this one), the program of the first word (looked for in PATH, if it has no slash), with
 * all words, of which the last one is NULL, and adds its stdout to `bytes`, and a NUL behind it, which is not counted.
 * Its stderr is the file `errors`; -1: ours.
 * Its exit code, or 128 and the number of the signal that ended it; -1, with errno: it cannot be run. Where the heap is
 * asked to stop, the program is killed, and the work is left (heap_poll). */
int child_read(Heap *heap, const char *folder, const char *const *words, int errors, CharVec *bytes);

#endif
