/* Locks and their likes. What cannot be followed as such (cells.h) is a write: nobody waits, and all depend on each
 * other. */
#include "frontend/c/emit_inside.h"
#include "petri/notes.h"

#include <assert.h>
#include <errno.h>

static const CInstruction *under_way(const Emitter *e) { return &e->module->instructions.at[e->number]; }

static const char *text(Emitter *e, const char *verb, uint32_t cell) {
  return arena_format(&e->program->arena, "%s(%s)", verb, emit_name(e, cell));
}

/* ---- locks ---- */

void emit_lock(Emitter *e, OpKind kind, const char *verb, uint32_t cell) {
  const uint32_t object = emit_object_of(e, cell);
  emit_at(e, emit_op(e, kind, text(e, verb, cell)))->number = object;
}

static void acquire(Emitter *e, uint32_t cell) {
  if (e->cells->cells.at[cell].is_recursive) emit_lock_again(e, cell);
  else emit_lock(e, OP_ACQUIRE, "lock", cell);
}

static void release(Emitter *e, uint32_t cell) {
  if (e->cells->cells.at[cell].is_recursive) emit_unlock_again(e, cell);
  else emit_lock(e, OP_RELEASE, "unlock", cell);
}

static bool is_told(Emitter *e) {
  cells_accesses(e->cells, e->context, e->number, &e->accesses);
  return emit_is_told(e, &e->accesses);
}

/* Is the call under way no event (lone_locks.h)? */
static bool is_lone(Emitter *e) {
  cells_accesses(e->cells, e->context, e->number, &e->accesses);
  return e->accesses.n == 1 && e->accesses.at[0].sync && e->accesses.at[0].is_apart;
}

/* What is not followed is done by accesses. */
static void emit_lock_of(Emitter *e, EmitLock *lock, uint32_t argument) {
  const uint32_t cell = cells_lock(e->cells, e->context, e->number, argument);
  if (is_lone(e)) return;
  if (is_told(e)) emit_told_lock(e, lock, argument);
  else if (cell != C_NONE) lock(e, cell);
  else emit_accesses(e);
}

static void lock(Emitter *e, uint32_t argument) { emit_lock_of(e, acquire, argument); }
static void unlock(Emitter *e, uint32_t argument) { emit_lock_of(e, release, argument); }

/* What is returned where nothing is taken. */
static int64_t failure_of(const Effect *effect) {
  assert(effect->result == RESULT_BUSY || effect->result == RESULT_LATE || effect->result == RESULT_FAILED);
  return effect->result == RESULT_BUSY ? EBUSY : effect->result == RESULT_LATE ? ETIMEDOUT : -1;
}

/* It takes what it tries to take, by that, and is 0; or it is another number. */
static bool try_to(Emitter *e, const Effect *effect, void (*take)(Emitter *e)) {
  const bool asked = emit_is_asked(e);
  emit_arguments(e);
  const uint32_t test = emit_maybe(e);
  emit_at(e, test)->origin = EMIT_TRY;
  take(e);
  if (asked) emit_outcome(e, 0);
  const uint32_t jump = emit_else(e, test);
  if (asked) emit_outcome(e, failure_of(effect));
  emit_end(e, jump);
  return !asked;
}

static void lock_first(Emitter *e) { lock(e, 1); }

/* ---- reader-writer locks: docs/net.md ---- */

/* Per instance a row of extras: who writes, and per thread whether it reads, and what it holds (a local). */
static uint32_t *row_of(Emitter *e, uint32_t cell) {
  const CObject *o = cell_object(e->cells, cell);
  const uint32_t width = 1 + 2 * e->points->threads.n, number = o->instances ? e->instance - o->first : 0;
  while (e->extras[cell].n < (number + 1) * width) vec_push(e->heap, &e->extras[cell], C_NONE);
  return e->extras[cell].at + number * width;
}

static uint32_t writer_of(Emitter *e, uint32_t cell) { return row_of(e, cell)[0]; }
static uint32_t reader_of(Emitter *e, uint32_t cell, uint32_t thread) { return row_of(e, cell)[1 + 2 * thread]; }
static uint32_t mode_of(Emitter *e, uint32_t cell) { return row_of(e, cell)[2 + 2 * e->thread]; }

