#include "frontend/sml/parse.h"

#include "frontend/sml/statement.h"

#include <string.h>

bool parser_fits_stmt(TokenKind keyword, TokenKind next) {
  const bool start = next == TK_NAME || statement_starts(next);
  const bool over =
      next == TK_SEMICOLON || next == TK_PARALLEL || next == TK_EOF || next == TK_RBRACE || next == TK_END;
  if (keyword == TK_END) return start || over;
  if (!statement_starts(keyword)) return false;
  switch (statement_of(keyword)->follows) {
  case FOLLOWS_NOTHING: return start || over;
  case FOLLOWS_OPERAND: return next == TK_LPAREN || next == TK_NAME;
  case FOLLOWS_LABEL: return start || next == TK_COLON;
  case FOLLOWS_BODY: return next == TK_LBRACE;
  case FOLLOWS_NAME: return next == TK_NAME;
  }
  return false;
}

static bool not_here(Parser *p, const char *why) {
  diag_add(p->diag, LEVEL_ERROR, NULL, p->token.span.at, p->token.span.length, "%s %s", lex_token_name(p->token.kind),
           why);
  return false;
}

static void parse_proc(Parser *p);

/* Instead of a body there is something else, which has been reported: words before its '{' are skipped; one statement
 * alone is taken for it. True if it stands before the '{' then; *good: the one statement was right. */
static bool find_body(Parser *p, bool *good) {
  *good = false;
  while ((parser_at(p, TK_NAME) && !parser_at_assignment(p) && parser_peek(p) != TK_LPAREN) || parser_at(p, TK_COLON))
    parser_advance(p);
  if (parser_at(p, TK_LBRACE)) return true;
  if (!statement_starts(p->token.kind) && !parser_at_assignment(p)) return false;
  *good = parser_enter(p) && parser_stmt(p);
  parser_leave(p);
  if (parser_at(p, TK_SEMICOLON) && parser_peek(p) == TK_ELSE) parser_advance(p);
  return false;
}

/* '{' stmts '}' */
bool parser_body(Parser *p, const char *where, StmtId *first) {
  bool good;
  if (!parser_at(p, TK_LBRACE)) {
    const char *what = arena_format(&p->diag->arena, "'{' %s", where);
    parser_expected(p, what, parser_at(p, TK_IF) ? "; write '{ if (b) { } }'" : "");
    if (!find_body(p, &good)) return good;
  }
  const Span brace = p->token.span;
  parser_advance(p);
  p->braces++;
  *first = parser_enter(p) ? parser_stmts(p) : STMT_NONE;
  parser_leave(p);
  p->braces--;
  return parser_close(p, TK_RBRACE, brace, "to close this '{'");
}

bool parser_skip_to_body(Parser *p) {
  while (!parser_at(p, TK_LBRACE) && !parser_at(p, TK_RBRACE) && !parser_at(p, TK_SEMICOLON) && !parser_at(p, TK_EOF) &&
         !parser_at(p, TK_END) && !statement_starts(p->token.kind))
    parser_advance(p);
  return parser_at(p, TK_LBRACE);
}

/* '(' b ')' */
bool parser_test(Parser *p, StmtId id) {
  Expr expr = {0};
  const bool open = parser_expect(p, TK_LPAREN, "before the condition");
  p->parens++;
  bool good = parse_expr(p, &expr);
  p->parens--;
  parser_stmt_at(p, id)->expr = expr;
  if (good && open && !parser_accept(p, TK_RPAREN))
    good = parser_expected(p, "')' after the condition", parser_at(p, TK_ASSIGN) ? "; write '=' for equal" : "");
  return good;
}

/* Its body is parsed, so that it is not taken for something else. */
static bool misplaced_else(Parser *p) {
  StmtId first;
  not_here(p, "without an 'if' and its '{ }' before it");
  parser_advance(p);
  return parser_at(p, TK_LBRACE) && parser_body(p, "after 'else'", &first);
}

/* Somebody wants to take it. */
static bool misplaced_lock(Parser *p) {
  not_here(p, "declares locks, at the top of the program; to take one, write 'acquire(l)'");
  parser_advance(p);
  if (parser_at(p, TK_LPAREN)) return parser_skip_parens(p), true;
  return parser_accept(p, TK_NAME);
}

static bool misplaced_proc(Parser *p) {
  not_here(p, "must come before the first thread");
  parse_proc(p);
  return true;
}

static bool misplaced_body(Parser *p) {
  StmtId first;
  parser_expected(p, "a statement",
                  "; braces follow 'while', 'if', 'else' and 'atomic'; write a block as 'begin ... end'");
  return parser_body(p, "", &first);
}

#define DECLARATION                                                                                                \
  "must be at the top of the program, before procs and threads; a thread's own variables are 'local', or need no " \
  "declaration"

