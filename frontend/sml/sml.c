#include "frontend/sml/sml.h"

#include "frontend/sml/parse.h"
#include "frontend/sml/statement.h"
#include "frontend/sml/translate.h"
#include "petri/tina.h"

#include <string.h>

const char *const SML_WARNINGS[] = {
    "undeclared",       "unassigned",  "unread",       "unused-lock",      "unused-define",
    "unreached-block",  "unmarked",    "held-acquire", "unheld-release",   "modulo-wrap",
    "division-by-zero", "index-range", "unforked",     "untracked-assert", NULL,
};

bool sml_recognise(const char *text, size_t length) {
  size_t at = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
  while (at < length && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) at++;
  if (at == length) return true;
  const bool pep =
      length - at >= 3 && !memcmp(text + at, "PEP", 3) && (length - at == 3 || (unsigned char)text[at + 3] <= ' ');
  const bool utf16 = length >= 2 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2));
  return text[at] != '<' && !pep && !utf16 && !tina_recognise(text, length);
}

/* What was tracked is an `int` from now on, or an undeclared local. */
static void abstract_data(Ast *ast, bool keep_sync) {
  ast->is_abstract = !keep_sync;
  for (uint32_t i = 0; i < ast->globals.n; i++) {
    Decl *decl = &ast->globals.at[i];
    const bool is_sync = decl->kind == DECL_SEM || decl->kind == DECL_RWLOCK;
    if (decl->kind == DECL_TRACKED) decl->kind = DECL_INT;
    if (!is_sync || !keep_sync) decl->n_values = 0;
  }
  for (uint32_t i = 0; i < ast->threads.n; i++) ast->threads.at[i].locals_end = ast->threads.at[i].locals_start;
}

/* Fills the AST and the program, which have been initialised. False after an error. */
static bool translate(Heap *heap, const SmlOptions *options, Diag *diag, Ast *ast, Program *program) {
  Symbols symbols;
  symbols_init(&symbols, heap);
  const bool good = check_source(ast, options, &symbols, diag);
  if (good && options->abstract_data) abstract_data(ast, options->keep_sync);
  const bool translated = good && translate_program(ast, &symbols, diag, program);
  symbols_fini(&symbols);
  return translated;
}

bool sml_program(Heap *heap, const SmlOptions *options, Diag *diag, Program *program) {
  Ast ast;
  Program made;
  ast_init(&ast, heap);
  program_init(&made, heap);
  const bool good = translate(heap, options, diag, &ast, &made);
  ast_fini(&ast);
  if (good) *program = made;
  else program_fini(&made);
  return good;
}

/* ---- what its net has to say ---- */

typedef struct {
  const Ast *ast;
  const Program *program;
  Diag *diag;
} Teller;

static const Stmt *stmt_of(const Teller *t, const Notice *notice) {
  return &t->ast->stmts.at[t->program->ops.at[notice->number].origin];
}

static const char *text_of(const Teller *t, const Stmt *s) {
  return lex_squeeze(&t->diag->arena, t->diag->text, s->span, 60);
}

/* Of the statement, with the limit. */
static void tell_error(const Teller *t, const Notice *notice, const char *format) {
  const Span span = stmt_of(t, notice)->span;
  diag_add(t->diag, LEVEL_ERROR, NULL, span.at, span.length, format, notice->limit);
}

static void tell_outcomes(const Teller *t, const Notice *notice) {
  const Stmt *s = stmt_of(t, notice);
  diag_add(t->diag, LEVEL_ERROR, NULL, s->span.at, s->span.length,
           "'%s' has too many combinations of values in one event: more than %u", text_of(t, s), notice->limit);
}

static void tell_states(const Teller *t, const Notice *notice) {
  const Span span = t->ast->threads.at[t->program->threads.at[notice->number].origin].span;
  diag_add(t->diag, LEVEL_ERROR, NULL, span.at, span.length,
           "the thread that starts with '%s' has too many combinations of program points and values of its tracked "
           "variables: more than %u",
           lex_squeeze(&t->diag->arena, t->diag->text, span, 60), notice->limit);
}

static void tell_wrap(const Teller *t, const Notice *notice) {
  const Stmt *s = stmt_of(t, notice);
  diag_add(t->diag, LEVEL_WARNING, "modulo-wrap", s->span.at, s->span.length,
           "the result of '%s' may be %lld, which becomes %lld modulo %u", text_of(t, s), (long long)notice->value,
           (long long)notice->rest, notice->limit);
}

static void tell_division(const Teller *t, const Notice *notice) {
  const Span operator= t->ast->items.at[t->program->items.at[notice->item].origin].span;
  diag_add(t->diag, LEVEL_WARNING, "division-by-zero", operator.at, operator.length,
           "'%s' may divide by zero; the result may then be any value", text_of(t, stmt_of(t, notice)));
}

