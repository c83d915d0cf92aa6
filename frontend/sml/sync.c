#include "frontend/sml/sync.h"

/* ---- items ---- */

static void push_item(Translator *t, ProgramItemKind kind, uint32_t variable, int64_t value, StmtId id) {
  const ProgramItem item = {.kind = kind,
                            .variable = variable,
                            .value = value,
                            .origin = PROGRAM_NONE,
                            .place = translate_place(t, ast_stmt(t->ast, id)->span),
                            .text = kind == ITEM_OBJECT ? t->program->objects.at[variable].name : ""};
  vec_push(t->program->heap, &t->program->items, item);
}

static void push_operator(Translator *t, ValueOperator operator) {
  vec_push(t->program->heap, &t->program->items,
           ((ProgramItem){.kind = ITEM_OPERATOR, .operator= operator, .origin = PROGRAM_NONE, .text = ""}));
}

/* The operation's expression: all items from number `first` on. */
static void set_expr(Translator *t, uint32_t op, uint32_t first) {
  translate_op(t, op)->items = first;
  translate_op(t, op)->n_items = t->program->items.n - first;
}

/* Waits until the object compares with the value. */
static void add_wait(Translator *t, StmtId id, uint32_t object, ValueOperator operator, int64_t value) {
  const uint32_t op = translate_event(t, OP_AWAIT, id), first = t->program->items.n;
  translate_op(t, op)->sync = true;
  push_item(t, ITEM_OBJECT, object, 0, id);
  push_item(t, ITEM_LITERAL, 0, value, id);
  push_operator(t, operator);
  set_expr(t, op, first);
}

/* The only target of an OP_ASSIGN, whose expression has been set. */
static void set_target(Translator *t, uint32_t op, ProgramItemKind kind, uint32_t variable, StmtId id) {
  translate_op(t, op)->targets = t->program->items.n;
  translate_op(t, op)->n_targets = 1;
  push_item(t, kind, variable, 0, id);
}

static void add_set(Translator *t, StmtId id, ProgramItemKind kind, uint32_t variable, int64_t value) {
  const uint32_t op = translate_event(t, OP_ASSIGN, id), first = t->program->items.n;
  translate_op(t, op)->sync = true;
  push_item(t, ITEM_LITERAL, 0, value, id);
  set_expr(t, op, first);
  set_target(t, op, kind, variable, id);
}

static const StmtName *name_of(const Translator *t, StmtId id) {
  return ast_stmt_name(t->ast, ast_stmt(t->ast, id), 0);
}

/* ---- semaphores ---- */

/*   atomic { await (s != bound); s := s op 1 } */
static void add_count(Translator *t, StmtId id, int64_t bound, ValueOperator operator) {
  const uint32_t object = translate_object(t, name_of(t, id));
  translate_event(t, OP_ATOMIC, id);
  add_wait(t, id, object, VALUE_NE, bound);
  const uint32_t op = translate_event(t, OP_ASSIGN, id), first = t->program->items.n;
  push_item(t, ITEM_OBJECT, object, 0, id);
  push_item(t, ITEM_LITERAL, 0, 1, id);
  push_operator(t, operator);
  set_expr(t, op, first);
  set_target(t, op, ITEM_OBJECT, object, id);
  translate_add(t, OP_ATOMIC_END, id);
}

void sync_add_p(Translator *t, StmtId id) { add_count(t, id, 0, VALUE_SUBTRACT); }

void sync_add_v(Translator *t, StmtId id) {
  const uint32_t global = t->symbols->global_of.at[name_of(t, id)->name.v];
  add_count(t, id, (int64_t)t->ast->globals.at[global].n_values - 1, VALUE_ADD);
}

/* ---- reader-writer locks ---- */

/* The writer's bool; that of thread i comes i + 1 after it. */
static uint32_t writer_of(const Translator *t, StmtId id) {
  return t->object_of[t->symbols->global_of.at[name_of(t, id)->name.v]];
}

static uint32_t own_flag(const Translator *t, StmtId id) { return writer_of(t, id) + 1 + t->thread; }

/* Goes on with one of n operations by what the thread holds, less `least`; the number of the first jump to them. */
static uint32_t add_selection(Translator *t, StmtId id, SyncMode least, uint32_t n) {
  const uint32_t op = translate_event(t, OP_SELECT, id), first = t->program->items.n;
  push_item(t, ITEM_LOCAL, translate_mode(t, name_of(t, id)->name), 0, id);
  push_item(t, ITEM_LITERAL, 0, least, id);
  push_operator(t, VALUE_SUBTRACT);
  set_expr(t, op, first);
  translate_op(t, op)->number = n;
  for (uint32_t i = 0; i < n; i++) translate_add(t, OP_JUMP, id);
  return op + 1;
}