static bool misplaced_declaration(Parser *p) { return not_here(p, DECLARATION); }
static bool misplaced_local(Parser *p) { return not_here(p, "must come before a thread's first statement"); }
static bool misplaced_end(Parser *p) { return not_here(p, "without a 'begin'"); }
static bool misplaced_rbrace(Parser *p) { return not_here(p, "without a '{'"); }
static bool misplaced_self(Parser *p) {
  return parser_expected(p, "a statement", "; 'self' is the number of the copy of the thread, and is not assigned");
}
static bool misplaced_lbracket(Parser *p) { return parser_expected(p, "a statement", ""); }

/* The word, which has been reported, and what may belong to it: more words, parentheses, a body, an 'else'. */
static bool skip_unknown(Parser *p) {
  StmtId first;
  do parser_advance(p);
  while (parser_at(p, TK_NAME) && !parser_at_assignment(p));
  parser_skip_parens(p);
  if (parser_at(p, TK_LBRACE)) parser_body(p, "", &first);
  if (parser_accept(p, TK_ELSE) && !parser_at(p, TK_IF)) parser_body(p, "after 'else'", &first);
  return true;
}

/* A name without ':=' after it. */
static bool parse_word(Parser *p) {
  const TokenKind next = parser_peek(p);
  if (parser_at_proc(p) && (next == TK_LPAREN || !(next >= TK_ASSIGN && next <= TK_EQ)))
    return parser_not_called(p), skip_unknown(p);
  if (parser_foreign(p, false)) return skip_unknown(p);
  if (parser_respell(p, parser_fits_stmt))
    return parser_at(p, TK_END) ? p->begins || parser_accept(p, TK_END) : parser_stmt(p);
  if (next == TK_LPAREN) return parser_not_called(p), skip_unknown(p);
  return STATEMENTS[AST_ASSIGN].parse(p);
}

static bool parse_name(Parser *p) { return parser_at_assignment(p) ? STATEMENTS[AST_ASSIGN].parse(p) : parse_word(p); }
/* By its first token: a name, or a word that starts no statement, or none here. */
static bool (*const OTHERS[TK_COUNT])(Parser *p) = {
    [TK_NAME] = parse_name,
    [TK_LOCK] = misplaced_lock,
    [TK_INT] = misplaced_declaration,
    [TK_BOOL] = misplaced_declaration,
    [TK_LOCAL] = misplaced_local,
    [TK_PROC] = misplaced_proc,
    [TK_ELSE] = misplaced_else,
    [TK_END] = misplaced_end,
    [TK_RBRACE] = misplaced_rbrace,
    [TK_LBRACE] = misplaced_body,
    [TK_LBRACKET] = misplaced_lbracket,
    [TK_SELF] = misplaced_self,
};

/* What may not stand in an atomic { } is an error, but parsed on. */
static bool parse_known(Parser *p, const Statement *statement) {
  if (p->atomics && !statement->fits_atomic)
    not_here(p, "is not allowed in 'atomic { }', which is a single event without loops, locks and blocks");
  return statement->parse(p);
}

/* Turns a word like "p" into the keyword, if it is one here. The name of a proc is somebody's call without 'call'. */
static void find_keyword(Parser *p) {
  if (!parser_at(p, TK_NAME) || parser_at_proc(p)) return;
  const TokenKind kind = lex_soft_keyword(p->diag->text + p->token.span.at, p->token.span.length);
  const bool takes_name = kind == TK_FORK || kind == TK_JOIN;
  if (kind == TK_NAME || (takes_name ? parser_at_assignment(p) : parser_peek(p) != TK_LPAREN)) return;
  p->token.kind = kind;
}

bool parser_stmt(Parser *p) {
  find_keyword(p);
  bool (*const other)(Parser * p) = OTHERS[p->token.kind];
  if (statement_starts(p->token.kind)) return parse_known(p, statement_of(p->token.kind));
  return other ? other(p) : parser_expected(p, "a statement", "");
}

/* Does the next token end the list: a closer that something open waits for, or the end of the thread? */
static bool ends_list(const Parser *p) {
  return parser_at(p, TK_EOF) || parser_at(p, TK_PARALLEL) || (parser_at(p, TK_END) && p->begins) ||
         (parser_at(p, TK_RBRACE) && p->braces);
}

/* After an error in a statement: to the next ';', the start of a statement, or the end of the list. `from` is where the
 * statement started: something is always skipped, or else taken before. */
static void skip_stmt(Parser *p, uint32_t from) {
  const bool stray = parser_at(p, TK_END) || parser_at(p, TK_RBRACE);
  if (p->token.span.at == from && !parser_at(p, TK_EOF)) {
    parser_advance(p);
    if (stray) return;
  }
  while (!parser_at(p, TK_SEMICOLON) && !statement_starts(p->token.kind) && !ends_list(p)) {
    if (parser_at(p, TK_NAME) && parser_peek(p) == TK_ASSIGN) return;
    parser_advance(p);
  }
}

