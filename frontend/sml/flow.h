/* flow.h: a thread of the program as flat code: calls inlined, loops and branches turned into jumps. */
#ifndef FRONTEND_SML_FLOW_H
#define FRONTEND_SML_FLOW_H

#include "frontend/sml/check.h"

/* The most statements of a thread, after inlining its calls; and the deepest nesting of statements and calls in it. */
#define FLOW_MAX_STMTS 1000000
#define FLOW_MAX_DEPTH 2000

typedef enum {
  OP_ASSIGN,
  OP_SKIP,
  OP_TEST,  /* of a while or an if: true goes to `next`, false to `otherwise` */
  OP_AWAIT,
  OP_ACQUIRE,
  OP_RELEASE,
  OP_BEGIN,
  OP_END,
  OP_ATOMIC,     /* one event: what stands from `next` to the OP_ATOMIC_END that is reached */
  OP_ATOMIC_END,
  OP_JUMP,       /* no event; no jump of a finished flow leads here */
  OP_HALT        /* the end of the thread */
} OpKind;

typedef struct {
  OpKind kind;
  StmtId stmt;              /* where it comes from; STMT_NONE for jumps and the halt */
  uint32_t next, otherwise; /* operations */
} Op;

/* The code of one written thread, shared by all copies of `N * { }`. It starts at operation 0, which is no jump. */
typedef struct {
  Heap *heap;
  VEC(Op) ops;
} Flow;

void flow_init(Flow *flow, Heap *heap);
void flow_fini(Flow *flow);

/* False after an error: what may not stand in an `atomic` was called there, too many operations, too deep. */
bool flow_build(Flow *flow, const Ast *ast, const Symbols *symbols, const Thread *thread, Diag *diag);

/* May the statement stand in an `atomic { }`, or in a proc that is called there? */
bool flow_fits_atomic(StmtKind kind);

/* The error for one that may not: `call` is the outermost call in the atomic that leads there. */
void flow_report_atomic(Diag *diag, Span call, const Stmt *s);

#endif
