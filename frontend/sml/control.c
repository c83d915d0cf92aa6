/* Graphs are built as calls of them are met: a proc's number is given at once, its nodes are made when its turn
 * comes. So calls are no deeper here than texts, which nest no deeper than the parser lets them. */
#include "frontend/sml/control.h"

#include "frontend/sml/flow.h"
#include "frontend/sml/value.h"

/* ORDER Mode: Builder.proc_of */
typedef enum { OUTSIDE, IN_BLOCK, IN_ATOMIC, MODES } Mode;

/* What a proc of the control is made of. */
typedef struct {
  StmtId first;
  Mode mode;
  Span call; /* IN_ATOMIC: the outermost call in the atomic, or of length 0 */
} Source;

typedef struct {
  Control *control;
  const Ast *ast;
  const Symbols *symbols;
  Granularity granularity;
  Diag *diag;
  VEC(Source) sources;      /* per proc of the control */
  uint32_t *proc_of[MODES]; /* per Ast.procs: its number + 1, or 0 */
  Source source;            /* of the proc under way */
  VEC(Value) stack;         /* of constant_value */
  U32Vec reads;             /* of the statement under way: items */
  bool *is_read;            /* per global: in the event under way */
  bool failed;
} Builder;

void control_init(Control *control, Heap *heap) { *control = (Control){.heap = heap}; }

static void lists_fini(Heap *heap, ControlLists *lists) {
  heap_release(heap, lists->start);
  heap_release(heap, lists->at);
}

void control_fini(Control *control) {
  Heap *heap = control->heap;
  vec_fini(heap, &control->nodes);
  vec_fini(heap, &control->procs);
  vec_fini(heap, &control->threads);
  heap_release(heap, control->returns);
  heap_release(heap, control->proc_at);
  lists_fini(heap, &control->before);
  lists_fini(heap, &control->callers);
}

/* ---- nodes ---- */

static ControlNode *node(const Builder *b, uint32_t number) { return &b->control->nodes.at[number]; }
static uint32_t here(const Builder *b) { return b->control->nodes.n; }

/* Adds a node that goes on with the one added next. */
static uint32_t emit(Builder *b, ControlKind kind, StmtId stmt) {
  const uint32_t at = here(b);
  if (at > UINT32_MAX / 16) heap_give_up(b->control->heap); /* what is made of the nodes has numbers too */
  vec_push(b->control->heap, &b->control->nodes,
           ((ControlNode){.kind = (uint8_t)kind, .stmt = stmt, .next = at + 1, .other = CONTROL_NONE, .object = CONTROL_NONE,
                          .item = CONTROL_NONE}));
  return at;
}

static uint32_t add_proc(Builder *b, Source source) {
  vec_push(b->control->heap, &b->sources, source);
  return b->sources.n - 1;
}

static uint32_t global_of(const Builder *b, NameId name) { return b->symbols->global_of.at[name.v]; }

/* ---- events ---- */

static void emit_access(Builder *b, StmtId id, uint32_t object, uint32_t item) {
  const uint32_t at = emit(b, CONTROL_ACCESS, id);
  node(b, at)->object = object;
  node(b, at)->item = item;
  node(b, at)->write = item == CONTROL_NONE;
}

static uint32_t read_object(const Builder *b, uint32_t i) { return global_of(b, b->ast->items.at[b->reads.at[i]].name); }

/* An event with the reads from .. to - 1 of b->reads, none twice, and the write, if there is one. In an atomic it is
 * a part of one. */
static void emit_event(Builder *b, StmtId id, uint32_t from, uint32_t to, uint32_t written, bool negated) {
  const bool whole = b->source.mode != IN_ATOMIC;
  if (whole) node(b, emit(b, CONTROL_EVENT, id))->negated = negated;
  for (uint32_t i = from; i < to; i++) {
    const uint32_t object = read_object(b, i);
    if (!b->is_read[object]) emit_access(b, id, object, b->reads.at[i]);
    b->is_read[object] = true;
  }
  for (uint32_t i = from; i < to; i++) b->is_read[read_object(b, i)] = false;
  if (written != SYMBOL_NONE) emit_access(b, id, written, CONTROL_NONE);
  if (whole) node(b, emit(b, CONTROL_DONE, id))->inside = b->source.mode == IN_BLOCK;
}

