/* fields.h: the members and elements of global variables, from debug information. Apart from places.c the only file
 * that knows libdw. */
#ifndef DISTIL_FIELDS_H
#define DISTIL_FIELDS_H

#include "base/heap.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

/* The variables of some modules, with their types. They are looked for when the first one is asked for. */
typedef struct Fields Fields;

/* Of no module; memory is the heap's until fields_free. */
Fields *fields_new(Heap *heap);
void fields_free(Fields *fields);

/* Adds the variables of a module, which outlives the fields. Before the first question. */
void fields_add(Fields *fields, Dwfl_Module *module);

/* What is in a variable. */
typedef struct {
  uint64_t offset; /* from the start of the variable */
  uint64_t size;   /* in bytes; 0: unknown, it is a lock or the like, and is not divided */
} Field;

/* Prints what is to be appended to the name of the variable that begins at this address: ".stock[1]", ".name+3" for a
 * part of a member. Of a union it is the first member of this size, or else the first one that the field is in. False:
 * there is no such variable, it has no type, or there is no room; nothing is printed. *inherited: a class with base
 * classes is on the way, so the text may be that of another field, too. */
bool fields_print(Fields *fields, uint64_t variable, Field field, char *text, size_t room, bool *inherited);

#endif
