#include "base/demangle.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the parameters of a function begin, in a demangled name; its end if there are none. */
static size_t find_parameters(const char *text) {
  const char *last = strrchr(text, ')');
  if (!last || last[1] == ':') return strlen(text);
  int depth = 0;
  for (const char *c = last; c >= text; c--) {
    depth += (*c == ')') - (*c == '(');
    if (!depth) return (size_t)(c - text);
  }
  return strlen(text);
}

/* What is after the type that a function template returns. */
static size_t skip_type(const char *text, size_t length) {
  size_t from = 0;
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    depth += (text[i] == '<' || text[i] == '(') - (text[i] == '>' || text[i] == ')');
    if (strncmp(text + i, "operator", 8) == 0) break;
    if (text[i] == ' ' && !depth) from = i + 1;
  }
  return from;
}

bool demangle(Demangler *d, const char *name, char *text, size_t room) {
  int status;
  if (strncmp(name, "_Z", 2) != 0) return false;
  if (!d->library) d->library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
  if (d->library && !d->demangle) *(void **)&d->demangle = dlsym(d->library, "__cxa_demangle");
  char *whole = d->demangle ? d->demangle(name, NULL, NULL, &status) : NULL;
  if (!whole) return false;
  const size_t end = find_parameters(whole), from = skip_type(whole, end);
  assert(from <= end);
  snprintf(text, room, "%.*s", (int)(end - from), whole + from);
  free(whole);
  return true;
}

void demangler_fini(Demangler *d) {
  if (d->library) dlclose(d->library);
  *d = (Demangler){0};
}
