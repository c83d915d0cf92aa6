#include "base/here.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *keep(Heap *heap, const char *text) {
  const size_t size = strlen(text) + 1;
  return memcpy(heap_alloc(heap, size), text, size);
}

/* Takes "./" and "../" off the path; the folder has no links in it. What is left of the path. */
static const char *climb(char *folder, const char *path) {
  for (;;) {
    char *last = strrchr(folder, '/');
    if (strncmp(path, "./", 2) == 0) path += 2;
    else if (strncmp(path, "../", 3) == 0 && last) path += 3, *last = '\0';
    else return path;
    path += strspn(path, "/");
  }
}

const char *here_name(Heap *heap, const char *folder, const char *path) {
  char here[PATH_MAX], real[PATH_MAX], whole[2 * PATH_MAX];
  if (strlen(path) >= PATH_MAX || !getcwd(here, sizeof here)) return keep(heap, path);
  if (path[0] == '/') {
    snprintf(whole, sizeof whole, "%s", path);
  } else {
    if (!realpath(folder, real)) snprintf(real, sizeof real, "%s", folder);
    if (strcmp(real, here) == 0) return keep(heap, path);
    path = climb(real, path);
    snprintf(whole, sizeof whole, "%s/%s", real, path);
  }
  const size_t n = strlen(here);
  return keep(heap, strncmp(whole, here, n) == 0 && whole[n] == '/' && whole[n + 1] ? whole + n + 1 : whole);
}

const char *here_join(Heap *heap, const char *folder, const char *path) {
  const size_t room = strlen(folder) + strlen(path) + 2;
  char *joined = heap_alloc(heap, room);
  if (path[0] == '/') snprintf(joined, room, "%s", path);
  else snprintf(joined, room, "%s/%s", folder, path);
  return joined;
}
