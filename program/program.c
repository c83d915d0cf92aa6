#include "program/program.h"

#include <assert.h>
#include <string.h>

void program_init(Program *program, Heap *heap) {
  *program = (Program){.heap = heap};
  arena_init(&program->arena, heap);
}

void program_fini(Program *program) {
  Heap *heap = program->heap;
  arena_fini(&program->arena);
  vec_fini(heap, &program->files);
  vec_fini(heap, &program->functions);
  vec_fini(heap, &program->locals);
  vec_fini(heap, &program->counts);
  vec_fini(heap, &program->objects);
  vec_fini(heap, &program->blocks);
  vec_fini(heap, &program->items);
  vec_fini(heap, &program->ops);
  vec_fini(heap, &program->procs);
  vec_fini(heap, &program->tracked);
  vec_fini(heap, &program->threads);
  vec_fini(heap, &program->gaps);
}

uint32_t program_add_op(Program *program, OpKind kind) {
  const uint32_t at = program->ops.n;
  vec_push(program->heap, &program->ops,
           ((ProgramOp){.kind = kind, .next = at + 1, .otherwise = at + 1, .number = PROGRAM_NONE, .text = ""}));
  return at;
}

const char *program_short_name(const char *name, Arena *arena) {
  enum { SHOWN = 60 };
  size_t length = strlen(name);
  if (length <= SHOWN) return name;
  for (length = SHOWN; ((unsigned char)name[length] & 0xc0) == 0x80;) length--;
  return arena_format(arena, "%.*s...", (int)length, name);
}

bool program_is_event(OpKind kind) {
  static const bool EVENTS[] = {
      [OP_ASSIGN] = true,  [OP_SKIP] = true,  [OP_TEST] = true,    [OP_AWAIT] = true,  [OP_ACQUIRE] = true,
      [OP_RELEASE] = true, [OP_BEGIN] = true, [OP_END] = true,     [OP_ATOMIC] = true, [OP_ATOMIC_END] = false,
      [OP_CALL] = false,   [OP_JUMP] = false, [OP_SELECT] = false, [OP_FAIL] = false,  [OP_RETURN] = false,
  };
  _Static_assert(sizeof EVENTS / sizeof *EVENTS == OP_COUNT, "a row for each OpKind");
  return EVENTS[kind];
}

/* ---- which blocks are open where ---- */

typedef struct {
  const Program *program;
  uint32_t *open;
  uint32_t *block; /* per operation: 1 + the OP_BEGIN of the block that is open, or 0; NULL: nobody asks */
  U32Vec queue;
  bool good; /* all paths to an operation agree, and an OP_END ends what was begun last */
} OpenSearch;

/* Are they begins of the same block, in the same blocks? */
static bool begin_alike(const OpenSearch *s, uint32_t a, uint32_t b) {
  for (; a != b; a = s->block[a - 1], b = s->block[b - 1])
    if (!a || !b || s->program->ops.at[a - 1].number != s->program->ops.at[b - 1].number) return false;
  return true;
}

static void arrive(OpenSearch *s, uint32_t op, uint32_t open, uint32_t begin) {
  if (s->open[op] == PROGRAM_NONE) {
    s->open[op] = open;
    s->block[op] = begin;
    vec_push(s->program->heap, &s->queue, op);
  } else {
    s->good &= s->open[op] == open && begin_alike(s, s->block[op], begin);
  }
}

static void leave(OpenSearch *s, uint32_t number) {
  const ProgramOp *op = &s->program->ops.at[number];
  uint32_t open = s->open[number], begin = s->block[number];
  if (op->kind == OP_BEGIN) {
    open++;
    begin = number + 1;
  } else if (op->kind == OP_END) {
    s->good &= begin && s->program->ops.at[begin - 1].number == op->number;
    open -= open > 0;
    begin = begin ? s->block[begin - 1] : 0;
  } else if (op->kind == OP_RETURN) {
    s->good &= !open;
    return;
  }
  if (op->kind == OP_FAIL) return;
  if (op->kind == OP_SELECT) {
    for (uint32_t i = 0; i < op->number; i++) arrive(s, op->next + i, open, begin);
    return;
  }
  arrive(s, op->next, open, begin);
  if (op->kind == OP_TEST) arrive(s, op->otherwise, open, begin);
}

static bool find_open(const Program *program, uint32_t *open) {
  OpenSearch search = {.program = program, .open = open, .good = true}, *s = &search;
  s->block = heap_zeroed(program->heap, heap_product(program->heap, program->ops.n, sizeof *s->block));
  for (uint32_t i = 0; i < program->ops.n; i++) open[i] = PROGRAM_NONE;
  for (uint32_t p = 0; p < program->procs.n; p++) {
    arrive(s, program->procs.at[p].start, 0, 0);
    while (s->queue.n) leave(s, s->queue.at[--s->queue.n]);
  }
  vec_fini(program->heap, &s->queue);
  heap_release(program->heap, s->block);
  return s->good;
}

