/* parser.h: what parse.c, statement.c, parse_decl.c, parse_expr.c and parse_words.c share. */
#ifndef FRONTEND_SML_PARSER_H
#define FRONTEND_SML_PARSER_H

#include "frontend/sml/parse.h"

/* The parsing of one text. The Ast and the Diag are the caller's. */
typedef struct {
  Lexer lexer;
  Token token; /* not yet taken */
  Token ahead; /* the one after it, if has_ahead */
  bool has_ahead;
  bool gave_up;      /* nothing more is reported */
  uint32_t error_at; /* 1 + where parser_expected reported last, or 0; a place is reported once */
  Span last;         /* of the token that was taken last */
  Ast *ast;
  Diag *diag;
  uint32_t depth;   /* of statements and parentheses that are open */
  uint32_t parens;  /* parentheses that are open */
  uint32_t begins;  /* blocks that are open */
  uint32_t braces;  /* braces that are open */
  uint32_t atomics; /* atomic { } that are open */
} Parser;

/* Is that the next token? Takes it; where the Diag is full the parser gives up instead of going on. */
static inline bool parser_at(const Parser *p, TokenKind kind) { return p->token.kind == kind; }
void parser_advance(Parser *p);
TokenKind parser_peek(Parser *p); /* the kind of the token after the next one */

/* Takes a token of that kind, if it is the next one. */
bool parser_accept(Parser *p, TokenKind kind);

/* As accept, but it is an error if it is not the next one: "expected ';' after the declaration, found 'x'". */
bool parser_expect(Parser *p, TokenKind kind, const char *where);

/* Reports "expected WHAT, found TOKENhint", unless something was reported at this place before; always false. */
bool parser_expected(Parser *p, const char *what, const char *hint);

/* The same with a message of its own. */
bool parser_complain(Parser *p, const char *message);

/* Takes ':=' or '=', for which '==' is reported and taken. */
bool parser_assigns(Parser *p);

/* As accept, for what closes something opened before, at `open`: the error comes with a note there. */
bool parser_close(Parser *p, TokenKind kind, Span open, const char *note);

/* Opens one more level; at too many an error, and the rest of the text is given up. Always followed by parser_leave. */
bool parser_enter(Parser *p);
void parser_leave(Parser *p);

/* The rest of the text is not looked at. */
void parser_give_up(Parser *p);

/* ---- a name where a keyword should be (parse_words.c) ---- */

/* May the keyword stand here, before a token of kind `next`? */
typedef bool ParserFits(TokenKind keyword, TokenKind next);

/* The nearest keyword that the next token may be a misspelling of; TK_NAME if there is none that fits. */
TokenKind parser_meant(Parser *p, ParserFits *fits);

/* If there is one: reports it, and turns the token into that keyword. */
bool parser_respell(Parser *p, ParserFits *fits);

/* Is the next token a word of other languages (one of declarations, if `declares`)? Then it is reported. */
bool parser_foreign(Parser *p, bool declares);

/* Is it the name of a proc? */
bool parser_at_proc(Parser *p);

/* Reports a name that is called without 'call'; always false. */
bool parser_not_called(Parser *p);

/* The name that is written there. */
NameId parser_name(Parser *p, Span span);

/* ---- statements ---- */

/* A new statement that starts at the next token, without anything in it; it reaches to the token that was taken last
 * when it is closed. */
StmtId parser_add_stmt(Parser *p, StmtKind kind);
void parser_close_stmt(Parser *p, StmtId id);

/* The statement itself: valid until the next one is added. */
static inline Stmt *parser_stmt_at(Parser *p, StmtId id) { return &p->ast->stmts.at[id.v]; }

/* stmt and stmts; false after an error. */
bool parser_stmt(Parser *p);
StmtId parser_stmts(Parser *p);

/* '{' stmts '}'; `where` is for the message, "after the condition". */
bool parser_body(Parser *p, const char *where, StmtId *first);

/* '(' b ')', the expression of the statement. */
bool parser_test(Parser *p, StmtId id);

/* After an error in a condition: to the '{' after it, so that its body is not taken for something else. False if
 * there is none. */
bool parser_skip_to_body(Parser *p);

/* Moves over '(' ... ')', if they are next. */
void parser_skip_parens(Parser *p);

/* May the keyword be a statement's first one, with `next` after it? */
bool parser_fits_stmt(TokenKind keyword, TokenKind next);

/* Is an assignment next, or a name with an index? */
bool parser_at_assignment(Parser *p);

/* The message with the text of the span in the place of its %s. */
const char *parser_format(Parser *p, const char *message, Span span);

/* expr ::= or ; false after an error. *expr is set then too, to something harmless. */
bool parse_expr(Parser *p, Expr *expr);

/* '[' index ']', which is next; *index is set after an error, too. */
bool parser_index(Parser *p, Expr *index);

/* decl* and local* */
void parse_globals(Parser *p);
void parse_locals(Parser *p);

#endif
