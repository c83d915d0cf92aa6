/* statement.h: what each kind of statement is: how it is written, what it means, where it may stand. A new statement
 * is a row of frontend/sml/statement_rows.h, and the two functions that the row names, in statement.c. */
#ifndef FRONTEND_SML_STATEMENT_H
#define FRONTEND_SML_STATEMENT_H

#include "frontend/sml/parser.h"
#include "frontend/sml/translate.h"

/* What the names of a statement are, besides those in its expression. */
typedef enum {
  NAMES_NONE,
  NAMES_VARIABLE, /* variables that it assigns */
  NAMES_LOCK,
  NAMES_SEM,
  NAMES_RWLOCK,
  NAMES_THREAD,
  NAMES_PROC,
  NAMES_LABEL /* of its own */
} StatementNames;

/* What may stand after the first word. */
typedef enum {
  FOLLOWS_NOTHING, /* the end of the statement */
  FOLLOWS_OPERAND, /* '(', or a name where the '(' was forgotten */
  FOLLOWS_LABEL,   /* ':' or a statement */
  FOLLOWS_BODY,    /* '{' */
  FOLLOWS_NAME
} StatementFollows;

/* A kind of statement: the row of frontend/sml/statement_rows.h. */
typedef struct {
  /* Parses it; the next token is its first word. False after an error: somewhere after it parsing goes on. */
  bool (*parse)(Parser *p);
  /* Adds its operations to the program, the first one where it starts, and goes on after them. */
  void (*translate)(Translator *t, StmtId id, const Stmt *s);
  StatementNames names;
  bool fits_atomic;
  StatementFollows follows;
} Statement;

/* One per kind, in its order. */
extern const Statement STATEMENTS[AST_COUNT];

/* Does a statement begin with this word? */
static inline bool statement_starts(TokenKind word) { return word > TK_LOCAL && word < TK_ELSE; }

/* The kind of statement that the word starts. */
_Static_assert(AST_COUNT - AST_ASSIGN == TK_ELSE - TK_LOCAL, "the words and kinds of the rows are in one order");
static inline const Statement *statement_of(TokenKind word) { return &STATEMENTS[AST_ASSIGN + (word - TK_LOCAL)]; }

#endif
