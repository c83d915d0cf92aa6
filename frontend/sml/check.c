#include "frontend/sml/check.h"

#include "base/suggest.h"
#include "frontend/sml/calls.h"
#include "frontend/sml/locals.h"
#include "frontend/sml/parse.h"
#include "frontend/sml/statement.h"
#include "frontend/sml/sync.h"

#include <string.h>

typedef struct {
  Ast *ast;
  const SmlOptions *options;
  Symbols *symbols;
  Diag *diag;
} Checker;

static void fill(Heap *heap, U32Vec *v, uint32_t n, uint32_t value) {
  vec_clear(v);
  vec_reserve(heap, v, n);
  for (uint32_t i = 0; i < n; i++) v->at[i] = value;
  v->n = n;
}

static const char *text_of(const Checker *c, NameId name) { return ast_text(c->ast, name); }

static const char *shown(const Checker *c, NameId name) { return ast_name(c->ast, name, &c->diag->arena); }

static void error_at(const Checker *c, Span span, const char *message, NameId name) {
  diag_add(c->diag, LEVEL_ERROR, NULL, span.at, span.length, message, shown(c, name));
}

/* ---- declarations ---- */

static void declared_twice(const Checker *c, NameId name, Span again, Span first) {
  diag_add(c->diag, LEVEL_ERROR, NULL, again.at, again.length, "'%s' is declared twice", shown(c, name));
  diag_add(c->diag, LEVEL_NOTE, NULL, first.at, first.length, "the first declaration is here");
}

static void check_globals(const Checker *c) {
  for (uint32_t i = 0; i < c->ast->globals.n; i++) {
    const Decl *decl = &c->ast->globals.at[i];
    uint32_t *global = &c->symbols->global_of.at[decl->name.v];
    if (*global != SYMBOL_NONE) declared_twice(c, decl->name, decl->span, c->ast->globals.at[*global].span);
    else *global = i;
  }
}

static void check_procs(const Checker *c) {
  for (uint32_t i = 0; i < c->ast->procs.n; i++) {
    const Proc *proc = &c->ast->procs.at[i];
    uint32_t *known = &c->symbols->proc_of.at[proc->name.v];
    const uint32_t global = c->symbols->global_of.at[proc->name.v];
    if (*known != SYMBOL_NONE) declared_twice(c, proc->name, proc->span, c->ast->procs.at[*known].span);
    else if (global != SYMBOL_NONE) declared_twice(c, proc->name, proc->span, c->ast->globals.at[global].span);
    else *known = i;
  }
}

static void check_thread_names(const Checker *c) {
  for (uint32_t i = 0; i < c->ast->threads.n; i++) {
    const Thread *thread = &c->ast->threads.at[i];
    if (thread->name.v == NAME_NONE.v) continue;
    uint32_t *known = &c->symbols->thread_of.at[thread->name.v];
    const uint32_t global = c->symbols->global_of.at[thread->name.v], proc = c->symbols->proc_of.at[thread->name.v];
    if (*known != SYMBOL_NONE) declared_twice(c, thread->name, thread->name_span, c->ast->threads.at[*known].name_span);
    else if (global != SYMBOL_NONE) declared_twice(c, thread->name, thread->name_span, c->ast->globals.at[global].span);
    else if (proc != SYMBOL_NONE) declared_twice(c, thread->name, thread->name_span, c->ast->procs.at[proc].span);
    else *known = i;
  }
}

/* The locals of one thread; `seen` holds, per name, 1 + the number of its last declaration in any thread, or 0. */
static void check_locals(const Checker *c, const Thread *thread, uint32_t *seen) {
  for (uint32_t i = thread->locals_start; i < thread->locals_end; i++) {
    const Decl *decl = &c->ast->locals.at[i];
    const uint32_t global = c->symbols->global_of.at[decl->name.v], last = seen[decl->name.v];
    const uint32_t named = c->symbols->thread_of.at[decl->name.v];
    if (global != SYMBOL_NONE) declared_twice(c, decl->name, decl->span, c->ast->globals.at[global].span);
    else if (named != SYMBOL_NONE) declared_twice(c, decl->name, decl->span, c->ast->threads.at[named].name_span);
    else if (last > thread->locals_start) declared_twice(c, decl->name, decl->span, c->ast->locals.at[last - 1].span);
    seen[decl->name.v] = i + 1;
    c->symbols->local_of.at[decl->name.v] = 1;
  }
}

