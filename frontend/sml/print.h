/* print.h: a neutral program as the text of an SML program, which a person can read. */
#ifndef FRONTEND_SML_PRINT_H
#define FRONTEND_SML_PRINT_H

#include "program/program.h"

#include <stdio.h>

/* Writes the program as one of SML: its threads take the same steps on what they share, in the same order. In between
 * there may be steps on locals (program/shape.h), and a block that several threads run is a block of each of them.
 * Names become such of SML; comments have the places. False, with ERR_INPUT, if it cannot be said: there are calls,
 * selections or assertions, numbers of threads that are left open, copies of threads, or an assignment that reads one
 * of its targets for a later one. What was written then is of no use. */
bool print_sml(const Program *program, Heap *heap, FILE *out, Err *err);

#endif
