#include "program/event.h"

#include <assert.h>
#include <string.h>

static const ProgramOp *op_at(const Event *e, uint32_t op) { return flow_source(e->flow, e->x->program, op); }

static const ProgramItem *item_at(const Event *e, uint32_t item) { return &e->x->program->items.at[item]; }

/* Lists the reads of an operation and returns how many of them are remembered. */
static uint32_t find_reads(Event *e, const ProgramOp *op) {
  uint32_t n_tracked = 0;
  for (uint32_t i = op->items; i < op->items + op->n_items; i++) {
    if (item_at(e, i)->kind != ITEM_OBJECT) continue;
    vec_push(e->automaton->heap, &e->reads, ((ReadSite){i, n_tracked}));
    n_tracked += e->x->share[item_at(e, i)->variable] == SHARE_TRACKED;
  }
  return n_tracked;
}

/* What is in an atomic is not looked at: its operations are no states. */
static void find_all_reads(Event *e) {
  bool inside = false;
  for (uint32_t i = 0; i < e->flow->ops.n; i++) {
    const ProgramOp *op = op_at(e, i);
    vec_push(e->automaton->heap, &e->reads_start, e->reads.n);
    inside = op->kind == OP_ATOMIC || (inside && op->kind != OP_ATOMIC_END);
    if (e->x->granularity != GRANULARITY_ACCESS || inside || op->whole) continue;
    const uint32_t n_tracked = find_reads(e, op);
    if (n_tracked > e->automaton->n_temporaries) e->automaton->n_temporaries = n_tracked;
  }
  vec_push(e->automaton->heap, &e->reads_start, e->reads.n);
}

void event_init(Event *event, Exploration *x, const Flow *flow, Automaton *automaton) {
  *event = (Event){.x = x, .flow = flow, .automaton = automaton};
  find_all_reads(event);
  const size_t width = (size_t)automaton->slots.n + automaton->n_temporaries;
  event->values = heap_zeroed(automaton->heap, heap_product(automaton->heap, width, sizeof *event->values));
}

void event_fini(Event *event) {
  Heap *heap = event->automaton->heap;
  vec_fini(heap, &event->reads);
  vec_fini(heap, &event->reads_start);
  vec_fini(heap, &event->choices);
  vec_fini(heap, &event->stack);
  vec_fini(heap, &event->doubts);
  heap_release(heap, event->values);
}

/* ---- choices ---- */

static uint32_t choose(Event *e, uint32_t n) {
  if (e->n_chosen == e->choices.n) vec_push(e->automaton->heap, &e->choices, ((Choice){0, n}));
  return e->choices.at[e->n_chosen++].value;
}

/* A choice that is not seen from the values of the variables that are touched. */
static uint32_t guess(Event *e, uint32_t n) {
  e->guessed = true;
  return choose(e, n);
}

bool event_advance(Event *e) {
  while (e->choices.n && ++vec_last(&e->choices).value == vec_last(&e->choices).n) e->choices.n--;
  return e->choices.n > 0;
}

/* ---- variables ---- */

static const ProgramObject *object_at(const Event *e, uint32_t object) { return &e->x->program->objects.at[object]; }

/* The event's touch of the object; new ones start with any value that it may hold. */
static Touch *touch(Event *e, uint32_t object) {
  Automaton *a = e->automaton;
  uint32_t *last = &e->x->last_touch.at[object];
  if (*last >= e->first_touch && *last < a->touches.n && a->touches.at[*last].object == object)
    return &a->touches.at[*last];
  Touch new = {.object = object};
  if (e->x->share[object] == SHARE_TRACKED)
    new.before = new.after = (uint16_t)choose(e, object_at(e, object)->n_values);
  *last = a->touches.n;
  vec_push(a->heap, &a->touches, new);
  return &vec_last(&a->touches);
}

static void note_access(Event *e, uint32_t object, AccessMode mode) {
  vec_push(e->automaton->heap, &e->automaton->accesses, ((Access){object, mode}));
}

static uint16_t *temporary(const Event *e, uint32_t number) { return &e->values[e->automaton->slots.n + number]; }

/* The value of an object that an earlier event of the same operation has read. */
static Value read_again(Event *e, uint32_t object, uint32_t slot) {
  switch (e->x->share[object]) {
  case SHARE_TRACKED: return value_of(*temporary(e, e->n_temporaries++));
  case SHARE_FOLDED: return value_of(e->values[slot]);
  case SHARE_CONSTANT: return value_of(object_at(e, object)->initial);
  case SHARE_ABSTRACT:
  case SHARE_LOCK: break;
  }
  return VALUE_UNKNOWN;
}

