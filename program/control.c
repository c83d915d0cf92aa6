/* Graphs are built as calls of them are met: a proc's number is given at once, its nodes are made when its turn comes.
 * So nothing here is as deep as calls are. An operation becomes one node or several; its `next` names operations of
 * the program until all of them have their nodes. */
#include "program/control.h"

/* ORDER Mode: Builder.proc_of */
typedef enum { OUTSIDE, IN_BLOCK, IN_ATOMIC, MODES } Mode;

/* What a proc of the control is made of: operations start .. end - 1, after which it returns. */
typedef struct {
  uint32_t start, end;
  Mode mode; /* of its calls */
} Source;

/* A node that goes on with an operation's node. */
typedef struct {
  uint32_t node, op;
} Jump;

typedef struct {
  Control *control;
  const Program *program;
  Granularity granularity;
  VEC(Source) sources;      /* per proc of the control */
  uint32_t *proc_of[MODES]; /* per proc of the program: its number + 1, or 0 */
  Source source;            /* of the proc under way */
  uint32_t *open;           /* per operation: blocks of its own proc that are open */
  uint32_t *node_of;        /* per operation of the proc under way: its first node */
  VEC(Jump) jumps;          /* of the proc under way */
  VEC(Value) stack;         /* of constant_value */
  U32Vec reads;             /* of the operation under way: items */
  bool *is_read;            /* per object: in the event under way */
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
static const ProgramItem *item_at(const Builder *b, uint32_t item) { return &b->program->items.at[item]; }

/* Adds a node of an operation that goes on with the one added next. */
static uint32_t emit(Builder *b, ControlKind kind, uint32_t op) {
  const uint32_t at = here(b);
  if (at > UINT32_MAX / 16) heap_give_up(b->control->heap); /* what is made of the nodes has numbers too */
  vec_push(b->control->heap, &b->control->nodes,
           ((ControlNode){.kind = (uint8_t)kind,
                          .op = op,
                          .next = at + 1,
                          .other = CONTROL_NONE,
                          .object = CONTROL_NONE,
                          .item = CONTROL_NONE}));
  return at;
}

static uint32_t add_proc(Builder *b, Source source) {
  vec_push(b->control->heap, &b->sources, source);
  return b->sources.n - 1;
}

/* The proc of the control for a call in that mode. */
static uint32_t called_proc(Builder *b, uint32_t number, Mode mode) {
  const ProgramProc *proc = &b->program->procs.at[number];
  uint32_t *known = &b->proc_of[mode][number];
  if (!*known) *known = add_proc(b, (Source){proc->start, proc->end - 1, mode}) + 1;
  return *known - 1;
}

static void emit_call(Builder *b, uint32_t op, uint32_t proc) { node(b, emit(b, CONTROL_CALL, op))->other = proc; }

/* A node that goes on with that operation: a choice with one way. */
static void emit_jump(Builder *b, uint32_t op, uint32_t to) {
  vec_push(b->control->heap, &b->jumps, ((Jump){emit(b, CONTROL_CHOICE, op), to}));
}

/* ---- events ---- */

/* Is what comes after so many open blocks of the proc in a transaction? */
static bool is_inside(const Builder *b, uint32_t open) { return b->source.mode == IN_BLOCK || open > 0; }

static void emit_access(Builder *b, uint32_t op, uint32_t item, bool write) {
  const uint32_t at = emit(b, CONTROL_ACCESS, op);
  node(b, at)->object = item_at(b, item)->variable;
  node(b, at)->item = item;
  node(b, at)->write = write;
}

static void emit_writes(Builder *b, uint32_t op) {
  const ProgramOp *source = &b->program->ops.at[op];
  for (uint32_t i = source->targets; i < source->targets + source->n_targets; i++)
    if (item_at(b, i)->kind == ITEM_OBJECT) emit_access(b, op, i, true);
}

/* An event with the reads from .. to - 1 of b->reads, none twice, and perhaps the writes. In an atomic it is a part of
 * one. */
static void emit_event(Builder *b, uint32_t op, uint32_t from, uint32_t to, bool writes, bool negated) {
  const bool whole = b->source.mode != IN_ATOMIC;
  if (whole) node(b, emit(b, CONTROL_EVENT, op))->negated = negated;
  for (uint32_t i = from; i < to; i++) {
    bool *is_read = &b->is_read[item_at(b, b->reads.at[i])->variable];
    if (!*is_read) emit_access(b, op, b->reads.at[i], false);
    *is_read = true;
  }
  for (uint32_t i = from; i < to; i++) b->is_read[item_at(b, b->reads.at[i])->variable] = false;
  if (writes) emit_writes(b, op);
  if (whole) node(b, emit(b, CONTROL_DONE, op))->inside = is_inside(b, b->open[op]);
}

static void find_reads(Builder *b, const ProgramOp *op) {
  vec_clear(&b->reads);
  for (uint32_t i = op->items; i < op->items + op->n_items; i++)
    if (item_at(b, i)->kind == ITEM_OBJECT) vec_push(b->control->heap, &b->reads, i);
}

static bool writes_object(const Builder *b, const ProgramOp *op) {
  bool writes = false;
  for (uint32_t i = op->targets; i < op->targets + op->n_targets; i++) writes |= item_at(b, i)->kind == ITEM_OBJECT;
  return writes;
}

/* The events of an operation before its last one: a read each. The number of reads that they do. */
static uint32_t emit_reads(Builder *b, uint32_t number) {
  const ProgramOp *op = &b->program->ops.at[number];
  find_reads(b, op);
  if (b->granularity != GRANULARITY_ACCESS || b->source.mode == IN_ATOMIC || op->whole) return 0;
  const uint32_t n = writes_object(b, op) || !b->reads.n ? b->reads.n : b->reads.n - 1;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t event = here(b);
    emit_event(b, number, i, i + 1, false, false);
    node(b, event)->item = b->reads.at[i];
  }
  return n;
}