static void find_reads(Builder *b, Expr expr) {
  vec_clear(&b->reads);
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++) {
    const ExprItem *item = &b->ast->items.at[i];
    if (item->kind == EXPR_NAME && global_of(b, item->name) != SYMBOL_NONE) vec_push(b->control->heap, &b->reads, i);
  }
}

/* The events of a statement before its last one: a read each. The number of reads that they do. */
static uint32_t emit_reads(Builder *b, StmtId id, bool writes) {
  if (b->granularity != GRANULARITY_ACCESS || b->source.mode == IN_ATOMIC) return 0;
  const uint32_t n = writes || !b->reads.n ? b->reads.n : b->reads.n - 1;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t event = here(b);
    emit_event(b, id, i, i + 1, SYMBOL_NONE, false);
    node(b, event)->item = b->reads.at[i];
  }
  return n;
}

static void emit_assign(Builder *b, StmtId id, const Stmt *s) {
  const uint32_t written = global_of(b, s->name);
  find_reads(b, s->expr);
  const uint32_t done = emit_reads(b, id, written != SYMBOL_NONE);
  emit_event(b, id, done, b->reads.n, written, false);
}

static void emit_plain(Builder *b, StmtId id) { emit_event(b, id, 0, 0, SYMBOL_NONE, false); }

/* ---- tests ---- */

/* The expression's value, if it is one whatever the variables hold. */
static Value constant_value(Builder *b, Expr expr) {
  bool by_zero;
  vec_clear(&b->stack);
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++) {
    const ExprItem *item = &b->ast->items.at[i];
    if (item->kind <= EXPR_NONDET) {
      vec_push(b->control->heap, &b->stack, item->kind == EXPR_LITERAL ? value_of(item->value) : VALUE_UNKNOWN);
    } else if (item->kind <= EXPR_NOT) {
      vec_last(&b->stack) = value_unary(item->kind, vec_last(&b->stack));
    } else {
      b->stack.n--;
      vec_last(&b->stack) = value_binary(item->kind, vec_last(&b->stack), b->stack.at[b->stack.n], &by_zero);
    }
  }
  return vec_last(&b->stack);
}

/* Nothing goes on behind it; what is added next is reached by other ways, if at all. */
static void emit_stop(Builder *b, StmtId id) { emit(b, CONTROL_STOP, id); }

static void emit_await(Builder *b, StmtId id, const Stmt *s) {
  const Value value = constant_value(b, s->expr);
  find_reads(b, s->expr);
  if (value.known && !value.number) emit_stop(b, id);
  else emit_event(b, id, 0, b->reads.n, SYMBOL_NONE, false);
}

/* The event in which the test has this outcome, or a stop if it never has. */
static void emit_outcome(Builder *b, StmtId id, Value value, uint32_t done, bool outcome) {
  if (value.known && (value.number != 0) != outcome) emit_stop(b, id);
  else emit_event(b, id, done, b->reads.n, SYMBOL_NONE, !outcome);
}

static void build_list(Builder *b, StmtId first);

/* What the node goes on with is added next. */
static void lead_here(Builder *b, uint32_t from) { node(b, from)->next = here(b); }

/* A choice that is none: a node that goes on where one says. */
static uint32_t emit_jump(Builder *b, StmtId id) { return emit(b, CONTROL_CHOICE, id); }

/*   reads;  choice;  false: ...; jump, which is returned;  true: ...
 * What the true outcome leads to is added next. */
static uint32_t emit_test(Builder *b, StmtId id, const Stmt *s) {
  const Value value = constant_value(b, s->expr);
  find_reads(b, s->expr);
  const uint32_t done = emit_reads(b, id, false), choice = emit(b, CONTROL_CHOICE, id);
  emit_outcome(b, id, value, done, false);
  const uint32_t jump = emit_jump(b, id);
  node(b, choice)->other = here(b);
  emit_outcome(b, id, value, done, true);
  return jump;
}

static void build_while(Builder *b, StmtId id, const Stmt *s) {
  const uint32_t test = here(b), skip = emit_test(b, id, s);
  build_list(b, s->first);
  node(b, emit_jump(b, id))->next = test;
  lead_here(b, skip);
}

static void build_if(Builder *b, StmtId id, const Stmt *s) {
  const uint32_t skip = emit_test(b, id, s);
  build_list(b, s->first);
  const uint32_t jump = emit_jump(b, id);
  lead_here(b, skip);
  build_list(b, s->otherwise);
  lead_here(b, jump);
}

