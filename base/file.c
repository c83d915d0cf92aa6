#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_READ = 1 << 16 };

/* ---- in ---- */

typedef struct {
  Heap *heap;
  FILE *stream;
  InFile *file;
} Reading;

/* Reads to the end of the stream; runs in a heap_try, since the stream must be closed whatever happens. */
static void read_stream(void *argument) {
  Reading *reading = argument;
  InFile *file = reading->file;
  struct stat info;
  size_t room = FIRST_READ;
  if (fstat(fileno(reading->stream), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
    room = (size_t)info.st_size + 2;
  for (;;) {
    file->text = heap_resize(reading->heap, file->text, room);
    file->length += fread(file->text + file->length, 1, room - file->length - 1, reading->stream);
    if (file->length < room - 1) break;
    room += room;
  }
  file->text[file->length] = '\0';
}

bool file_read(Heap *heap, const char *path, InFile *file, Err *err) {
  const bool is_stdin = strcmp(path, "-") == 0;
  InFile result = {.name = is_stdin ? "<stdin>" : path};
  Reading reading = {heap, is_stdin ? stdin : fopen(path, "rb"), &result};
  if (!reading.stream) return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
  errno = 0;
  const bool enough_memory = heap_try(heap, read_stream, &reading);
  const bool failed = ferror(reading.stream) != 0;
  const int why = errno;
  if (!is_stdin) fclose(reading.stream);
  if (!enough_memory) {
    heap_release(heap, result.text);
    heap_give_up(heap);
  }
  if (failed) {
    heap_release(heap, result.text);
    return err_set(err, ERR_IO, "%s: %s", result.name, strerror(why));
  }
  *file = result;
  return true;
}

void file_release(Heap *heap, InFile *file) {
  heap_release(heap, file->text);
  *file = (InFile){0};
}

/* ---- out ---- */

/* A temporary name beside the path, so that the rename stays within one file system; the file is created by it. */
static FILE *open_temporary(OutFile *file, const char *path) {
  const size_t length = strlen(path);
  file->temporary = heap_alloc(file->heap, length + sizeof ".XXXXXX");
  memcpy(file->temporary, path, length);
  memcpy(file->temporary + length, ".XXXXXX", sizeof ".XXXXXX");
  const int handle = mkstemp(file->temporary);
  if (handle < 0) return NULL;
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(handle, 0666 & ~mask);
  return fdopen(handle, "wb");
}

static void forget_temporary(OutFile *file) {
  heap_release(file->heap, file->temporary);
  file->temporary = NULL;
}

bool file_create(Heap *heap, const char *path, OutFile *file, Err *err) {
  OutFile result = {.path = path, .heap = heap};
  struct stat info;
  if (strcmp(path, "-") == 0)
    result.stream = stdout;
  else if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
    result.stream = fopen(path, "wb");
  else
    result.stream = open_temporary(&result, path);
  if (!result.stream) {
    const int why = errno;
    forget_temporary(&result);
    return err_set(err, ERR_IO, "%s: %s", path, strerror(why));
  }
  *file = result;
  return true;
}

bool file_close(OutFile *file, Err *err) {
  const char *name = file->stream == stdout ? "<stdout>" : file->path;
  errno = 0;
  bool good = fflush(file->stream) == 0 && !ferror(file->stream);
  int why = errno;
  if (file->stream != stdout && fclose(file->stream) != 0 && good) {
    good = false;
    why = errno;
  }
  if (good && file->temporary && rename(file->temporary, file->path) != 0) {
    good = false;
    why = errno;
  }
  if (!good && file->temporary) unlink(file->temporary);
  forget_temporary(file);
  return good || err_set(err, ERR_IO, "%s: %s", name, why ? strerror(why) : "writing failed");
}

void file_discard(OutFile *file) {
  if (file->stream != stdout) fclose(file->stream);
  if (file->temporary) unlink(file->temporary);
  forget_temporary(file);
}

typedef struct {
  FileWriter *write;
  void *argument;
  FILE *stream;
  Err *err;
  bool done;
} Writing;

static void write_body(void *argument) {
  Writing *writing = argument;
  writing->done = writing->write(writing->argument, writing->stream, writing->err);
}

bool file_write(Heap *heap, const char *path, FileWriter *write, void *argument, Err *err) {
  OutFile file = {0};
  if (!file_create(heap, path, &file, err)) return false;
  Writing writing = {write, argument, file.stream, err, false};
  const bool enough_memory = heap_try(heap, write_body, &writing);
  if (writing.done) return file_close(&file, err);
  file_discard(&file);
  if (!enough_memory) heap_give_up(heap);
  return false;
}
