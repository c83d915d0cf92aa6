/* spool.h: an input that can be read any number of times. */
#ifndef ASK_SPOOL_H
#define ASK_SPOOL_H

#include "base/err.h"
#include "base/heap.h"

/* A file that stays where it is, or a copy of what cannot be read twice. */
typedef struct {
  const char *path; /* to open */
  const char *name; /* for messages: the path that was given, or "<stdin>" */
  char *copy;       /* the path, if it is that of a copy; the heap's */
  int file;         /* the copy, which has no name; -1: none */
} Spool;

/* The input as it is. */
Spool spool_plain(const char *path);
bool spool_is_lasting(const Spool *spool); /* can it be read again? */

/* "-" and what is no regular file is copied to a temporary file without a name. False, with ERR_IO, if that fails. */
bool spool_open(Spool *spool, Heap *heap, const char *path, Err *err);
void spool_close(Spool *spool, Heap *heap);

#endif