static void check_declarations(const Checker *c) {
  const uint32_t n = c->ast->names.strings.n;
  fill(c->symbols->heap, &c->symbols->global_of, n, SYMBOL_NONE);
  fill(c->symbols->heap, &c->symbols->proc_of, n, SYMBOL_NONE);
  fill(c->symbols->heap, &c->symbols->thread_of, n, SYMBOL_NONE);
  fill(c->symbols->heap, &c->symbols->local_of, n, 0);
  fill(c->symbols->heap, &c->symbols->count_of, n, 0);
  check_globals(c);
  check_procs(c);
  check_thread_names(c);
  uint32_t *seen = heap_zeroed(c->symbols->heap, heap_product(c->symbols->heap, n, sizeof *seen));
  for (uint32_t i = 0; i < c->ast->threads.n; i++) check_locals(c, &c->ast->threads.at[i], seen);
  heap_release(c->symbols->heap, seen);
}

/* ---- names of numbers ---- */

/* A name that -D sets stands for that number in expressions, too, unless it is a variable. It stands for 0 until it is
 * set. */
static void find_counts(const Checker *c) {
  U32Vec *counts = &c->symbols->count_of;
  for (uint32_t i = 0; i < c->ast->threads.n; i++)
    if (c->ast->threads.at[i].count_name.v != NAME_NONE.v) counts->at[c->ast->threads.at[i].count_name.v] = 1;
  for (uint32_t i = 0; i < c->ast->globals.n; i++)
    if (c->ast->globals.at[i].size_name.v != NAME_NONE.v) counts->at[c->ast->globals.at[i].size_name.v] = 1;
  for (uint32_t i = 0; i < counts->n; i++)
    if (c->symbols->local_of.at[i] || c->symbols->global_of.at[i] != SYMBOL_NONE ||
        c->symbols->thread_of.at[i] != SYMBOL_NONE)
      counts->at[i] = 0;
  for (uint32_t i = 0; i < c->ast->stmts.n; i++) {
    const Stmt *s = &c->ast->stmts.at[i];
    for (uint32_t k = 0; k < s->n_names && s->kind == AST_ASSIGN; k++)
      counts->at[ast_stmt_name(c->ast, s, k)->name.v] = 0;
  }
}

/* ---- uses ---- */

/* What synchronizes: how it is called, declared and used. */
typedef struct {
  const char *noun, *nouns, *declaration, *use;
} Kind;

static const Kind *kind_of(DeclKind kind) {
  static const Kind KINDS[] = {
      [DECL_LOCK] = {"lock", "locks", "lock %s", "'acquire' and 'release'"},
      [DECL_SEM] = {"semaphore", "semaphores", "sem %s = 1", "'p' and 'v'"},
      [DECL_RWLOCK] = {"reader-writer lock", "reader-writer locks", "rwlock %s", "'rdlock', 'wrlock' and 'unlock'"},
  };
  _Static_assert(sizeof KINDS / sizeof *KINDS == DECL_RWLOCK + 1, "a row for each DeclKind that is no variable");
  return &KINDS[kind];
}

static bool is_variable(const Decl *decl) { return decl->kind == DECL_INT || decl->kind == DECL_TRACKED; }

static bool is_capital(const Checker *c, NameId name) {
  const char first = c->ast->names.strings.at[name.v][0];
  return first >= 'A' && first <= 'Z';
}

static void warn_undeclared(const Checker *c, NameId name, Span span) {
  const char *text = shown(c, name);
  Suggestion meant = suggest_for(text_of(c, name));
  for (uint32_t i = 0; i < c->ast->globals.n; i++)
    if (is_variable(&c->ast->globals.at[i])) suggest_offer(&meant, text_of(c, c->ast->globals.at[i].name));
  if (meant.best[0])
    diag_add(c->diag, LEVEL_WARNING, "undeclared", span.at, span.length,
             "'%s' is not declared, so each thread has its own%s", text, suggest_words(&meant));
  else
    diag_add(c->diag, LEVEL_WARNING, "undeclared", span.at, span.length,
             "'%s' is not declared, so each thread has its own; to share it, declare 'int %s;' at the top", text, text);
}