static void make_readers(Emitter *e, uint32_t cell) {
  const char *name = emit_name(e, cell);
  Arena *arena = &e->program->arena;
  uint32_t *row = row_of(e, cell);
  if (row[0] == C_NONE) {
    row[0] = emit_new_object(e, name, PROGRAM_TRACKED, 2, 0);
    for (uint32_t t = 0; t < e->points->threads.n; t++)
      row[1 + 2 * t] = emit_new_object(e, arena_format(arena, "%s.T%u", name, t + 1), PROGRAM_TRACKED, 2, 0);
  }
  if (mode_of(e, cell) == C_NONE) row[2 + 2 * e->thread] = emit_new_local(e, arena_format(arena, "%s.mode", name), 3);
}

static void set_mode(Emitter *e, uint32_t cell, int64_t mode) {
  const uint32_t op = emit_op(e, OP_ASSIGN, "mode");
  emit_literal(e, op, mode);
  emit_target(e, op, ITEM_LOCAL, mode_of(e, cell));
}

static void read_lock(Emitter *e, uint32_t cell) {
  make_readers(e, cell);
  emit_op(e, OP_ATOMIC, text(e, "rdlock", cell));
  emit_test(e, OP_AWAIT, writer_of(e, cell), VALUE_EQ, 0);
  emit_set(e, reader_of(e, cell, e->thread), 1);
  set_mode(e, cell, 1);
  emit_op(e, OP_ATOMIC_END, "");
}

static void write_lock(Emitter *e, uint32_t cell) {
  make_readers(e, cell);
  emit_op(e, OP_ATOMIC, text(e, "wrlock", cell));
  emit_test(e, OP_AWAIT, writer_of(e, cell), VALUE_EQ, 0);
  for (uint32_t t = 0; t < e->points->threads.n; t++) emit_test(e, OP_AWAIT, reader_of(e, cell, t), VALUE_EQ, 0);
  emit_set(e, writer_of(e, cell), 1);
  set_mode(e, cell, 2);
  emit_op(e, OP_ATOMIC_END, "");
}

static void read_write_unlock(Emitter *e, uint32_t cell) {
  make_readers(e, cell);
  emit_op(e, OP_ATOMIC, text(e, "unlock", cell));
  const uint32_t op = emit_op(e, OP_TEST, "[writes]");
  emit_local(e, op, mode_of(e, cell));
  emit_literal(e, op, 2);
  emit_operator(e, op, VALUE_EQ);
  emit_set(e, writer_of(e, cell), 0);
  const uint32_t jump = emit_else(e, op);
  emit_set(e, reader_of(e, cell, e->thread), 0);
  emit_end(e, jump);
  set_mode(e, cell, 0);
  emit_op(e, OP_ATOMIC_END, "");
}

/* ---- semaphores: the number, and from TOP on "many" ---- */

static uint32_t counter_of(Emitter *e, uint32_t cell, uint32_t *top) {
  CCell *c = &e->cells->cells.at[cell];
  *top = (uint32_t)c->initial + 3;
  if (c->number == C_NONE)
    c->number = emit_new_object(e, emit_name(e, cell), PROGRAM_TRACKED, *top + 1, (uint32_t)c->initial);
  return c->number;
}

static void add_to(Emitter *e, uint32_t object, int64_t number) {
  const uint32_t op = emit_op(e, OP_ASSIGN, "count");
  emit_object(e, op, object);
  emit_literal(e, op, number);
  emit_operator(e, op, VALUE_ADD);
  emit_target(e, op, ITEM_OBJECT, object);
}

static void semaphore_wait(Emitter *e, uint32_t cell) {
  uint32_t top;
  const uint32_t object = counter_of(e, cell, &top);
  emit_op(e, OP_ATOMIC, text(e, "sem_wait", cell));
  emit_test(e, OP_AWAIT, object, VALUE_GT, 0);
  const uint32_t many = emit_test(e, OP_TEST, object, VALUE_EQ, top), more = emit_maybe(e);
  emit_set(e, object, top);
  const uint32_t a = emit_else(e, more);
  emit_set(e, object, top - 1);
  emit_end(e, a);
  const uint32_t b = emit_else(e, many);
  add_to(e, object, -1);
  emit_end(e, b);
  emit_op(e, OP_ATOMIC_END, "");
}

