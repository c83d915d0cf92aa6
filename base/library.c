#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

static bool fail(const char *file, Err *err) {
  const char *why = dlerror();
  return err_set(err, ERR_LIMIT, "%.100s cannot be loaded: %.300s", file, why ? why : "unknown error");
}

bool library_load(const char *file, const LibraryName *names, size_t n, Err *err) {
  void *const library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return fail(file, err);
  for (size_t i = 0; i < n; i++)
    if (!dlsym(library, names[i].name)) return fail(file, err);
  for (size_t i = 0; i < n; i++) {
    void *const address = dlsym(library, names[i].name);
    memcpy(names[i].to, &address, sizeof address); /* C has no conversion to a function pointer */
  }
  return true;
}
