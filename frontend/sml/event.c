#include "frontend/sml/event.h"

#include <string.h>

static uint32_t global_of(const Event *e, NameId name) { return e->x->symbols->global_of.at[name.v]; }

/* Lists the reads of a statement and returns how many of them are remembered. */
static uint32_t find_reads(Event *e, Expr expr) {
  uint32_t n_tracked = 0;
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++) {
    const ExprItem *item = &e->x->ast->items.at[i];
    const uint32_t object = item->kind == EXPR_NAME ? global_of(e, item->name) : SYMBOL_NONE;
    if (object == SYMBOL_NONE) continue;
    vec_push(e->automaton->heap, &e->reads, ((ReadSite){i, n_tracked}));
    n_tracked += e->x->share[object] == SHARE_TRACKED;
  }
  return n_tracked;
}

/* An await stays one event: it must not decide by values that have changed since. What is in an atomic is not looked
 * at: its operations are no states. */
static void find_all_reads(Event *e) {
  bool inside = false;
  for (uint32_t i = 0; i < e->flow->ops.n; i++) {
    const Op *op = &e->flow->ops.at[i];
    vec_push(e->automaton->heap, &e->reads_start, e->reads.n);
    inside = op->kind == OP_ATOMIC || (inside && op->kind != OP_ATOMIC_END);
    if (e->x->granularity != GRANULARITY_ACCESS || inside || (op->kind != OP_ASSIGN && op->kind != OP_TEST)) continue;
    const uint32_t n_tracked = find_reads(e, ast_stmt(e->x->ast, op->stmt)->expr);
    if (n_tracked > e->automaton->n_temporaries) e->automaton->n_temporaries = n_tracked;
  }
  vec_push(e->automaton->heap, &e->reads_start, e->reads.n);
}

void event_init(Event *event, Exploration *x, const Flow *flow, Automaton *automaton) {
  *event = (Event){.x = x, .flow = flow, .automaton = automaton};
  find_all_reads(event);
  const size_t width = (size_t)automaton->slots.n + automaton->n_temporaries;
  event->values = heap_zeroed(automaton->heap, width * sizeof *event->values);
}

void event_fini(Event *event) {
  Heap *heap = event->automaton->heap;
  vec_fini(heap, &event->reads);
  vec_fini(heap, &event->reads_start);
  vec_fini(heap, &event->choices);
  vec_fini(heap, &event->stack);
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

static const Decl *global(const Event *e, uint32_t object) { return &e->x->ast->globals.at[object]; }

/* The event's touch of the object; new ones start with any value that it may hold. */
static Touch *touch(Event *e, uint32_t object) {
  Automaton *a = e->automaton;
  uint32_t *last = &e->x->last_touch.at[object];
  if (*last >= e->first_touch && *last < a->touches.n && a->touches.at[*last].object == object)
    return &a->touches.at[*last];
  Touch new = {.object = object};
  if (e->x->share[object] == SHARE_TRACKED) new.before = new.after = (uint16_t)choose(e, global(e, object)->n_values);
  *last = a->touches.n;
  vec_push(a->heap, &a->touches, new);
  return &vec_last(&a->touches);
}

static void note_access(Event *e, uint32_t object, AccessMode mode) {
  vec_push(e->automaton->heap, &e->automaton->accesses, ((Access){object, mode}));
}

static uint16_t *temporary(const Event *e, uint32_t number) { return &e->values[e->automaton->slots.n + number]; }

/* The value of a global that an earlier event of the same statement has read. */
static Value read_again(Event *e, uint32_t object, uint32_t slot) {
  switch (e->x->share[object]) {
    case SHARE_TRACKED: return value_of(*temporary(e, e->n_temporaries++));
    case SHARE_FOLDED: return value_of(e->values[slot]);
    case SHARE_CONSTANT: return value_of(global(e, object)->initial);
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
    case SHARE_CONSTANT: return value_of(global(e, object)->initial);
    case SHARE_ABSTRACT:
    case SHARE_LOCK: break;
  }
  return VALUE_UNKNOWN;
}

static Value read_name(Event *e, NameId name) {
  const uint32_t object = global_of(e, name), slot = e->x->slot_of.at[name.v];
  if (object != SYMBOL_NONE)
    return e->n_reads++ < e->state.phase ? read_again(e, object, slot) : read_now(e, object, slot);
  return slot != SYMBOL_NONE ? value_of(e->values[slot]) : VALUE_UNKNOWN;
}

static const char *text_of(Event *e, Span span) { return lex_squeeze(&e->x->diag->arena, e->x->diag->text, span, 60); }

/* The value that a variable with the values 0 .. n - 1 gets. */
static uint16_t fit(Event *e, StmtId id, Value value, uint32_t n) {
  if (!value.known) return (uint16_t)guess(e, n);
  int64_t rest = value.number % (int64_t)n;
  if (rest < 0) rest += n;
  if (rest != value.number && !e->x->wrapped[id.v]) {
    const Span span = ast_stmt(e->x->ast, id)->span;
    e->x->wrapped[id.v] = true;
    diag_add(e->x->diag, DIAG_WARNING, "modulo-wrap", span.at, span.length,
             "the result of '%s' may be %lld; it is taken modulo %u, which makes it %lld", text_of(e, span),
             (long long)value.number, n, (long long)rest);
  }
  return (uint16_t)rest;
}

static void write_global(Event *e, StmtId id, uint32_t object, uint32_t slot, Value value) {
  Touch *t = touch(e, object);
  if (!t->written) note_access(e, object, ACCESS_WRITE);
  t->written = true;
  const uint32_t n = global(e, object)->n_values;
  if (e->x->share[object] == SHARE_TRACKED) t->after = fit(e, id, value, n);
  if (e->x->share[object] == SHARE_FOLDED) e->values[slot] = fit(e, id, value, n);
}

static void write_name(Event *e, StmtId id, NameId name, Value value) {
  const uint32_t object = global_of(e, name), slot = e->x->slot_of.at[name.v];
  if (object != SYMBOL_NONE)
    write_global(e, id, object, slot, value);
  else if (slot != SYMBOL_NONE)
    e->values[slot] = fit(e, id, value, e->automaton->slots.at[slot].n_values);
}

/* ---- statements ---- */

static void warn_division(Event *e, StmtId id, Span operator) {
  if (e->x->divided[id.v]) return;
  e->x->divided[id.v] = true;
  diag_add(e->x->diag, DIAG_WARNING, "division-by-zero", operator.at, operator.length,
           "'%s' may divide by zero; the result may then be any value", text_of(e, ast_stmt(e->x->ast, id)->span));
}

static Value operand(Event *e, const ExprItem *item) {
  if (item->kind == EXPR_LITERAL) return value_of(item->value);
  return item->kind == EXPR_NAME ? read_name(e, item->name) : VALUE_UNKNOWN;
}

static Value evaluate(Event *e, StmtId id) {
  const Expr expr = ast_stmt(e->x->ast, id)->expr;
  vec_clear(&e->stack);
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++) {
    const ExprItem *item = &e->x->ast->items.at[i];
    if (item->kind <= EXPR_NONDET) {
      vec_push(e->automaton->heap, &e->stack, operand(e, item));
    } else if (item->kind <= EXPR_NOT) {
      vec_last(&e->stack) = value_unary(item->kind, vec_last(&e->stack));
    } else {
      bool by_zero = false;
      const Value right = vec_last(&e->stack);
      e->stack.n--;
      vec_last(&e->stack) = value_binary(item->kind, vec_last(&e->stack), right, &by_zero);
      if (by_zero) warn_division(e, id, item->span);
    }
  }
  return vec_last(&e->stack);
}

