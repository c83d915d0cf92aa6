#include "frontend/sml/parse.h"

#include "frontend/sml/parser.h"

static StmtId parse_stmts(Parser *p);

static Stmt *stmt(Parser *p, StmtId id) { return &p->ast->stmts.at[id.v]; }

/* A new statement that starts at the next token. */
static StmtId add_stmt(Parser *p, StmtKind kind) {
  vec_push(p->ast->heap, &p->ast->stmts,
           ((Stmt){.kind = kind, .span = p->token.span, .name = NAME_NONE, .first = STMT_NONE, .otherwise = STMT_NONE,
                   .next = STMT_NONE, .block = UINT32_MAX}));
  return (StmtId){p->ast->stmts.n - 1};
}

/* The statement reaches to the token that was taken last. */
static void close_span(Parser *p, StmtId id) {
  Span *span = &stmt(p, id)->span;
  span->length = p->last.at + p->last.length - span->at;
}

static bool starts_stmt(TokenKind kind) {
  return kind >= TK_SKIP && kind <= TK_CALL && kind != TK_ELSE && kind != TK_END;
}

/* May the keyword be a statement's first one, with `next` behind it? */
static bool fits_stmt(TokenKind keyword, TokenKind next) {
  const bool start = next == TK_NAME || starts_stmt(next);
  const bool over = next == TK_SEMICOLON || next == TK_PARALLEL || next == TK_EOF || next == TK_RBRACE || next == TK_END;
  if (keyword == TK_WHILE || keyword == TK_IF || keyword == TK_AWAIT || keyword == TK_ACQUIRE || keyword == TK_RELEASE)
    return next == TK_LPAREN || next == TK_NAME;
  if (keyword == TK_BEGIN) return start || next == TK_COLON;
  if (keyword == TK_END || keyword == TK_SKIP) return start || over;
  if (keyword == TK_ATOMIC) return next == TK_LBRACE;
  return keyword == TK_CALL && next == TK_NAME;
}

static bool not_here(Parser *p, const char *why) {
  diag_add(p->diag, DIAG_ERROR, NULL, p->token.span.at, p->token.span.length, "%s %s", token_name(p->token.kind), why);
  return false;
}

/* What may not stand in an atomic { } is an error, but parsed on. */
static void check_atomic(Parser *p) {
  if (p->atomics)
    not_here(p, "may not stand inside 'atomic { }', which is a single event without loops, locks and blocks");
}

static bool parse_stmt(Parser *p);
static void parse_proc(Parser *p);

/* The message with the text of the span in the place of its %s. */
static const char *format(Parser *p, const char *message, Span span) {
  return arena_format(&p->diag->arena, message, lex_squeeze(&p->diag->arena, p->diag->text, span, 60));
}

static bool at_assignment(Parser *p) {
  return parser_at(p, TK_NAME) && (parser_peek(p) == TK_ASSIGN || parser_peek(p) == TK_EQ);
}

/* Moves over '(' ... ')', if they are next. */
static void skip_parens(Parser *p) {
  uint32_t open = 0;
  do {
    open += parser_at(p, TK_LPAREN);
    if (parser_at(p, TK_RPAREN) && open) open--;
    if (parser_at(p, TK_LPAREN) || parser_at(p, TK_RPAREN) || open) parser_advance(p);
  } while (open && !parser_at(p, TK_LBRACE) && !parser_at(p, TK_RBRACE) && !parser_at(p, TK_END) &&
           !parser_at(p, TK_EOF));
}

/* Instead of a body there is something else, which has been reported: words before its '{' are skipped; one statement
 * alone is taken for it. True if it stands before the '{' then; *good: the one statement was right. */
static bool find_body(Parser *p, bool *good) {
  *good = false;
  while ((parser_at(p, TK_NAME) && !at_assignment(p) && parser_peek(p) != TK_LPAREN) || parser_at(p, TK_COLON))
    parser_advance(p);
  if (parser_at(p, TK_LBRACE)) return true;
  if (!starts_stmt(p->token.kind) && !at_assignment(p)) return false;
  *good = parser_enter(p) && parse_stmt(p);
  parser_leave(p);
  if (parser_at(p, TK_SEMICOLON) && parser_peek(p) == TK_ELSE) parser_advance(p);
  return false;
}

