/* tina.h: nets in the textual format of TINA, ".net". docs/net_formats.md has what is read of it. */
#ifndef PETRI_TINA_H
#define PETRI_TINA_H

#include "base/file.h"
#include "petri/net.h"

/* Does the text begin, after lines that begin with '#', with one of the format's words and a name? No SML program
 * does. */
bool tina_recognise(const char *text, size_t length);

/* Reads a net; takes time and memory linear in the file, but for hashing. NULL, with ERR_INPUT, "file:line: ...", on
 * anything else than a 1-safe place/transition net: weights and markings above 1, time intervals but [0,w[, read,
 * inhibitor and stopwatch arcs, priorities. */
Net *tina_read(Heap *heap, const InFile *file, Err *err);

#endif
