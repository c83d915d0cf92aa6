#include "frontend/sml/flow.h"

typedef struct {
  Flow *flow;
  const Ast *ast;
  const Symbols *symbols;
  Diag *diag;
  uint32_t depth, atomics, n_stmts;
  Span call;   /* the outermost call that is being inlined in an atomic { } */
  bool failed; /* nothing more is built or reported */
} Builder;

void flow_init(Flow *flow, Heap *heap) { *flow = (Flow){.heap = heap}; }
void flow_fini(Flow *flow) { vec_fini(flow->heap, &flow->ops); }

static bool fail(Builder *b, Span span, const char *message, int number) {
  if (!b->failed) diag_add(b->diag, DIAG_ERROR, NULL, span.at, span.length, message, number);
  b->failed = true;
  return false;
}

/* Adds an operation that goes on with the one added next. */
static uint32_t emit(Builder *b, OpKind kind, StmtId stmt) {
  const uint32_t at = b->flow->ops.n;
  if (!b->failed) vec_push(b->flow->heap, &b->flow->ops, ((Op){kind, stmt, at + 1, at + 1}));
  return at;
}

static void set_next(Builder *b, uint32_t op, uint32_t next) {
  if (!b->failed) b->flow->ops.at[op].next = next;
}

static void set_otherwise(Builder *b, uint32_t op, uint32_t otherwise) {
  if (!b->failed) b->flow->ops.at[op].otherwise = otherwise;
}

static void build_list(Builder *b, StmtId first);

/*   test: true on, false to after;  body;  jump to test;  after: */
static void build_while(Builder *b, StmtId id, const Stmt *s) {
  const uint32_t test = emit(b, OP_TEST, id);
  build_list(b, s->first);
  set_next(b, emit(b, OP_JUMP, id), test);
  set_otherwise(b, test, b->flow->ops.n);
}

/*   test: true on, false to other;  first;  jump to after;  other: otherwise;  after: */
static void build_if(Builder *b, StmtId id, const Stmt *s) {
  const uint32_t test = emit(b, OP_TEST, id);
  build_list(b, s->first);
  const uint32_t jump = emit(b, OP_JUMP, id);
  set_otherwise(b, test, b->flow->ops.n);
  build_list(b, s->otherwise);
  set_next(b, jump, b->flow->ops.n);
}

static void build_block(Builder *b, StmtId id, const Stmt *s) {
  emit(b, OP_BEGIN, id);
  build_list(b, s->first);
  emit(b, OP_END, id);
}

/* An atomic in an atomic is part of the outer one's event. */
static void build_atomic(Builder *b, StmtId id, const Stmt *s) {
  if (!b->atomics) emit(b, OP_ATOMIC, id);
  b->atomics++;
  build_list(b, s->first);
  b->atomics--;
  if (!b->atomics) emit(b, OP_ATOMIC_END, id);
}

static void build_call(Builder *b, const Stmt *s) {
  const uint32_t proc = b->symbols->proc_of.at[s->name.v];
  const Span outer = b->call;
  if (b->atomics && !outer.length) b->call = s->span;
  build_list(b, b->ast->procs.at[proc].first);
  b->call = outer;
}

bool flow_fits_atomic(StmtKind kind) {
  return kind != AST_WHILE && kind != AST_BLOCK && kind != AST_ACQUIRE && kind != AST_RELEASE;
}

void flow_report_atomic(Diag *diag, Span call, const Stmt *s) {
  diag_add(diag, DIAG_ERROR, NULL, call.at, call.length,
           "this call stands inside 'atomic { }', but the proc contains a loop, a lock operation or a block");
  diag_add(diag, DIAG_NOTE, NULL, s->span.at, s->span.length, "it is here");
}

/* The parser lets nothing else stand in an atomic; a call may still bring it there. */
static bool fits_atomic(Builder *b, const Stmt *s) {
  if (!b->atomics || flow_fits_atomic(s->kind)) return true;
  flow_report_atomic(b->diag, b->call, s);
  b->failed = true;
  return false;
}

static void build_stmt(Builder *b, StmtId id) {
  const Stmt *s = ast_stmt(b->ast, id);
  if (++b->n_stmts > FLOW_MAX_STMTS)
    fail(b, s->span, "this thread has more than %d statements, its calls inlined", FLOW_MAX_STMTS);
  if (b->failed || !fits_atomic(b, s)) return;
  switch (s->kind) {
    case AST_ASSIGN: emit(b, OP_ASSIGN, id); break;
    case AST_SKIP: emit(b, OP_SKIP, id); break;
    case AST_WHILE: build_while(b, id, s); break;
    case AST_IF: build_if(b, id, s); break;
    case AST_BLOCK: build_block(b, id, s); break;
    case AST_ACQUIRE: emit(b, OP_ACQUIRE, id); break;
    case AST_RELEASE: emit(b, OP_RELEASE, id); break;
    case AST_ATOMIC: build_atomic(b, id, s); break;
    case AST_AWAIT: emit(b, OP_AWAIT, id); break;
    case AST_CALL: build_call(b, s); break;
  }
}

static void build_list(Builder *b, StmtId first) {
  if (first.v == STMT_NONE.v || b->failed) return;
  if (++b->depth > FLOW_MAX_DEPTH)
    fail(b, ast_stmt(b->ast, first)->span, "statements and calls nested deeper than %d levels", FLOW_MAX_DEPTH);
  for (StmtId id = first; id.v != STMT_NONE.v && !b->failed; id = ast_stmt(b->ast, id)->next) build_stmt(b, id);
  b->depth--;
}

/* Where an operation's successor `to` leads in the end. Jumps forward are final already, for the pass below goes
 * from the last operation to the first; a jump back leads to the test of a loop, which is no jump. */
static uint32_t follow(const Flow *flow, uint32_t to) {
  return flow->ops.at[to].kind == OP_JUMP ? flow->ops.at[to].next : to;
}

static void skip_jumps(Flow *flow) {
  for (uint32_t i = flow->ops.n; i-- > 0;) {
    Op *op = &flow->ops.at[i];
    if (op->kind == OP_HALT) continue;
    op->next = follow(flow, op->next);
    op->otherwise = op->kind == OP_TEST ? follow(flow, op->otherwise) : op->next;
  }
}

bool flow_build(Flow *flow, const Ast *ast, const Symbols *symbols, const Thread *thread, Diag *diag) {
  Builder builder = {.flow = flow, .ast = ast, .symbols = symbols, .diag = diag}, *b = &builder;
  vec_clear(&flow->ops);
  build_list(b, thread->first);
  if (b->failed) return false;
  vec_push(flow->heap, &flow->ops, ((Op){OP_HALT, STMT_NONE, flow->ops.n, flow->ops.n}));
  skip_jumps(flow);
  return true;
}
