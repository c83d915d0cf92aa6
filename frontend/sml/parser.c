#include "frontend/sml/parser.h"

void parser_advance(Parser *p) {
  p->last = p->token.span;
  p->token = p->has_ahead ? p->ahead : lex_next(&p->lexer);
  p->has_ahead = false;
  if (diag_full(p->diag)) parser_give_up(p);
}

TokenKind parser_peek(Parser *p) {
  if (!p->has_ahead) p->ahead = lex_next(&p->lexer);
  p->has_ahead = true;
  return p->ahead.kind;
}

void parser_give_up(Parser *p) {
  p->lexer.at = p->lexer.length;
  p->has_ahead = false;
  p->token = (Token){.kind = TK_EOF, .span = {p->lexer.length, 0}};
  p->gave_up = true;
}

bool parser_accept(Parser *p, TokenKind kind) {
  if (!parser_at(p, kind)) return false;
  parser_advance(p);
  return true;
}

/* Is something wrong here that was not reported yet? It is from now on. */
static bool is_new(Parser *p) {
  if (p->gave_up || p->token.after_stray || p->error_at == p->token.span.at + 1) return false;
  p->error_at = p->token.span.at + 1;
  return true;
}

bool parser_complain(Parser *p, const char *message) {
  if (is_new(p)) diag_add(p->diag, LEVEL_ERROR, NULL, p->token.span.at, p->token.span.length, "%s", message);
  return false;
}

bool parser_expected(Parser *p, const char *what, const char *hint) {
  if (!is_new(p)) return false;
  const char *found = lex_token_name(p->token.kind);
  if (parser_at(p, TK_NAME) || parser_at(p, TK_INTEGER))
    found = arena_format(&p->diag->arena, "'%s'", lex_squeeze(&p->diag->arena, p->diag->text, p->token.span, 60));
  diag_add(p->diag, LEVEL_ERROR, NULL, p->token.span.at, p->token.span.length, "expected %s, found %s%s", what, found,
           hint);
  return false;
}

bool parser_expect(Parser *p, TokenKind kind, const char *where) {
  if (parser_accept(p, kind)) return true;
  return parser_expected(p, arena_format(&p->diag->arena, "%s %s", lex_token_name(kind), where), "");
}

bool parser_assigns(Parser *p) {
  if (parser_at(p, TK_EQ) && p->token.span.length == 2) parser_complain(p, "'==' compares; to assign, write ':='");
  return parser_accept(p, TK_ASSIGN) || parser_accept(p, TK_EQ);
}

bool parser_close(Parser *p, TokenKind kind, Span open, const char *note) {
  if (parser_accept(p, kind)) return true;
  const uint32_t n_errors = p->diag->n_errors;
  parser_expected(p, lex_token_name(kind), "");
  if (p->diag->n_errors > n_errors) diag_add(p->diag, LEVEL_NOTE, NULL, open.at, open.length, "%s", note);
  return false;
}

bool parser_enter(Parser *p) {
  if (p->depth++ < PARSE_MAX_DEPTH) return true;
  if (!p->gave_up)
    diag_add(p->diag, LEVEL_ERROR, NULL, p->token.span.at, p->token.span.length,
             "nested deeper than %d levels; the rest of the program was not read", PARSE_MAX_DEPTH);
  parser_give_up(p);
  return false;
}

void parser_leave(Parser *p) { p->depth--; }

NameId parser_name(Parser *p, Span span) {
  return (NameId){intern_add(&p->ast->names, p->diag->text + span.at, span.length, NULL)};
}

StmtId parser_add_stmt(Parser *p, StmtKind kind) {
  vec_push(p->ast->heap, &p->ast->stmts,
           ((Stmt){.kind = kind,
                   .span = p->token.span,
                   .first = STMT_NONE,
                   .otherwise = STMT_NONE,
                   .next = STMT_NONE,
                   .block = UINT32_MAX}));
  return (StmtId){p->ast->stmts.n - 1};
}

void parser_close_stmt(Parser *p, StmtId id) {
  Span *span = &parser_stmt_at(p, id)->span;
  span->length = p->last.at + p->last.length - span->at;
}

const char *parser_format(Parser *p, const char *message, Span span) {
  return arena_format(&p->diag->arena, message, lex_squeeze(&p->diag->arena, p->diag->text, span, 60));
}

bool parser_at_assignment(Parser *p) {
  if (!parser_at(p, TK_NAME)) return false;
  const TokenKind next = parser_peek(p);
  return next == TK_ASSIGN || next == TK_EQ || next == TK_LBRACKET;
}

void parser_skip_parens(Parser *p) {
  uint32_t open = 0;
  do {
    open += parser_at(p, TK_LPAREN);
    if (parser_at(p, TK_RPAREN) && open) open--;
    if (parser_at(p, TK_LPAREN) || parser_at(p, TK_RPAREN) || open) parser_advance(p);
  } while (open && !parser_at(p, TK_LBRACE) && !parser_at(p, TK_RBRACE) && !parser_at(p, TK_END) &&
           !parser_at(p, TK_EOF));
}