static void semaphore_post(Emitter *e, uint32_t cell) {
  uint32_t top;
  const uint32_t object = counter_of(e, cell, &top);
  emit_op(e, OP_ATOMIC, text(e, "sem_post", cell));
  const uint32_t many = emit_test(e, OP_TEST, object, VALUE_EQ, top);
  emit_set(e, object, top);
  const uint32_t jump = emit_else(e, many);
  add_to(e, object, 1);
  emit_end(e, jump);
  emit_op(e, OP_ATOMIC_END, "");
}

static void semaphore_value(Emitter *e) {
  const uint32_t cell = cells_lock(e->cells, e->context, e->number, 1);
  if (cell != C_NONE) {
    uint32_t top;
    const uint32_t object = counter_of(e, cell, &top), op = emit_op(e, OP_ASSIGN, text(e, "sem_getvalue", cell));
    emit_object(e, op, object);
    emit_target(e, op, ITEM_LOCAL, e->value);
  }
  emit_accesses(e);
}

/* ---- barriers: how many have come, and which round it is, by turns 0 and 1 ---- */

static void make_barrier(Emitter *e, uint32_t cell) {
  CCell *c = &e->cells->cells.at[cell];
  const char *name = emit_name(e, cell);
  Arena *arena = &e->program->arena;
  if (c->number == C_NONE) {
    c->number = emit_new_object(e, name, PROGRAM_TRACKED, (uint32_t)c->initial + 1, 0);
    vec_push(e->heap, &e->extras[cell],
             emit_new_object(e, arena_format(arena, "%s.round", name), PROGRAM_TRACKED, 2, 0));
    for (uint32_t t = 0; t < e->points->threads.n; t++) vec_push(e->heap, &e->extras[cell], C_NONE);
  }
  if (e->extras[cell].at[1 + e->thread] == C_NONE)
    e->extras[cell].at[1 + e->thread] = emit_new_local(e, arena_format(arena, "%s.mine", name), 2);
}

static void arrive(Emitter *e, uint32_t cell, uint32_t round, uint32_t mine) {
  const CCell *c = &e->cells->cells.at[cell];
  emit_op(e, OP_ATOMIC, text(e, "barrier_wait", cell));
  const uint32_t op = emit_op(e, OP_ASSIGN, "round");
  emit_object(e, op, round);
  emit_target(e, op, ITEM_LOCAL, mine);
  const uint32_t last = emit_test(e, OP_TEST, c->number, VALUE_EQ, c->initial - 1);
  emit_set(e, c->number, 0);
  const uint32_t turn = emit_op(e, OP_ASSIGN, "round");
  emit_object(e, turn, round);
  emit_operator(e, turn, VALUE_NOT);
  emit_target(e, turn, ITEM_OBJECT, round);
  const uint32_t jump = emit_else(e, last);
  add_to(e, c->number, 1);
  emit_end(e, jump);
  emit_op(e, OP_ATOMIC_END, "");
}

static void barrier_wait(Emitter *e, uint32_t cell) {
  make_barrier(e, cell);
  const uint32_t round = e->extras[cell].at[0], mine = e->extras[cell].at[1 + e->thread];
  arrive(e, cell, round, mine);
  const uint32_t op = emit_op(e, OP_AWAIT, "[the round is over]");
  emit_object(e, op, round);
  emit_local(e, op, mine);
  emit_operator(e, op, VALUE_NE);
  const uint32_t reset = emit_op(e, OP_ASSIGN, "round");
  emit_literal(e, reset, 0);
  emit_target(e, reset, ITEM_LOCAL, mine);
}

/* ---- once ---- */

static bool once(Emitter *e, uint32_t cell) {
  CCell *c = &e->cells->cells.at[cell];
  if (c->number == C_NONE) c->number = emit_new_object(e, emit_name(e, cell), PROGRAM_TRACKED, 3, 0);
  const uint32_t test = emit_maybe(e);
  emit_op(e, OP_ATOMIC, text(e, "once", cell));
  emit_test(e, OP_AWAIT, c->number, VALUE_EQ, 0);
  emit_set(e, c->number, 1);
  emit_op(e, OP_ATOMIC_END, "");
  if (!emit_calls(e)) {
    emit_after_call(e, CALL_ONCE);
    emit_on(e);
  }
  emit_at(e, test)->otherwise = emit_here(e);
  emit_test(e, OP_AWAIT, c->number, VALUE_EQ, 2);
  return true;
}

