/* intern.h: a set of strings, each with a number from 0 in order of first appearance. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"
#include "base/slots.h"
#include "base/vec.h"

#define INTERN_NONE UINT32_MAX

/* The set. Its strings live as long as it does. */
typedef struct {
  Arena arena;
  VEC(const char *) strings; /* by number; NUL-terminated, owned by the arena */
  U32Vec lengths;            /* bytes, without the NUL */
  HashSlots slots;
} Intern;

/* Without a string; memory is the heap's, until fini. */
void intern_init(Intern *intern, Heap *heap);
void intern_fini(Intern *intern);

/* The number of the string, which is added if it is new: then *is_new (may be NULL) becomes true, else false. */
uint32_t intern_add(Intern *intern, const char *text, size_t length, bool *is_new);

/* The number of the string, or INTERN_NONE. */
uint32_t intern_find(const Intern *intern, const char *text, size_t length);

#endif