/* ---- the other statements ---- */

static void build_block(Builder *b, StmtId id, const Stmt *s) {
  const Mode mode = b->source.mode;
  node(b, emit(b, CONTROL_BEGIN, id))->inside = mode == IN_BLOCK;
  b->source.mode = IN_BLOCK;
  build_list(b, s->first);
  b->source.mode = mode;
  node(b, emit(b, CONTROL_END, id))->inside = mode == IN_BLOCK;
}

static void emit_call(Builder *b, StmtId id, uint32_t proc) { node(b, emit(b, CONTROL_CALL, id))->other = proc; }

/* An atomic in an atomic is part of the outer one's event. */
static void build_atomic(Builder *b, StmtId id, const Stmt *s) {
  if (b->source.mode == IN_ATOMIC) {
    build_list(b, s->first);
    return;
  }
  emit(b, CONTROL_EVENT, id);
  emit_call(b, id, add_proc(b, (Source){s->first, IN_ATOMIC, (Span){0, 0}}));
  node(b, emit(b, CONTROL_DONE, id))->inside = b->source.mode == IN_BLOCK;
}

static void report_recursion(Builder *b, Span call, const Proc *proc) {
  diag_add(b->diag, DIAG_ERROR, NULL, call.at, call.length,
           "this call stands inside 'atomic { }', but the proc '%s' calls itself",
           ast_name(b->ast, proc->name, &b->diag->arena));
  b->failed = true;
}

static void build_call(Builder *b, StmtId id, const Stmt *s) {
  const uint32_t number = b->symbols->proc_of.at[s->name.v];
  const Proc *proc = &b->ast->procs.at[number];
  const Mode mode = b->source.mode;
  uint32_t *known = &b->proc_of[mode][number];
  const Span call = mode == IN_ATOMIC && !b->source.call.length ? s->span : b->source.call;
  if (mode == IN_ATOMIC && b->symbols->recursive.at[number]) report_recursion(b, call, proc);
  if (!*known) *known = add_proc(b, (Source){proc->first, mode, call}) + 1;
  emit_call(b, id, *known - 1);
}

static void build_stmt(Builder *b, StmtId id) {
  const Stmt *s = ast_stmt(b->ast, id);
  if (b->source.mode == IN_ATOMIC && !flow_fits_atomic(s->kind)) {
    flow_report_atomic(b->diag, b->source.call, s);
    b->failed = true;
    return;
  }
  switch (s->kind) {
    case AST_ASSIGN: emit_assign(b, id, s); break;
    case AST_WHILE: build_while(b, id, s); break;
    case AST_IF: build_if(b, id, s); break;
    case AST_BLOCK: build_block(b, id, s); break;
    case AST_ATOMIC: build_atomic(b, id, s); break;
    case AST_AWAIT: emit_await(b, id, s); break;
    case AST_CALL: build_call(b, id, s); break;
    case AST_SKIP:
    case AST_ACQUIRE:
    case AST_RELEASE: emit_plain(b, id); break;
  }
}

static void build_list(Builder *b, StmtId first) {
  for (StmtId id = first; id.v != STMT_NONE.v && !b->failed; id = ast_stmt(b->ast, id)->next) build_stmt(b, id);
}

static void build_proc(Builder *b, uint32_t number) {
  ControlProc proc = {.start = here(b), .is_atomic = b->sources.at[number].mode == IN_ATOMIC};
  b->source = b->sources.at[number];
  build_list(b, b->source.first);
  node(b, emit(b, CONTROL_RETURN, STMT_NONE))->other = number;
  proc.end = here(b);
  vec_push(b->control->heap, &b->control->procs, proc);
}

/* ---- what leads to what ---- */

/* Does one of the two passes that make lists: counts, or fills in. */
static void enter(ControlLists *lists, uint32_t of, uint32_t number, bool fill) {
  if (fill) lists->at[--lists->start[of]] = number;
  else lists->start[of]++;
}

static void enter_all(Control *c, bool fill) {
  for (uint32_t i = 0; i < c->nodes.n; i++) {
    const ControlNode *n = &c->nodes.at[i];
    if (control_goes_on(n)) enter(&c->before, n->next, i, fill);
    if (n->kind == CONTROL_CHOICE && n->other != CONTROL_NONE) enter(&c->before, n->other, i, fill);
    if (n->kind == CONTROL_CALL) enter(&c->callers, n->other, i, fill);
  }
}