/* stmts ::= (stmt ';'*)* */
StmtId parser_stmts(Parser *p) {
  StmtId first = STMT_NONE, last = STMT_NONE;
  for (;;) {
    while (parser_accept(p, TK_SEMICOLON)) {}
    if (ends_list(p)) return first;
    const StmtId id = {p->ast->stmts.n};
    const uint32_t from = p->token.span.at;
    if (!parser_stmt(p)) skip_stmt(p, from);
    if (p->ast->stmts.n == id.v) continue;
    if (last.v == STMT_NONE.v) first = id;
    else parser_stmt_at(p, last)->next = id;
    last = id;
  }
}

/* proc ::= 'proc' name '{' stmts '}' */
static void parse_proc(Parser *p) {
  Proc proc = {.name = NAME_NONE, .first = STMT_NONE, .stmts_start = p->ast->stmts.n};
  parser_advance(p);
  proc.span = p->token.span;
  if (parser_expect(p, TK_NAME, "of the proc")) proc.name = parser_name(p, proc.span);
  if (parser_at(p, TK_LPAREN)) {
    parser_complain(p, parser_format(p, "procs have no parameters; write 'proc %s { }'", proc.span));
    parser_skip_parens(p);
  }
  parser_body(p, "after the name of the proc", &proc.first);
  proc.stmts_end = p->ast->stmts.n;
  if (proc.name.v != NAME_NONE.v) vec_push(p->ast->heap, &p->ast->procs, proc);
}

/* count '*' ; false, with nothing taken, if the thread has none */
static bool parse_count(Parser *p, Thread *thread) {
  const bool star = (parser_at(p, TK_INTEGER) || parser_at(p, TK_NAME)) && parser_peek(p) == TK_STAR;
  if (!star && !(parser_at(p, TK_INTEGER) && parser_peek(p) == TK_LBRACE)) return false;
  thread->is_counted = true;
  if (parser_at(p, TK_NAME)) thread->count_name = parser_name(p, p->token.span);
  else thread->count = (uint64_t)p->token.value;
  parser_advance(p);
  parser_expect(p, TK_STAR, "after the number of threads");
  return true;
}

/* local* stmts */
static void parse_thread_body(Parser *p, Thread *thread) {
  thread->locals_start = p->ast->locals.n;
  parse_locals(p);
  thread->locals_end = p->ast->locals.n;
  thread->stmts_start = p->ast->stmts.n;
  thread->first = parser_stmts(p);
  thread->stmts_end = p->ast->stmts.n;
}

/* 'thread' name ; false, with nothing taken, if the thread has none */
static bool parse_thread_name(Parser *p, Thread *thread) {
  const Span word = p->token.span;
  const bool named = parser_at(p, TK_NAME) && word.length == 6 && !memcmp(p->diag->text + word.at, "thread", 6) &&
                     parser_peek(p) == TK_NAME;
  if (!named) return false;
  thread->stmt = parser_add_stmt(p, AST_SKIP);
  parser_advance(p);
  thread->name_span = p->token.span;
  thread->name = parser_name(p, p->token.span);
  parser_advance(p);
  parser_close_stmt(p, thread->stmt);
  return true;
}

/* thread ::= local* stmts | count '*' '{' local* stmts '}' | 'thread' name '{' local* stmts '}' */
static void parse_thread(Parser *p) {
  Thread thread = {.span = p->token.span, .count = 1, .count_name = NAME_NONE, .name = NAME_NONE, .first = STMT_NONE};
  const bool named = parse_thread_name(p, &thread), counted = !named && parse_count(p, &thread);
  const Span brace = p->token.span;
  if (counted || named) thread.span.length = p->last.at + p->last.length - thread.span.at;
  const char *where = named ? "after the name of the thread" : "after the number of threads";
  const bool braced = (counted || named) && parser_expect(p, TK_LBRACE, where);
  p->braces += braced;
  parse_thread_body(p, &thread);
  p->braces -= braced;
  if (braced) parser_close(p, TK_RBRACE, brace, "to close this '{'");
  while (parser_accept(p, TK_SEMICOLON)) {}
  vec_push(p->ast->heap, &p->ast->threads, thread);
}

/* Between threads; what stands there and is neither '||' nor the end is reported once and skipped. */
static bool parse_parallel(Parser *p) {
  if (!parser_at(p, TK_EOF) && !parser_at(p, TK_PARALLEL)) {
    parser_expected(p, "'||' or the end of the program after the thread", "");
    while (!parser_at(p, TK_EOF) && !parser_at(p, TK_PARALLEL)) parser_advance(p);
  }
  return parser_accept(p, TK_PARALLEL);
}

/* program ::= decl* proc* thread ('||' thread)* */
void parse_program(Ast *ast, Diag *diag) {
  if (diag->length >= LEX_MAX_LENGTH) {
    diag_add(diag, LEVEL_ERROR, NULL, DIAG_NOWHERE, 0, "the program has %zu bytes; the limit is %zu", diag->length,
             LEX_MAX_LENGTH - 1);
    return;
  }
  Parser parser = {.ast = ast, .diag = diag}, *p = &parser;
  lex_init(&p->lexer, diag);
  parser_advance(p);
  for (parse_globals(p); parser_at(p, TK_PROC); parse_globals(p)) parse_proc(p);
  do parse_thread(p);
  while (parse_parallel(p));
}
