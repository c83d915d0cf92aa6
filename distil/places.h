/* places.h: names of addresses in the program and its libraries: functions, global variables, source lines. With
 * fields.c the only file that knows libdw. */
#ifndef DISTIL_PLACES_H
#define DISTIL_PLACES_H

#include "base/heap.h"
#include "base/suggest.h"
#include "base/vec.h"
#include "distil/fields.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The modules of a process, and what is known of their addresses. */
typedef struct Places Places;

/* From lines "BASE SIZE TIME PATH" (RawHeader), where each module was loaded, and what its file was. A module that
 * cannot be read, or has changed, has no names. */
Places *places_open(Heap *heap, const char *modules);
void places_close(Places *places);

/* The symbol that the address is in: its name, without what the compiler appends to clones, of C++ as in the source
 * without types, and where it begins. NULL if there is none. The name lives as long as the places; *length is without a
 * NUL. */
const char *places_symbol(Places *places, uint64_t address, uint32_t *length, uint64_t *start);

/* The module that the address is in: its number, from 0, in the order in which they were first asked for, where it was
 * loaded, and its build-id, of *n bytes, which lives as long as the places. False: none, or one without an id. */
bool places_module(Places *places, uint64_t address, uint32_t *number, uint64_t *base, const uint8_t **id, uint32_t *n);

/* fields_print, for a symbol of a recorded module; fields_type and fields_print_block. */
bool places_field(Places *places, uint64_t start, Field field, char *text, size_t room, bool *inherited);
uint32_t places_type(Places *places, uint64_t code, uint64_t size);
bool places_block(Places *places, uint32_t type, Field field, char *text, size_t room, bool *inherited);

/* Prints "file:line:column:function" of an instruction into text; less of it, or "", where less is known. */
void places_line(Places *places, uint64_t code, char *text, size_t size);

/* Is the instruction in a source file below the folder that places are relative to? So it is the program's own, not of
 * a library or its headers. */
bool places_is_own(Places *places, uint64_t code);

/* The same as places_line, without the column. */
void places_site(Places *places, uint64_t code, char *text, size_t size);

/* Calls take() with code, from one address up to another: of each function of that name; and of all lines of source
 * files below a folder, whose path is absolute and normal. */
typedef void PlacesTake(void *argument, uint64_t from, uint64_t to);
void places_each_function(Places *places, const char *name, size_t length, PlacesTake *take, void *argument);
void places_each_line(Places *places, const char *folder, PlacesTake *take, void *argument);

/* The name of a function that is most like this one; "": none is. */
void places_suggest(Places *places, const char *name, Suggestion *suggestion);

/* Adds a line for each recorded module that lacks places or names, with the reason. */
void places_warn(const Places *places, CharVec *text);

#endif