static bool once_somehow(Emitter *e) {
  emit_accesses(e);
  const uint32_t test = emit_maybe(e);
  if (!emit_calls(e)) {
    emit_after_call(e, CALL_ONCE);
    emit_on(e);
  }
  emit_at(e, test)->otherwise = emit_here(e);
  emit_accesses(e);
  return true;
}

/* ---- functions of the library that call back ---- */

/* What it is given is used, and the functions are called, in any order, any number of times. */
static void call_back(Emitter *e) {
  emit_accesses(e);
  const uint32_t again = emit_maybe(e);
  emit_calls(e);
  emit_at(e, again)->otherwise = emit_here(e);
}

void emit_after_call(Emitter *e, CallKind kind) {
  if (kind == CALL_BACK) call_back(e);
  if (kind != CALL_ONCE) return;
  const uint32_t cell = cells_lock(e->cells, e->context, e->number, 1);
  if (cell != C_NONE) emit_set(e, e->cells->cells.at[cell].number, 2);
  else emit_accesses(e);
}

/* ---- threads ---- */

/* Of the copies of a thread the one before; C_NONE: it is the first one. */
static uint32_t copy_before(const Emitter *e, uint32_t thread) {
  const CThread *it = &e->points->threads.at[thread];
  const uint32_t function = e->points->contexts.at[it->root].function;
  for (uint32_t t = thread; t-- > 0;) {
    const CThread *other = &e->points->threads.at[t];
    if (other->from == it->from && other->call == it->call && other->copy + 1 == it->copy &&
        e->points->contexts.at[other->root].function == function)
      return t;
  }
  return C_NONE;
}

/* It starts one that is not started. Copies of one thread do the same, so they are started one after the other. */
static void start_thread(Emitter *e, uint32_t thread, bool is_one) {
  const uint32_t object = e->started[thread], before = copy_before(e, thread);
  if (is_one) {
    emit_set(e, object, 1);
    return;
  }
  emit_op(e, OP_ATOMIC, arena_format(&e->program->arena, "create %s", e->program->objects.at[object].name));
  emit_test(e, OP_AWAIT, object, VALUE_EQ, 0);
  if (before != C_NONE) emit_test(e, OP_AWAIT, e->started[before], VALUE_EQ, 1);
  emit_set(e, object, 1);
  emit_op(e, OP_ATOMIC_END, "");
}

/* Does the call under way make the thread? Of open ones the first stands for all. */
static bool is_made_here(const Emitter *e, uint32_t thread) {
  const CThread *t = &e->points->threads.at[thread];
  return t->from == e->context && t->call == e->number && (!t->is_open || !t->copy);
}

static uint32_t count_started(const Emitter *e, uint32_t from) {
  uint32_t n = 0;
  for (uint32_t t = from; t < e->points->threads.n; t++) n += is_made_here(e, t);
  return n;
}

static void say_more(Emitter *e) {
  if (e->points->copies)
    points_gap(e->points, e->context, e->number,
               arena_format(&e->points->arena, "creates threads here again and again, of which %u are there",
                            e->points->copies));
  else points_gap(e->points, e->context, e->number, NOTE_GAP_COPIES "creates threads here again and again");
}

static void create(Emitter *e) {
  const uint32_t n = count_started(e, 0);
  U32Vec jumps = {0};
  bool all;
  points_threads(e->points, e->context, e->number, &all);
  if (!all) say_more(e);
  for (uint32_t t = 0; t < e->points->threads.n; t++) {
    if (!is_made_here(e, t)) continue;
    const uint32_t test = count_started(e, t + 1) ? emit_maybe(e) : C_NONE;
    start_thread(e, t, n == 1 || e->points->threads.at[t].is_open);
    if (test != C_NONE) vec_push(e->heap, &jumps, emit_else(e, test));
  }
  for (uint32_t i = 0; i < jumps.n; i++) emit_end(e, jumps.at[i]);
  vec_fini(e->heap, &jumps);
}

/* Of open threads nobody knows which have ended: nobody waits for them, but who joins them depends on their ends. */
void emit_ended(Emitter *e) {
  const uint32_t object = e->ended[e->thread];
  if (!e->points->threads.at[e->thread].is_open) {
    emit_at(e, emit_set(e, object, 1))->text = "end";
    return;
  }
  const uint32_t op = emit_op(e, OP_ASSIGN, "end");
  emit_object(e, op, object);
  emit_target(e, op, ITEM_LOCAL, e->value);
}