/* '{' stmts '}' */
static bool parse_body(Parser *p, const char *where, StmtId *first) {
  bool good;
  if (!parser_at(p, TK_LBRACE)) {
    const char *what = arena_format(&p->diag->arena, "'{' %s", where);
    parser_expected(p, what, parser_at(p, TK_IF) ? "; write '{ if (b) { } }'" : "");
    if (!find_body(p, &good)) return good;
  }
  const Span brace = p->token.span;
  parser_advance(p);
  p->braces++;
  *first = parser_enter(p) ? parse_stmts(p) : STMT_NONE;
  parser_leave(p);
  p->braces--;
  return parser_close(p, TK_RBRACE, brace, "to close this '{'");
}

/* After an error in a condition: to the '{' behind it, if there is one, so that its body is not taken for something
 * else. */
static bool skip_to_body(Parser *p) {
  while (!parser_at(p, TK_LBRACE) && !parser_at(p, TK_RBRACE) && !parser_at(p, TK_SEMICOLON) && !parser_at(p, TK_EOF) &&
         !parser_at(p, TK_END) && !starts_stmt(p->token.kind))
    parser_advance(p);
  return parser_at(p, TK_LBRACE);
}

/* '(' b ')' */
static bool parse_test(Parser *p, StmtId id) {
  Expr expr = {0};
  const bool open = parser_expect(p, TK_LPAREN, "before the condition");
  p->parens++;
  bool good = parse_expr(p, &expr);
  p->parens--;
  stmt(p, id)->expr = expr;
  if (good && open && !parser_accept(p, TK_RPAREN))
    good = parser_expected(p, "')' behind the condition", parser_at(p, TK_ASSIGN) ? "; equal is written '='" : "");
  return good;
}

/* 'while' '(' b ')' '{' stmts '}' */
static bool parse_while(Parser *p) {
  StmtId body = STMT_NONE;
  check_atomic(p);
  const StmtId id = add_stmt(p, AST_WHILE);
  parser_advance(p);
  const bool head = parse_test(p, id) || skip_to_body(p);
  close_span(p, id);
  const bool good = head && parse_body(p, "behind the condition", &body);
  stmt(p, id)->first = body;
  return good;
}

static bool fits_else(TokenKind keyword, TokenKind next) {
  return keyword == TK_ELSE && (next == TK_LBRACE || next == TK_IF);
}

/* 'if' '(' b ')' '{' stmts '}' ('else' '{' stmts '}')? */
static bool parse_if(Parser *p) {
  StmtId first = STMT_NONE, otherwise = STMT_NONE;
  const StmtId id = add_stmt(p, AST_IF);
  parser_advance(p);
  bool good = parse_test(p, id) || skip_to_body(p);
  close_span(p, id);
  good = good && parse_body(p, "behind the condition", &first);
  if (good && (parser_at(p, TK_ELSE) || parser_respell(p, fits_else)) && parser_accept(p, TK_ELSE))
    good = parse_body(p, "behind 'else'", &otherwise);
  stmt(p, id)->first = first;
  stmt(p, id)->otherwise = otherwise;
  return good;
}

/* Is the name the first word of a statement, or a keyword that is misspelt? Or it has lost its colon. */
static bool is_bare_label(Parser *p) {
  if (!parser_at(p, TK_NAME) || parser_meant(p, fits_stmt) != TK_NAME || parser_at_proc(p)) return false;
  const TokenKind next = parser_peek(p);
  return next == TK_NAME || next == TK_SEMICOLON || next == TK_END || starts_stmt(next);
}

/* (':' name)?      a number is told and skipped */
static void parse_label(Parser *p, StmtId id) {
  if (is_bare_label(p)) {
    parser_complain(p, format(p, "a block's name stands behind a colon: 'begin:%s'", p->token.span));
    parser_advance(p);
  }
  if (!parser_accept(p, TK_COLON)) return;
  const Span span = p->token.span;
  if (at_assignment(p)) {
    parser_expected(p, "a name for the block behind 'begin:'", "; without a name write 'begin'");
  } else if (parser_expect(p, TK_NAME, "for the block behind 'begin:'")) {
    stmt(p, id)->name = parser_name(p, span);
    stmt(p, id)->name_span = span;
    close_span(p, id);
  } else if (parser_at(p, TK_INTEGER)) {
    parser_advance(p);
  }
}

