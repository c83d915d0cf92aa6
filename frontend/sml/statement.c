/* The statements one after another: how each is written, and what it is as operations of the program. */
#include "frontend/sml/statement.h"

#include "frontend/sml/sync.h"

/* The statement's only name, that of the token at `span`. */
static void set_name(Parser *p, StmtId id, Span span) {
  Stmt *s = parser_stmt_at(p, id);
  s->names = p->ast->stmt_names.n;
  s->n_names = 1;
  vec_push(p->ast->heap, &p->ast->stmt_names, ((StmtName){.name = parser_name(p, span), .span = span}));
}

/* ('[' index ']')?      after the statement's only name */
static bool parse_index(Parser *p, StmtId id) {
  if (!parser_at(p, TK_LBRACKET)) return true;
  Expr index;
  const bool good = parser_index(p, &index);
  p->ast->stmt_names.at[parser_stmt_at(p, id)->names].index = index;
  return good;
}

/* ---- skip ---- */

/* 'skip' */
static bool statement_parse_skip(Parser *p) {
  parser_add_stmt(p, AST_SKIP);
  parser_advance(p);
  return true;
}

static void statement_translate_skip(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  translate_event(t, OP_SKIP, id);
}

/* ---- name := expr ---- */

/* What to write instead of "X++", "X += 1". */
static const char *assign_hint(Parser *p, Span name) {
  if (!(p->token.kind >= TK_PLUS && p->token.kind <= TK_PERCENT)) return "";
  const char *x = lex_squeeze(&p->diag->arena, p->diag->text, name, 60);
  return arena_format(&p->diag->arena, "; write '%s := %s %.*s ...'", x, x, (int)p->token.span.length,
                      p->diag->text + p->token.span.at);
}

/* x ('[' index ']')? ':=' e      the paper's Figure 7 has '=' for ':=' */
static bool statement_parse_assign(Parser *p) {
  Expr expr = {0};
  const StmtId id = parser_add_stmt(p, AST_ASSIGN);
  const Span name = p->token.span;
  set_name(p, id, name);
  parser_advance(p);
  if (!parse_index(p, id)) return false;
  if (!parser_assigns(p)) return parser_expected(p, "':=' after the variable", assign_hint(p, name));
  const bool good = parse_expr(p, &expr);
  parser_stmt_at(p, id)->expr = expr;
  parser_close_stmt(p, id);
  return good;
}

static void add_assign(Translator *t, StmtId id) {
  const uint32_t op = translate_event(t, OP_ASSIGN, id);
  translate_expr(t, op);
  translate_targets(t, op);
}

static void statement_translate_assign(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  translate_variants(t, id, add_assign);
}

/* ---- while ---- */

/* 'while' '(' b ')' '{' stmts '}' */
static bool statement_parse_while(Parser *p) {
  StmtId body = STMT_NONE;
  const StmtId id = parser_add_stmt(p, AST_WHILE);
  parser_advance(p);
  const bool head = parser_test(p, id) || parser_skip_to_body(p);
  parser_close_stmt(p, id);
  const bool good = head && parser_body(p, "after the condition", &body);
  parser_stmt_at(p, id)->first = body;
  return good;
}

/*   test: true on, false to after;  body;  jump to test;  after: */
static void statement_translate_while(Translator *t, StmtId id, const Stmt *s) {
  const uint32_t test = translate_test(t, id), end = translate_here(t);
  translate_list(t, s->first);
  translate_op(t, translate_add(t, OP_JUMP, id))->next = test;
  translate_otherwise(t, test, end);
}

/* ---- if ---- */

static bool fits_else(TokenKind keyword, TokenKind next) {
  return keyword == TK_ELSE && (next == TK_LBRACE || next == TK_IF);
}

static bool statement_parse_if(Parser *p);

/* if | '{' stmts '}' */
static bool parse_otherwise(Parser *p, StmtId *first) {
  if (!parser_at(p, TK_IF)) return parser_body(p, "after 'else'", first);
  *first = (StmtId){p->ast->stmts.n};
  const bool good = parser_enter(p) && statement_parse_if(p);
  parser_leave(p);
  if (first->v == p->ast->stmts.n) *first = STMT_NONE;
  return good;
}

