/* here.h: what a path that was meant in one folder is called in the current one. */
#ifndef BASE_HERE_H
#define BASE_HERE_H

#include "base/heap.h"

/* The path, as it leads from the current folder, if it was written in `folder`: relative where it leads below the
 * current one. A relative path is left as it is where the two are one folder, by whatever names. The heap's. */
const char *here_name(Heap *heap, const char *folder, const char *path);

/* Likewise, without a look at the folders there are: FOLDER/PATH, or PATH, if that begins at the root. */
const char *here_join(Heap *heap, const char *folder, const char *path);

#endif