/* "end:deposit", "end deposit" */
static void refuse_end_label(Parser *p, StmtId id) {
  const NameId label = stmt(p, id)->name;
  const bool colon = parser_at(p, TK_COLON);
  const bool again = parser_at(p, TK_NAME) && label.v != NAME_NONE.v && parser_name(p, p->token.span).v == label.v &&
                     !at_assignment(p);
  if (!colon && !again) return;
  parser_complain(p, "'end' has no name: it ends the block that was begun last");
  parser_advance(p);
  if (colon) parser_accept(p, TK_NAME);
}

/* 'begin' (':' name)? stmts 'end' */
static bool parse_block(Parser *p) {
  check_atomic(p);
  const StmtId id = add_stmt(p, AST_BLOCK);
  stmt(p, id)->block = p->ast->blocks.n;
  vec_push(p->ast->heap, &p->ast->blocks, id.v);
  parser_advance(p);
  parse_label(p, id);
  p->begins++;
  const StmtId first = parser_enter(p) ? parse_stmts(p) : STMT_NONE;
  parser_leave(p);
  p->begins--;
  stmt(p, id)->first = first;
  stmt(p, id)->end = p->token.span;
  const bool good = parser_close(p, TK_END, stmt(p, id)->span, "to end the block that begins here");
  if (good) refuse_end_label(p, id);
  return good;
}

/* 'atomic' '{' stmts '}' */
static bool parse_atomic(Parser *p) {
  StmtId first = STMT_NONE;
  const StmtId id = add_stmt(p, AST_ATOMIC);
  parser_advance(p);
  p->atomics++;
  const bool good = parse_body(p, "behind 'atomic'", &first);
  p->atomics--;
  stmt(p, id)->first = first;
  stmt(p, id)->end = p->last;
  return good;
}

/* 'await' '(' b ')' */
static bool parse_await(Parser *p) {
  const StmtId id = add_stmt(p, AST_AWAIT);
  parser_advance(p);
  const bool good = parse_test(p, id);
  close_span(p, id);
  return good;
}

/* ('acquire' | 'release') '(' l ')' */
static bool parse_lock_operation(Parser *p, StmtKind kind) {
  check_atomic(p);
  const StmtId id = add_stmt(p, kind);
  parser_advance(p);
  if (!parser_expect(p, TK_LPAREN, "before the lock")) return false;
  const Span name = p->token.span;
  if (!parser_expect(p, TK_NAME, "of a lock")) return false;
  stmt(p, id)->name = parser_name(p, name);
  stmt(p, id)->name_span = name;
  const bool good = parser_expect(p, TK_RPAREN, "behind the lock");
  close_span(p, id);
  return good;
}

/* 'call' name */
static bool parse_call(Parser *p) {
  const StmtId id = add_stmt(p, AST_CALL);
  parser_advance(p);
  const Span name = p->token.span;
  if (!parser_expect(p, TK_NAME, "of a proc behind 'call'")) return false;
  stmt(p, id)->name = parser_name(p, name);
  stmt(p, id)->name_span = name;
  close_span(p, id);
  if (parser_at(p, TK_LPAREN)) {
    parser_complain(p, format(p, "procs have no parameters; write 'call %s'", name));
    skip_parens(p);
  }
  return true;
}

/* What to write instead of "X++", "X += 1", "X[0]". */
static const char *assign_hint(Parser *p, Span name) {
  if (parser_at(p, TK_LBRACKET)) return "; there are no arrays";
  if (!(p->token.kind >= TK_PLUS && p->token.kind <= TK_PERCENT)) return "";
  const char *x = lex_squeeze(&p->diag->arena, p->diag->text, name, 60);
  return arena_format(&p->diag->arena, "; write '%s := %s %.*s ...'", x, x, (int)p->token.span.length,
                      p->diag->text + p->token.span.at);
}

/* x ':=' e      the paper's Figure 7 has '=' for ':=' */
static bool parse_assignment(Parser *p) {
  Expr expr = {0};
  const StmtId id = add_stmt(p, AST_ASSIGN);
  const Span name = p->token.span;
  stmt(p, id)->name = parser_name(p, name);
  stmt(p, id)->name_span = name;
  parser_advance(p);
  if (!parser_assigns(p)) return parser_expected(p, "':=' behind the variable", assign_hint(p, name));
  const bool good = parse_expr(p, &expr);
  stmt(p, id)->expr = expr;
  close_span(p, id);
  return good;
}

