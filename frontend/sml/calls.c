/* Depth-first searches of the call graph, without recursion of our own: chains of calls may be long. The statements of
 * a proc or thread, nested ones too, have consecutive numbers. */
#include "frontend/sml/calls.h"

#include "frontend/sml/statement.h"

/* The proc that the statement calls, or SYMBOL_NONE. */
static uint32_t callee_of(const Ast *ast, const Symbols *symbols, const Stmt *s) {
  return s->kind == AST_CALL && s->n_names ? symbols->proc_of.at[ast_stmt_name(ast, s, 0)->name.v] : SYMBOL_NONE;
}

/* ---- procs that call themselves ---- */

typedef enum { UNSEEN, OPEN, DONE } ProcState;

typedef struct {
  uint32_t proc, next_stmt;
} ProcVisit;

typedef struct {
  const Ast *ast;
  const SmlOptions *options;
  Symbols *symbols;
  Diag *diag;
  uint8_t *state;   /* per proc: a ProcState */
  ProcVisit *stack; /* those that are OPEN */
} Recursion;

static void report_recursion(const Recursion *r, const Stmt *call) {
  const NameId name = ast_stmt_name(r->ast, call, 0)->name;
  if (r->options->recursion) return;
  const char *proc = ast_name(r->ast, name, &r->diag->arena);
  if (r->options->abstract_data)
    diag_add(r->diag, LEVEL_ERROR, NULL, call->span.at, call->span.length,
             "'%s' calls itself; with recursion and locks prediction is undecidable (Farzan and Madhusudan, TACAS "
             "2009, Theorem 5): %sunroll the calls to a fixed depth",
             proc, remedy_words(r->options->remedies, REMEDY_LOCKS));
  else
    diag_add(r->diag, LEVEL_ERROR, NULL, call->span.at, call->span.length,
             "'%s' calls itself; only prediction without locks supports recursive procs", proc);
}

static void visit_procs(const Recursion *r, uint32_t root) {
  uint32_t depth = 0;
  r->stack[depth++] = (ProcVisit){root, r->ast->procs.at[root].stmts_start};
  r->state[root] = OPEN;
  while (depth) {
    ProcVisit *top = &r->stack[depth - 1];
    if (top->next_stmt == r->ast->procs.at[top->proc].stmts_end) {
      r->state[top->proc] = DONE;
      depth--;
      continue;
    }
    const Stmt *s = &r->ast->stmts.at[top->next_stmt++];
    const uint32_t callee = callee_of(r->ast, r->symbols, s);
    if (callee == SYMBOL_NONE) continue;
    if (r->state[callee] == OPEN) {
      r->symbols->recursive.at[callee] = 1;
      report_recursion(r, s);
    }
    if (r->state[callee] != UNSEEN) continue;
    r->state[callee] = OPEN;
    r->stack[depth++] = (ProcVisit){callee, r->ast->procs.at[callee].stmts_start};
  }
}

void calls_check_recursion(const Ast *ast, const SmlOptions *options, Symbols *symbols, Diag *diag) {
  Heap *heap = symbols->heap;
  Recursion recursion = {.ast = ast, .options = options, .symbols = symbols, .diag = diag}, *r = &recursion;
  r->state = heap_zeroed(heap, ast->procs.n);
  r->stack = heap_alloc(heap, heap_product(heap, ast->procs.n, sizeof *r->stack));
  vec_clear(&symbols->recursive);
  vec_resize_zeroed(heap, &symbols->recursive, ast->procs.n);
  for (uint32_t i = 0; i < ast->procs.n; i++)
    if (r->state[i] == UNSEEN) visit_procs(r, i);
  heap_release(heap, r->state);
  heap_release(heap, r->stack);
}

/* ---- what is called in an atomic ---- */

/* Statements of a thread or proc that are still to be looked at. */
typedef struct {
  uint32_t next, end;
  uint32_t atomic_end; /* the end in the text of the atomic that is open, or 0 */
  Span call;           /* in an atomic of another proc: the outermost call in it; else of length 0 */
} Part;

typedef struct {
  const Ast *ast;
  const Symbols *symbols;
  Diag *diag;
  VEC(Part) stack;
  uint8_t *seen; /* per proc: 1: called outside of atomics, 2: inside */
} Atomics;

static void report_unfit(const Atomics *a, Span call, const Stmt *s) {
  diag_add(a->diag, LEVEL_ERROR, NULL, call.at, call.length,
           "this call is inside 'atomic { }', but the proc contains a loop, a lock operation or a block");
  diag_add(a->diag, LEVEL_NOTE, NULL, s->span.at, s->span.length, "it is here");
}

static void report_circle(const Atomics *a, Span call, uint32_t proc) {
  diag_add(a->diag, LEVEL_ERROR, NULL, call.at, call.length,
           "this call is inside 'atomic { }', but the proc '%s' calls itself",
           ast_name(a->ast, a->ast->procs.at[proc].name, &a->diag->arena));
}

/* False after an error. */
static bool see_call(Atomics *a, const Part *part, const Stmt *s, uint32_t callee) {
  const bool inside = part->call.length || part->atomic_end;
  const Span call = part->call.length ? part->call : inside ? s->span : (Span){0, 0};
  const Proc *proc = &a->ast->procs.at[callee];
  const uint8_t mark = inside ? 2 : 1;
  if (inside && a->symbols->recursive.at[callee]) {
    report_circle(a, call, callee);
    return false;
  }
  if (!(a->seen[callee] & mark))
    vec_push(a->ast->heap, &a->stack, ((Part){proc->stmts_start, proc->stmts_end, 0, call}));
  a->seen[callee] |= mark;
  return true;
}