static void emit_whole(Builder *b, uint32_t op) {
  const uint32_t done = emit_reads(b, op);
  emit_event(b, op, done, b->reads.n, true, false);
}

/* ---- tests ---- */

/* The value of the operation's expression, if it is one whatever the variables hold. */
static Value constant_value(Builder *b, const ProgramOp *op) {
  bool by_zero;
  vec_clear(&b->stack);
  for (uint32_t i = op->items; i < op->items + op->n_items; i++) {
    const ProgramItem *item = item_at(b, i);
    if (item->kind != ITEM_OPERATOR) {
      vec_push(b->control->heap, &b->stack, item->kind == ITEM_LITERAL ? value_of(item->value) : VALUE_UNKNOWN);
    } else if (value_operands(item->operator) == 1) {
      vec_last(&b->stack) = value_unary(item->operator, vec_last(&b->stack));
    } else {
      b->stack.n--;
      vec_last(&b->stack) = value_binary(item->operator, vec_last(&b->stack), b->stack.at[b->stack.n], &by_zero);
    }
  }
  return vec_last(&b->stack);
}

/* Nothing goes on after it; what is added next is reached by other ways, if at all. */
static void emit_stop(Builder *b, uint32_t op) { emit(b, CONTROL_STOP, op); }

static void emit_await(Builder *b, uint32_t number) {
  const Value value = constant_value(b, &b->program->ops.at[number]);
  if (value.known && !value.number) emit_stop(b, number);
  else emit_whole(b, number);
}

/* The event in which the test has this outcome, or a stop if it never has. */
static void emit_outcome(Builder *b, uint32_t op, Value value, uint32_t done, bool outcome) {
  if (value.known && (value.number != 0) != outcome) emit_stop(b, op);
  else emit_event(b, op, done, b->reads.n, false, !outcome);
}

/*   reads;  choice;  false: event; jump to `otherwise`;  true: event */
static void emit_test(Builder *b, uint32_t number) {
  const ProgramOp *op = &b->program->ops.at[number];
  const Value value = constant_value(b, op);
  const uint32_t done = emit_reads(b, number), choice = emit(b, CONTROL_CHOICE, number);
  emit_outcome(b, number, value, done, false);
  emit_jump(b, number, op->otherwise);
  node(b, choice)->other = here(b);
  emit_outcome(b, number, value, done, true);
}

/* ---- operations ---- */

/*   choice: jump to the first one;  choice: jump to the second one;  ... */
static void emit_select(Builder *b, uint32_t number) {
  const ProgramOp *op = &b->program->ops.at[number];
  const Value value = constant_value(b, op);
  const bool strays = value.known && (value.number < 0 || value.number >= op->number);
  const uint32_t from = value.known && !strays ? (uint32_t)value.number : 0, to = value.known ? from + 1 : op->number;
  if (strays || !op->number) {
    emit_stop(b, number);
    return;
  }
  for (uint32_t i = from; i < to; i++) {
    const uint32_t choice = here(b);
    emit_jump(b, number, op->next + i);
    if (i + 1 < to) node(b, choice)->other = choice + 1;
  }
}

static uint32_t end_of_atomic(const Builder *b, uint32_t op) {
  uint32_t depth = 0;
  do {
    depth += b->program->ops.at[op].kind == OP_ATOMIC;
    depth -= b->program->ops.at[op].kind == OP_ATOMIC_END;
    op++;
  } while (depth);
  return op - 1;
}

/* An atomic in an atomic is part of the outer one's event. The operation that comes next. */
static uint32_t emit_atomic(Builder *b, uint32_t op) {
  if (b->source.mode == IN_ATOMIC) return op + 1;
  const uint32_t end = end_of_atomic(b, op);
  emit(b, CONTROL_EVENT, op);
  emit_call(b, op, add_proc(b, (Source){op + 1, end, IN_ATOMIC}));
  node(b, emit(b, CONTROL_DONE, op))->inside = is_inside(b, b->open[op]);
  return end + 1;
}

