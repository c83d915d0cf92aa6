/* lex.h: the words of an SML program, one after another.
 *
 * The text is UTF-8. A name is a letter or '_' followed by letters, digits, '_' and '\''; letters are those of ASCII
 * and all characters beyond it that are no spaces, controls, punctuation or symbols of Unicode's blocks for these.
 * The paper's symbols stand for their ASCII forms: ≤ <=, ≥ >=, ≠ !=, ∨ or, ∧ &&, ¬ !, ∗ and × *, ÷ /, − -, ∥ ||. */
#ifndef FRONTEND_SML_LEX_H
#define FRONTEND_SML_LEX_H

#include "base/diag.h"
#include "frontend/sml/statement_rows.h"

#include <stdbool.h>

/* Part of the text, in bytes. */
typedef struct {
  uint32_t at, length;
} Span;

#define TOKEN_OF(ast, token, ...) TK_##token,
/* ORDER TK: lex_token_name() in lex.c. Keywords from TK_INT to TK_NOT, in the order of the table KEYWORDS there; what
 * starts a statement stands after TK_LOCAL and before TK_ELSE. */
typedef enum {
  TK_EOF,
  TK_NAME,
  TK_INTEGER,
  TK_INT,
  TK_BOOL,
  TK_LOCK,
  TK_PROC,
  TK_LOCAL,
  STATEMENT_ROWS(TOKEN_OF) TK_ELSE,
  TK_END,
  TK_NONDET,
  TK_SELF,
  TK_TRUE,
  TK_FALSE,
  TK_OR,
  TK_AND,
  TK_NOT,
  TK_ASSIGN,   /* := */
  TK_PARALLEL, /* ||, which is "or" inside parentheses */
  TK_SEMICOLON,
  TK_COMMA,
  TK_COLON,
  TK_LPAREN,
  TK_RPAREN,
  TK_LBRACE,
  TK_RBRACE,
  TK_LBRACKET,
  TK_RBRACKET,
  TK_PLUS,
  TK_MINUS,
  TK_STAR,
  TK_SLASH,
  TK_PERCENT,
  TK_LT,
  TK_LE,
  TK_GT,
  TK_GE,
  TK_EQ,
  TK_NE, /* TK_EQ: = and == */
  TK_COUNT
} TokenKind;
#undef TOKEN_OF

/* One word of the text. */
typedef struct {
  TokenKind kind;
  Span span;
  int64_t value;    /* TK_INTEGER */
  bool after_stray; /* what stands directly before it is no token, and was reported */
} Token;

/* The reading of a text, which stays the caller's. */
typedef struct {
  const char *text;
  uint32_t length, at; /* `at`: the next byte */
  Diag *diag;          /* errors go there; NULL: they are dropped */
} Lexer;

/* The text of `diag` from its beginning; a byte order mark is skipped. Texts of LEX_MAX_LENGTH bytes and more are
 * not for the lexer. */
#define LEX_MAX_LENGTH ((size_t)1 << 31)
void lex_init(Lexer *lexer, Diag *diag);

/* The next token; TK_EOF at the end, again and again. What is no token is reported and skipped. */
Token lex_next(Lexer *lexer);

/* Some keywords are names, unless a statement begins with them and a '(' comes next (p, v, rdlock, wrlock, unlock),
 * or no assignment (fork, join). The one with that text, or TK_NAME. */
TokenKind lex_soft_keyword(const char *text, uint32_t length);

/* The spelling of a keyword, TK_INT to TK_NOT. */
const char *lex_keyword(TokenKind keyword);

/* How a message names the kind: "':='", "a name", "the end of the program". */
const char *lex_token_name(TokenKind kind);

/* The source text of a span on one line: each stretch of spaces and comments becomes one space, and what is longer than
 * `limit` bytes is cut and ends in "...". */
const char *lex_squeeze(Arena *arena, const char *text, Span span, uint32_t limit);

#endif