static void not_a_variable(const Checker *c, const Decl *decl, Span span) {
  const Kind *kind = kind_of(decl->kind);
  diag_add(c->diag, LEVEL_ERROR, NULL, span.at, span.length, "'%s' is a %s, not a variable; %s are used in %s",
           shown(c, decl->name), kind->noun, kind->nouns, kind->use);
}

/* A name that should be a variable. `warned`: per name, whether it was called undeclared before. */
static void check_variable(const Checker *c, NameId name, Span span, bool *warned) {
  const uint32_t global = c->symbols->global_of.at[name.v];
  const Decl *decl = global == SYMBOL_NONE ? NULL : &c->ast->globals.at[global];
  if (decl && !is_variable(decl)) not_a_variable(c, decl, span);
  else if (c->symbols->proc_of.at[name.v] != SYMBOL_NONE) error_at(c, span, "'%s' is a proc, not a variable", name);
  else if (c->symbols->thread_of.at[name.v] != SYMBOL_NONE) error_at(c, span, "'%s' is a thread, not a variable", name);
  else if (global != SYMBOL_NONE && c->ast->globals.at[global].is_array)
    error_at(c, span, "'%s' is an array; its elements are written with an index, as in 'F[self]' or 'F[0]'", name);
  else if (global == SYMBOL_NONE && !c->symbols->local_of.at[name.v] && !c->symbols->count_of.at[name.v] &&
           is_capital(c, name) && !warned[name.v]) {
    warn_undeclared(c, name, span);
    warned[name.v] = !c->diag->dropped;
  }
}

/* An index is evaluated as a part of the event, and by the thread alone. */
static void check_index(const Checker *c, Expr index) {
  for (uint32_t i = index.start; i < index.start + index.n; i++) {
    const ExprItem *item = &c->ast->items.at[i];
    if (item->kind != EXPR_NAME && item->kind != EXPR_ELEMENT) continue;
    const uint32_t global = c->symbols->global_of.at[item->name.v];
    if (global == SYMBOL_NONE || !is_variable(&c->ast->globals.at[global])) continue;
    const bool bare = item->kind == EXPR_NAME && c->ast->globals.at[global].is_array;
    if (bare) continue; /* check_variable() */
    error_at(c, item->span,
             "'%s' is shared, but an index is made of the thread's own variables, 'self' and numbers; read it into one "
             "of these before",
             item->name);
    return;
  }
}

/* A name with an index; `name` is its span. */
static void check_element(const Checker *c, NameId name, Span span, Expr index, bool lock) {
  const uint32_t global = c->symbols->global_of.at[name.v];
  const Decl *decl = global == SYMBOL_NONE ? NULL : &c->ast->globals.at[global];
  if (!decl || !decl->is_array) {
    const char *text = shown(c, name), *what = lock ? "lock" : decl && decl->kind == DECL_TRACKED ? "bool" : "int";
    diag_add(c->diag, LEVEL_ERROR, NULL, span.at, span.length,
             "'%s' is not an array; one is declared at the top, as in '%s %s[3];'", text, what, text);
  } else if (!lock && !is_variable(decl)) {
    not_a_variable(c, decl, span);
  } else {
    check_index(c, index);
  }
}

static void check_expr(const Checker *c, Expr expr, bool *warned) {
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++) {
    const ExprItem *item = &c->ast->items.at[i];
    const Span name = {item->span.at, item->kind == EXPR_ELEMENT ? (uint32_t)strlen(text_of(c, item->name)) : 0};
    const Expr index = {i + 1, item->kind == EXPR_ELEMENT ? item->n_index : 0, item->span};
    if (item->kind == EXPR_NAME) check_variable(c, item->name, item->span, warned);
    if (item->kind == EXPR_ELEMENT) check_element(c, item->name, name, index, false);
  }
}

/* The one that was meant counts as used. */
static void unknown_lock(const Checker *c, const StmtName *lock, DeclKind kind, bool *used) {
  const char *text = shown(c, lock->name);
  Suggestion meant = suggest_for(text_of(c, lock->name));
  for (uint32_t i = 0; i < c->ast->globals.n && !diag_full(c->diag); i++)
    if (c->ast->globals.at[i].kind == kind) suggest_offer(&meant, text_of(c, c->ast->globals.at[i].name));
  const char *hint = suggest_words(&meant),
             *declaration = arena_format(&c->diag->arena, kind_of(kind)->declaration, text);
  if (!*hint) hint = arena_format(&c->diag->arena, "; declare it at the top: '%s;'", declaration);
  diag_add(c->diag, LEVEL_ERROR, NULL, lock->span.at, lock->span.length, "unknown %s '%s'%s", kind_of(kind)->noun, text,
           hint);
  const uint32_t name = intern_find(&c->ast->names, meant.best, strlen(meant.best));
  if (name != INTERN_NONE) used[c->symbols->global_of.at[name]] = true;
}