static void emit_bound(Builder *b, ControlKind kind, uint32_t op, uint32_t open) {
  node(b, emit(b, kind, op))->inside = is_inside(b, open);
}

static Mode mode_at(const Builder *b, uint32_t op) {
  return b->source.mode == OUTSIDE && b->open[op] ? IN_BLOCK : b->source.mode;
}

/* Makes the nodes of an operation that some path leads to, and perhaps of some after it. The operation that comes
 * next. */
static uint32_t build_op(Builder *b, uint32_t number) {
  const ProgramOp *op = &b->program->ops.at[number];
  if (b->open[number] == PROGRAM_NONE) return number + 1;
  switch (op->kind) {
  case OP_ASSIGN:
  case OP_SKIP:
  case OP_ACQUIRE:
  case OP_RELEASE: emit_whole(b, number); break;
  case OP_TEST: emit_test(b, number); break;
  case OP_AWAIT: emit_await(b, number); break;
  case OP_BEGIN: emit_bound(b, CONTROL_BEGIN, number, b->open[number]); break;
  case OP_END: emit_bound(b, CONTROL_END, number, b->open[number] - 1); break;
  case OP_ATOMIC: return emit_atomic(b, number);
  case OP_CALL: emit_call(b, number, called_proc(b, op->number, mode_at(b, number))); break;
  case OP_JUMP: emit_jump(b, number, op->next); return number + 1;
  case OP_SELECT: emit_select(b, number); return number + 1;
  case OP_FAIL: emit_stop(b, number); return number + 1;
  case OP_ATOMIC_END:
  case OP_RETURN:
  case OP_COUNT: break;
  }
  if (op->next != number + 1) emit_jump(b, number, op->next);
  return number + 1;
}

static void build_proc(Builder *b, uint32_t number) {
  ControlProc proc = {.start = here(b), .is_atomic = b->sources.at[number].mode == IN_ATOMIC};
  b->source = b->sources.at[number];
  vec_clear(&b->jumps);
  for (uint32_t op = b->source.start; op < b->source.end;) {
    b->node_of[op] = here(b);
    op = build_op(b, op);
  }
  b->node_of[b->source.end] = here(b);
  for (uint32_t i = 0; i < b->jumps.n; i++) node(b, b->jumps.at[i].node)->next = b->node_of[b->jumps.at[i].op];
  node(b, emit(b, CONTROL_RETURN, b->source.end))->other = number;
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
  lists->start = heap_zeroed(heap, heap_product(heap, (uint64_t)n + 1, sizeof *lists->start));
}

/* After the counts: where each list ends, from where it is filled downwards. */
static void lists_sum(Heap *heap, ControlLists *lists, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) lists->start[i + 1] += lists->start[i];
  lists->at = heap_alloc(heap, heap_product(heap, lists->start[n], sizeof *lists->at));
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
  c->proc_at = heap_alloc(c->heap, heap_product(c->heap, c->nodes.n, sizeof *c->proc_at));
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
    for (uint32_t k = c->callers.start[proc]; k < c->callers.start[proc + 1]; k++)
      note_return(c, &queue, c->callers.at[k]);
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
  const uint32_t n = b->program->ops.n;
  for (uint32_t m = 0; m < MODES; m++)
    b->proc_of[m] = heap_zeroed(heap, heap_product(heap, b->program->procs.n, sizeof **b->proc_of));
  b->open = heap_alloc(heap, heap_product(heap, n, sizeof *b->open));
  b->node_of = heap_zeroed(heap, heap_product(heap, n, sizeof *b->node_of));
  b->is_read = heap_zeroed(heap, b->program->objects.n);
  program_find_open(b->program, b->open);
}

static void builder_fini(Builder *b) {
  Heap *heap = b->control->heap;
  for (uint32_t m = 0; m < MODES; m++) heap_release(heap, b->proc_of[m]);
  vec_fini(heap, &b->sources);
  vec_fini(heap, &b->jumps);
  vec_fini(heap, &b->stack);
  vec_fini(heap, &b->reads);
  heap_release(heap, b->open);
  heap_release(heap, b->node_of);
  heap_release(heap, b->is_read);
}

void control_build(Control *control, const Program *program, Granularity granularity) {
  Builder builder = {.control = control, .program = program, .granularity = granularity}, *b = &builder;
  builder_init(b);
  for (uint32_t i = 0; i < program->threads.n; i++) {
    const ProgramProc *proc = &program->procs.at[program->threads.at[i].proc];
    vec_push(control->heap, &control->threads, add_proc(b, (Source){proc->start, proc->end - 1, OUTSIDE}));
  }
  for (uint32_t i = 0; i < b->sources.n; i++) build_proc(b, i);
  builder_fini(b);
  make_lists(control);
  find_starts(control);
  find_returns(control);
  stop_in_atomics(control);
}
