/* flow.h: the code of a thread with its calls inlined and its jumps followed. */
#ifndef PROGRAM_FLOW_H
#define PROGRAM_FLOW_H

#include "program/notice.h"
#include "program/program.h"

/* The most operations of a thread that are no jumps and ends, after inlining its calls; and the deepest nesting of
 * calls. */
#define FLOW_MAX_OPS 1000000
#define FLOW_MAX_DEPTH 2000

/* OP_RETURN is the end of the thread; OP_CALL and atomics in atomics are gone. */
typedef struct {
  OpKind kind;
  uint32_t op;              /* of Program.ops */
  uint32_t next, otherwise; /* of Flow.ops; none is an OP_JUMP, but for those that an OP_SELECT selects from */
} FlowOp;

/* The code of one written thread, shared by all its copies. */
typedef struct {
  Heap *heap;
  VEC(FlowOp) ops;
  uint32_t start;
} Flow;

/* An empty one, for flow_build; what is in it comes from the heap. */
void flow_init(Flow *flow, Heap *heap);
void flow_fini(Flow *flow);

/* Fills a flow that has been initialised. False after an error, NOTICE_LONG or NOTICE_DEEP: too many operations, too
 * many calls in each other. The flow is not for use then. */
bool flow_build(Flow *flow, const Program *program, const ProgramThread *thread, NoticeVec *notices);

/* The operation of the program that it comes from. */
static inline const ProgramOp *flow_source(const Flow *flow, const Program *program, uint32_t op) {
  return &program->ops.at[flow->ops.at[op].op];
}

#endif
