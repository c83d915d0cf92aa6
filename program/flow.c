/* A call is replaced by the operations of its proc. While a proc is copied, `next` of the copies still names
 * operations of the program; positions[] says where these have gone, and when all have, the copies are put right. */
#include "program/flow.h"

#include <assert.h>

typedef struct {
  Flow *flow;
  const Program *program;
  NoticeVec *notices;
  U32Vec positions; /* of the procs that are being copied, one after the other: per operation its place in the flow */
  uint32_t depth, atomics, n_ops;
} Builder;

void flow_init(Flow *flow, Heap *heap) { *flow = (Flow){.heap = heap}; }
void flow_fini(Flow *flow) { vec_fini(flow->heap, &flow->ops); }

static bool fail(Builder *b, NoticeKind kind, uint32_t op, uint32_t limit) {
  vec_push(b->flow->heap, b->notices, ((Notice){.kind = kind, .number = op, .limit = limit}));
  return false;
}

static void emit(Builder *b, uint32_t number) {
  const ProgramOp *op = &b->program->ops.at[number];
  vec_push(b->flow->heap, &b->flow->ops, ((FlowOp){op->kind, number, op->next, op->otherwise}));
}

static bool copy_proc(Builder *b, const ProgramProc *proc, uint32_t call);

/* An atomic in an atomic is part of the outer one's event. */
static bool copy_op(Builder *b, uint32_t number) {
  const ProgramOp *op = &b->program->ops.at[number];
  const bool counts = program_is_event(op->kind) ? op->kind != OP_END : op->kind == OP_CALL;
  if (counts && ++b->n_ops > FLOW_MAX_OPS) return fail(b, NOTICE_LONG, number, FLOW_MAX_OPS);
  switch (op->kind) {
  case OP_CALL: return copy_proc(b, &b->program->procs.at[op->number], number);
  case OP_ATOMIC:
    if (!b->atomics++) emit(b, number);
    return true;
  case OP_ATOMIC_END:
    assert(b->atomics);
    if (!--b->atomics) emit(b, number);
    return true;
  case OP_RETURN: return true; /* after the call, or the end of the thread, which is added last */
  case OP_ASSIGN:
  case OP_SKIP:
  case OP_TEST:
  case OP_AWAIT:
  case OP_ACQUIRE:
  case OP_RELEASE:
  case OP_BEGIN:
  case OP_END:
  case OP_JUMP:
  case OP_SELECT:
  case OP_FAIL:
  case OP_COUNT: break;
  }
  emit(b, number);
  return true;
}

/* Puts right the copies of a proc whose positions start at `base`. */
static void link_proc(Builder *b, const ProgramProc *proc, uint32_t base) {
  const uint32_t *position = b->positions.at + base;
  for (uint32_t i = proc->start; i < proc->end - 1; i++) {
    const uint32_t at = position[i - proc->start];
    if (at == b->flow->ops.n || b->flow->ops.at[at].op != i || b->program->ops.at[i].kind == OP_CALL) continue;
    FlowOp *op = &b->flow->ops.at[at];
    op->next = position[op->next - proc->start];
    op->otherwise = position[op->otherwise - proc->start];
  }
}

/* `call`: the operation that calls it, or PROGRAM_NONE. */
static bool copy_proc(Builder *b, const ProgramProc *proc, uint32_t call) {
  const uint32_t base = b->positions.n;
  if (b->depth > FLOW_MAX_DEPTH) return fail(b, NOTICE_DEEP, call, FLOW_MAX_DEPTH);
  b->depth++;
  vec_resize_zeroed(b->flow->heap, &b->positions, base + (proc->end - proc->start));
  for (uint32_t i = proc->start; i < proc->end; i++) {
    b->positions.at[base + (i - proc->start)] = b->flow->ops.n;
    if (!copy_op(b, i)) return false;
  }
  link_proc(b, proc, base);
  b->positions.n = base;
  b->depth--;
  return true;
}

/* Where a walk along jumps ends. */
static uint32_t follow(const Flow *flow, uint32_t to) {
  while (flow->ops.at[to].kind == OP_JUMP) to = flow->ops.at[to].next;
  return to;
}

/* From the last operation to the first, so that jumps forward lead to their end already. */
static void skip_jumps(Flow *flow) {
  for (uint32_t i = flow->ops.n; i-- > 0;) {
    FlowOp *op = &flow->ops.at[i];
    if (op->kind == OP_RETURN || op->kind == OP_SELECT) continue;
    if (op->kind == OP_FAIL) {
      op->next = op->otherwise = i;
      continue;
    }
    op->next = follow(flow, op->next);
    op->otherwise = op->kind == OP_TEST ? follow(flow, op->otherwise) : op->next;
  }
  flow->start = follow(flow, 0);
}

bool flow_build(Flow *flow, const Program *program, const ProgramThread *thread, NoticeVec *notices) {
  Builder builder = {.flow = flow, .program = program, .notices = notices}, *b = &builder;
  const ProgramProc *proc = &program->procs.at[thread->proc];
  vec_clear(&flow->ops);
  const bool good = copy_proc(b, proc, PROGRAM_NONE);
  vec_fini(flow->heap, &b->positions);
  if (!good) return false;
  vec_push(flow->heap, &flow->ops, ((FlowOp){OP_RETURN, proc->end - 1, flow->ops.n, flow->ops.n}));
  skip_jumps(flow);
  return true;
}
