/* sources.h: lines of the source files that findings name. What a log names may be anything: a file that is missing,
 * huge, no text, a pipe, or another one of that name. Such a file has no lines here, and none of them is waited for. */
#ifndef REPORT_SOURCES_H
#define REPORT_SOURCES_H

#include "base/heap.h"

#include <stdint.h>

/* The files that were asked for so far. */
typedef struct Sources Sources;

/* A line of a file, or all of it; it belongs to the Sources. */
typedef struct {
  const char *text; /* of a line, without its end; NULL: not known */
  size_t length;
} SourceLine;

/* No file has been read. Memory is the heap's until sources_free. */
Sources *sources_new(Heap *heap);
void sources_free(Sources *sources);

/* The line, from 1, if the file can be read and has it, and has `column` bytes in it at least; 0: any. Valid until
 * sources_free. */
SourceLine sources_line(Sources *sources, const char *file, uint32_t line, uint32_t column);

/* All of the file, not NUL-terminated, if it can be read; else NULL. Valid until sources_free. */
SourceLine sources_text(Sources *sources, const char *file);

#endif
