#include "frontend/sml/locals.h"

#include "base/suggest.h"
#include "frontend/sml/statement.h"

#include <string.h>

/* What the thread under way does with a name. */
typedef enum { NAME_READ = 1, NAME_ASSIGNED = 2, NAME_DECLARED = 4, NAME_TOLD = 8 } NameUse;

/* Statements start .. end - 1 of the AST. */
typedef struct {
  uint32_t start, end;
} Part;

typedef struct {
  const Ast *ast;
  const Symbols *symbols;
  const bool *told;
  Diag *diag;
  Heap *heap;
  VEC(Part) parts;             /* of the thread: its text and the procs that it calls */
  U32Vec names;                /* with a use */
  uint8_t *uses;               /* per name: a union of NameUse */
  uint32_t *caller;            /* per proc: 1 + the last thread in whose parts it is */
  bool *item_told, *name_told; /* per item, per name of a statement: told, of a proc, in another thread */
  uint32_t n_compared;
} Locals;

static const char *text_of(const Locals *l, NameId name) { return ast_text(l->ast, name); }

static void use(Locals *l, NameId name, NameUse how) {
  if (!l->uses[name.v]) vec_push(l->heap, &l->names, name.v);
  l->uses[name.v] |= (uint8_t)how;
}

static bool is_local(const Locals *l, NameId name) {
  return l->symbols->global_of.at[name.v] == SYMBOL_NONE && l->symbols->proc_of.at[name.v] == SYMBOL_NONE &&
         l->symbols->thread_of.at[name.v] == SYMBOL_NONE && !l->symbols->count_of.at[name.v];
}

/* ---- what a thread does ---- */

static void see_call(Locals *l, uint32_t thread, NameId name) {
  const uint32_t proc = l->symbols->proc_of.at[name.v];
  if (proc == SYMBOL_NONE || l->caller[proc] == thread + 1) return;
  l->caller[proc] = thread + 1;
  const Proc *callee = &l->ast->procs.at[proc];
  vec_push(l->heap, &l->parts, ((Part){callee->stmts_start, callee->stmts_end}));
}

static void see_expr(Locals *l, Expr expr) {
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++)
    if (l->ast->items.at[i].kind == EXPR_NAME) use(l, l->ast->items.at[i].name, NAME_READ);
}

static void see_stmt(Locals *l, uint32_t thread, const Stmt *s) {
  const StatementNames names = STATEMENTS[s->kind].names;
  for (uint32_t i = 0; i < s->n_names; i++) {
    const NameId name = ast_stmt_name(l->ast, s, i)->name;
    see_expr(l, ast_stmt_name(l->ast, s, i)->index);
    if (names == NAMES_VARIABLE) use(l, name, NAME_ASSIGNED);
    if (names == NAMES_PROC) see_call(l, thread, name);
  }
  see_expr(l, s->expr);
}

static void see_thread(Locals *l, uint32_t number) {
  const Thread *thread = &l->ast->threads.at[number];
  vec_clear(&l->parts);
  vec_push(l->heap, &l->parts, ((Part){thread->stmts_start, thread->stmts_end}));
  for (uint32_t i = thread->locals_start; i < thread->locals_end; i++) use(l, l->ast->locals.at[i].name, NAME_DECLARED);
  for (uint32_t p = 0; p < l->parts.n; p++)
    for (uint32_t i = l->parts.at[p].start; i < l->parts.at[p].end; i++) see_stmt(l, number, &l->ast->stmts.at[i]);
}

static void forget_thread(Locals *l) {
  for (uint32_t i = 0; i < l->names.n; i++) l->uses[l->names.at[i]] = 0;
  vec_clear(&l->names);
}

/* ---- what is reported of it ---- */

static void offer_globals(Locals *l, Suggestion *meant, bool locks) {
  if (l->n_compared++ >= LOCALS_MOST) return;
  for (uint32_t i = 0; i < l->ast->globals.n; i++)
    if (locks || l->ast->globals.at[i].kind < DECL_LOCK) suggest_offer(meant, text_of(l, l->ast->globals.at[i].name));
}

/* The other names and words that have a value in the thread. */
static void offer_locals(const Locals *l, Suggestion *meant) {
  if (l->n_compared > LOCALS_MOST) return;
  for (TokenKind kind = TK_NONDET; kind <= TK_FALSE; kind++) suggest_offer(meant, lex_keyword(kind));
  for (uint32_t i = 0; i < l->names.n; i++) {
    const NameId name = {l->names.at[i]};
    if (is_local(l, name) && l->uses[name.v] & (NAME_ASSIGNED | NAME_DECLARED)) suggest_offer(meant, text_of(l, name));
  }
}

static void tell_unassigned(Locals *l, uint32_t item) {
  const NameId name = l->ast->items.at[item].name;
  const Span span = l->ast->items.at[item].span;
  if (!is_local(l, name) || l->told[name.v] || l->uses[name.v] & (NAME_ASSIGNED | NAME_DECLARED | NAME_TOLD)) return;
  l->uses[name.v] |= NAME_TOLD;
  if (l->item_told[item]) return;
  l->item_told[item] = true;
  Suggestion meant = suggest_for(text_of(l, name));
  offer_globals(l, &meant, true);
  offer_locals(l, &meant);
  const char *words = suggest_words(&meant);
  diag_add(l->diag, LEVEL_WARNING, "unassigned", span.at, span.length,
           "'%s' is read, but never assigned in this thread%s", ast_name(l->ast, name, &l->diag->arena),
           *words ? words : "; write 'nondet' for any value");
}

