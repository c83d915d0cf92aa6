/* symbols.h: what the names of an SML program stand for. */
#ifndef FRONTEND_SML_SYMBOLS_H
#define FRONTEND_SML_SYMBOLS_H

#include "frontend/sml/ast.h"

#define SYMBOL_NONE UINT32_MAX

/* What the names stand for. The vectors are the heap's. */
typedef struct {
  Heap *heap;
  U32Vec global_of; /* per name: its number in Ast.globals, or SYMBOL_NONE */
  U32Vec thread_of; /* per name: its number in Ast.threads, or SYMBOL_NONE */
  U32Vec proc_of;   /* per name: its number in Ast.procs, or SYMBOL_NONE */
  U32Vec local_of;  /* per name: 1 if a thread declares it as a local, else 0 */
  U32Vec
      recursive;   /* per proc: 1 if it calls itself, if through others; at least one of each circle of calls has a 1 */
  U32Vec count_of; /* per name: 1 + the number that it stands for, of threads or elements; or 0 */
  U32Vec proc_self,
      thread_self; /* per proc, per thread: 1 if `self` or a reader-writer lock is in it, or in what it calls, else 0 */
} Symbols;

/* Empty ones; check_program() fills them. */
void symbols_init(Symbols *symbols, Heap *heap);
void symbols_fini(Symbols *symbols);

#endif
