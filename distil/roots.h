/* roots.h: the folder that places in a program's source are relative to, so that they are short, and are found there: a
 * build tool may have given the compiler absolute paths, and may have run it somewhere else.
 *
 * It is the one that has all source files and all folders in which the compiler ran, if the compiler ran there, or in a
 * folder there: then it is the project's. Else it is the one that has all source files. */
#ifndef DISTIL_ROOTS_H
#define DISTIL_ROOTS_H

#include "base/heap.h"

#include <stdint.h>

/* Absolute paths without a slash at the end; all is NULL at first. */
typedef struct {
  char *files;    /* has all source files */
  char *all;      /* and all folders in which the compiler ran, */
  uint32_t depth; /* the least number of slashes of which */
} Roots;

/* A source file, absolute and normal, and the folder in which it was compiled, or NULL. */
void roots_add(Heap *heap, Roots *roots, const char *file, const char *folder);

/* Releases the two paths; both are NULL then. */
void roots_fini(Heap *heap, Roots *roots);

/* The part of an absolute and normal path after the root, or after this folder (or NULL); the whole path if it is in
 * neither. */
const char *roots_strip(const Roots *roots, const char *file, const char *folder);

/* Takes ".", ".." and empty parts out of an absolute path. */
void roots_normalize(char *path);

#endif
