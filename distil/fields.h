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

/* The type of what is in a block of the heap, known by a number; FIELDS_NONE: not known. */
#define FIELDS_NONE UINT32_MAX

/* Of a block of so many bytes that the instruction in the module asks for. If just one of the classes, structures and
 * unions that pointers in its function point to (what it returns, and its variables) has that size, it is that one; or
 * else, if a variable that is declared in the same line points to something that the size is a multiple of, the block
 * is an array of it. If there are neither, and `globals`, it may be what global variables of its source file point to,
 * if just one has that size. */
uint32_t fields_type(Fields *fields, Dwfl_Module *module, uint64_t code, uint64_t size, bool globals);

/* As fields_print, for a block of this type. What is printed for a member begins with "->". */
bool fields_print_block(Fields *fields, uint32_t type, Field field, char *text, size_t room, bool *inherited);

/* Prints what is to be appended to the name of the variable that begins at this address: ".stock[1]", ".name+3" for a
 * part of a member, ".{ready,closed}" where several bit fields begin in these bytes: which one is meant is not known.
 * Of a union it is the first member of this size, or else the first one of which the field is all of a part, or else
 * the first one that the field is in. False: there is no such variable, it has no type, or there is no room; nothing is
 * printed. *inherited: a class with base classes is on the way, so the text may be that of another field, too. */
bool fields_print(Fields *fields, uint64_t variable, Field field, char *text, size_t room, bool *inherited);

#endif