static void await_end(Emitter *e, uint32_t thread) {
  if (!e->points->threads.at[thread].is_open) {
    emit_test(e, OP_AWAIT, e->ended[thread], VALUE_EQ, 1);
    return;
  }
  const uint32_t op = emit_op(e, OP_ASSIGN, "join");
  emit_any(e, op);
  emit_target(e, op, ITEM_OBJECT, e->ended[thread]);
}

static void add_once(Emitter *e, U32Vec *threads, uint32_t thread) {
  for (uint32_t i = 0; i < threads->n; i++)
    if (threads->at[i] == thread) return;
  vec_push(e->heap, threads, thread);
}

/* One of those whose handle it may be has ended. */
static void join(Emitter *e) {
  const U32Vec set = points_of(e->points, e->context, under_way(e), 1);
  U32Vec threads = {0}, jumps = {0};
  bool all = set.n != 0;
  for (uint32_t k = 0; k < set.n; k++) {
    const CObject *o = &e->points->objects.at[e->points->targets.at[set.at[k]].object];
    all &= o->kind == OBJECT_HANDLE;
    if (o->kind == OBJECT_HANDLE) add_once(e, &threads, points_first(e->points, o->n));
  }
  if (!all) points_gap(e->points, e->context, e->number, "joins a thread that is not known");
  for (uint32_t k = 0; k < threads.n; k++) {
    const uint32_t test = k + 1 < threads.n ? emit_maybe(e) : C_NONE;
    await_end(e, threads.at[k]);
    if (test != C_NONE) vec_push(e->heap, &jumps, emit_else(e, test));
  }
  for (uint32_t i = 0; i < jumps.n; i++) emit_end(e, jumps.at[i]);
  vec_fini(e->heap, &threads);
  vec_fini(e->heap, &jumps);
}

/* ---- all of them ---- */

static const char *block_name(Emitter *e) {
  const CInstruction *i = under_way(e);
  const COperand *name = i->n_operands > 1 ? cmodule_operand(e->module, i, 1) : NULL;
  const U32Vec set = points_of(e->points, e->context, i, 1);
  if (name && name->kind == C_GLOBAL) return name->number ? NULL : e->module->globals.at[name->n].string;
  if (set.n != 1) return NULL;
  const CTarget t = e->points->targets.at[set.at[0]];
  const CObject *o = &e->points->objects.at[t.object];
  return o->kind == OBJECT_GLOBAL && !t.offset ? e->module->globals.at[o->n].string : NULL;
}

/* A call by the semaphore that it is of: one of several; or by writes, where that is not followed. */
static void emit_by(Emitter *e, void (*followed)(Emitter *e, uint32_t cell)) {
  U32Vec cells = {0}, jumps = {0};
  cells_semaphores(e->cells, e->context, e->number, &cells);
  if (!cells.n) emit_accesses(e);
  for (uint32_t k = 0; k < cells.n; k++) {
    const bool is_last = k + 1 == cells.n;
    const uint32_t test = is_last ? 0 : emit_maybe(e);
    followed(e, cells.at[k]);
    if (!is_last) vec_push(e->heap, &jumps, emit_else(e, test));
  }
  for (uint32_t k = 0; k < jumps.n; k++) emit_end(e, jumps.at[k]);
  vec_fini(e->heap, &cells);
  vec_fini(e->heap, &jumps);
}

/* The condition variable, by accesses, and the lock. */
static void wait_for(Emitter *e) {
  unlock(e, 2);
  emit_accesses(e);
  lock(e, 2);
}

static void read_lock_first(Emitter *e) { emit_lock_of(e, read_lock, 1); }
static void write_lock_first(Emitter *e) { emit_lock_of(e, write_lock, 1); }
static void semaphore_first(Emitter *e) { emit_by(e, semaphore_wait); }

