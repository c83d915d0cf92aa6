/* A file is looked at once, when its first line is asked for. It is opened without waiting, must be a regular file of
 * at most some megabytes, and text. That it is the one that the log means nobody can know; where it is too short for a
 * place it is not. */
#include "report/sources.h"

#include "base/intern.h"
#include "base/text.h"
#include "base/vec.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 8 << 20, MOST = 64 << 20 }; /* bytes: of a file, of all */

typedef struct {
  char *text; /* NULL: it cannot be used */
  size_t length;
  U32Vec starts; /* offsets of lines */
} Source;

struct Sources {
  Heap *heap;
  Intern names;
  VEC(Source) files;
  size_t bytes; /* of all */
};

Sources *sources_new(Heap *heap) {
  Sources *sources = heap_zeroed(heap, sizeof *sources);
  sources->heap = heap;
  intern_init(&sources->names, heap);
  return sources;
}

void sources_free(Sources *sources) {
  Heap *heap = sources->heap;
  for (uint32_t i = 0; i < sources->files.n; i++) {
    heap_release(heap, sources->files.at[i].text);
    vec_fini(heap, &sources->files.at[i].starts);
  }
  vec_fini(heap, &sources->files);
  intern_fini(&sources->names);
  heap_release(heap, sources);
}

/* Up to `room` bytes; what is read of a file that becomes shorter meanwhile is a file, too. */
static size_t read_bytes(int handle, char *to, size_t room) {
  size_t length = 0;
  for (ssize_t n = 1; n > 0 && length<room; length += n> 0 ? (size_t)n : 0)
    n = read(handle, to + length, room - length);
  return length;
}

static void find_lines(Heap *heap, Source *source) {
  vec_push(heap, &source->starts, 0);
  for (size_t i = 0; i < source->length; i++)
    if (source->text[i] == '\n') vec_push(heap, &source->starts, (uint32_t)i + 1);
}

static bool is_text_sized(const struct stat *about) {
  return S_ISREG(about->st_mode) && about->st_size > 0 && about->st_size <= LARGEST;
}

/* Memory may run out only while no file is open. */
static void read_file(Sources *sources, const char *file, Source *source) {
  struct stat about;
  if (stat(file, &about) != 0 || !is_text_sized(&about) || (size_t)about.st_size > MOST - sources->bytes) return;
  const size_t size = (size_t)about.st_size;
  sources->bytes += size;
  char *text = source->text = heap_alloc(sources->heap, size);
  const int handle = open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (handle < 0) return;
  const size_t length = fstat(handle, &about) == 0 && is_text_sized(&about) ? read_bytes(handle, text, size) : 0;
  close(handle);
  if (text_is_binary(text, length)) return;
  source->length = length;
  find_lines(sources->heap, source);
}

static const Source *source_of(Sources *sources, const char *file) {
  bool is_new;
  const uint32_t number = intern_add(&sources->names, file, strlen(file), &is_new);
  if (is_new) {
    vec_push(sources->heap, &sources->files, (Source){0});
    read_file(sources, file, &sources->files.at[number]);
  }
  return &sources->files.at[number];
}

SourceLine sources_line(Sources *sources, const char *file, uint32_t line, uint32_t column) {
  const Source *source = source_of(sources, file);
  if (line == 0 || line > source->starts.n) return (SourceLine){0};
  const size_t start = source->starts.at[line - 1];
  size_t end = line < source->starts.n ? source->starts.at[line] - 1 : source->length;
  if (end > start && source->text[end - 1] == '\r') end--;
  if (start == end || end - start < column) return (SourceLine){0};
  return (SourceLine){source->text + start, end - start};
}

SourceLine sources_text(Sources *sources, const char *file) {
  const Source *source = source_of(sources, file);
  return source->starts.n ? (SourceLine){source->text, source->length} : (SourceLine){0};
}
