/* calls.h: what calls what: procs that call themselves, and what is called in an `atomic { }`. */
#ifndef FRONTEND_SML_CALLS_H
#define FRONTEND_SML_CALLS_H

#include "frontend/sml/check.h"

/* Fills symbols->recursive. Reports procs that call themselves, if the options forbid it. */
void calls_check_recursion(const Ast *ast, const SmlOptions *options, Symbols *symbols, Diag *diag);

/* Reports a call in an `atomic { }` of a proc with something in it, or in what it calls, that may not stand there; the
 * first one, of what some thread runs. symbols->recursive is known. */
void calls_check_atomics(const Ast *ast, const Symbols *symbols, Diag *diag);

/* Fills symbols->proc_self and thread_self. */
void calls_find_self(const Ast *ast, Symbols *symbols);

#endif
