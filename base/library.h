/* library.h: shared libraries that few runs need, loaded by those. Of the 2.5 ms that a tool linked with them took to
 * print its version, graphviz was .4, and libxml2 with ICU and libstdc++, which it needs, 1.1; an empty program takes
 * .6. */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include "base/err.h"

#include <stddef.h>

/* A function or object of a library, and the pointer of its type (`to` is the address of that pointer) that is to
 * point at it. */
typedef struct {
  const char *name;
  void *to;
} LibraryName;

/* For lists of names, LIST(X) X(name1) X(name2) ...: LIST(LIBRARY_POINTER) declares the members of a struct of
 * pointers, named like what they point at; with a pointer `library` to that struct, LIST(LIBRARY_NAME) are its
 * LibraryNames. */
#define LIBRARY_POINTER(name) __typeof__(name) *name;
#define LIBRARY_NAME(name) {#name, &library->name},

/* Loads the library `file`, unless it is loaded, and sets the n pointers. It is never unloaded. False, with ERR_LIMIT
 * and what the system says, if it is not there, lacks one of the names, or finds no memory: which of these, nobody
 * tells. */
bool library_load(const char *file, const LibraryName *names, size_t n, Err *err);

#endif