/* 'if' '(' b ')' '{' stmts '}' ('else' (if | '{' stmts '}'))? */
static bool statement_parse_if(Parser *p) {
  StmtId first = STMT_NONE, otherwise = STMT_NONE;
  const StmtId id = parser_add_stmt(p, AST_IF);
  parser_advance(p);
  bool good = parser_test(p, id) || parser_skip_to_body(p);
  parser_close_stmt(p, id);
  good = good && parser_body(p, "after the condition", &first);
  if (good && (parser_at(p, TK_ELSE) || parser_respell(p, fits_else)) && parser_accept(p, TK_ELSE))
    good = parse_otherwise(p, &otherwise);
  parser_stmt_at(p, id)->first = first;
  parser_stmt_at(p, id)->otherwise = otherwise;
  return good;
}

/*   test: true on, false to other;  first;  jump to after;  other: otherwise;  after: */
static void statement_translate_if(Translator *t, StmtId id, const Stmt *s) {
  const uint32_t test = translate_test(t, id), end = translate_here(t);
  translate_list(t, s->first);
  const uint32_t jump = translate_add(t, OP_JUMP, id);
  translate_otherwise(t, test, end);
  translate_list(t, s->otherwise);
  translate_op(t, jump)->next = translate_here(t);
}

/* ---- begin ... end ---- */

/* Is the name the first word of a statement, or a keyword that is misspelt? Or it has lost its colon. */
static bool is_bare_label(Parser *p) {
  if (!parser_at(p, TK_NAME) || parser_meant(p, parser_fits_stmt) != TK_NAME || parser_at_proc(p)) return false;
  if (lex_soft_keyword(p->diag->text + p->token.span.at, p->token.span.length) != TK_NAME) return false;
  const TokenKind next = parser_peek(p);
  return next == TK_NAME || next == TK_SEMICOLON || next == TK_END || statement_starts(next);
}

/* (':' name)?      a number is reported and skipped */
static void parse_label(Parser *p, StmtId id) {
  if (is_bare_label(p)) {
    parser_complain(p, parser_format(p, "a block's name follows a colon: 'begin:%s'", p->token.span));
    parser_advance(p);
  }
  if (!parser_accept(p, TK_COLON)) return;
  const Span span = p->token.span;
  if (parser_at_assignment(p)) {
    parser_expected(p, "a name for the block after 'begin:'", "; for a block without a name, write 'begin'");
  } else if (parser_expect(p, TK_NAME, "for the block after 'begin:'")) {
    set_name(p, id, span);
    parser_close_stmt(p, id);
  } else if (parser_at(p, TK_INTEGER)) {
    parser_advance(p);
  }
}

/* "end:deposit", "end deposit" */
static void refuse_end_label(Parser *p, StmtId id) {
  const Stmt *s = parser_stmt_at(p, id);
  const bool colon = parser_at(p, TK_COLON);
  const bool again = parser_at(p, TK_NAME) && s->n_names &&
                     parser_name(p, p->token.span).v == ast_stmt_name(p->ast, s, 0)->name.v && !parser_at_assignment(p);
  if (!colon && !again) return;
  parser_complain(p, "'end' takes no name: it ends the innermost block");
  parser_advance(p);
  if (colon) parser_accept(p, TK_NAME);
}

/* 'begin' (':' name)? stmts 'end' */
static bool statement_parse_block(Parser *p) {
  const StmtId id = parser_add_stmt(p, AST_BLOCK);
  parser_stmt_at(p, id)->block = p->ast->blocks.n;
  vec_push(p->ast->heap, &p->ast->blocks, id.v);
  parser_advance(p);
  parse_label(p, id);
  p->begins++;
  const StmtId first = parser_enter(p) ? parser_stmts(p) : STMT_NONE;
  parser_leave(p);
  p->begins--;
  parser_stmt_at(p, id)->first = first;
  parser_stmt_at(p, id)->end = p->token.span;
  const bool good = parser_close(p, TK_END, parser_stmt_at(p, id)->span, "to end the block that begins here");
  if (good) refuse_end_label(p, id);
  return good;
}

