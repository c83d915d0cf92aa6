/* pnml.h: nets as PNML. docs/annotations.md says what is written and what is read. */
#ifndef PETRI_PNML_H
#define PETRI_PNML_H

#include "base/file.h"
#include "petri/net.h"

#include <stdio.h>

/* Writes the net; it streams, needs no memory, and takes time linear in the net. False if a write failed. */
bool pnml_write(const Net *net, FILE *out);

/* Reads a net. NULL, with ERR_INPUT, "file:line: ..." naming the element, on anything that is no 1-safe
 * place/transition net: nothing is dropped that could change what the net does. No file but this one is opened, and no
 * entity expanded. */
Net *pnml_read(Heap *heap, const InFile *file, Err *err);

/* The same, with Net.place_id and trans_id. */
Net *pnml_read_with_ids(Heap *heap, const InFile *file, Err *err);

#endif
