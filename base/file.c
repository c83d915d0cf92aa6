#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_READ = 1 << 16, MOST_LINKS = 40 };

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
} FileReading;

/* Reads to the end of the file; runs in a heap_try, since the file must be closed whatever happens. */
static void read_all(void *argument) {
  FileReading *reading = argument;
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
    if (file->length > FILE_MOST) reading->error = EFBIG;
    if (n < 0 && errno != EINTR) reading->error = errno;
    if (reading->error) break;
    if (n > 0) file->length += (size_t)n;
    if (file->length == room - 1) file->text = heap_resize(heap, file->text, heap_product(heap, room *= 2, 1));
  }
  file->text[file->length] = '\0';
}

const char *file_name(const char *path) { return strcmp(path, "-") == 0 ? "<stdin>" : path; }

bool file_read(Heap *heap, const char *path, InFile *file, Err *err) {
  const bool is_stdin = strcmp(path, "-") == 0;
  InFile result = {.name = file_name(path)};
  FileReading reading = {heap, is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC), &result, 0};
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

/* `head` bytes of the path, and the tail. */
static char *join(Heap *heap, const char *path, size_t head, const char *tail) {
  char *joined = heap_alloc(heap, head + strlen(tail) + 1);
  memcpy(joined, path, head);
  strcpy(joined + head, tail);
  return joined;
}

/* What the symbolic link at the path leads to, one step; NULL if there is none. */
static char *follow_link(Heap *heap, const char *path) {
  char target[PATH_MAX + 1];
  const ssize_t length = readlink(path, target, PATH_MAX);
  if (length < 0) return NULL;
  target[length] = '\0';
  const char *slash = strrchr(path, '/');
  return join(heap, path, slash && *target != '/' ? (size_t)(slash + 1 - path) : 0, target);
}

char *file_behind_links(Heap *heap, const char *path) {
  char *at = join(heap, path, strlen(path), "");
  for (int i = 0; i < MOST_LINKS; i++) {
    char *next = follow_link(heap, at);
    if (!next) return at;
    heap_release(heap, at);
    at = next;
  }
  heap_release(heap, at);
  errno = ELOOP;
  return NULL;
}

static mode_t default_mode(void) {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/* A temporary name beside the file, so that the rename stays within one file system; the file is created by it. */
static FILE *open_temporary(OutFile *file, mode_t mode) {
  file->place = file_behind_links(file->heap, file->path);
  if (!file->place) return NULL;
  file->temporary = join(file->heap, file->place, strlen(file->place), ".XXXXXX");
  const int handle = mkstemp(file->temporary);
  if (handle < 0) return NULL;
  fchmod(handle, mode);
  return fdopen(handle, "wb");
}

static void forget_names(OutFile *file) {
  heap_release(file->heap, file->temporary);
  heap_release(file->heap, file->place);
  file->temporary = file->place = NULL;
}

/* Is it where stdout goes, by whatever name? To open it again would cut off what was written before. */
static bool is_stdout(const struct stat *info) {
  struct stat out;
  return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == info->st_dev && out.st_ino == info->st_ino;
}

bool file_create(Heap *heap, const char *path, OutFile *file, Err *err) {
  OutFile result = {.path = path, .heap = heap};
  struct stat info;
  const bool exists = stat(path, &info) == 0;
  if (strcmp(path, "-") == 0 || (exists && is_stdout(&info))) result.stream = stdout;
  else if (exists && !S_ISREG(info.st_mode)) result.stream = fopen(path, "wb");
  else result.stream = open_temporary(&result, exists ? info.st_mode & 0777 : default_mode());
  if (!result.stream) {
    const int why = errno;
    forget_names(&result);
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
  if (good && file->temporary && rename(file->temporary, file->place) != 0) {
    good = false;
    why = errno;
  }
  if (!good && file->temporary) unlink(file->temporary);
  forget_names(file);
  return good || err_set(err, ERR_IO, "%s: %s", name, why ? strerror(why) : "writing failed");
}

bool file_cut(OutFile *file, long length) {
  return length >= 0 && fflush(file->stream) == 0 && ftruncate(fileno(file->stream), length) == 0 &&
         fseek(file->stream, length, SEEK_SET) == 0;
}

void file_discard(OutFile *file) {
  if (file->stream != stdout) fclose(file->stream);
  if (file->temporary) unlink(file->temporary);
  forget_names(file);
}

typedef struct {
  FileWriter *write;
  void *argument;
  FILE *stream;
  Err *err;
  bool done;
} FileWriting;

static void write_body(void *argument) {
  FileWriting *writing = argument;
  writing->done = writing->write(writing->argument, writing->stream, writing->err);
}

bool file_write(Heap *heap, const char *path, FileWriter *write, void *argument, Err *err) {
  OutFile file = {0};
  if (!file_create(heap, path, &file, err)) return false;
  FileWriting writing = {write, argument, file.stream, err, false};
  const bool enough_memory = heap_try(heap, write_body, &writing);
  if (writing.done) return file_close(&file, err);
  file_discard(&file);
  if (!enough_memory) heap_pass_on(heap);
  return false;
}
