#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_READ = 1 << 16 };

/* ---- in ---- */

bool file_wait(const Heap *heap, int handle) {
  struct pollfd waiting = {.fd = handle, .events = POLLIN};
  int ready = poll(&waiting, 1, 0);
  while (ready == 0 || (ready < 0 && errno == EINTR)) {
    if (heap_asked(heap) != STOP_NOT) return false;
    ready = poll(&waiting, 1, -1);
  }
  return true;
}

typedef struct {
  Heap *heap;
  int handle;
  InFile *file;
  int error; /* an errno, or 0 */
} Reading;

/* Reads to the end of the file; runs in a heap_try, since the file must be closed whatever happens. */
static void read_all(void *argument) {
  Reading *reading = argument;
  Heap *heap = reading->heap;
  InFile *file = reading->file;
  struct stat info;
  size_t room = FIRST_READ;
  if (fstat(reading->handle, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) room = (size_t)info.st_size + 2;
  file->text = heap_alloc(heap, room);
  for (;;) {
    file_wait(heap, reading->handle);
    heap_poll_asked(heap);
    const ssize_t n = read(reading->handle, file->text + file->length, room - file->length - 1);
    if (n == 0) break;
    if (n < 0 && errno != EINTR) {
      reading->error = errno;
      break;
    }
    if (n > 0) file->length += (size_t)n;
    if (file->length == room - 1) file->text = heap_resize(heap, file->text, heap_product(heap, room *= 2, 1));
  }
  file->text[file->length] = '\0';
}

bool file_read(Heap *heap, const char *path, InFile *file, Err *err) {
  const bool is_stdin = strcmp(path, "-") == 0;
  InFile result = {.name = is_stdin ? "<stdin>" : path};
  Reading reading = {heap, is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC), &result, 0};
  if (reading.handle < 0) return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
  const bool enough_memory = heap_try(heap, read_all, &reading);
  if (!is_stdin) close(reading.handle);
  if (enough_memory && !reading.error) {
    *file = result;
    return true;
  }
  heap_release(heap, result.text);
  if (!enough_memory) heap_pass_on(heap);
  return err_set(err, ERR_IO, "%s: %s", result.name, strerror(reading.error));
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
  if (!enough_memory) heap_pass_on(heap);
  return false;
}