void program_find_open(const Program *program, uint32_t *open) {
  const bool good = find_open(program, open);
  assert(good);
  (void)good;
}

/* ---- the rules ---- */

static uint32_t numbers(const Program *p, OpKind kind) {
  switch (kind) {
  case OP_ACQUIRE:
  case OP_RELEASE: return p->objects.n;
  case OP_BEGIN:
  case OP_END: return p->blocks.n;
  case OP_CALL: return p->procs.n;
  case OP_SELECT: return PROGRAM_NONE; /* selection_is_good() */
  case OP_ASSIGN:
  case OP_SKIP:
  case OP_TEST:
  case OP_AWAIT:
  case OP_ATOMIC:
  case OP_ATOMIC_END:
  case OP_JUMP:
  case OP_FAIL:
  case OP_RETURN:
  case OP_COUNT: break;
  }
  return 0;
}

static bool place_is_good(const Program *p, ProgramPlace place) {
  return place.file < p->files.n && (place.function < p->functions.n || place.function == PROGRAM_NONE);
}

static bool item_is_good(const Program *p, const ProgramItem *item) {
  const uint32_t v = item->variable;
  switch (item->kind) {
  case ITEM_OBJECT: return v < p->objects.n && p->objects.at[v].kind != PROGRAM_LOCK && place_is_good(p, item->place);
  case ITEM_LOCAL: return v < p->locals.n;
  case ITEM_OPERATOR: return item->operator<VALUE_OPERATORS;
  case ITEM_LITERAL:
  case ITEM_ANY: break;
  }
  return true;
}

/* The values that the postfix code leaves; PROGRAM_NONE if an operand is missing, or a number is out of range. */
static uint32_t values_left(const Program *p, const ProgramOp *op) {
  uint32_t n = 0;
  if (op->items > p->items.n || op->n_items > p->items.n - op->items) return PROGRAM_NONE;
  for (uint32_t i = op->items; i < op->items + op->n_items; i++) {
    const ProgramItem *item = &p->items.at[i];
    const uint32_t operands = item->kind == ITEM_OPERATOR ? value_operands(item->operator) : 0;
    if (n < operands || !item_is_good(p, item)) return PROGRAM_NONE;
    n += 1 - operands;
  }
  return n;
}

static bool expressions_are_good(const Program *p, const ProgramOp *op) {
  const uint32_t n = values_left(p, op);
  if (op->kind == OP_TEST || op->kind == OP_AWAIT || op->kind == OP_SELECT) return n == 1;
  if (op->targets > p->items.n || op->n_targets > p->items.n - op->targets) return false;
  for (uint32_t i = op->targets; i < op->targets + op->n_targets; i++) {
    const ProgramItem *target = &p->items.at[i];
    if ((target->kind != ITEM_OBJECT && target->kind != ITEM_LOCAL) || !item_is_good(p, target)) return false;
  }
  return n == op->n_targets;
}

static bool is_lock_operation(OpKind kind) { return kind == OP_ACQUIRE || kind == OP_RELEASE; }

/* May an OP_SELECT lead to it? */
static bool may_be_selected(OpKind kind) {
  return kind != OP_JUMP && kind != OP_BEGIN && kind != OP_END && kind != OP_CALL && kind != OP_FAIL &&
         kind != OP_RETURN;
}

static bool selection_is_good(const Program *p, const ProgramProc *proc, const ProgramOp *op) {
  if (op->next < proc->start || op->next >= proc->end || op->number > proc->end - op->next) return false;
  for (uint32_t i = op->items; i < op->items + op->n_items; i++)
    if (p->items.at[i].kind == ITEM_OBJECT) return false;
  for (uint32_t i = op->next; i < op->next + op->number; i++) {
    const ProgramOp *jump = &p->ops.at[i];
    if (jump->kind != OP_JUMP || jump->next <= i || jump->next >= proc->end) return false;
    if (!may_be_selected(p->ops.at[jump->next].kind)) return false;
  }
  return true;
}

static bool op_is_good(const Program *p, const ProgramProc *proc, uint32_t number) {
  const ProgramOp *op = &p->ops.at[number];
  const uint32_t n = numbers(p, op->kind);
  const bool goes_on = op->kind == OP_CALL || op->kind == OP_ATOMIC || op->kind == OP_ATOMIC_END;
  if ((op->kind == OP_RETURN) != (number == proc->end - 1)) return false;
  if (n ? op->number >= n : op->number != PROGRAM_NONE) return false;
  if (is_lock_operation(op->kind) && p->objects.at[op->number].kind != PROGRAM_LOCK) return false;
  if ((program_is_event(op->kind) || op->kind == OP_CALL) && !place_is_good(p, op->place)) return false;
  if (op->kind == OP_RETURN) return true;
  if (op->next < proc->start || op->next >= proc->end) return false;
  if (op->otherwise < proc->start || op->otherwise >= proc->end) return false;
  if ((goes_on || op->kind == OP_SELECT) && op->next != number + 1) return false;
  return expressions_are_good(p, op) && (op->kind != OP_SELECT || selection_is_good(p, proc, op));
}