static bool truth(Event *e, Value value) { return value.known ? value.number != 0 : guess(e, 2) == 0; }

/* Does one operation; false if it has to wait. *at becomes the operation that comes next. */
static bool step(Event *e, uint32_t *at) {
  const Op *op = &e->flow->ops.at[*at];
  Value value;
  switch (op->kind) {
    case OP_ASSIGN:
      value = evaluate(e, op->stmt);
      write_name(e, op->stmt, ast_stmt(e->x->ast, op->stmt)->name, value);
      break;
    case OP_AWAIT:
      value = evaluate(e, op->stmt);
      if (value.known && !value.number) return false;
      break;
    case OP_TEST:
      e->kind = truth(e, evaluate(e, op->stmt)) ? EDGE_TRUE : EDGE_FALSE;
      *at = e->kind == EDGE_TRUE ? op->next : op->otherwise;
      return true;
    case OP_SKIP:
    case OP_ACQUIRE:
    case OP_RELEASE:
    case OP_BEGIN:
    case OP_END:
    case OP_ATOMIC:
    case OP_ATOMIC_END:
    case OP_JUMP:
    case OP_HALT: break;
  }
  *at = op->next;
  return true;
}

/* A lock operation: both kinds stand in the accesses, as those of variables do. */
static void note_lock(Event *e, const Op *op) {
  const uint32_t object = global_of(e, ast_stmt(e->x->ast, op->stmt)->name);
  note_access(e, object, op->kind == OP_ACQUIRE ? ACCESS_ACQUIRE : ACCESS_RELEASE);
}

static bool run_whole(Event *e) {
  uint32_t at = e->state.op;
  const Op *op = &e->flow->ops.at[at];
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

/* With --granularity=access: has the statement reads to do before its last event? That one is the write of a global,
 * or, in a statement that writes none, its last read together with all the rest. */
static bool is_partial(const Event *e) {
  const Op *op = &e->flow->ops.at[e->state.op];
  const uint32_t n_reads = e->reads_start.at[e->state.op + 1] - e->reads_start.at[e->state.op];
  const bool writes = op->kind == OP_ASSIGN && global_of(e, ast_stmt(e->x->ast, op->stmt)->name) != SYMBOL_NONE;
  return e->state.phase + !writes < n_reads;
}

/* The event that does read number `phase` of the statement. */
static void run_read(Event *e) {
  const ReadSite site = e->reads.at[e->reads_start.at[e->state.op] + e->state.phase];
  const NameId name = e->x->ast->items.at[site.item].name;
  const uint32_t object = global_of(e, name);
  const Value value = read_now(e, object, e->x->slot_of.at[name.v]);
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
  e->first_touch = a->touches.n;
  e->first_access = a->accesses.n;
  if (!is_partial(e)) return run_whole(e);
  run_read(e);
  return true;
}