/* Begins an event, to which the OP_JUMP leads. */
static void begin_event(Translator *t, StmtId id, uint32_t jump) {
  const uint32_t op = translate_event(t, OP_ATOMIC, id);
  translate_op(t, jump)->next = op;
}

/* Ends an event: the thread holds that from now on. */
static void end_event(Translator *t, StmtId id, SyncMode mode) {
  add_set(t, id, ITEM_LOCAL, translate_mode(t, name_of(t, id)->name), mode);
  translate_add(t, OP_ATOMIC_END, id);
}

/*   select;  atomic { await (r = false); my flag := true; mode := reads } */
void sync_add_rdlock(Translator *t, StmtId id) {
  const uint32_t jump = add_selection(t, id, SYNC_NOTHING, 1);
  begin_event(t, id, jump);
  add_wait(t, id, writer_of(t, id), VALUE_EQ, 0);
  add_set(t, id, ITEM_OBJECT, own_flag(t, id), 1);
  end_event(t, id, SYNC_READS);
}

/*   select;  atomic { await (r = false); await (each other flag = false); r := true; mode := writes } */
void sync_add_wrlock(Translator *t, StmtId id) {
  const uint32_t jump = add_selection(t, id, SYNC_NOTHING, 1), writer = writer_of(t, id);
  begin_event(t, id, jump);
  add_wait(t, id, writer, VALUE_EQ, 0);
  for (uint32_t i = 0; i < t->n_threads; i++)
    if (i != t->thread) add_wait(t, id, writer + 1 + i, VALUE_EQ, 0);
  add_set(t, id, ITEM_OBJECT, writer, 1);
  end_event(t, id, SYNC_WRITES);
}

/*   select;  atomic { my flag := false; mode := nothing }; jump to the end;  atomic { r := false; mode := nothing } */
void sync_add_unlock(Translator *t, StmtId id) {
  const uint32_t jumps = add_selection(t, id, SYNC_READS, 2);
  begin_event(t, id, jumps);
  add_set(t, id, ITEM_OBJECT, own_flag(t, id), 0);
  end_event(t, id, SYNC_NOTHING);
  const uint32_t over = translate_add(t, OP_JUMP, id);
  begin_event(t, id, jumps + 1);
  add_set(t, id, ITEM_OBJECT, writer_of(t, id), 0);
  end_event(t, id, SYNC_NOTHING);
  translate_op(t, over)->next = translate_here(t);
}

/* ---- threads that are forked and joined ---- */

static uint32_t thread_of(const Translator *t, StmtId id) {
  return t->thread_object[t->symbols->thread_of.at[name_of(t, id)->name.v]];
}

/* What waits is one event, whatever the granularity. */
static void add_whole_wait(Translator *t, StmtId id, uint32_t object, int64_t value) {
  const uint32_t op = translate_here(t);
  add_wait(t, id, object, VALUE_EQ, value);
  translate_op(t, op)->whole = true;
}

/*   atomic { await (it waits); it := runs } */
void sync_add_fork(Translator *t, StmtId id) {
  translate_event(t, OP_ATOMIC, id);
  add_wait(t, id, thread_of(t, id), VALUE_EQ, SYNC_WAITS);
  add_set(t, id, ITEM_OBJECT, thread_of(t, id), SYNC_RUNS);
  translate_add(t, OP_ATOMIC_END, id);
}

void sync_add_join(Translator *t, StmtId id) { add_whole_wait(t, id, thread_of(t, id), SYNC_ENDED); }

static uint32_t object_of(const Translator *t, const Thread *thread) {
  return t->thread_object[thread - t->ast->threads.at];
}

void sync_add_start(Translator *t, const Thread *thread) {
  const uint32_t op = translate_here(t);
  add_whole_wait(t, thread->stmt, object_of(t, thread), SYNC_RUNS);
  translate_op(t, op)->text = arena_format(&t->program->arena, "start of %s", translate_op(t, op)->text);
}

void sync_add_exit(Translator *t, const Thread *thread) {
  const uint32_t op = translate_here(t);
  add_set(t, thread->stmt, ITEM_OBJECT, object_of(t, thread), SYNC_ENDED);
  translate_op(t, op)->text = arena_format(&t->program->arena, "end of %s", translate_op(t, op)->text);
}