static void wrong_kind(const Checker *c, const StmtName *lock, const Decl *decl, DeclKind kind) {
  const char *text = shown(c, lock->name);
  if (is_variable(decl))
    diag_add(c->diag, LEVEL_ERROR, NULL, lock->span.at, lock->span.length, "'%s' is a variable, not a %s", text,
             kind_of(kind)->noun);
  else
    diag_add(c->diag, LEVEL_ERROR, NULL, lock->span.at, lock->span.length, "'%s' is a %s, not a %s; %s are used in %s",
             text, kind_of(decl->kind)->noun, kind_of(kind)->noun, kind_of(decl->kind)->nouns,
             kind_of(decl->kind)->use);
}

static void check_lock(const Checker *c, const StmtName *lock, DeclKind kind, bool *used) {
  const uint32_t global = c->symbols->global_of.at[lock->name.v];
  const Decl *decl = global == SYMBOL_NONE ? NULL : &c->ast->globals.at[global];
  if (!decl) {
    unknown_lock(c, lock, kind, used);
    return;
  }
  used[global] = true;
  if (decl->kind != kind) wrong_kind(c, lock, decl, kind);
  else if (lock->index.n && kind == DECL_RWLOCK)
    error_at(c, lock->span, "'%s' is a reader-writer lock; there are no arrays of them", lock->name);
  else if (lock->index.n) check_element(c, lock->name, lock->span, lock->index, true);
  else if (decl->is_array)
    diag_add(c->diag, LEVEL_ERROR, NULL, lock->span.at, lock->span.length,
             "'%s' is an array of %s; one of them is written with an index, as in 'L[self]' or 'L[0]'",
             shown(c, lock->name), kind_of(kind)->nouns);
}

static void check_call(const Checker *c, const StmtName *proc) {
  if (c->symbols->proc_of.at[proc->name.v] != SYMBOL_NONE) return;
  const char *text = shown(c, proc->name);
  Suggestion meant = suggest_for(text_of(c, proc->name));
  for (uint32_t i = 0; i < c->ast->procs.n && !diag_full(c->diag); i++)
    suggest_offer(&meant, text_of(c, c->ast->procs.at[i].name));
  const char *hint = suggest_words(&meant);
  if (!*hint) hint = arena_format(&c->diag->arena, "; write 'proc %s { }' before the first thread", text);
  diag_add(c->diag, LEVEL_ERROR, NULL, proc->span.at, proc->span.length, "unknown proc '%s'%s", text, hint);
}

static void check_forked(const Checker *c, const StmtName *thread) {
  if (c->symbols->thread_of.at[thread->name.v] != SYMBOL_NONE) return;
  const char *text = shown(c, thread->name);
  Suggestion meant = suggest_for(text_of(c, thread->name));
  for (uint32_t i = 0; i < c->ast->threads.n && !diag_full(c->diag); i++)
    if (c->ast->threads.at[i].name.v != NAME_NONE.v) suggest_offer(&meant, text_of(c, c->ast->threads.at[i].name));
  const char *hint = suggest_words(&meant);
  if (!*hint) hint = arena_format(&c->diag->arena, "; one is written as '|| thread %s { }'", text);
  diag_add(c->diag, LEVEL_ERROR, NULL, thread->span.at, thread->span.length, "unknown thread '%s'%s", text, hint);
}

/* `warned`: as of check_variable; `used`: per global, whether it is a lock that some statement names. */
static void check_name(const Checker *c, const Stmt *s, const StmtName *name, bool *warned, bool *used) {
  switch (STATEMENTS[s->kind].names) {
  case NAMES_VARIABLE:
    if (name->index.n) check_element(c, name->name, name->span, name->index, false);
    else check_variable(c, name->name, name->span, warned);
    break;
  case NAMES_LOCK: check_lock(c, name, DECL_LOCK, used); break;
  case NAMES_SEM: check_lock(c, name, DECL_SEM, used); break;
  case NAMES_RWLOCK: check_lock(c, name, DECL_RWLOCK, used); break;
  case NAMES_PROC: check_call(c, name); break;
  case NAMES_THREAD: check_forked(c, name); break;
  case NAMES_NONE:
  case NAMES_LABEL: break;
  }
}

