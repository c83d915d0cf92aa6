/* translate.h: from an SML program that has been checked to a neutral one (program/program.h). */
#ifndef FRONTEND_SML_TRANSLATE_H
#define FRONTEND_SML_TRANSLATE_H

#include "frontend/sml/check.h"
#include "program/program.h"

/* What the translation of one program works with. */
typedef struct {
  const Ast *ast;
  const Symbols *symbols;
  Diag *diag;
  Program *program;
  uint32_t *local_of; /* per name: its number in Program.locals, or PROGRAM_NONE */
} Translator;

/* Fills a program that has been initialised. Its procs are those of the AST, then one per thread; `origin` of an
 * operation is its statement, of an item that of Ast.items, of a thread that of Ast.threads. Nothing of it belongs to
 * the AST. */
void translate_program(const Ast *ast, const Symbols *symbols, Diag *diag, Program *program);

/* ---- for frontend/sml/statement.c ---- */

/* Adds an operation of a statement, which goes on with the one added next. Its number. It has the statement's place; an
 * event, or a call, also its text. */
uint32_t translate_add(Translator *t, OpKind kind, StmtId id);
uint32_t translate_event(Translator *t, OpKind kind, StmtId id);

/* Gives the operation the expression of its statement; and as its targets the statement's names. */
void translate_expr(Translator *t, uint32_t op);
void translate_targets(Translator *t, uint32_t op);

/* Adds the OP_TEST of a statement, with its expression. */
uint32_t translate_test(Translator *t, StmtId id);

/* Adds the statements of a list. */
void translate_list(Translator *t, StmtId first);

/* What comes next in the program, as an operation. */
static inline uint32_t translate_here(const Translator *t) { return t->program->ops.n; }

/* The operation of that number. The pointer is good until the next one is added. */
static inline ProgramOp *translate_op(Translator *t, uint32_t op) { return &t->program->ops.at[op]; }

/* Where a span starts. */
ProgramPlace translate_place(Translator *t, Span span);

/* The text of a span, on one line and cut where it is long. */
const char *translate_text(Translator *t, Span span);

#endif
