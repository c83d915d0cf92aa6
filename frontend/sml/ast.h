/* ast.h: a parsed SML program. Everything stands in arrays and is named by its index; statements and declarations
 * are in source order. */
#ifndef FRONTEND_SML_AST_H
#define FRONTEND_SML_AST_H

#include "base/intern.h"
#include "frontend/sml/lex.h"

/* A name of the program: a number of Ast.names. */
typedef struct {
  uint32_t v;
} NameId;
#define NAME_NONE ((NameId){UINT32_MAX})

/* ---- expressions: postfix code, so that no expression is too long or too deep to be walked through ---- */

typedef enum {
  EXPR_LITERAL, /* value; true is 1, false 0 */
  EXPR_NAME,
  EXPR_NONDET,
  EXPR_NEGATE, EXPR_NOT,                                       /* one operand */
  EXPR_ADD, EXPR_SUBTRACT, EXPR_MULTIPLY, EXPR_DIVIDE, EXPR_MODULO, /* two operands each, from here on */
  EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE, EXPR_EQ, EXPR_NE,
  EXPR_AND, EXPR_OR
} ExprKind;

typedef struct {
  ExprKind kind;
  Span span; /* of the literal, name or operator */
  union {
    int64_t value;
    NameId name;
  };
} ExprItem;

/* The items start .. start + n - 1 of Ast.items. */
typedef struct {
  uint32_t start, n;
  Span span; /* without the parentheses around a test */
} Expr;

/* ---- statements ---- */

typedef struct {
  uint32_t v;
} StmtId;
#define STMT_NONE ((StmtId){UINT32_MAX})

typedef enum {
  AST_ASSIGN,  /* name := expr */
  AST_SKIP,
  AST_WHILE,   /* expr, first */
  AST_IF,      /* expr, first, otherwise */
  AST_BLOCK,   /* begin:name first end */
  AST_ACQUIRE, AST_RELEASE, /* name */
  AST_ATOMIC,  /* first */
  AST_AWAIT,   /* expr */
  AST_CALL     /* name */
} StmtKind;

typedef struct {
  StmtKind kind;
  Span span;      /* the whole statement; of a compound one its head: "while (b)", "begin:Name", "atomic" */
  Span end;       /* AST_BLOCK: the word `end`; AST_ATOMIC: the closing brace; else unused */
  NameId name;    /* NAME_NONE where there is none */
  Span name_span;
  Expr expr;
  StmtId first, otherwise; /* lists: their first statements, or STMT_NONE */
  StmtId next;             /* the next of the same list, or STMT_NONE */
  uint32_t block;          /* AST_BLOCK: its number, in source order */
} Stmt;

/* ---- declarations ---- */

typedef enum {
  DECL_INT,     /* abstracted */
  DECL_TRACKED, /* bool or int[K]: values 0 .. n_values - 1 */
  DECL_LOCK
} DeclKind;

/* The most values of an int[K]. */
#define AST_MAX_VALUES 65535

typedef struct {
  DeclKind kind;
  NameId name;
  Span span; /* of the name */
  uint32_t n_values, initial; /* DECL_TRACKED */
  bool is_bool;
} Decl;

typedef struct {
  NameId name;
  Span span; /* of the name */
  StmtId first;
  uint32_t stmts_start, stmts_end; /* all statements of its body, nested ones too, have these numbers */
} Proc;

typedef struct {
  Span span;                         /* of its first word */
  uint64_t count;                    /* copies; 1 if it is no `N * { }` */
  NameId count_name;                 /* N, if it is a name to be set with -D; else NAME_NONE */
  bool is_counted;                   /* written as `N * { }` */
  uint32_t locals_start, locals_end; /* of Ast.locals */
  StmtId first;
  uint32_t stmts_start, stmts_end;   /* as of a proc */
} Thread;

typedef struct {
  Heap *heap;
  Intern names;
  VEC(ExprItem) items;
  VEC(Stmt) stmts;
  VEC(Decl) globals, locals;
  VEC(Proc) procs;
  VEC(Thread) threads; /* at least one after a parse without errors */
  U32Vec blocks;       /* per block its AST_BLOCK statement */
} Ast;

void ast_init(Ast *ast, Heap *heap);
void ast_fini(Ast *ast);

static inline const Stmt *ast_stmt(const Ast *ast, StmtId id) { return &ast->stmts.at[id.v]; }

/* The name for a message: cut, with "..." behind it, if it is very long. It lives in the arena. */
const char *ast_name(const Ast *ast, NameId name, Arena *arena);

#endif
