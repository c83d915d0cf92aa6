/* file.h: files in, files out. "-" is stdin or stdout. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/err.h"
#include "base/heap.h"

#include <stdio.h>

/* The whole of a file, with a NUL after it that is not counted; heap-owned. */
typedef struct {
  char *text;
  size_t length;
  const char *name; /* for messages: the path, or "<stdin>" */
} InFile;

/* Waits until there is something to read, or the end. False if there is nothing, and the heap is asked to stop. */
bool file_wait(const Heap *heap, int handle);

/* Of more bytes no file is read as a whole. */
#define FILE_MOST ((size_t)1 << 30)

/* What messages call the input of that path: "<stdin>" for "-". */
const char *file_name(const char *path);

/* Reads all of it; false, with ERR_IO, if it cannot be read, or is too long. What was read is the heap's, until
 * file_release. */
bool file_read(Heap *heap, const char *path, InFile *file, Err *err);
void file_release(Heap *heap, InFile *file);

/* An output that appears whole or not at all: it is written beside its place under a temporary name, and file_close
 * renames it. Symbolic links stay what they are: the file that they lead to is replaced. An existing file keeps its
 * permissions; one that is no regular file (a device, a pipe) is written as it stands, and so is what stdout goes to:
 * that may be a file, too, in which something stands already. */
typedef struct {
  FILE *stream; /* write here; never check each call, file_close does */
  const char *path;
  char *place, *temporary; /* where it is to be, links followed, and until then; NULL where there is no renaming */
  Heap *heap;
} OutFile;

/* False, with ERR_IO, if it cannot be opened; else it is to be closed or discarded. */
bool file_create(Heap *heap, const char *path, OutFile *file, Err *err);

/* Flushes, closes and renames; false if any write failed (a full disk, a closed pipe), and then nothing is left behind.
 */
bool file_close(OutFile *file, Err *err);

/* Takes back what was written behind the first `length` bytes (of stdout: counted as ftell does). False, and nothing
 * has happened, if it cannot be taken back: a pipe. */
bool file_cut(OutFile *file, long length);

/* Drops what was written. For a file that file_create has opened and file_close has not closed. */
void file_discard(OutFile *file);

/* Where a file is, or is to be, that has this path: behind all symbolic links. The heap's; NULL, with errno, if they
 * lead in a circle. */
char *file_behind_links(Heap *heap, const char *path);

/* The three together: creates the file, lets write(argument, stream, err) fill it, and closes it. Where `write` returns
 * false or memory runs out in it, nothing is left behind. */
typedef bool FileWriter(void *argument, FILE *stream, Err *err);
bool file_write(Heap *heap, const char *path, FileWriter *write, void *argument, Err *err);

#endif