/* Threads that no statement forks never run. */
static void check_forks(const Checker *c) {
  Heap *heap = c->symbols->heap;
  bool *forked = heap_zeroed(heap, c->ast->names.strings.n);
  for (uint32_t i = 0; i < c->ast->stmts.n; i++) {
    const Stmt *s = &c->ast->stmts.at[i];
    if (s->kind == AST_FORK && s->n_names) forked[ast_stmt_name(c->ast, s, 0)->name.v] = true;
  }
  for (uint32_t i = 0; i < c->ast->threads.n; i++) {
    const Thread *thread = &c->ast->threads.at[i];
    if (thread->name.v == NAME_NONE.v || forked[thread->name.v] || c->symbols->thread_of.at[thread->name.v] != i)
      continue;
    diag_add(c->diag, LEVEL_WARNING, "unforked", thread->name_span.at, thread->name_span.length,
             "thread '%s' is never forked, so it never runs", shown(c, thread->name));
  }
  heap_release(heap, forked);
}

static void check_statements(const Checker *c) {
  Heap *heap = c->symbols->heap;
  bool *warned = heap_zeroed(heap, c->ast->names.strings.n), *used = heap_zeroed(heap, c->ast->globals.n);
  for (uint32_t i = 0; i < c->ast->stmts.n; i++) {
    const Stmt *s = &c->ast->stmts.at[i];
    for (uint32_t k = 0; k < s->n_names; k++) {
      check_name(c, s, ast_stmt_name(c->ast, s, k), warned, used);
      check_expr(c, ast_stmt_name(c->ast, s, k)->index, warned);
    }
    check_expr(c, s->expr, warned);
  }
  locals_check(c->ast, c->symbols, warned, c->diag);
  check_forks(c);
  for (uint32_t i = 0; i < c->ast->globals.n; i++) {
    const Decl *decl = &c->ast->globals.at[i];
    if (!is_variable(decl) && !used[i])
      diag_add(c->diag, LEVEL_WARNING, "unused-lock", decl->span.at, decl->span.length, "%s '%s' is never used",
               kind_of(decl->kind)->noun, shown(c, decl->name));
  }
  heap_release(heap, warned);
  heap_release(heap, used);
}

/* ---- numbers of threads ---- */

static bool find_define(const Checker *c, const SmlOptions *options, NameId name, bool *used, uint64_t *value) {
  bool found = false;
  for (uint32_t i = 0; i < options->n_defines; i++)
    if (!strcmp(options->defines[i].name, c->ast->names.strings.at[name.v])) {
      *value = options->defines[i].value; /* the last of several counts */
      found = used[i] = true;
    }
  return found;
}

/* A -D of a similar name, which the program has no use for, is what was meant; that is not reported twice then. */
static void count_not_set(const Checker *c, const SmlOptions *options, NameId count, Span span, const char *what,
                          bool *used) {
  const char *text = shown(c, count), *name = text_of(c, count);
  const char *hint = arena_format(&c->diag->arena, "set it with -D %s=NUMBER%s", text,
                                  *what == 't' ? remedy_words(options->remedies, REMEDY_OPEN_COUNT) : "");
  for (uint32_t i = 0; i < options->n_defines; i++) {
    Suggestion meant = suggest_for(options->defines[i].name);
    if (!used[i]) suggest_offer(&meant, name);
    if (!meant.best[0]) continue;
    used[i] = true;
    hint = arena_format(&c->diag->arena, "did you mean -D %s=%llu instead of '-D %s'?", text,
                        (unsigned long long)options->defines[i].value, options->defines[i].name);
  }
  diag_add(c->diag, LEVEL_ERROR, NULL, span.at, span.length, "the number of %s '%s' is not set; %s", what, text, hint);
}

/* Is the name the size of one of the first n globals? */
static bool is_size(const Checker *c, NameId name, uint32_t n) {
  bool found = false;
  for (uint32_t i = 0; i < n && !found; i++) found = c->ast->globals.at[i].size_name.v == name.v;
  return found;
}

