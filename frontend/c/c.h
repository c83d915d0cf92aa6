/* c.h: from LLVM's bitcode of a C program to a net with notes. docs/c.md says what is modelled. */
#ifndef FRONTEND_C_C_H
#define FRONTEND_C_C_H

#include "base/file.h"
#include "petri/net.h"

/* The most threads for one call that creates them. */
enum { C_MOST_COPIES = 64 };

/* Something that the program may do and what is read of it may not. */
typedef struct {
  const char *file, *what; /* "a.c", "is compiled in several ways" */
} COmission;

/* How a program is read. */
typedef struct {
  uint32_t copies;           /* of a thread that is created in a loop; at least 1 */
  const char *const *atomic; /* names of functions each call of which is a block */
  uint32_t n_atomic;
  bool functions; /* the calls of all functions are blocks */
  const COmission *omissions;
  uint32_t n_omissions;
} COptions;

/* The net of the program of these files of bitcode, at least one. What the program may do and the net may not is in the
 * notes (NoteGap). NULL, with ERR_INPUT, if it is no bitcode, has no main, a function of `atomic` is not there, or it
 * is too large. */
Net *c_compile(Heap *heap, const InFile *files, uint32_t n, const COptions *options, Err *err);

#endif
