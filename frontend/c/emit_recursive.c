/* A recursive lock is one lock in the net, which is taken and given back by the outermost pair. How often its thread
 * has it is a local of the thread, up to MOST, which stands for all that is more: from there on a release may leave it
 * as it is or not. So it may be given back too early, which adds runs. */
#include "frontend/c/emit_inside.h"

enum { MOST = 3 };

static uint32_t depth_of(Emitter *e, uint32_t cell) {
  U32Vec *depths = &e->extras[cell];
  while (depths->n < e->points->threads.n) vec_push(e->heap, depths, C_NONE);
  if (depths->at[e->thread] == C_NONE)
    depths->at[e->thread] =
        emit_new_local(e, arena_format(&e->program->arena, "%s.depth", emit_name(e, cell)), MOST + 1);
  return depths->at[e->thread];
}

static uint32_t test_depth(Emitter *e, uint32_t depth, int64_t value) {
  const uint32_t op = emit_op(e, OP_TEST, "[depth]");
  emit_local(e, op, depth);
  emit_literal(e, op, value);
  emit_operator(e, op, VALUE_EQ);
  return op;
}

static void set_depth(Emitter *e, uint32_t depth, int64_t value) {
  const uint32_t op = emit_op(e, OP_ASSIGN, "depth");
  emit_literal(e, op, value);
  emit_target(e, op, ITEM_LOCAL, depth);
}

static void step_depth(Emitter *e, uint32_t depth, int64_t by) {
  const uint32_t op = emit_op(e, OP_ASSIGN, "depth");
  emit_local(e, op, depth);
  emit_literal(e, op, by);
  emit_operator(e, op, VALUE_ADD);
  emit_target(e, op, ITEM_LOCAL, depth);
}

void emit_lock_again(Emitter *e, uint32_t cell) {
  const uint32_t depth = depth_of(e, cell), first = test_depth(e, depth, 0);
  emit_lock(e, OP_ACQUIRE, "lock", cell);
  set_depth(e, depth, 1);
  const uint32_t jump = emit_else(e, first), most = test_depth(e, depth, MOST), stays = emit_else(e, most);
  step_depth(e, depth, 1);
  emit_end(e, stays);
  emit_end(e, jump);
}

/* Who has not got it gives nothing back. */
void emit_unlock_again(Emitter *e, uint32_t cell) {
  const uint32_t depth = depth_of(e, cell), last = test_depth(e, depth, 1);
  set_depth(e, depth, 0);
  emit_lock(e, OP_RELEASE, "unlock", cell);
  const uint32_t given = emit_else(e, last), none = test_depth(e, depth, 0), nothing = emit_else(e, none);
  const uint32_t most = test_depth(e, depth, MOST), maybe = emit_maybe(e), stays = emit_else(e, maybe);
  emit_at(e, most)->otherwise = emit_here(e);
  step_depth(e, depth, -1);
  emit_end(e, stays);
  emit_end(e, nothing);
  emit_end(e, given);
}