/* The numbers of elements. A name that is not set is reported once. */
static void set_sizes(const Checker *c, const SmlOptions *options, bool *used) {
  for (uint32_t i = 0; i < c->ast->globals.n; i++) {
    Decl *decl = &c->ast->globals.at[i];
    uint64_t n = 0;
    if (decl->size_name.v == NAME_NONE.v) continue;
    if (!find_define(c, options, decl->size_name, used, &n)) {
      if (!diag_full(c->diag) && !is_size(c, decl->size_name, i))
        count_not_set(c, options, decl->size_name, decl->size_span, "elements", used);
    } else if (n > PROGRAM_MAX_VALUES)
      diag_add(c->diag, LEVEL_ERROR, NULL, decl->size_span.at, decl->size_span.length,
               "an array has at most %d elements, not %llu", PROGRAM_MAX_VALUES, (unsigned long long)n);
    else decl->n_elements = (uint32_t)n;
    if (c->symbols->count_of.at[decl->size_name.v] && n <= PROGRAM_MAX_VALUES)
      c->symbols->count_of.at[decl->size_name.v] = (uint32_t)n + 1;
  }
}

/* Is it the number of one of the first n threads? */
static bool is_count(const Checker *c, NameId name, uint32_t n) {
  bool found = false;
  for (uint32_t i = 0; i < n && !found; i++) found = c->ast->threads.at[i].count_name.v == name.v;
  return found;
}

/* Likewise, the numbers of threads. */
static void set_counts(const Checker *c, const SmlOptions *options, bool *used) {
  Heap *heap = c->symbols->heap;
  const uint32_t n = c->ast->threads.n;
  bool *set = heap_zeroed(heap, n);
  for (uint32_t i = 0; i < n; i++) {
    Thread *thread = &c->ast->threads.at[i];
    set[i] = thread->count_name.v == NAME_NONE.v || find_define(c, options, thread->count_name, used, &thread->count);
    thread->is_open = !set[i] && options->any_number;
    if (thread->is_open) thread->count = 2;
  }
  for (uint32_t i = 0; i < n; i++) {
    const Thread *thread = &c->ast->threads.at[i];
    const bool told = is_size(c, thread->count_name, c->ast->globals.n) || is_count(c, thread->count_name, i);
    if (!set[i] && !options->any_number && !told)
      count_not_set(c, options, thread->count_name, thread->span, "threads", used);
  }
  heap_release(heap, set);
}

static void check_count(const Checker *c, const Thread *thread, uint64_t *total) {
  const uint64_t before = *total;
  if (__builtin_add_overflow(*total, thread->count, total)) *total = UINT64_MAX;
  const NameId name = thread->count_name;
  if (name.v != NAME_NONE.v && c->symbols->count_of.at[name.v] && thread->count <= PROGRAM_MAX_THREADS)
    c->symbols->count_of.at[name.v] = (uint32_t)thread->count + 1;
  if (before <= PROGRAM_MAX_THREADS && *total > PROGRAM_MAX_THREADS)
    diag_add(c->diag, LEVEL_ERROR, NULL, thread->span.at, thread->span.length,
             "the program would have %llu threads; the limit is %d", (unsigned long long)*total, PROGRAM_MAX_THREADS);
}

static void warn_unused_define(const Checker *c, const SmlDefine *define) {
  Suggestion meant = suggest_for(define->name);
  for (uint32_t i = 0; i < c->ast->threads.n; i++) {
    const NameId name = c->ast->threads.at[i].count_name;
    if (name.v != NAME_NONE.v) suggest_offer(&meant, text_of(c, name));
  }
  for (uint32_t i = 0; i < c->ast->globals.n; i++) {
    const NameId name = c->ast->globals.at[i].size_name;
    if (name.v != NAME_NONE.v) suggest_offer(&meant, text_of(c, name));
  }
  diag_add(c->diag, LEVEL_WARNING, "unused-define", DIAG_NOWHERE, 0,
           "-D %.100s=%llu is not used: no number of threads or elements of the program has that name%s", define->name,
           (unsigned long long)define->value, suggest_words(&meant));
}

