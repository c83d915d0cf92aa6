#include "frontend/parse.h"

#include "frontend/parser.h"

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

static bool not_here(Parser *p, const char *why) {
  diag_add(p->diag, DIAG_ERROR, NULL, p->token.span.at, p->token.span.length, "%s %s", token_name(p->token.kind), why);
  return false;
}

/* What may not stand in an atomic { } is an error, but parsed on. */
static void check_atomic(Parser *p) {
  if (p->atomics)
    not_here(p, "may not stand inside 'atomic { }', which is a single event without loops, locks and blocks");
}

/* '{' stmts '}' */
static bool parse_body(Parser *p, const char *where, StmtId *first) {
  const Span brace = p->token.span;
  if (!parser_expect(p, TK_LBRACE, where)) return false;
  p->braces++;
  *first = parser_enter(p) ? parse_stmts(p) : STMT_NONE;
  parser_leave(p);
  p->braces--;
  return parser_close(p, TK_RBRACE, brace, "to close this '{'");
}

static bool starts_stmt(TokenKind kind) {
  return kind >= TK_SKIP && kind <= TK_CALL && kind != TK_ELSE && kind != TK_END;
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
  if (!parser_expect(p, TK_LPAREN, "before the condition")) return false;
  p->parens++;
  const bool good = parse_expr(p, &expr);
  p->parens--;
  stmt(p, id)->expr = expr;
  return good && parser_expect(p, TK_RPAREN, "behind the condition");
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

/* 'if' '(' b ')' '{' stmts '}' ('else' '{' stmts '}')? */
static bool parse_if(Parser *p) {
  StmtId first = STMT_NONE, otherwise = STMT_NONE;
  const StmtId id = add_stmt(p, AST_IF);
  parser_advance(p);
  bool good = parse_test(p, id) || skip_to_body(p);
  close_span(p, id);
  good = good && parse_body(p, "behind the condition", &first);
  if (good && parser_accept(p, TK_ELSE)) good = parse_body(p, "behind 'else'", &otherwise);
  stmt(p, id)->first = first;
  stmt(p, id)->otherwise = otherwise;
  return good;
}

/* (':' name)?      a number is told and skipped */
static void parse_label(Parser *p, StmtId id) {
  if (!parser_accept(p, TK_COLON)) return;
  const Span span = p->token.span;
  if (parser_expect(p, TK_NAME, "for the block behind 'begin:'")) {
    stmt(p, id)->name = parser_name(p, span);
    stmt(p, id)->name_span = span;
    close_span(p, id);
  } else if (parser_at(p, TK_INTEGER)) {
    parser_advance(p);
  }
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
  return parser_close(p, TK_END, stmt(p, id)->span, "to end the block that begins here");
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
  return true;
}

/* x ':=' e      the paper's Figure 7 has '=' for ':=' */
static bool parse_assignment(Parser *p) {
  Expr expr = {0};
  const StmtId id = add_stmt(p, AST_ASSIGN);
  stmt(p, id)->name = parser_name(p, p->token.span);
  stmt(p, id)->name_span = p->token.span;
  parser_advance(p);
  if (!parser_accept(p, TK_ASSIGN) && !parser_accept(p, TK_EQ))
    return parser_expected(p, "':=' behind the variable",
                           parser_at(p, TK_LPAREN) ? "; a proc is called with 'call name'" : "");
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

/* A word that starts no statement at all, or none here. */
static bool misplaced(Parser *p) {
  switch (p->token.kind) {
    case TK_INT:
    case TK_BOOL:
    case TK_LOCK:
      return not_here(p, "stands at the top of the program, before procs and threads; a thread's own are 'local'");
    case TK_LOCAL: return not_here(p, "stands before a thread's first statement");
    case TK_PROC: return not_here(p, "stands before the first thread");
    case TK_ELSE: return misplaced_else(p);
    case TK_END: return not_here(p, "without a 'begin'");
    case TK_RBRACE: return not_here(p, "without a '{'");
    default: return parser_expected(p, "a statement", "");
  }
}

/* stmt ::= x ':=' e | 'skip' | while | if | block | acquire | release | atomic | await | call */
static bool parse_stmt(Parser *p) {
  switch (p->token.kind) {
    case TK_NAME: return parse_assignment(p);
    case TK_SKIP: return parse_skip(p);
    case TK_WHILE: return parse_while(p);
    case TK_IF: return parse_if(p);
    case TK_BEGIN: return parse_block(p);
    case TK_ACQUIRE: return parse_lock_operation(p, AST_ACQUIRE);
    case TK_RELEASE: return parse_lock_operation(p, AST_RELEASE);
    case TK_ATOMIC: return parse_atomic(p);
    case TK_AWAIT: return parse_await(p);
    case TK_CALL: return parse_call(p);
    default: return misplaced(p);
  }
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
  parse_body(p, "behind the name of the proc", &proc.first);
  proc.stmts_end = p->ast->stmts.n;
  if (proc.name.v != NAME_NONE.v) vec_push(p->ast->heap, &p->ast->procs, proc);
}

/* count '*' ; false, with nothing taken, if the thread has none */
static bool parse_count(Parser *p, Thread *thread) {
  if (!(parser_at(p, TK_INTEGER) || parser_at(p, TK_NAME)) || parser_peek(p) != TK_STAR) return false;
  thread->is_counted = true;
  if (parser_at(p, TK_NAME))
    thread->count_name = parser_name(p, p->token.span);
  else
    thread->count = (uint64_t)p->token.value;
  parser_advance(p);
  parser_advance(p);
  return true;
}

/* local* stmts */
static void parse_thread_body(Parser *p, Thread *thread) {
  thread->locals_start = p->ast->locals.n;
  parse_locals(p);
  thread->locals_end = p->ast->locals.n;
  thread->first = parse_stmts(p);
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
