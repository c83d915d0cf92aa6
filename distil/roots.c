#include "distil/roots.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

void roots_normalize(char *path) {
  assert(*path == '/');
  char *to = path;
  for (const char *part = path; *part;) {
    part += strspn(part, "/");
    const size_t length = strcspn(part, "/");
    if (length == 2 && part[0] == '.' && part[1] == '.') {
      while (to > path && *--to != '/') {}
    } else if (length && !(length == 1 && *part == '.')) {
      *to++ = '/';
      memmove(to, part, length);
      to += length;
    }
    part += length;
  }
  *to = '\0';
}

static bool is_in(const char *path, const char *folder) {
  const size_t n = strlen(folder);
  return strncmp(path, folder, n) == 0 && (path[n] == '/' || !path[n]);
}

static char *copy(Heap *heap, const char *text, size_t length) {
  char *result = heap_alloc(heap, length + 1);
  memcpy(result, text, length);
  result[length] = '\0';
  return result;
}

/* The folder that has the path, too. */
static void widen(char *folder, const char *path) {
  while (!is_in(path, folder)) *strrchr(folder, '/') = '\0';
}

static uint32_t depth_of(const char *folder) {
  uint32_t n = 0;
  for (; *folder; folder++) n += *folder == '/';
  return n;
}

void roots_add(Heap *heap, Roots *roots, const char *file, const char *folder) {
  assert(*file == '/' && (!folder || *folder == '/' || !*folder));
  const size_t length = (size_t)(strrchr(file, '/') - file);
  if (!roots->files) roots->files = copy(heap, file, length);
  widen(roots->files, file);
  if (!folder) return;
  if (!roots->all) roots->all = copy(heap, folder, strlen(folder));
  if (!roots->depth || depth_of(folder) < roots->depth) roots->depth = depth_of(folder);
  widen(roots->all, folder);
  widen(roots->all, file);
}

void roots_fini(Heap *heap, Roots *roots) {
  heap_release(heap, roots->files);
  heap_release(heap, roots->all);
  *roots = (Roots){0};
}

/* The folder of all folders says nothing. */
static const char *root_of(const Roots *roots) {
  if (roots->all && *roots->all && roots->depth <= depth_of(roots->all) + 1) return roots->all;
  return roots->files && *roots->files ? roots->files : NULL;
}

const char *roots_strip(const Roots *roots, const char *file, const char *folder) {
  const char *root = root_of(roots);
  if (!root || !is_in(file, root)) root = folder && *folder && is_in(file, folder) ? folder : "";
  return *root ? file + strlen(root) + 1 : file;
}