static Value read_now(Event *e, uint32_t object, uint32_t slot) {
  Touch *t = touch(e, object);
  if (!t->read) note_access(e, object, ACCESS_READ);
  t->read = true;
  switch (e->x->share[object]) {
  case SHARE_TRACKED: return value_of(t->after);
  case SHARE_FOLDED: return value_of(e->values[slot]);
  case SHARE_CONSTANT: return value_of(object_at(e, object)->initial);
  case SHARE_ABSTRACT:
  case SHARE_LOCK: break;
  }
  return VALUE_UNKNOWN;
}

static Value read_object(Event *e, uint32_t object) {
  const uint32_t slot = e->x->slot_of_object.at[object];
  return e->n_reads++ < e->state.phase ? read_again(e, object, slot) : read_now(e, object, slot);
}

static Value read_local(const Event *e, uint32_t local) {
  const uint32_t slot = e->x->slot_of_local.at[local];
  return slot != PROGRAM_NONE ? value_of(e->values[slot]) : VALUE_UNKNOWN;
}

static void note_wrap(Event *e, uint32_t op, uint32_t n, int64_t value, int64_t rest) {
  if (!e->x->wrapped[op])
    vec_push(e->automaton->heap, &e->doubts,
             ((Notice){.kind = NOTICE_WRAPS, .number = op, .limit = n, .value = value, .rest = rest}));
}

/* The value that a variable with the values 0 .. n - 1 gets from an operation of the program. */
static uint16_t fit(Event *e, uint32_t op, Value value, uint32_t n) {
  if (!value.known) return (uint16_t)guess(e, n);
  int64_t rest = value.number % (int64_t)n;
  if (rest < 0) rest += n;
  if (rest != value.number) note_wrap(e, op, n, value.number, rest);
  return (uint16_t)rest;
}

static void write_object(Event *e, uint32_t op, uint32_t object, Value value) {
  Touch *t = touch(e, object);
  if (!t->written) note_access(e, object, ACCESS_WRITE);
  t->written = true;
  const uint32_t n = object_at(e, object)->n_values;
  if (e->x->share[object] == SHARE_TRACKED) t->after = fit(e, op, value, n);
  if (e->x->share[object] == SHARE_FOLDED) e->values[e->x->slot_of_object.at[object]] = fit(e, op, value, n);
}

static void write_local(Event *e, uint32_t op, uint32_t local, Value value) {
  const uint32_t slot = e->x->slot_of_local.at[local];
  if (slot != PROGRAM_NONE) e->values[slot] = fit(e, op, value, e->automaton->slots.at[slot].n_values);
}

/* ---- operations ---- */

static void note_division(Event *e, uint32_t op, uint32_t item) {
  if (!e->x->divided[op])
    vec_push(e->automaton->heap, &e->doubts, ((Notice){.kind = NOTICE_DIVIDES, .number = op, .item = item}));
}

static Value operand(Event *e, const ProgramItem *item) {
  switch (item->kind) {
  case ITEM_LITERAL: return value_of(item->value);
  case ITEM_OBJECT: return read_object(e, item->variable);
  case ITEM_LOCAL: return read_local(e, item->variable);
  case ITEM_ANY:
  case ITEM_OPERATOR: break;
  }
  return VALUE_UNKNOWN;
}

/* Leaves the values of the operation's expressions on the stack. */
static void evaluate(Event *e, uint32_t number) {
  const ProgramOp *op = &e->x->program->ops.at[number];
  vec_clear(&e->stack);
  for (uint32_t i = op->items; i < op->items + op->n_items; i++) {
    const ProgramItem *item = item_at(e, i);
    if (item->kind != ITEM_OPERATOR) {
      vec_push(e->automaton->heap, &e->stack, operand(e, item));
    } else if (value_operands(item->operator) == 1) {
      vec_last(&e->stack) = value_unary(item->operator, vec_last(&e->stack));
    } else {
      bool by_zero = false;
      const Value right = vec_last(&e->stack);
      e->stack.n--;
      vec_last(&e->stack) = value_binary(item->operator, vec_last(&e->stack), right, &by_zero);
      if (by_zero) note_division(e, number, i);
    }
  }
}

static Value result(Event *e, uint32_t op) {
  evaluate(e, op);
  return vec_last(&e->stack);
}

static void assign(Event *e, uint32_t number) {
  const ProgramOp *op = &e->x->program->ops.at[number];
  evaluate(e, number);
  assert(e->stack.n == op->n_targets);
  for (uint32_t i = 0; i < op->n_targets; i++) {
    const ProgramItem *target = item_at(e, op->targets + i);
    if (target->kind == ITEM_OBJECT) write_object(e, number, target->variable, e->stack.at[i]);
    else write_local(e, number, target->variable, e->stack.at[i]);
  }
}

static void note_stray(Event *e, uint32_t number, int64_t value) {
  const uint32_t limit = e->x->program->ops.at[number].number;
  if (!e->x->strayed[number])
    vec_push(e->automaton->heap, e->x->notices,
             ((Notice){.kind = NOTICE_STRAYS, .number = number, .limit = limit, .value = value}));
  e->x->strayed[number] = true;
}

