#include "tools/paths.h"

#include "base/file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where a path leads to. */
typedef struct {
  bool is_stdout; /* and is called "-" */
  bool is_known;  /* it is a file or pipe with this number, or will be in a folder with this one */
  bool is_there;  /* the former */
  dev_t device;
  ino_t number;
  const char *name; /* in the folder; the heap's */
} Place;

static bool is_dash(const char *path) { return strcmp(path, "-") == 0; }

static void take_number(Place *place, const struct stat *info) {
  place->is_known = true;
  place->device = info->st_dev;
  place->number = info->st_ino;
}

/* What is not there yet: its folder, and its name in it. */
static Place find_new(Heap *heap, const char *path) {
  Place place = {0};
  struct stat info;
  char *at = file_behind_links(heap, path);
  char *slash = at ? strrchr(at, '/') : NULL;
  if (!at) return place;
  place.name = slash ? slash + 1 : at;
  if (slash) *slash = '\0';
  if (stat(!slash ? "." : *at ? at : "/", &info) == 0) take_number(&place, &info);
  return place;
}

static Place find(Heap *heap, const PathUse *use) {
  const bool dash = is_dash(use->path);
  Place place = {.is_stdout = dash && use->what};
  struct stat info;
  const int failed = dash ? fstat(use->what ? STDOUT_FILENO : STDIN_FILENO, &info) : stat(use->path, &info);
  if (failed) return dash ? place : find_new(heap, use->path);
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode)) return place;
  place.is_there = true;
  take_number(&place, &info);
  return place;
}

static bool is_same(const Place *a, const Place *b) {
  if (a->is_stdout && b->is_stdout) return true;
  if (!a->is_known || !b->is_known || a->is_there != b->is_there) return false;
  if (a->device != b->device || a->number != b->number) return false;
  return a->is_there || strcmp(a->name, b->name) == 0;
}

static bool refuse(const PathUse *a, const PathUse *b, Err *err) {
  if (!a->what || !b->what) {
    const PathUse *out = a->what ? a : b, *in = a->what ? b : a;
    return err_set(err, ERR_INPUT, "%s would overwrite the input, '%.300s'", out->what, file_name(in->path));
  }
  if (is_dash(a->path) && is_dash(b->path))
    return err_set(err, ERR_INPUT, "%s and %s cannot both go to stdout", a->what, b->what);
  return err_set(err, ERR_INPUT, "%s and %s cannot both be written to '%.300s'", a->what, b->what,
                 is_dash(b->path) ? a->path : b->path);
}

bool paths_differ(Heap *heap, const PathUse *uses, size_t n, Err *err) {
  Place *places = heap_zeroed(heap, heap_product(heap, n + 1, sizeof *places));
  for (size_t i = 0; i < n; i++) {
    if (!uses[i].path) continue;
    places[i] = find(heap, &uses[i]);
    for (size_t k = 0; k < i; k++)
      if (uses[k].path && (uses[i].what || uses[k].what) && is_same(&places[i], &places[k]))
        return refuse(&uses[k], &uses[i], err);
  }
  return true;
}