static bool see_stmt(Atomics *a) {
  Part *part = &vec_last(&a->stack);
  const Stmt *s = &a->ast->stmts.at[part->next++];
  const uint32_t callee = callee_of(a->ast, a->symbols, s);
  if (part->call.length && !STATEMENTS[s->kind].fits_atomic) {
    report_unfit(a, part->call, s);
    return false;
  }
  if (s->span.at >= part->atomic_end) part->atomic_end = s->kind == AST_ATOMIC ? s->end.at : 0;
  if (callee == SYMBOL_NONE) return true;
  const Part copy = *part;
  return see_call(a, &copy, s, callee);
}

void calls_check_atomics(const Ast *ast, const Symbols *symbols, Diag *diag) {
  Atomics atomics = {.ast = ast, .symbols = symbols, .diag = diag}, *a = &atomics;
  bool good = true;
  a->seen = heap_zeroed(ast->heap, ast->procs.n);
  for (uint32_t t = 0; t < ast->threads.n && good; t++) {
    const Thread *thread = &ast->threads.at[t];
    vec_push(ast->heap, &a->stack, ((Part){thread->stmts_start, thread->stmts_end, 0, {0, 0}}));
    while (a->stack.n && good) {
      if (vec_last(&a->stack).next == vec_last(&a->stack).end) a->stack.n--;
      else good = see_stmt(a);
    }
  }
  heap_release(ast->heap, a->seen);
  vec_fini(ast->heap, &a->stack);
}

/* ---- what has `self` in it ---- */

static bool expr_has_self(const Ast *ast, Expr expr) {
  bool found = false;
  for (uint32_t i = expr.start; i < expr.start + expr.n && !found; i++) found = ast->items.at[i].kind == EXPR_SELF;
  return found;
}

/* What is done with a reader-writer lock is of the thread that does it, too. */
static bool stmt_has_self(const Ast *ast, const Stmt *s) {
  bool found = STATEMENTS[s->kind].names == NAMES_RWLOCK || expr_has_self(ast, s->expr);
  for (uint32_t i = 0; i < s->n_names && !found; i++) found = expr_has_self(ast, ast_stmt_name(ast, s, i)->index);
  return found;
}

/* Who calls a proc: the proc number i, or the thread number i - procs; the callers of p are at[start[p]] ..
 * at[start[p + 1] - 1]. */
typedef struct {
  const Ast *ast;
  Symbols *symbols;
  uint32_t *start, *at;
  U32Vec queue; /* of procs with `self` */
} SelfSearch;

static void note_self(SelfSearch *s, uint32_t caller) {
  const uint32_t n = s->ast->procs.n;
  uint32_t *has = caller < n ? &s->symbols->proc_self.at[caller] : &s->symbols->thread_self.at[caller - n];
  if (!*has && caller < n) vec_push(s->ast->heap, &s->queue, caller);
  *has = 1;
}

/* One of the two passes over the calls: counts, or fills in from the end of each list. */
static void enter_calls(SelfSearch *s, uint32_t caller, uint32_t from, uint32_t to, bool fill) {
  for (uint32_t i = from; i < to; i++) {
    const Stmt *stmt = &s->ast->stmts.at[i];
    const uint32_t callee = callee_of(s->ast, s->symbols, stmt);
    if (fill && stmt_has_self(s->ast, stmt)) note_self(s, caller);
    if (callee == SYMBOL_NONE) continue;
    if (fill) s->at[--s->start[callee]] = caller;
    else s->start[callee]++;
  }
}

static void enter_all(SelfSearch *s, bool fill) {
  const uint32_t n = s->ast->procs.n;
  for (uint32_t i = 0; i < n; i++)
    enter_calls(s, i, s->ast->procs.at[i].stmts_start, s->ast->procs.at[i].stmts_end, fill);
  for (uint32_t i = 0; i < s->ast->threads.n; i++)
    enter_calls(s, n + i, s->ast->threads.at[i].stmts_start, s->ast->threads.at[i].stmts_end, fill);
}

void calls_find_self(const Ast *ast, Symbols *symbols) {
  Heap *heap = symbols->heap;
  const uint32_t n = ast->procs.n;
  SelfSearch search = {.ast = ast, .symbols = symbols}, *s = &search;
  vec_resize_zeroed(heap, &symbols->proc_self, n);
  vec_resize_zeroed(heap, &symbols->thread_self, ast->threads.n);
  s->start = heap_zeroed(heap, heap_product(heap, (uint64_t)n + 1, sizeof *s->start));
  enter_all(s, false);
  for (uint32_t i = 0; i < n; i++) s->start[i + 1] += s->start[i];
  s->at = heap_alloc(heap, heap_product(heap, s->start[n], sizeof *s->at));
  enter_all(s, true);
  while (s->queue.n) {
    const uint32_t proc = s->queue.at[--s->queue.n];
    for (uint32_t i = s->start[proc]; i < s->start[proc + 1]; i++) note_self(s, s->at[i]);
  }
  vec_fini(ast->heap, &s->queue);
  heap_release(heap, s->start);
  heap_release(heap, s->at);
}