/* Does a walk along jumps come to something else? */
static bool jumps_end(const Program *p, uint32_t number) {
  uint32_t n = 0;
  for (; p->ops.at[number].kind == OP_JUMP && n <= p->ops.n; n++) number = p->ops.at[number].next;
  return n <= p->ops.n;
}

/* Per operation of the proc the innermost atomic that it is in: 1 + its OP_ATOMIC, which is outside, or 0;
 * OP_ATOMIC_END is inside. False if they do not match. */
static bool find_atomics(const Program *p, const ProgramProc *proc, uint32_t *atomic) {
  uint32_t now = 0;
  for (uint32_t i = proc->start; i < proc->end; i++) {
    atomic[i] = now;
    if (p->ops.at[i].kind == OP_ATOMIC_END && !now) return false;
    if (p->ops.at[i].kind == OP_ATOMIC_END) now = atomic[now - 1];
    if (p->ops.at[i].kind == OP_ATOMIC) now = i + 1;
  }
  return !now;
}

/* Does the operation keep to its atomic, if it is in one, or out of all? */
static bool keeps_to_atomic(const Program *p, uint32_t number, const uint32_t *atomic) {
  const ProgramOp *op = &p->ops.at[number];
  const uint32_t mine = atomic[number];
  if (op->kind == OP_ATOMIC || op->kind == OP_ATOMIC_END || op->kind == OP_RETURN) return true;
  const bool is_bound = op->kind == OP_BEGIN || op->kind == OP_END || op->kind == OP_FAIL;
  if (mine && (is_lock_operation(op->kind) || is_bound)) return false;
  if (mine && (op->next <= number || op->otherwise <= number)) return false;
  return atomic[op->next] == mine && atomic[op->otherwise] == mine;
}

static bool proc_is_good(const Program *p, const ProgramProc *proc, uint32_t *atomic) {
  if (proc->start >= proc->end || proc->end > p->ops.n) return false;
  for (uint32_t i = proc->start; i < proc->end; i++)
    if (!op_is_good(p, proc, i) || !jumps_end(p, i)) return false;
  if (!find_atomics(p, proc, atomic)) return false;
  for (uint32_t i = proc->start; i < proc->end; i++)
    if (!keeps_to_atomic(p, i, atomic)) return false;
  return true;
}

static bool procs_are_good(const Program *p, Err *err) {
  uint32_t *atomic = heap_zeroed(p->heap, heap_product(p->heap, p->ops.n, sizeof *atomic));
  bool good = true;
  for (uint32_t i = 0; i < p->procs.n && good; i++)
    good = proc_is_good(p, &p->procs.at[i], atomic) || err_set(err, ERR_CHECK, "proc %u breaks a rule of program.h", i);
  heap_release(p->heap, atomic);
  return good;
}

static bool thread_is_good(const Program *p, const ProgramThread *thread) {
  if (thread->open > p->counts.n || (thread->open && thread->count != 2)) return false;
  if (thread->proc >= p->procs.n || thread->tracked > p->tracked.n) return false;
  if (thread->n_tracked > p->tracked.n - thread->tracked || !place_is_good(p, thread->place)) return false;
  for (uint32_t i = thread->tracked; i < thread->tracked + thread->n_tracked; i++) {
    const ProgramTracked *t = &p->tracked.at[i];
    if (t->local >= p->locals.n || t->n_values > PROGRAM_MAX_VALUES || t->initial >= t->n_values) return false;
  }
  return true;
}

bool program_audit(const Program *p, Err *err) {
  if (!p->files.n) return err_set(err, ERR_CHECK, "a program without a file");
  if (!procs_are_good(p, err)) return false;
  for (uint32_t i = 0; i < p->threads.n; i++)
    if (!thread_is_good(p, &p->threads.at[i]))
      return err_set(err, ERR_CHECK, "thread %u breaks a rule of program.h", i);
  for (uint32_t i = 0; i < p->blocks.n; i++)
    if (!place_is_good(p, p->blocks.at[i].begin) || !place_is_good(p, p->blocks.at[i].end))
      return err_set(err, ERR_CHECK, "block %u is in no file", i);
  for (uint32_t i = 0; i < p->objects.n; i++) {
    const ProgramObject *o = &p->objects.at[i];
    if (o->kind == PROGRAM_TRACKED && (o->n_values > PROGRAM_MAX_VALUES || o->initial >= o->n_values))
      return err_set(err, ERR_CHECK, "object number %u has a value that is out of range", i);
    if (o->is_bool && (o->kind != PROGRAM_TRACKED || o->n_values != 2))
      return err_set(err, ERR_CHECK, "object number %u is a bool without two values", i);
  }
  uint32_t *open = heap_alloc(p->heap, heap_product(p->heap, p->ops.n, sizeof *open));
  const bool good = find_open(p, open);
  heap_release(p->heap, open);
  return good || err_set(err, ERR_CHECK, "blocks begin and end differently on different paths");
}
