#include "tools/input_list.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/sort.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
  Heap *heap;
  InputList *list;
  Err *err;
} Making;

static void add(Making *making, const char *path, size_t length) {
  bool is_new;
  intern_add(&making->list->paths, path, length, &is_new);
  making->list->twice += !is_new;
}

/* ---- directories ---- */

/* The names of the files and directories in one. */
typedef struct {
  VEC(char *) at; /* the heap's */
} Names;

static char *join(Heap *heap, const char *folder, const char *name) {
  const size_t length = strlen(folder);
  const char *slash = length && folder[length - 1] == '/' ? "" : "/";
  char *path = heap_alloc(heap, length + strlen(name) + 2);
  strcpy(path, folder);
  strcat(path, slash);
  strcat(path, name);
  return path;
}

static bool fail(const Making *making, const char *path) {
  return err_set(making->err, ERR_IO, "%s: %s", path, strerror(errno));
}

static bool read_names(const Making *making, const char *folder, Names *names) {
  DIR *directory = opendir(folder);
  const struct dirent *entry;
  if (!directory) return fail(making, folder);
  for (errno = 0; (entry = readdir(directory)); errno = 0)
    if (entry->d_name[0] != '.') vec_push(making->heap, &names->at, join(making->heap, folder, entry->d_name));
  const int why = errno;
  closedir(directory);
  errno = why;
  return !why || fail(making, folder);
}

static int compare_names(uint32_t a, uint32_t b, const void *names_) {
  const Names *names = names_;
  return strcmp(names->at.at[a], names->at.at[b]);
}

static uint32_t *in_order(Heap *heap, const Names *names) {
  uint32_t *order = heap_alloc(heap, heap_product(heap, (uint64_t)names->at.n + 1, sizeof *order));
  for (uint32_t i = 0; i < names->at.n; i++) order[i] = i;
  sort_numbers(order, names->at.n, compare_names, names);
  return order;
}

static bool add_directory(Making *making, const char *folder);

/* What is neither a file nor a directory, a pipe for instance, may never end, and is left out. A link that leads
 * nowhere stands for a file that should be there. */
static bool add_entry(Making *making, const char *path) {
  struct stat info;
  if (lstat(path, &info) != 0) return fail(making, path);
  if (S_ISDIR(info.st_mode)) return add_directory(making, path);
  const bool leads_nowhere = S_ISLNK(info.st_mode) && stat(path, &info) != 0;
  if (leads_nowhere || S_ISREG(info.st_mode)) add(making, path, strlen(path));
  return true;
}

static bool add_directory(Making *making, const char *folder) {
  Heap *heap = making->heap;
  Names names = {0};
  bool good = read_names(making, folder, &names);
  uint32_t *order = in_order(heap, &names);
  for (uint32_t i = 0; i < names.at.n && good; i++) good = add_entry(making, names.at.at[order[i]]);
  for (uint32_t i = 0; i < names.at.n; i++) heap_release(heap, names.at.at[i]);
  heap_release(heap, order);
  vec_fini(heap, &names.at);
  return good;
}

bool input_list_is_directory(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* ---- all of them ---- */

static bool add_path(Making *making, const char *path, size_t length) {
  if (input_list_is_directory(path)) return add_directory(making, path);
  add(making, path, length);
  return true;
}

/* A file of the name "-" is no stdin here. */
static bool add_line(Making *making, const char *line, size_t length) {
  if (strcmp(line, "-") == 0) return add_path(making, "./-", 3);
  return !length || add_path(making, line, length);
}

static bool add_list(Making *making, const char *path) {
  InFile file;
  bool good = true;
  if (!file_read(making->heap, path, &file, making->err)) return false;
  for (char *at = file.text, *end = file.text + file.length; at < end && good;) {
    char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    *stop = '\0';
    if (strlen(at) != (size_t)(stop - at))
      good = err_set(making->err, ERR_INPUT, "%s: this is no list of paths: it has a NUL", file.name);
    else good = add_line(making, at, (size_t)(stop - at));
    at = stop + 1;
  }
  file_release(making->heap, &file);
  return good;
}

static bool add_all(Making *making, const OptionList *operands, const char *list) {
  for (uint32_t i = 0; i < operands->n; i++) {
    if (strcmp(operands->at[i], "-") == 0) return err_set(making->err, ERR_INPUT, "stdin cannot be one of many inputs");
    if (!add_path(making, operands->at[i], strlen(operands->at[i]))) return false;
  }
  if (list && !add_list(making, list)) return false;
  if (making->list->paths.strings.n) return true;
  if (operands->n == 1 && !list)
    return err_set(making->err, ERR_INPUT, "%s: there are no files in it", operands->at[0]);
  return err_set(making->err, ERR_INPUT, "there are no files in what was given");
}

bool input_list_make(Heap *heap, const OptionList *operands, const char *list, InputList *inputs, Err *err) {
  Making making = {heap, inputs, err};
  *inputs = (InputList){0};
  intern_init(&inputs->paths, heap);
  if (add_all(&making, operands, list)) return true;
  input_list_fini(inputs);
  return false;
}

void input_list_fini(InputList *inputs) { intern_fini(&inputs->paths); }

void input_list_share(Heap *heap, InputList *inputs, uint64_t i, uint64_t n) {
  Intern share;
  intern_init(&share, heap);
  for (uint32_t k = 0; k < inputs->paths.strings.n; k++) {
    const char *path = inputs->paths.strings.at[k];
    const size_t length = inputs->paths.lengths.at[k];
    if (hash_bytes(path, length) % n == i - 1) intern_add(&share, path, length, NULL);
  }
  intern_fini(&inputs->paths);
  inputs->paths = share;
}
