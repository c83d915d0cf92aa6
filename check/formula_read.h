/* formula_read.h: a formula about markings (petri/formula.h), as docs/certificates.md writes it. */
#ifndef CHECK_FORMULA_READ_H
#define CHECK_FORMULA_READ_H

#include "check/lines.h"
#include "petri/formula.h"

/* The most parts and places of one. */
#define FORMULA_READ_MOST 10000

/* The rest of the line, up to its end. False, with ERR_INPUT, and nothing in *formula, if it is none of the net. */
bool formula_read(Lines *lines, Heap *heap, const Net *net, Formula *formula, Err *err);

#endif