static void lists_init(Heap *heap, ControlLists *lists, uint32_t n) {
  lists->start = heap_zeroed(heap, ((size_t)n + 1) * sizeof *lists->start);
}

/* After the counts: where each list ends, from where it is filled downwards. */
static void lists_sum(Heap *heap, ControlLists *lists, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) lists->start[i + 1] += lists->start[i];
  lists->at = heap_alloc(heap, lists->start[n] * sizeof *lists->at);
}

static void make_lists(Control *c) {
  lists_init(c->heap, &c->before, c->nodes.n);
  lists_init(c->heap, &c->callers, c->procs.n);
  enter_all(c, false);
  lists_sum(c->heap, &c->before, c->nodes.n);
  lists_sum(c->heap, &c->callers, c->procs.n);
  enter_all(c, true);
}

/* The node's way on is known to lead to the return: is now its own? */
static void note_return(Control *c, U32Vec *queue, uint32_t i) {
  const ControlNode *n = &c->nodes.at[i];
  if (c->returns[i]) return;
  if (n->kind == CONTROL_CALL && (!control_passes(c, n) || !c->returns[n->next])) return;
  c->returns[i] = true;
  vec_push(c->heap, queue, i);
}

static void find_starts(Control *c) {
  c->proc_at = heap_alloc(c->heap, c->nodes.n * sizeof *c->proc_at);
  for (uint32_t i = 0; i < c->nodes.n; i++) c->proc_at[i] = CONTROL_NONE;
  for (uint32_t p = 0; p < c->procs.n; p++) c->proc_at[c->procs.at[p].start] = p;
}

static void find_returns(Control *c) {
  U32Vec queue = {0};
  c->returns = heap_zeroed(c->heap, c->nodes.n);
  for (uint32_t p = 0; p < c->procs.n; p++) note_return(c, &queue, c->procs.at[p].end - 1);
  while (queue.n) {
    const uint32_t i = queue.at[--queue.n], proc = c->proc_at[i];
    for (uint32_t k = c->before.start[i]; k < c->before.start[i + 1]; k++) note_return(c, &queue, c->before.at[k]);
    if (proc == CONTROL_NONE) continue;
    for (uint32_t k = c->callers.start[proc]; k < c->callers.start[proc + 1]; k++) note_return(c, &queue, c->callers.at[k]);
  }
  vec_fini(c->heap, &queue);
}

/* What can never be completed in an atomic is no part of an event. */
static void stop_in_atomics(Control *c) {
  for (uint32_t p = 0; p < c->procs.n; p++)
    for (uint32_t i = c->procs.at[p].start; c->procs.at[p].is_atomic && i < c->procs.at[p].end; i++)
      if (!c->returns[i]) c->nodes.at[i].kind = CONTROL_STOP;
}

static void builder_init(Builder *b) {
  Heap *heap = b->control->heap;
  for (uint32_t m = 0; m < MODES; m++) b->proc_of[m] = heap_zeroed(heap, b->ast->procs.n * sizeof **b->proc_of);
  b->is_read = heap_zeroed(heap, b->ast->globals.n);
}

static void builder_fini(Builder *b) {
  Heap *heap = b->control->heap;
  for (uint32_t m = 0; m < MODES; m++) heap_release(heap, b->proc_of[m]);
  vec_fini(heap, &b->sources);
  vec_fini(heap, &b->stack);
  vec_fini(heap, &b->reads);
  heap_release(heap, b->is_read);
}

bool control_build(Control *control, const Ast *ast, const Symbols *symbols, Granularity granularity, Diag *diag) {
  Builder builder = {.control = control, .ast = ast, .symbols = symbols, .granularity = granularity, .diag = diag};
  Builder *b = &builder;
  builder_init(b);
  for (uint32_t i = 0; i < ast->threads.n; i++)
    vec_push(control->heap, &control->threads, add_proc(b, (Source){ast->threads.at[i].first, OUTSIDE, (Span){0, 0}}));
  for (uint32_t i = 0; i < b->sources.n && !b->failed; i++) build_proc(b, i);
  const bool good = !b->failed;
  builder_fini(b);
  if (!good) return false;
  make_lists(control);
  find_starts(control);
  find_returns(control);
  stop_in_atomics(control);
  return true;
}
