/* translate.h: from an SML program that has been checked to a neutral one (program/program.h). */
#ifndef FRONTEND_SML_TRANSLATE_H
#define FRONTEND_SML_TRANSLATE_H

#include "frontend/sml/check.h"
#include "program/program.h"

/* An index of a statement whose value is not known here. */
typedef struct {
  Expr index;
  uint32_t n;      /* values that it may have: 0 .. n - 1; 0: it has none of them */
  uint32_t chosen; /* its value in the variant under way */
} Selection;

/* A proc that has a number but no operations yet. */
typedef struct {
  uint32_t proc;   /* of Ast.procs */
  uint32_t number; /* of Program.procs */
} PendingProc;

/* What a thread holds of a reader-writer lock: a local that it tracks. */
typedef struct {
  NameId name;    /* of the lock */
  uint32_t local; /* of Program.locals */
} ModeLocal;

/* The most variants of a statement: combinations of the elements that its indices may choose. */
enum { TRANSLATE_MAX_VARIANTS = 4096 };

/* What the translation of one program works with. */
typedef struct {
  const Ast *ast;
  const Symbols *symbols;
  Diag *diag;
  Program *program;
  uint32_t *local_of;         /* per name: its number in Program.locals, or PROGRAM_NONE */
  uint32_t *object_of;        /* per global: its number in Program.objects, of an array that of its first element */
  uint32_t *thread_object;    /* per thread with a name: the object that says whether it runs (frontend/sml/sync.h) */
  uint32_t *proc_of;          /* per proc: its number in Program.procs, or PROGRAM_NONE */
  uint32_t *proc_thread;      /* per proc with `self`: the thread that this one is for */
  uint32_t thread, n_threads; /* the number of the thread under way, or of its first copy, among n_threads */
  int64_t self;               /* the number of the copy under way */
  VEC(ModeLocal) modes;       /* of the thread under way */
  VEC(Selection) selections;  /* of the statement under way */
  VEC(PendingProc) pending;
  bool *told;       /* per statement: an error was reported of it */
  VEC(Value) stack; /* of the index under way */
  U32Vec ends;      /* of the variants of the statement under way: OP_JUMPs to what comes after it */
} Translator;

/* Fills a program that has been initialised. Its procs are those of the AST without `self`, then one per thread, each
 * with those procs with `self` that it calls. A thread with `self` is one of its own per copy. `origin` of an operation
 * is its statement, of an item that of Ast.items, of a thread that of Ast.threads. Nothing of it belongs to the AST.
 * False after an error, which `diag` has. */
bool translate_program(const Ast *ast, const Symbols *symbols, Diag *diag, Program *program);

/* ---- for frontend/sml/statement.c ---- */

/* Adds an operation of a statement, which goes on with the one added next. Its number. It has the statement's place; an
 * event, or a call, also its text. */
uint32_t translate_add(Translator *t, OpKind kind, StmtId id);
uint32_t translate_event(Translator *t, OpKind kind, StmtId id);

/* Gives the operation the expression of its statement; and as its targets the statement's names. */
void translate_expr(Translator *t, uint32_t op);
void translate_targets(Translator *t, uint32_t op);

/* Adds what the function adds, once for each combination of elements that the statement's indices may choose. What
 * the function adds starts with an operation that an OP_SELECT may lead to, and goes on after it. */
void translate_variants(Translator *t, StmtId id, void (*add)(Translator *t, StmtId id));

/* The object that a name of a statement means in the variant under way: a global, or an element of one. */
uint32_t translate_object(Translator *t, const StmtName *name);

/* The local that says what the thread under way holds of the reader-writer lock. */
uint32_t translate_mode(Translator *t, NameId lock);

/* The number of a proc of the AST in the program, for a call in the code under way. */
uint32_t translate_proc(Translator *t, uint32_t proc);

/* Adds the OP_TEST of a statement with its expression, or several of them in variants. Where it starts. */
uint32_t translate_test(Translator *t, StmtId id);

/* What the OP_TESTs from .. to - 1 do when they are false: what comes next in the program. */
void translate_otherwise(Translator *t, uint32_t from, uint32_t to);

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
