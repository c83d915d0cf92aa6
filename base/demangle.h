/* demangle.h: names of C++ as they are in its source, without types: "Cache::find" for "_ZN5Cache4findEiPi". */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* C++'s own library, loaded when the first such name comes up. {0}: not yet; to be ended with demangler_fini. */
typedef struct {
  void *library;
  char *(*demangle)(const char *name, char *text, size_t *size, int *status);
} Demangler;

/* Writes the name, cut where there is no room. False: it is none of C++, or the library is not there. */
bool demangle(Demangler *demangler, const char *name, char *text, size_t room);

void demangler_fini(Demangler *demangler);

#endif