bool emit_sync(Emitter *e, const Effect *effect) {
  switch (effect->kind) {
  case CALL_LOCK: lock(e, 1); break;
  case CALL_UNLOCK: unlock(e, 1); break;
  case CALL_TRY_LOCK: return try_to(e, effect, lock_first);
  case CALL_TRY_READ_LOCK: return try_to(e, effect, read_lock_first);
  case CALL_TRY_WRITE_LOCK: return try_to(e, effect, write_lock_first);
  case CALL_TRY_SEMAPHORE: return try_to(e, effect, semaphore_first);
  case CALL_BACK: call_back(e); break;
  case CALL_WAIT: wait_for(e); break;
  case CALL_READ_LOCK: emit_lock_of(e, read_lock, 1); break;
  case CALL_WRITE_LOCK: emit_lock_of(e, write_lock, 1); break;
  case CALL_READ_WRITE_UNLOCK: emit_lock_of(e, read_write_unlock, 1); break;
  case CALL_SEMAPHORE_WAIT: emit_by(e, semaphore_wait); break;
  case CALL_SEMAPHORE_VALUE: semaphore_value(e); break;
  case CALL_SEMAPHORE_POST: emit_by(e, semaphore_post); break;
  case CALL_BARRIER_WAIT: {
    const uint32_t cell = cells_lock(e->cells, e->context, e->number, 1);
    if (cell != C_NONE && cells_barrier(e->cells, cell)) barrier_wait(e, cell);
    else emit_accesses(e);
    break;
  }
  case CALL_ONCE:
    if (cells_lock(e->cells, e->context, e->number, 1) != C_NONE)
      return once(e, cells_lock(e->cells, e->context, e->number, 1));
    return once_somehow(e);
  case CALL_CREATE:
    emit_accesses(e);
    create(e);
    break;
  case CALL_JOIN:
    join(e);
    emit_accesses(e);
    break;
  case CALL_BEGIN: emit_begin(e, block_name(e)); break;
  case CALL_END: emit_close(e); break;
  case CALL_STOP: emit_stuck(e); return false;
  case CALL_LAST_STEP: emit_last_step(e); return false;
  case CALL_SIGNAL:
  case CALL_UNKNOWN:
  case CALL_MEMORY:
  case CALL_COPY:
  case CALL_ARGUMENTS:
  case CALL_HANDLER:
  case CALL_LOCK_INIT:
  case CALL_SEMAPHORE_INIT:
  case CALL_BARRIER_INIT: emit_accesses(e); break;
  }
  return true;
}

/* ---- compare-and-swap ---- */

/* Where the cell has that value; C_NONE: any. */
static void swap(Emitter *e, uint32_t cell, uint32_t expected, const COperand *operand) {
  emit_op(e, OP_ATOMIC, text(e, "swap", cell));
  if (expected != C_NONE) emit_test(e, OP_AWAIT, emit_object_of(e, cell), VALUE_EQ, expected);
  emit_put(e, cell, operand);
  emit_op(e, OP_ATOMIC_END, "");
}

/* Is what was there used, and not only whether it was stored? */
static bool uses_old(const Emitter *e, uint32_t number) {
  const CFunction *f = &e->module->functions.at[e->points->contexts.at[e->context].function];
  for (uint32_t n = f->start; n < f->end; n++) {
    const CInstruction *i = &e->module->instructions.at[n];
    for (uint32_t k = 0; k < i->n_operands; k++) {
      const COperand *o = cmodule_operand(e->module, i, k);
      const CInstruction *pick = o->kind == C_VALUE ? &e->module->instructions.at[o->n] : NULL;
      if (pick && pick->kind == C_PICK && !pick->number && cmodule_operand(e->module, pick, 0)->n == number)
        return true;
    }
  }
  return false;
}

static void fail_with(Emitter *e, uint32_t cell, ValueOperator relation, int64_t seen, int64_t outcome) {
  const uint32_t op = emit_test(e, OP_AWAIT, emit_object_of(e, cell), relation, seen);
  emit_at(e, op)->origin = EMIT_LOOK;
  emit_outcome(e, outcome);
}

/* One that fails has seen another value than what was expected; a weak one, or where that is not known, perhaps not. */
static void fail_swap(Emitter *e, uint32_t cell, int64_t expected) {
  const CCell c = e->cells->cells.at[cell];
  const int64_t last = c.n_values - 1 - (expected == c.n_values - 1);
  if (!uses_old(e, e->number)) {
    fail_with(e, cell, expected < 0 ? VALUE_GE : VALUE_NE, expected < 0 ? 0 : expected, 0);
    return;
  }
  for (int64_t v = 0; v <= last; v++) {
    if (v == expected) continue;
    const uint32_t test = v < last ? emit_maybe(e) : C_NONE;
    fail_with(e, cell, VALUE_EQ, v, c.is_counter && v == c.n_values - 1 ? 0 : -1 - v);
    if (v < last) emit_at(e, test)->otherwise = emit_here(e);
  }
}

