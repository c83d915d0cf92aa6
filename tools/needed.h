/* needed.h: of the files of several programs, those that make up the one with a certain `main`. */
#ifndef TOOLS_NEEDED_H
#define TOOLS_NEEDED_H

#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"
#include "frontend/c/c.h"

typedef VEC(InFile) InFiles;
typedef VEC(COmission) Omissions;

/* Keeps of the files (bitcode) from number `from` on those that define what a file needs which is kept, in their order.
 * Kept are those before `from` and number `main`, one of those from there on. What may belong to the program and is
 * left out is an omission. False, with ERR_INPUT, if two files define what is needed, or if one is no bitcode. */
bool needed_keep(Heap *heap, InFiles *files, uint32_t from, uint32_t main, Omissions *omissions, Err *err);

#endif