/* *at is what an OP_SELECT leads to; false if it is nothing. */
static bool select(Event *e, uint32_t *at) {
  const FlowOp *op = &e->flow->ops.at[*at];
  const uint32_t n = e->x->program->ops.at[op->op].number;
  const Value value = result(e, op->op);
  if (value.known && (value.number < 0 || value.number >= n)) return note_stray(e, op->op, value.number), false;
  if (!n) return false;
  *at = e->flow->ops.at[op->next + (value.known ? (uint32_t)value.number : guess(e, n))].next;
  return true;
}

static bool truth(Event *e, Value value) { return value.known ? value.number != 0 : guess(e, 2) == 0; }

/* Does one operation; false if it has to wait. *at becomes the operation that comes next. */
static bool step(Event *e, uint32_t *at) {
  const FlowOp *op = &e->flow->ops.at[*at];
  Value value;
  switch (op->kind) {
  case OP_ASSIGN: assign(e, op->op); break;
  case OP_AWAIT:
    value = result(e, op->op);
    if (value.known && !value.number) return false;
    break;
  case OP_SELECT: return select(e, at);
  case OP_TEST:
    e->kind = truth(e, result(e, op->op)) ? EDGE_TRUE : EDGE_FALSE;
    *at = e->kind == EDGE_TRUE ? op->next : op->otherwise;
    return true;
  case OP_SKIP:
  case OP_ACQUIRE:
  case OP_RELEASE:
  case OP_BEGIN:
  case OP_END:
  case OP_ATOMIC:
  case OP_ATOMIC_END:
  case OP_CALL:
  case OP_JUMP:
  case OP_FAIL:
  case OP_RETURN:
  case OP_COUNT: break;
  }
  *at = op->next;
  return true;
}

/* A lock operation: both kinds stand in the accesses, as those of variables do. */
static void note_lock(Event *e, const ProgramOp *op) {
  note_access(e, op->number, op->kind == OP_ACQUIRE ? ACCESS_ACQUIRE : ACCESS_RELEASE);
}

static bool run_whole(Event *e) {
  uint32_t at = e->state.op;
  const ProgramOp *op = op_at(e, at);
  if (op->kind == OP_ACQUIRE || op->kind == OP_RELEASE) note_lock(e, op);
  if (!step(e, &at)) return false;
  if (op->kind == OP_ATOMIC) {
    while (e->flow->ops.at[at].kind != OP_ATOMIC_END)
      if (!step(e, &at)) return false;
    at = e->flow->ops.at[at].next;
    e->kind = EDGE_PLAIN;
  }
  for (uint32_t i = 0; i < e->automaton->n_temporaries; i++) *temporary(e, i) = 0;
  e->target = (State){at, 0};
  return true;
}

static bool writes_object(const Event *e, const ProgramOp *op) {
  bool writes = false;
  for (uint32_t i = op->targets; i < op->targets + op->n_targets; i++) writes |= item_at(e, i)->kind == ITEM_OBJECT;
  return writes;
}

/* With GRANULARITY_ACCESS: has the operation reads to do before its last event? That one is the write of an object, or,
 * in an operation that writes none, its last read together with all the rest. */
static bool is_partial(const Event *e) {
  const uint32_t n_reads = e->reads_start.at[e->state.op + 1] - e->reads_start.at[e->state.op];
  return e->state.phase + !writes_object(e, op_at(e, e->state.op)) < n_reads;
}

/* The event that does read number `phase` of the operation. */
static void run_read(Event *e) {
  const ReadSite site = e->reads.at[e->reads_start.at[e->state.op] + e->state.phase];
  const uint32_t object = item_at(e, site.item)->variable;
  const Value value = read_now(e, object, e->x->slot_of_object.at[object]);
  if (e->x->share[object] == SHARE_TRACKED) *temporary(e, site.n_tracked) = (uint16_t)value.number;
  e->kind = EDGE_READ;
  e->item = site.item;
  e->target = (State){e->state.op, e->state.phase + 1};
}

bool event_run(Event *e, State state, const uint16_t *values) {
  const Automaton *a = e->automaton;
  const size_t n_values = (size_t)a->slots.n + a->n_temporaries;
  if (n_values) memcpy(e->values, values, n_values * sizeof *values);
  e->state = state;
  e->n_chosen = e->n_reads = e->n_temporaries = 0;
  e->guessed = false;
  e->kind = EDGE_PLAIN;
  vec_clear(&e->doubts);
  e->first_touch = a->touches.n;
  e->first_access = a->accesses.n;
  while (e->flow->ops.at[e->state.op].kind == OP_SELECT)
    if (!select(e, &e->state.op)) return false;
  if (!is_partial(e)) return run_whole(e);
  run_read(e);
  return true;
}
