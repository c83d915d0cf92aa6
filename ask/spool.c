#include "ask/spool.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20 };

Spool spool_plain(const char *path) { return (Spool){path, file_name(path), NULL, -1}; }

bool spool_is_lasting(const Spool *spool) {
  struct stat info;
  return strcmp(spool->path, "-") != 0 && stat(spool->path, &info) == 0 && S_ISREG(info.st_mode);
}

static int unnamed_file(void) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  if (snprintf(path, sizeof path, "%s/causal-XXXXXX", folder && *folder ? folder : "/tmp") >= (int)sizeof path)
    return errno = ENAMETOOLONG, -1;
  const int file = mkstemp(path);
  if (file >= 0) unlink(path);
  return file;
}

static bool write_all(int to, const char *bytes, ssize_t n) {
  for (ssize_t done = 0; done < n;) {
    const ssize_t written = write(to, bytes + done, (size_t)(n - done));
    if (written < 0 && errno != EINTR) return false;
    done += written > 0 ? written : 0;
  }
  return true;
}

static bool copy(Heap *heap, int from, int to) {
  char *bytes = heap_alloc(heap, PIECE);
  ssize_t n = 1;
  bool good = true;
  while (good && n > 0) {
    file_wait(heap, from);
    heap_poll_asked(heap);
    n = read(from, bytes, PIECE);
    if (n < 0 && errno == EINTR) n = 1;
    else good = n >= 0 && write_all(to, bytes, n);
  }
  heap_release(heap, bytes);
  return good;
}

bool spool_open(Spool *spool, Heap *heap, const char *path, Err *err) {
  const bool is_stdin = strcmp(path, "-") == 0;
  *spool = spool_plain(path);
  if (spool_is_lasting(spool)) return true;
  const int from = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (from < 0) return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
  spool->file = unnamed_file();
  const bool good = spool->file >= 0 && copy(heap, from, spool->file);
  if (!good) err_set(err, ERR_IO, "%s: cannot write a temporary copy: %s", spool->name, strerror(errno));
  if (!is_stdin) close(from);
  if (!good) {
    spool_close(spool, heap);
    return false;
  }
  spool->copy = heap_alloc(heap, 64);
  snprintf(spool->copy, 64, "/proc/self/fd/%d", spool->file);
  spool->path = spool->copy;
  return true;
}

void spool_close(Spool *spool, Heap *heap) {
  if (spool->file >= 0) close(spool->file);
  heap_release(heap, spool->copy);
  *spool = (Spool){.file = -1};
}
