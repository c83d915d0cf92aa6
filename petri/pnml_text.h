/* pnml_text.h: strings of any bytes in the annotations of a PNML file: docs/annotations.md, "Text". */
#ifndef PETRI_PNML_TEXT_H
#define PETRI_PNML_TEXT_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that starts at `at`, a NUL-terminated string, if it is one that may stand in an XML 1.0 file
 * and is no control character; else 0. */
size_t pnml_char_length(const char *at);

/* May the name stand in <name> as it is? */
bool pnml_is_plain(const char *name);

/* Undoes the escapes of `length` bytes of text; appends what comes out to `result`, without a NUL. False if an
 * escape is not one. */
bool pnml_unescape(Heap *heap, const char *text, size_t length, CharVec *result);

#endif