static void statement_translate_block(Translator *t, StmtId id, const Stmt *s) {
  const uint32_t begin = translate_event(t, OP_BEGIN, id);
  translate_op(t, begin)->number = s->block;
  translate_list(t, s->first);
  const uint32_t end = translate_add(t, OP_END, id);
  translate_op(t, end)->number = s->block;
  translate_op(t, end)->place = translate_place(t, s->end);
  translate_op(t, end)->text = "end";
}

/* ---- acquire, release ---- */

/* word '(' name ('[' index ']')? ')'      `what` the name is of */
static bool parse_operation(Parser *p, StmtKind kind, const char *what) {
  Arena *arena = &p->diag->arena;
  const StmtId id = parser_add_stmt(p, kind);
  parser_advance(p);
  if (!parser_expect(p, TK_LPAREN, arena_format(arena, "before the %s", what))) return false;
  const Span name = p->token.span;
  if (!parser_expect(p, TK_NAME, arena_format(arena, "of a %s", what))) return false;
  set_name(p, id, name);
  const bool good = parse_index(p, id) && parser_expect(p, TK_RPAREN, arena_format(arena, "after the %s", what));
  parser_close_stmt(p, id);
  return good;
}

static bool statement_parse_acquire(Parser *p) { return parse_operation(p, AST_ACQUIRE, "lock"); }
static bool statement_parse_release(Parser *p) { return parse_operation(p, AST_RELEASE, "lock"); }

static void add_lock_operation(Translator *t, OpKind kind, StmtId id) {
  const uint32_t op = translate_event(t, kind, id);
  translate_op(t, op)->number = translate_object(t, ast_stmt_name(t->ast, ast_stmt(t->ast, id), 0));
}

static void add_acquire(Translator *t, StmtId id) { add_lock_operation(t, OP_ACQUIRE, id); }
static void add_release(Translator *t, StmtId id) { add_lock_operation(t, OP_RELEASE, id); }

static void statement_translate_acquire(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  translate_variants(t, id, add_acquire);
}

static void statement_translate_release(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  translate_variants(t, id, add_release);
}

/* ---- p, v, rdlock, wrlock, unlock ---- */

static bool statement_parse_p(Parser *p) { return parse_operation(p, AST_P, "semaphore"); }
static bool statement_parse_v(Parser *p) { return parse_operation(p, AST_V, "semaphore"); }
static bool statement_parse_rdlock(Parser *p) { return parse_operation(p, AST_RDLOCK, "reader-writer lock"); }
static bool statement_parse_wrlock(Parser *p) { return parse_operation(p, AST_WRLOCK, "reader-writer lock"); }
static bool statement_parse_unlock(Parser *p) { return parse_operation(p, AST_UNLOCK, "reader-writer lock"); }

static void statement_translate_p(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  translate_variants(t, id, sync_add_p);
}

static void statement_translate_v(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  translate_variants(t, id, sync_add_v);
}

static void statement_translate_rdlock(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  sync_add_rdlock(t, id);
}

static void statement_translate_wrlock(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  sync_add_wrlock(t, id);
}

static void statement_translate_unlock(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  sync_add_unlock(t, id);
}

/* ---- fork, join ---- */

/* word name */
static bool parse_thread_operation(Parser *p, StmtKind kind) {
  const StmtId id = parser_add_stmt(p, kind);
  parser_advance(p);
  const Span name = p->token.span;
  if (!parser_expect(p, TK_NAME, "of a thread")) return false;
  set_name(p, id, name);
  parser_close_stmt(p, id);
  if (parser_at(p, TK_LPAREN)) {
    parser_complain(p, "threads have no parameters");
    parser_skip_parens(p);
  }
  return true;
}

static bool statement_parse_fork(Parser *p) { return parse_thread_operation(p, AST_FORK); }
static bool statement_parse_join(Parser *p) { return parse_thread_operation(p, AST_JOIN); }