/* How many variables the statement assigns: its names. */
static uint32_t n_assigned(const Stmt *s) { return STATEMENTS[s->kind].names == NAMES_VARIABLE ? s->n_names : 0; }

static bool assigns(const Locals *l, const Stmt *s, NameId name) {
  bool found = false;
  for (uint32_t i = 0; i < n_assigned(s); i++) found |= ast_stmt_name(l->ast, s, i)->name.v == name.v;
  return found;
}

/* Does an assignment to `name` in the thread read the other one? */
static bool is_made_of(const Locals *l, NameId name, const char *other) {
  for (uint32_t p = 0; p < l->parts.n; p++)
    for (uint32_t i = l->parts.at[p].start; i < l->parts.at[p].end; i++) {
      const Stmt *s = &l->ast->stmts.at[i];
      if (!assigns(l, s, name)) continue;
      for (uint32_t k = s->expr.start; k < s->expr.start + s->expr.n; k++) {
        const ExprItem *item = &l->ast->items.at[k];
        if (item->kind == EXPR_NAME && !strcmp(text_of(l, item->name), other)) return true;
      }
    }
  return false;
}

/* The name number i of all that stand in statements. */
static void tell_unread(Locals *l, uint32_t i) {
  const StmtName *s = &l->ast->stmt_names.at[i];
  const uint8_t known = l->uses[s->name.v] & (NAME_READ | NAME_DECLARED | NAME_TOLD);
  if (!is_local(l, s->name) || l->told[s->name.v] || known) return;
  l->uses[s->name.v] |= NAME_TOLD;
  if (l->name_told[i]) return;
  l->name_told[i] = true;
  Suggestion meant = suggest_for(text_of(l, s->name));
  offer_globals(l, &meant, false);
  if (!meant.best[0] || !meant.distance || is_made_of(l, s->name, meant.best)) return;
  diag_add(l->diag, LEVEL_WARNING, "unread", s->span.at, s->span.length,
           "'%s' is assigned, but never read in this thread%s", ast_name(l->ast, s->name, &l->diag->arena),
           suggest_words(&meant));
}

static void tell_expr(Locals *l, Expr expr) {
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++)
    if (l->ast->items.at[i].kind == EXPR_NAME) tell_unassigned(l, i);
}

/* Data that no value is known of: each assertion about it may fail, whatever the program does. */
static bool is_untracked(const Locals *l, NameId name) {
  const uint32_t global = l->symbols->global_of.at[name.v];
  if (global != SYMBOL_NONE) return l->ast->globals.at[global].kind == DECL_INT;
  return is_local(l, name) && !(l->uses[name.v] & NAME_DECLARED);
}

static void tell_assertion(Locals *l, uint32_t i) {
  const ExprItem *item = &l->ast->items.at[i];
  if ((item->kind != EXPR_NAME && item->kind != EXPR_ELEMENT) || l->item_told[i] || !is_untracked(l, item->name))
    return;
  l->item_told[i] = true;
  const char *name = ast_name(l->ast, item->name, &l->diag->arena);
  diag_add(l->diag, LEVEL_WARNING, "untracked-assert", item->span.at, item->span.length,
           "the value of '%s' is not tracked, so the assertion may always fail; declare it '%sint[K] %s'", name,
           is_local(l, item->name) ? "local " : "", name);
}

static void tell_stmt(Locals *l, const Stmt *s) {
  for (uint32_t i = s->expr.start; i < s->expr.start + s->expr.n && s->kind == AST_ASSERT; i++) tell_assertion(l, i);
  for (uint32_t i = 0; i < n_assigned(s); i++) tell_unread(l, s->names + i);
  for (uint32_t i = 0; i < s->n_names; i++) tell_expr(l, ast_stmt_name(l->ast, s, i)->index);
  tell_expr(l, s->expr);
}

static void tell_thread(Locals *l) {
  for (uint32_t p = 0; p < l->parts.n; p++)
    for (uint32_t i = l->parts.at[p].start; i < l->parts.at[p].end; i++) tell_stmt(l, &l->ast->stmts.at[i]);
}

void locals_check(const Ast *ast, const Symbols *symbols, const bool *told, Diag *diag) {
  Heap *heap = symbols->heap;
  Locals locals = {.ast = ast, .symbols = symbols, .told = told, .diag = diag, .heap = heap}, *l = &locals;
  l->uses = heap_zeroed(heap, ast->names.strings.n);
  l->caller = heap_zeroed(heap, heap_product(heap, ast->procs.n, sizeof *l->caller));
  l->item_told = heap_zeroed(heap, ast->items.n);
  l->name_told = heap_zeroed(heap, ast->stmt_names.n);
  for (uint32_t t = 0; t < ast->threads.n; t++) {
    see_thread(l, t);
    tell_thread(l);
    forget_thread(l);
  }
  vec_fini(heap, &l->parts);
  vec_fini(heap, &l->names);
  heap_release(heap, l->uses);
  heap_release(heap, l->caller);
  heap_release(heap, l->item_told);
  heap_release(heap, l->name_told);
}
