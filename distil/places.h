/* places.h: names of addresses in the program and its libraries: functions, global variables, source lines. With
 * fields.c the only file that knows libdw. */
#ifndef DISTIL_PLACES_H
#define DISTIL_PLACES_H

#include "base/heap.h"
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

/* Adds a line for each recorded module that lacks places or names, with the reason. */
void places_warn(const Places *places, CharVec *text);

#endif
