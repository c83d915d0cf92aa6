/* check.h: what the names of a program stand for, and whether the program makes sense. */
#ifndef FRONTEND_SML_CHECK_H
#define FRONTEND_SML_CHECK_H

#include "frontend/sml/ast.h"
#include "frontend/sml/sml.h"

#define SYMBOL_NONE UINT32_MAX

typedef struct {
  Heap *heap;
  U32Vec global_of; /* per name: its number in Ast.globals, or SYMBOL_NONE */
  U32Vec proc_of;   /* per name: its number in Ast.procs, or SYMBOL_NONE */
  U32Vec local_of;  /* per name: 1 if a thread declares it as a local, else 0 */
  U32Vec recursive; /* per proc: 1 if it calls itself, if through others; at least one of each circle of calls has a 1 */
} Symbols;

void symbols_init(Symbols *symbols, Heap *heap);
void symbols_fini(Symbols *symbols);

/* Parses the text of `diag` and checks it. Both outputs have been initialised. False if there was an error: then
 * they are not for use. */
bool check_source(Ast *ast, const SmlOptions *options, Symbols *symbols, Diag *diag);

/* Fills *symbols, sets the count of every thread and reports: names that are unknown, declared twice or of the wrong
 * kind; procs that call themselves, if the options forbid it, and calls in atomics of what does not fit there
 * (frontend/sml/calls.h); counts that are not set or too many; and as warnings unused locks and -D, capital names that
 * are not declared, names that look like typos (frontend/sml/locals.h). A program without a block is what the options
 * say. False if there was an error. */
bool check_program(Ast *ast, const SmlOptions *options, Symbols *symbols, Diag *diag);

#endif
