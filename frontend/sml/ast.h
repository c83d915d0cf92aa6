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

/* What an item of an expression is. EXPR_COUNT is how many kinds there are. */
typedef enum {
  EXPR_LITERAL, /* value; true is 1, false 0 */
  EXPR_NAME,
  EXPR_NONDET,
  EXPR_SELF,    /* the number of the copy of the thread */
  EXPR_ELEMENT, /* name, n_index: an operand; the next n_index items are not part of the expression, but its index */
  EXPR_NEGATE,
  EXPR_NOT, /* one operand */
  EXPR_ADD,
  EXPR_SUBTRACT,
  EXPR_MULTIPLY,
  EXPR_DIVIDE,
  EXPR_MODULO, /* two operands each, from here on */
  EXPR_LT,
  EXPR_LE,
  EXPR_GT,
  EXPR_GE,
  EXPR_EQ,
  EXPR_NE,
  EXPR_AND,
  EXPR_OR,
  EXPR_COUNT
} ExprKind;

/* One item of an expression: a literal, a name or an operator. NEGATE and all after it are operators. */
typedef struct {
  ExprKind kind;
  Span span; /* of the literal, name or operator; of an element with its index */
  union {
    int64_t value;
    struct {
      NameId name;
      uint32_t n_index;
    };
  };
} ExprItem;

/* The items start .. start + n - 1 of Ast.items. */
typedef struct {
  uint32_t start, n;
  Span span; /* without the parentheses around a test */
} Expr;

/* ---- statements ---- */

/* The number of a statement, from 0: an index of Ast.stmts. */
typedef struct {
  uint32_t v;
} StmtId;
#define STMT_NONE ((StmtId){UINT32_MAX})

#define KIND_OF(ast, ...) AST_##ast,
#define ONE_MORE(...) +1
/* What a statement is: an assignment, or one of the statements that begin with a word. */
typedef enum {
  AST_ASSIGN, /* name := expr */
  STATEMENT_ROWS(KIND_OF)
} StmtKind;
enum { AST_COUNT = 1 STATEMENT_ROWS(ONE_MORE) };
#undef KIND_OF
#undef ONE_MORE

/* A name as it stands in a statement. */
typedef struct {
  NameId name;
  Span span;  /* of the name */
  Expr index; /* empty: it has none */
} StmtName;

/* What a statement does not have is empty: no names, no expression, STMT_NONE. */
typedef struct {
  StmtKind kind;
  Span span;               /* the whole statement; of a compound one its head: "while (b)", "begin:Name", "atomic" */
  Span end;                /* AST_BLOCK: the word `end`; AST_ATOMIC: the closing brace; else unused */
  uint32_t names, n_names; /* of Ast.stmt_names; what they are is in its row of frontend/sml/statement_rows.h */
  Expr expr;
  StmtId first, otherwise; /* lists: their first statements, or STMT_NONE */
  StmtId next;             /* the next of the same list, or STMT_NONE */
  uint32_t block;          /* AST_BLOCK: its number, in source order */
} Stmt;

/* ---- declarations ---- */

/* What a declaration declares. */
typedef enum {
  DECL_INT,     /* abstracted */
  DECL_TRACKED, /* bool or int[K]: values 0 .. n_values - 1 */
  DECL_LOCK,
  DECL_SEM,   /* a semaphore: values as of DECL_TRACKED; none if data is abstracted */
  DECL_RWLOCK /* a reader-writer lock: n_values likewise, 2 */
} DeclKind;

/* A declared variable or lock, or an array of them. */
typedef struct {
  DeclKind kind;
  NameId name;
  Span span; /* of the name */
  bool is_array;
  uint32_t n_elements;        /* 1 if it is no array */
  NameId size_name;           /* of an array: the N to be set with -D, which sets n_elements; else NAME_NONE */
  Span size_span;             /* of an array: of its size */
  uint32_t n_values, initial; /* DECL_TRACKED, DECL_SEM, DECL_RWLOCK */
  bool is_bool;
} Decl;

/* A proc. */
typedef struct {
  NameId name;
  Span span; /* of the name */
  StmtId first;
  uint32_t stmts_start, stmts_end; /* all statements of its body, nested ones too, have these numbers */
} Proc;

/* A thread, or several copies of one, as it is written. */
typedef struct {
  Span span;                         /* of its first word */
  uint64_t count;                    /* copies; 1 if it is no `N * { }` */
  NameId name;                       /* of `thread NAME { }`, which runs when it is forked; else NAME_NONE */
  Span name_span;                    /* of that name */
  StmtId stmt;                       /* then a statement in no list, an AST_SKIP: it stands for its start and end */
  NameId count_name;                 /* N, if it is a name to be set with -D; else NAME_NONE */
  bool is_counted;                   /* written as `N * { }` */
  bool is_open;                      /* N was left open: there are two copies */
  uint32_t locals_start, locals_end; /* of Ast.locals */
  StmtId first;
  uint32_t stmts_start, stmts_end; /* as of a proc */
} Thread;

/* The whole program. All its memory is the heap's. */
typedef struct {
  Heap *heap;
  Intern names;
  VEC(ExprItem) items;
  VEC(Stmt) stmts;
  VEC(StmtName) stmt_names;
  VEC(Decl) globals, locals;
  VEC(Span) gaps; /* of each `gap`, what it says */
  VEC(Proc) procs;
  VEC(Thread) threads; /* at least one after a parse without errors */
  bool is_abstract;    /* what has become of threads is not tracked, nor are semaphores and reader-writer locks */
  U32Vec blocks;       /* per block its AST_BLOCK statement */
} Ast;

/* An empty one, for parse_program; what is in it comes from the heap. */
void ast_init(Ast *ast, Heap *heap);
void ast_fini(Ast *ast);

/* The statement, not STMT_NONE. */
static inline const Stmt *ast_stmt(const Ast *ast, StmtId id) { return &ast->stmts.at[id.v]; }

/* The statement's name number i < n_names. */
static inline const StmtName *ast_stmt_name(const Ast *ast, const Stmt *s, uint32_t i) {
  return &ast->stmt_names.at[s->names + i];
}

/* The whole name; it lives with the AST. */
static inline const char *ast_text(const Ast *ast, NameId name) { return ast->names.strings.at[name.v]; }

/* The name for a message: cut, with "..." after it, if it is very long. It lives in the arena, or with the AST. */
const char *ast_name(const Ast *ast, NameId name, Arena *arena);

#endif
