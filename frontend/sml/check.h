/* check.h: what the names of a program stand for, and whether the program makes sense. */
#ifndef FRONTEND_SML_CHECK_H
#define FRONTEND_SML_CHECK_H

#include "frontend/sml/sml.h"
#include "frontend/sml/symbols.h"

/* Parses the text of `diag` and checks it. Both outputs have been initialised. False if there was an error: then
 * they are not for use. */
bool check_source(Ast *ast, const SmlOptions *options, Symbols *symbols, Diag *diag);

/* Fills *symbols, sets the count of every thread and reports: names that are unknown, declared twice or of the wrong
 * kind; procs that call themselves, if the options forbid it, and calls in atomics of what does not fit there
 * (frontend/sml/calls.h); counts that are not set or too many; and as warnings unused locks and -D, capital names that
 * are not declared, names that look like typos (frontend/sml/locals.h). A program without a block is what the options
 * say. False if there was an error. Which constant indices are out of range is found by the translation. */
bool check_program(Ast *ast, const SmlOptions *options, Symbols *symbols, Diag *diag);

#endif