static bool parse_skip(Parser *p) {
  add_stmt(p, AST_SKIP);
  parser_advance(p);
  return true;
}

/* Its body is parsed, so that it is not taken for something else. */
static bool misplaced_else(Parser *p) {
  StmtId first;
  not_here(p, "without an 'if' and its '{ }' before it");
  parser_advance(p);
  return parser_at(p, TK_LBRACE) && parse_body(p, "behind 'else'", &first);
}

/* Somebody wants to take it. */
static bool misplaced_lock(Parser *p) {
  not_here(p, "declares locks at the top of the program; a thread takes one with 'acquire(l)'");
  parser_advance(p);
  if (parser_at(p, TK_LPAREN)) return skip_parens(p), true;
  return parser_accept(p, TK_NAME);
}

static bool misplaced_proc(Parser *p) {
  not_here(p, "stands before the first thread");
  parse_proc(p);
  return true;
}

static bool misplaced_body(Parser *p) {
  StmtId first;
  parser_expected(p, "a statement",
                  "; braces belong to 'while', 'if', 'else' and 'atomic', and a block is 'begin ... end'");
  return parse_body(p, "", &first);
}

#define DECLARATION \
  "stands at the top of the program, before procs and threads; a thread's own are 'local', or need no declaration"

static bool misplaced_declaration(Parser *p) { return not_here(p, DECLARATION); }
static bool misplaced_local(Parser *p) { return not_here(p, "stands before a thread's first statement"); }
static bool misplaced_end(Parser *p) { return not_here(p, "without a 'begin'"); }
static bool misplaced_rbrace(Parser *p) { return not_here(p, "without a '{'"); }
static bool misplaced_lbracket(Parser *p) { return parser_expected(p, "a statement", "; there are no arrays"); }

/* The word, which has been reported, and what may belong to it: more words, parentheses, a body, an 'else'. */
static bool skip_unknown(Parser *p) {
  StmtId first;
  do parser_advance(p);
  while (parser_at(p, TK_NAME) && !at_assignment(p));
  skip_parens(p);
  if (parser_at(p, TK_LBRACE)) parse_body(p, "", &first);
  if (parser_accept(p, TK_ELSE) && !parser_at(p, TK_IF)) parse_body(p, "behind 'else'", &first);
  return true;
}

/* A name without ':=' behind it. */
static bool parse_word(Parser *p) {
  const TokenKind next = parser_peek(p);
  if (parser_at_proc(p) && (next == TK_LPAREN || !(next >= TK_ASSIGN && next <= TK_EQ)))
    return parser_not_called(p), skip_unknown(p);
  if (parser_foreign(p, false)) return skip_unknown(p);
  if (parser_respell(p, fits_stmt)) return parser_at(p, TK_END) ? p->begins || parser_accept(p, TK_END) : parse_stmt(p);
  if (next == TK_LPAREN) return parser_not_called(p), skip_unknown(p);
  return parse_assignment(p);
}

static bool parse_name(Parser *p) { return at_assignment(p) ? parse_assignment(p) : parse_word(p); }
static bool parse_acquire(Parser *p) { return parse_lock_operation(p, AST_ACQUIRE); }
static bool parse_release(Parser *p) { return parse_lock_operation(p, AST_RELEASE); }

/* By its first token: a statement, or a word that starts none, or none here. */
static bool (*const STATEMENTS[TK_COUNT])(Parser *p) = {
    [TK_NAME] = parse_name,
    [TK_SKIP] = parse_skip,
    [TK_WHILE] = parse_while,
    [TK_IF] = parse_if,
    [TK_BEGIN] = parse_block,
    [TK_ACQUIRE] = parse_acquire,
    [TK_RELEASE] = parse_release,
    [TK_ATOMIC] = parse_atomic,
    [TK_AWAIT] = parse_await,
    [TK_CALL] = parse_call,
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
};

/* stmt ::= x ':=' e | 'skip' | while | if | block | acquire | release | atomic | await | call */
static bool parse_stmt(Parser *p) {
  bool (*const parse)(Parser *p) = STATEMENTS[p->token.kind];
  return parse ? parse(p) : parser_expected(p, "a statement", "");
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
  while (!parser_at(p, TK_SEMICOLON) && !starts_stmt(p->token.kind) && !ends_list(p)) {
    if (parser_at(p, TK_NAME) && parser_peek(p) == TK_ASSIGN) return;
    parser_advance(p);
  }
}