static void statement_translate_fork(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  sync_add_fork(t, id);
}

static void statement_translate_join(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  sync_add_join(t, id);
}

/* ---- atomic ---- */

/* 'atomic' '{' stmts '}' */
static bool statement_parse_atomic(Parser *p) {
  StmtId first = STMT_NONE;
  const StmtId id = parser_add_stmt(p, AST_ATOMIC);
  parser_advance(p);
  p->atomics++;
  const bool good = parser_body(p, "after 'atomic'", &first);
  p->atomics--;
  parser_stmt_at(p, id)->first = first;
  parser_stmt_at(p, id)->end = p->last;
  return good;
}

static void statement_translate_atomic(Translator *t, StmtId id, const Stmt *s) {
  const uint32_t op = translate_add(t, OP_ATOMIC, id);
  translate_op(t, op)->text = translate_text(t, (Span){s->span.at, s->end.at + s->end.length - s->span.at});
  translate_list(t, s->first);
  translate_add(t, OP_ATOMIC_END, id);
}

/* ---- await ---- */

/* 'await' '(' b ')' */
static bool statement_parse_await(Parser *p) {
  const StmtId id = parser_add_stmt(p, AST_AWAIT);
  parser_advance(p);
  const bool good = parser_test(p, id);
  parser_close_stmt(p, id);
  return good;
}

/* It stays one event: it must not decide by values that have changed since. */
static void add_await(Translator *t, StmtId id) {
  const uint32_t op = translate_event(t, OP_AWAIT, id);
  translate_op(t, op)->whole = true;
  translate_expr(t, op);
}

static void statement_translate_await(Translator *t, StmtId id, const Stmt *s) {
  (void)s;
  translate_variants(t, id, add_await);
}

/* ---- assert ---- */

/* 'assert' '(' b ')' */
static bool statement_parse_assert(Parser *p) {
  const StmtId id = parser_add_stmt(p, AST_ASSERT);
  parser_advance(p);
  const bool good = parser_test(p, id);
  parser_close_stmt(p, id);
  return good;
}

/*   test: true on, false to fail;  jump to after;  fail:  after: */
static void statement_translate_assert(Translator *t, StmtId id, const Stmt *s) {
  const uint32_t test = translate_test(t, id), end = translate_here(t), jump = translate_add(t, OP_JUMP, id);
  const char *text = translate_text(t, s->span);
  for (uint32_t op = test; op < end; op++) {
    if (translate_op(t, op)->kind != OP_TEST) continue;
    translate_op(t, op)->text = translate_op(t, op)->otherwise_text = text;
  }
  translate_otherwise(t, test, end);
  translate_add(t, OP_FAIL, id);
  translate_op(t, jump)->next = translate_here(t);
}

/* ---- call ---- */

/* 'call' name */
static bool statement_parse_call(Parser *p) {
  const StmtId id = parser_add_stmt(p, AST_CALL);
  parser_advance(p);
  const Span name = p->token.span;
  if (!parser_expect(p, TK_NAME, "of a proc after 'call'")) return false;
  set_name(p, id, name);
  parser_close_stmt(p, id);
  if (parser_at(p, TK_LPAREN)) {
    parser_complain(p, parser_format(p, "procs have no parameters; write 'call %s'", name));
    parser_skip_parens(p);
  }
  return true;
}

static void statement_translate_call(Translator *t, StmtId id, const Stmt *s) {
  const uint32_t op = translate_event(t, OP_CALL, id);
  translate_op(t, op)->number = translate_proc(t, t->symbols->proc_of.at[ast_stmt_name(t->ast, s, 0)->name.v]);
}

/* ---- the table ---- */

#define STATEMENT_OF(ast, token, word, function, names, atomic, follows) \
  [AST_##ast] = {statement_parse_##function, statement_translate_##function, names, atomic, follows},

const Statement STATEMENTS[AST_COUNT] = {
    [AST_ASSIGN] = {statement_parse_assign, statement_translate_assign, NAMES_VARIABLE, true, FOLLOWS_NOTHING},
    STATEMENT_ROWS(STATEMENT_OF)};