bool emit_swap(Emitter *e) {
  const CInstruction *i = under_way(e);
  int64_t expected;
  cells_accesses(e->cells, e->context, e->number, &e->accesses);
  if (e->accesses.n != 1) return false;
  const uint32_t cell = e->accesses.at[0].cell;
  const CCell c = e->cells->cells.at[cell];
  if (!cell_is_tracked(&c)) return false;
  const bool known = emit_stored(e, cell, cmodule_operand(e->module, i, 1), &expected);
  const bool exact = known && !i->number && !(c.is_counter && expected == c.n_values - 1);
  const uint32_t test = emit_maybe(e);
  swap(e, cell, known ? (uint32_t)expected : C_NONE, cmodule_operand(e->module, i, 2));
  emit_outcome(e, 1);
  emit_at(e, test)->otherwise = emit_here(e);
  fail_swap(e, cell, exact ? expected : -1);
  return true;
}

/* ---- exchanges ---- */

/* What finds there what it stores is a look, if it is tried again. */
bool emit_exchange(Emitter *e) {
  const CInstruction *i = under_way(e);
  const COperand *operand = cmodule_operand(e->module, i, 1);
  int64_t value;
  cells_accesses(e->cells, e->context, e->number, &e->accesses);
  if (i->number != C_UPDATE_EXCHANGE || e->accesses.n != 1 || !emit_is_asked(e)) return false;
  const uint32_t cell = e->accesses.at[0].cell;
  const CCell c = e->cells->cells.at[cell];
  if (!cell_is_tracked(&c)) return false;
  const bool known = emit_stored(e, cell, operand, &value);
  for (int64_t v = 0; v < c.n_values; v++) {
    const bool is_last = v + 1 == c.n_values;
    const uint32_t test = is_last ? C_NONE : emit_maybe(e), op = emit_op(e, OP_ATOMIC, text(e, "exchange", cell));
    emit_test(e, OP_AWAIT, emit_object_of(e, cell), VALUE_EQ, v);
    emit_put(e, cell, operand);
    emit_op(e, OP_ATOMIC_END, "");
    if (known && v == value && !(c.is_counter && is_last)) emit_at(e, op)->origin = EMIT_LOOK;
    if (c.is_counter && is_last) emit_on(e);
    else emit_outcome(e, v);
    if (!is_last) emit_at(e, test)->otherwise = emit_here(e);
  }
  return true;
}

/* ---- counters ---- */

/* From that value on. From the last one it may come to any. */
static void count_from(Emitter *e, uint32_t cell, int64_t from, int64_t step) {
  const uint32_t object = emit_object_of(e, cell);
  const int64_t last = e->cells->cells.at[cell].n_values - 1, to = from + step;
  emit_op(e, OP_ATOMIC, text(e, "add", cell));
  emit_test(e, OP_AWAIT, object, VALUE_EQ, from);
  if (from == last) {
    const uint32_t op = emit_op(e, OP_ASSIGN, "add");
    emit_any(e, op);
    emit_target(e, op, ITEM_OBJECT, object);
  } else {
    emit_set(e, object, to >= 0 && to < last ? to : last);
  }
  emit_op(e, OP_ATOMIC_END, "");
}

bool emit_count(Emitter *e) {
  int64_t step;
  cells_accesses(e->cells, e->context, e->number, &e->accesses);
  if (e->accesses.n != 1 || !cells_step(e->module, under_way(e), &step)) return false;
  const uint32_t cell = e->accesses.at[0].cell;
  if (!cell_is_tracked(&e->cells->cells.at[cell])) return false;
  const int64_t last = e->cells->cells.at[cell].n_values - 1;
  for (int64_t from = 0; from < last; from++) {
    const uint32_t test = emit_maybe(e);
    count_from(e, cell, from, step);
    emit_outcome(e, from);
    emit_at(e, test)->otherwise = emit_here(e);
  }
  count_from(e, cell, last, step);
  emit_on(e);
  return true;
}