/* stmts ::= (stmt ';'*)* */
static StmtId parse_stmts(Parser *p) {
  StmtId first = STMT_NONE, last = STMT_NONE;
  for (;;) {
    while (parser_accept(p, TK_SEMICOLON)) {}
    if (ends_list(p)) return first;
    const StmtId id = {p->ast->stmts.n};
    const uint32_t from = p->token.span.at;
    if (!parse_stmt(p)) skip_stmt(p, from);
    if (p->ast->stmts.n == id.v) continue;
    if (last.v == STMT_NONE.v)
      first = id;
    else
      stmt(p, last)->next = id;
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
    parser_complain(p, format(p, "procs have no parameters; write 'proc %s { }'", proc.span));
    skip_parens(p);
  }
  parse_body(p, "behind the name of the proc", &proc.first);
  proc.stmts_end = p->ast->stmts.n;
  if (proc.name.v != NAME_NONE.v) vec_push(p->ast->heap, &p->ast->procs, proc);
}

/* count '*' ; false, with nothing taken, if the thread has none */
static bool parse_count(Parser *p, Thread *thread) {
  const bool star = (parser_at(p, TK_INTEGER) || parser_at(p, TK_NAME)) && parser_peek(p) == TK_STAR;
  if (!star && !(parser_at(p, TK_INTEGER) && parser_peek(p) == TK_LBRACE)) return false;
  thread->is_counted = true;
  if (parser_at(p, TK_NAME))
    thread->count_name = parser_name(p, p->token.span);
  else
    thread->count = (uint64_t)p->token.value;
  parser_advance(p);
  parser_expect(p, TK_STAR, "behind the number of threads");
  return true;
}

/* local* stmts */
static void parse_thread_body(Parser *p, Thread *thread) {
  thread->locals_start = p->ast->locals.n;
  parse_locals(p);
  thread->locals_end = p->ast->locals.n;
  thread->stmts_start = p->ast->stmts.n;
  thread->first = parse_stmts(p);
  thread->stmts_end = p->ast->stmts.n;
}

/* thread ::= local* stmts | count '*' '{' local* stmts '}' */
static void parse_thread(Parser *p) {
  Thread thread = {.span = p->token.span, .count = 1, .count_name = NAME_NONE, .first = STMT_NONE};
  const bool counted = parse_count(p, &thread);
  const Span brace = p->token.span;
  if (counted) thread.span.length = p->last.at + p->last.length - thread.span.at;
  const bool braced = counted && parser_expect(p, TK_LBRACE, "behind the number of threads");
  p->braces += braced;
  parse_thread_body(p, &thread);
  p->braces -= braced;
  if (braced) parser_close(p, TK_RBRACE, brace, "to close this '{'");
  while (parser_accept(p, TK_SEMICOLON)) {}
  vec_push(p->ast->heap, &p->ast->threads, thread);
}

/* Between threads; what stands there and is neither '||' nor the end is told once and skipped. */
static bool parse_parallel(Parser *p) {
  if (!parser_at(p, TK_EOF) && !parser_at(p, TK_PARALLEL)) {
    parser_expected(p, "'||' or the end of the program behind the thread", "");
    while (!parser_at(p, TK_EOF) && !parser_at(p, TK_PARALLEL)) parser_advance(p);
  }
  return parser_accept(p, TK_PARALLEL);
}

/* program ::= decl* proc* thread ('||' thread)* */
void parse_program(Ast *ast, Diag *diag) {
  if (diag->length >= LEX_MAX_LENGTH) {
    diag_add(diag, DIAG_ERROR, NULL, DIAG_NOWHERE, 0, "the program has %zu bytes; the limit is %zu", diag->length,
             LEX_MAX_LENGTH - 1);
    return;
  }
  Parser parser = {.ast = ast, .diag = diag}, *p = &parser;
  lexer_init(&p->lexer, diag);
  parser_advance(p);
  for (parse_globals(p); parser_at(p, TK_PROC); parse_globals(p)) parse_proc(p);
  do parse_thread(p);
  while (parse_parallel(p));
}