static void check_rwlocks(const Checker *c, uint64_t n_threads) {
  for (uint32_t i = 0; i < c->ast->globals.n && n_threads > SYNC_MAX_THREADS; i++) {
    const Decl *decl = &c->ast->globals.at[i];
    if (decl->kind != DECL_RWLOCK) continue;
    error_at(c, decl->span, "'%s' is a reader-writer lock; a program with one has at most 1000 threads", decl->name);
    return;
  }
}

static void check_counts(const Checker *c, const SmlOptions *options) {
  bool *used = heap_zeroed(c->symbols->heap, options->n_defines);
  uint64_t total = 0;
  set_sizes(c, options, used);
  set_counts(c, options, used);
  for (uint32_t i = 0; i < c->ast->threads.n; i++) check_count(c, &c->ast->threads.at[i], &total);
  check_rwlocks(c, total);
  for (uint32_t i = 0; i < options->n_defines; i++)
    if (!used[i]) warn_unused_define(c, &options->defines[i]);
  heap_release(c->symbols->heap, used);
}

/* Copies with `self` are not alike; and a number that is open has no value. */
static void check_open(const Checker *c) {
  bool *is_open = heap_zeroed(c->symbols->heap, c->ast->names.strings.n);
  for (uint32_t i = 0; i < c->ast->threads.n; i++) {
    const Thread *thread = &c->ast->threads.at[i];
    if (!thread->is_open) continue;
    is_open[thread->count_name.v] = true;
    if (c->symbols->thread_self.at[i])
      error_at(
          c, thread->span,
          "these threads use 'self' or a reader-writer lock, so their number '%s' cannot be left open; set it with -D",
          thread->count_name);
  }
  for (uint32_t i = 0; i < c->ast->items.n; i++) {
    const ExprItem *item = &c->ast->items.at[i];
    if (item->kind == EXPR_NAME && c->symbols->count_of.at[item->name.v] && is_open[item->name.v])
      error_at(c, item->span, "'%s' is a number of threads that is left open, so it has no value; set it with -D",
               item->name);
  }
  heap_release(c->symbols->heap, is_open);
}

/* What is not all of a program cannot be asked everything. */
static void check_gaps(const Checker *c) {
  bool any_open = false;
  for (uint32_t i = 0; i < c->ast->threads.n; i++) any_open |= c->ast->threads.at[i].is_open;
  const char *what = c->options->abstract_data || c->options->recursion
                         ? "prediction needs the whole program, and a 'gap' says that this is not"
                     : any_open ? "where there is a 'gap', the numbers of threads cannot be left open; set them with -D"
                                : NULL;
  if (what && c->ast->gaps.n)
    diag_add(c->diag, LEVEL_ERROR, NULL, c->ast->gaps.at[0].at, c->ast->gaps.at[0].length, "%s", what);
}

/* Of what is wrong otherwise, no block is known to be missing. */
static void check_marked(const Checker *c) {
  if (c->ast->blocks.n || c->diag->n_errors || c->options->unmarked == SML_UNMARKED_PASSES) return;
  if (c->options->unmarked == SML_UNMARKED_WARNS)
    diag_add(c->diag, LEVEL_WARNING, "unmarked", DIAG_NOWHERE, 0,
             "no block is marked, so there is nothing to check; write a block as 'begin ... end'");
  else
    diag_add(c->diag, LEVEL_ERROR, NULL, DIAG_NOWHERE, 0,
             "no block is marked, so there is nothing to check; write a block as 'begin ... end'%s",
             remedy_words(c->options->remedies, REMEDY_NO_BLOCK));
}

bool check_program(Ast *ast, const SmlOptions *options, Symbols *symbols, Diag *diag) {
  const Checker checker = {ast, options, symbols, diag}, *c = &checker;
  check_declarations(c);
  find_counts(c);
  check_statements(c);
  calls_check_recursion(ast, options, symbols, diag);
  check_counts(c, options);
  calls_find_self(ast, symbols);
  check_open(c);
  check_gaps(c);
  check_marked(c);
  if (!diag->n_errors) calls_check_atomics(ast, symbols, diag);
  return !diag->n_errors;
}

bool check_source(Ast *ast, const SmlOptions *options, Symbols *symbols, Diag *diag) {
  enum { DEFAULT_MAX_ERRORS = 20 };
  if (!diag->max_errors) diag->max_errors = DEFAULT_MAX_ERRORS;
  parse_program(ast, diag);
  return !diag->n_errors && check_program(ast, options, symbols, diag);
}