static void tell_held(const Teller *t, const Stmt *s, const char *lock) {
  diag_add(t->diag, LEVEL_WARNING, "held-acquire", s->span.at, s->span.length,
           "lock '%s' might already be held here; the thread would then wait for itself forever", lock);
}

static void tell_unheld(const Teller *t, const Stmt *s, const char *lock) {
  diag_add(t->diag, LEVEL_WARNING, "unheld-release", s->span.at, s->span.length,
           "lock '%s' might not be held here; the thread would then block forever", lock);
}

static const char *lock_of(const Teller *t, const Notice *notice) {
  const ProgramObject *lock = &t->program->objects.at[t->program->ops.at[notice->number].number];
  return program_short_name(lock->name, &t->diag->arena);
}

static void tell_stray(const Teller *t, const Notice *notice) {
  const Stmt *s = stmt_of(t, notice);
  if (STATEMENTS[s->kind].names == NAMES_RWLOCK) {
    const char *name = ast_name(t->ast, ast_stmt_name(t->ast, s, 0)->name, &t->diag->arena);
    if (s->kind == AST_UNLOCK) tell_unheld(t, s, name);
    else tell_held(t, s, name);
    return;
  }
  diag_add(t->diag, LEVEL_WARNING, "index-range", s->span.at, s->span.length,
           "an index of '%s' may be %lld, which is out of range; the thread would then block forever", text_of(t, s),
           (long long)notice->value);
}

static void tell_unreached(const Teller *t, const Notice *notice) {
  const Stmt *s = &t->ast->stmts.at[t->ast->blocks.at[notice->number]];
  diag_add(t->diag, LEVEL_WARNING, "unreached-block", s->span.at, s->span.length, "this block is never reached");
}

static void tell(const Teller *t, const Notice *notice) {
  switch (notice->kind) {
  case NOTICE_LONG: tell_error(t, notice, "this thread has more than %u statements, its calls inlined"); break;
  case NOTICE_DEEP: tell_error(t, notice, "calls nested deeper than %u levels"); break;
  case NOTICE_OUTCOMES: tell_outcomes(t, notice); break;
  case NOTICE_STATES: tell_states(t, notice); break;
  case NOTICE_WRAPS: tell_wrap(t, notice); break;
  case NOTICE_DIVIDES: tell_division(t, notice); break;
  case NOTICE_UNHELD: tell_unheld(t, stmt_of(t, notice), lock_of(t, notice)); break;
  case NOTICE_HELD: tell_held(t, stmt_of(t, notice), lock_of(t, notice)); break;
  case NOTICE_STRAYS: tell_stray(t, notice); break;
  case NOTICE_UNREACHED: tell_unreached(t, notice); break;
  case NOTICE_COUNT: break;
  }
}

/* A statement has an operation for each element that it may mean, and one for each copy of a thread with `self`: what
 * is said of it is said once. */
static bool is_new(const Teller *t, const Notice *notice, uint32_t *told) {
  if (notice->kind == NOTICE_STATES || notice->kind == NOTICE_UNREACHED) return true;
  uint32_t *kinds = &told[t->program->ops.at[notice->number].origin];
  const bool new = !(*kinds & (uint32_t)1 << notice->kind);
  *kinds |= (uint32_t)1 << notice->kind;
  return new;
}

static void tell_all(const Teller *t, const NoticeVec *notices) {
  Heap *heap = t->ast->heap;
  uint32_t *told = heap_zeroed(heap, heap_product(heap, t->ast->stmts.n, sizeof *told));
  for (uint32_t i = 0; i < notices->n; i++)
    if (is_new(t, &notices->at[i], told)) tell(t, &notices->at[i]);
  heap_release(heap, told);
}

/* ---- the net ---- */

static Net *compile(const SmlOptions *options, Diag *diag, const Ast *ast, const Program *program) {
  const Teller teller = {ast, program, diag};
  NoticeVec notices = {0};
  Err err = {0};
  Net *net =
      compile_program(program, &(CompileOptions){options->granularity, options->encoding, false, 0}, &notices, &err);
  tell_all(&teller, &notices);
  if (!net && err.text[0]) diag_add(diag, LEVEL_ERROR, NULL, DIAG_NOWHERE, 0, "%s", err.text);
  vec_fini(program->heap, &notices);
  return net;
}

Net *sml_compile(Heap *heap, const SmlOptions *options, Diag *diag) {
  Ast ast;
  Program program;
  ast_init(&ast, heap);
  program_init(&program, heap);
  Net *net = translate(heap, options, diag, &ast, &program) ? compile(options, diag, &ast, &program) : NULL;
  program_fini(&program);
  ast_fini(&ast);
  return net;
}
