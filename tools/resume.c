#include "tools/resume.h"

#include "base/intern.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line that was there. */
typedef struct {
  const char *text;
  size_t length; /* with its end */
  bool is_file;
  uint64_t size, time;
} Kept;

struct Resume {
  Heap *heap;
  const char *path, *schema, *options;
  int file;
  InFile text;
  Intern keys;
  CharVec key;
  VEC(Kept) kept; /* per key: the last one */
};

static bool fail(const Resume *resume, Err *err) {
  return err_set(err, ERR_IO, "%s: %s", resume->path, strerror(errno));
}

/* ---- what is there ---- */

static bool check_question(const Resume *resume, uint64_t number, const ResultLine *line, Err *err) {
  if (strcmp(line->schema, resume->schema) != 0)
    return err_set(err, ERR_INPUT, "%s:%" PRIu64 ": this is a result of '%.80s', not of '%s'", resume->path, number,
                   line->schema, resume->schema);
  if (strcmp(line->file.options, resume->options) != 0)
    return err_set(err, ERR_INPUT, "%s:%" PRIu64 ": this is a result of other options: '%.200s', not '%.200s'",
                   resume->path, number, line->file.options, resume->options);
  return true;
}

/* What a line is about: the path, and which share of what is there. Makes resume->key. */
static void make_key(Resume *resume, const ReportFile *file) {
  const size_t length = strlen(file->path) + 1;
  const uint64_t share[] = {file->share, file->shares};
  vec_clear(&resume->key);
  vec_reserve(resume->heap, &resume->key, length + sizeof share);
  memcpy(resume->key.at, file->path, length);
  memcpy(resume->key.at + length, share, sizeof share);
  resume->key.n = (uint32_t)(length + sizeof share);
}

static void keep(Resume *resume, const ResultLine *line, const char *text, size_t length) {
  const ReportFile *file = &line->file;
  const Kept kept = {text, length, file->is_file, file->size, file->time};
  vec_reserve(resume->heap, &resume->kept, 1);
  make_key(resume, file);
  const uint32_t number = intern_add(&resume->keys, resume->key.at, resume->key.n, NULL);
  if (number == resume->kept.n) vec_push(resume->heap, &resume->kept, kept);
  else resume->kept.at[number] = kept;
}

static bool take_lines(Resume *resume, const Tool *tool, LineReader *reader, Err *err) {
  uint64_t number = 0, broken = 0;
  const char *at = resume->text.text, *end = at + resume->text.length;
  for (const char *stop; (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1) {
    ResultLine line;
    number++;
    if (!result_line_read(reader, at, (size_t)(stop - at), &line)) broken++;
    else if (!check_question(resume, number, &line, err)) return false;
    else keep(resume, &line, at, (size_t)(stop + 1 - at));
  }
  if (broken)
    fprintf(stderr, "%s: %s: warning: %" PRIu64 " of %" PRIu64 " lines are no results; they are left out\n", tool->name,
            resume->path, broken, number);
  if (at == end) return true;
  fprintf(stderr, "%s: %s: warning: the last line is half written; it is cut off\n", tool->name, resume->path);
  return ftruncate(resume->file, at - resume->text.text) == 0 || fail(resume, err);
}

/* ---- the file ---- */

/* What is no regular file, such as a pipe, is only written. */
static bool read_lines(Resume *resume, const Tool *tool, LineReader *reader, Err *err) {
  struct stat info;
  if (fstat(resume->file, &info) != 0) return fail(resume, err);
  if (!S_ISREG(info.st_mode)) return true;
  if (flock(resume->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return err_set(err, ERR_IO, "%s: another process writes to it", resume->path);
  return file_read(resume->heap, resume->path, &resume->text, err) && take_lines(resume, tool, reader, err);
}

Resume *resume_open(const Tool *tool, const char *path, const char *schema, const char *options, LineReader *reader,
                    Err *err) {
  Resume *resume = heap_zeroed(tool->heap, sizeof *resume);
  resume->heap = tool->heap;
  resume->path = path;
  resume->schema = schema;
  resume->options = options;
  intern_init(&resume->keys, tool->heap);
  resume->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (resume->file < 0) fail(resume, err);
  else if (read_lines(resume, tool, reader, err)) return resume;
  resume_close(resume);
  return NULL;
}

void resume_leave(Resume *resume) {
  if (resume && resume->file >= 0) close(resume->file);
  if (resume) resume->file = -1;
}

void resume_close(Resume *resume) {
  if (!resume) return;
  resume_leave(resume);
  file_release(resume->heap, &resume->text);
  vec_fini(resume->heap, &resume->kept);
  vec_fini(resume->heap, &resume->key);
  intern_fini(&resume->keys);
  heap_release(resume->heap, resume);
}

const char *resume_find(Resume *resume, const ReportFile *file, size_t *length) {
  make_key(resume, file);
  const uint32_t number = intern_find(&resume->keys, resume->key.at, resume->key.n);
  if (number == INTERN_NONE || !file->is_file) return NULL;
  const Kept *kept = &resume->kept.at[number];
  if (!kept->is_file || kept->size != file->size || kept->time != file->time) return NULL;
  *length = kept->length;
  return kept->text;
}

bool resume_append(Resume *resume, const char *line, size_t length, Err *err) {
  for (size_t done = 0; done < length;) {
    const ssize_t n = write(resume->file, line + done, length - done);
    if (n < 0 && errno != EINTR) return fail(resume, err);
    if (n > 0) done += (size_t)n;
  }
  return true;
}
