#include "frontend/c/emit_inside.h"

#include <assert.h>
#include <string.h>

ProgramPlace emit_place(Emitter *e, uint32_t context, uint32_t number) {
  const CPlace place = e->module->instructions.at[number].place;
  return (ProgramPlace){place.file, e->points->contexts.at[context].function, place.line, place.column};
}

uint32_t emit_op(Emitter *e, OpKind kind, const char *text) {
  const uint32_t op = program_add_op(e->program, kind);
  e->is_full |= op > e->points->precision->ops;
  emit_at(e, op)->text = emit_at(e, op)->otherwise_text = text;
  emit_at(e, op)->place = emit_place(e, e->context, e->number);
  emit_at(e, op)->items = e->program->items.n;
  emit_at(e, op)->whole = emit_at(e, op)->sync = true;
  return op;
}

static void add_item(Emitter *e, uint32_t op, ProgramItem item) {
  item.place = emit_at(e, op)->place;
  vec_push(e->heap, &e->program->items, item);
  emit_at(e, op)->n_items++;
}

void emit_literal(Emitter *e, uint32_t op, int64_t value) {
  add_item(e, op, (ProgramItem){.kind = ITEM_LITERAL, .value = value});
}

void emit_object(Emitter *e, uint32_t op, uint32_t object) {
  add_item(e, op, (ProgramItem){.kind = ITEM_OBJECT, .variable = object, .text = e->program->objects.at[object].name});
}

void emit_local(Emitter *e, uint32_t op, uint32_t local) {
  add_item(e, op, (ProgramItem){.kind = ITEM_LOCAL, .variable = local});
}

void emit_any(Emitter *e, uint32_t op) { add_item(e, op, (ProgramItem){.kind = ITEM_ANY}); }

void emit_operator(Emitter *e, uint32_t op, ValueOperator operator) {
  add_item(e, op, (ProgramItem){.kind = ITEM_OPERATOR, .operator= operator});
}

void emit_target(Emitter *e, uint32_t op, ProgramItemKind kind, uint32_t variable) {
  ProgramItem item = {.kind = kind, .variable = variable, .place = emit_at(e, op)->place};
  if (kind == ITEM_OBJECT) item.text = e->program->objects.at[variable].name;
  if (!emit_at(e, op)->n_targets) emit_at(e, op)->targets = e->program->items.n;
  vec_push(e->heap, &e->program->items, item);
  emit_at(e, op)->n_targets++;
}

uint32_t emit_set(Emitter *e, uint32_t object, int64_t value) {
  const char *name = e->program->objects.at[object].name;
  const uint32_t op = emit_op(e, OP_ASSIGN, arena_format(&e->program->arena, "%s := %lld", name, (long long)value));
  emit_literal(e, op, value);
  emit_target(e, op, ITEM_OBJECT, object);
  return op;
}

uint32_t emit_test(Emitter *e, OpKind kind, uint32_t object, ValueOperator relation, int64_t value) {
  static const char *const SIGNS[VALUE_OPERATORS] = {
      [VALUE_EQ] = "==", [VALUE_NE] = "!=", [VALUE_GT] = ">", [VALUE_GE] = ">="};
  const char *name = e->program->objects.at[object].name;
  const uint32_t op =
      emit_op(e, kind, arena_format(&e->program->arena, "[%s %s %lld]", name, SIGNS[relation], (long long)value));
  emit_object(e, op, object);
  emit_literal(e, op, value);
  emit_operator(e, op, relation);
  if (kind == OP_TEST) emit_at(e, op)->otherwise_text = arena_format(&e->program->arena, "[not %s]", name);
  return op;
}

uint32_t emit_maybe(Emitter *e) {
  const uint32_t op = emit_op(e, OP_TEST, "[either way]");
  emit_any(e, op);
  return op;
}

uint32_t emit_else(Emitter *e, uint32_t test) {
  const uint32_t jump = emit_op(e, OP_JUMP, "");
  emit_at(e, test)->otherwise = emit_here(e);
  return jump;
}

void emit_end(Emitter *e, uint32_t jump) { emit_at(e, jump)->next = emit_here(e); }

void emit_stuck(Emitter *e) {
  const uint32_t op = emit_op(e, OP_AWAIT, "[never]");
  emit_literal(e, op, 0);
  emit_at(e, op)->next = op;
}

uint32_t emit_new_local(Emitter *e, const char *name, uint32_t n_values) {
  vec_push(e->heap, &e->program->locals, name);
  const uint32_t local = e->program->locals.n - 1;
  if (n_values) vec_push(e->heap, &e->tracked, ((ProgramTracked){local, n_values, 0, false, false}));
  return local;
}

uint32_t emit_new_object(Emitter *e, const char *name, ProgramObjectKind kind, uint32_t n_values, uint32_t initial) {
  vec_push(e->heap, &e->program->objects, ((ProgramObject){name, kind, n_values, initial, false}));
  return e->program->objects.n - 1;
}

/* ---- names ---- */

/* "file.c:12" */
static const char *place_name(Emitter *e, uint32_t number) {
  const CPlace place = e->module->instructions.at[number].place;
  const char *file = e->module->files.at[place.file], *slash = strrchr(file, '/');
  return arena_format(&e->program->arena, "%s:%u", slash ? slash + 1 : file, place.line);
}

/* "x of main"; if its name is not known "local of main". */
static const char *local_name(Emitter *e, const CObject *object) {
  const char *text = e->module->instructions.at[object->n].text;
  const CFunction *f = &e->module->functions.at[e->points->contexts.at[object->context].function];
  return arena_format(&e->program->arena, "%s of %s", *text ? text : "local", f->shown);
}

static const char *whole_name(Emitter *e, const CObject *object) {
  Arena *arena = &e->program->arena;
  const char *text;
  switch ((int)object->kind) {
  case OBJECT_GLOBAL: text = e->module->globals.at[object->n].name; return arena_copy(arena, text, strlen(text));
  case OBJECT_STACK: return local_name(e, object);
  case OBJECT_STATIC: return arena_format(arena, "memory of %s", e->module->functions.at[object->n].name);
  default: return arena_format(arena, "memory of %s", place_name(e, object->n));
  }
}

const char *emit_object_name(Emitter *e, const CObject *object) {
  const char *name = whole_name(e, object);
  if (!object->part) return name;
  return arena_format(&e->program->arena, "%s+%llu", name, (unsigned long long)object->start);
}

/* Is it all of the object that is used? */
static bool is_whole(const Emitter *e, uint32_t cell) {
  const CCell *c = &e->cells->cells.at[cell];
  const bool before = cell && c[-1].object == c->object && c[-1].sync == c->sync;
  const bool after = cell + 1 < e->cells->cells.n && c[1].object == c->object && c[1].sync == c->sync;
  const uint64_t start = e->points->objects.at[c->object].start;
  return !before && !after && (c->from == start || c->from == UINT64_MAX);
}

/* Of one of several that are told apart: the element of an array, or any number. */
static const char *instance_name(Emitter *e, const CObject *o) {
  const char *name = emit_object_name(e, o);
  const uint32_t number = e->instance - o->first;
  if (o->instances < 2 && !o->has_rest) return name;
  return arena_format(&e->program->arena, o->has_rest ? "%s#%u" : "%s[%u]", name, number + o->has_rest);
}

const char *emit_name(Emitter *e, uint32_t cell) {
  const CCell *c = &e->cells->cells.at[cell];
  const char *name = instance_name(e, &e->points->objects.at[c->object]);
  if (is_whole(e, cell)) return name;
  if (c->from == UINT64_MAX) return arena_format(&e->program->arena, "%s+...", name);
  const uint64_t start = e->points->objects.at[c->object].start;
  return arena_format(&e->program->arena, "%s+%llu", name, (unsigned long long)(c->from - start));
}

static uint32_t *number_of(Emitter *e, uint32_t cell) {
  const CObject *o = cell_object(e->cells, cell);
  if (o->instances < 2) return &e->cells->cells.at[cell].number;
  while (e->extras[cell].n < o->instances) vec_push(e->heap, &e->extras[cell], C_NONE);
  assert(e->instance >= o->first && e->instance < o->first + o->instances);
  return &e->extras[cell].at[e->instance - o->first];
}

uint32_t emit_object_of(Emitter *e, uint32_t cell) {
  cell = e->cells->cells.at[cell].first;
  const CCell *c = &e->cells->cells.at[cell];
  uint32_t *number = number_of(e, cell);
  if (*number != C_NONE) return *number;
  const uint32_t ticket = tickets_of(e->tickets, cell);
  if (ticket != C_NONE && e->tickets->at[ticket].serving == cell)
    *number = emit_new_object(e, emit_name(e, cell), PROGRAM_TRACKED, 2, 0);
  else if (cell_is_lock(c)) *number = emit_new_object(e, emit_name(e, cell), PROGRAM_LOCK, 0, 0);
  else if (!c->sync && cell_is_tracked(c))
    *number = emit_new_object(e, emit_name(e, cell), PROGRAM_TRACKED, c->n_values, (uint32_t)c->initial);
  else *number = emit_new_object(e, emit_name(e, cell), PROGRAM_DATA, 0, 0);
  return *number;
}

uint32_t emit_object_of_part(Emitter *e, uint32_t part) {
  CPart *p = &e->cells->parts.at[part];
  uint32_t first = part;
  while (first && e->cells->parts.at[first - 1].cell == p->cell) first--;
  if (p->number == C_NONE)
    p->number =
        emit_new_object(e, arena_format(&e->program->arena, "%s, part %u", emit_name(e, p->cell), part - first + 1),
                        PROGRAM_DATA, 0, 0);
  return p->number;
}

/* ---- a smaller program ---- */

/* Where control comes to without an event. What only closes a loop is none. */
static uint32_t resolve(const Emitter *e, uint32_t op) {
  for (uint32_t i = 0; i < e->program->ops.n; i++) {
    assert(op < e->program->ops.n);
    const OpKind kind = e->program->ops.at[op].kind;
    if (kind != OP_JUMP && kind != OP_SKIP) break;
    op = e->program->ops.at[op].next;
  }
  return op;
}

static bool is_maybe(const Emitter *e, const ProgramOp *op) {
  return op->kind == OP_TEST && op->n_items == 1 && e->program->items.at[op->items].kind == ITEM_ANY;
}

static void become_jump(ProgramOp *op, uint32_t to) {
  op->kind = OP_JUMP;
  op->next = op->otherwise = to;
  op->n_items = op->n_targets = 0;
}

void emit_make_jump(Emitter *e, uint32_t op, uint32_t to) { become_jump(emit_at(e, op), to); }

void emit_make_maybe(Emitter *e, uint32_t op, uint32_t yes, uint32_t no) {
  const uint32_t maybe = emit_maybe(e);
  const ProgramPlace place = emit_at(e, op)->place;
  *emit_at(e, op) = *emit_at(e, maybe);
  emit_at(e, op)->place = place;
  emit_at(e, op)->next = yes;
  emit_at(e, op)->otherwise = no;
  become_jump(emit_at(e, maybe), op); /* not come to */
}

/* A choice that is none. */
static bool shorten_maybe(Emitter *e, uint32_t number) {
  ProgramOp *op = emit_at(e, number);
  const uint32_t yes = resolve(e, op->next), no = resolve(e, op->otherwise);
  if (yes == number && no == number) return false;
  if (yes == no || no == number) return become_jump(op, yes), true;
  if (yes == number) return become_jump(op, no), true;
  return false;
}

/* Does control go on from an operation to another one without an event? */
static bool goes_to(const Emitter *e, const ProgramOp *op, uint32_t to) {
  bool goes = op->kind == OP_TEST && resolve(e, op->otherwise) == to;
  if (op->kind == OP_RETURN) return false;
  for (uint32_t n = 0; n < (op->kind == OP_SELECT ? op->number : 1) && !goes; n++)
    goes = resolve(e, op->next + n) == to;
  return goes;
}

/* Does control come to an operation, of those from `start` on, only from another one, and by choices alone? */
static bool is_only_chosen(const Emitter *e, uint32_t start, uint32_t from, uint32_t to, int depth) {
  enum { DEEPEST = 8 };
  bool any = false;
  if (resolve(e, start) == to || depth > DEEPEST) return false;
  for (uint32_t i = start; i < e->program->ops.n; i++) {
    const ProgramOp *op = &e->program->ops.at[i];
    if (op->kind == OP_JUMP || op->kind == OP_SKIP || !goes_to(e, op, to)) continue;
    if (i != from && (!is_maybe(e, op) || !is_only_chosen(e, start, from, i, depth + 1))) return false;
    any = true;
  }
  return any;
}

/* Is an operation what the thread does instead of that look, as a choice between the two says? */
static bool is_instead(const Emitter *e, uint32_t start, uint32_t look, uint32_t number) {
  for (uint32_t i = start; i < e->program->ops.n; i++) {
    const ProgramOp *op = &e->program->ops.at[i];
    if (!is_maybe(e, op)) continue;
    const uint32_t yes = resolve(e, op->next), no = resolve(e, op->otherwise);
    if ((yes == look && no == number) || (yes == number && no == look)) return true;
  }
  return false;
}

/* Does the thread look again, or what it does instead, before it does anything else, whatever it chooses? */
static bool looks_again(const Emitter *e, uint32_t start, uint32_t look, uint32_t from) {
  enum { MOST_CHOICES = 16 };
  uint32_t choices[MOST_CHOICES] = {from}, n = 1;
  for (uint32_t k = 0; k < n; k++) {
    const ProgramOp *op = &e->program->ops.at[choices[k]];
    const uint32_t ways[2] = {resolve(e, op->next), resolve(e, op->otherwise)};
    for (uint32_t w = 0; w < 2; w++) {
      bool known = ways[w] == look;
      for (uint32_t i = 0; i < n && !known; i++) known = choices[i] == ways[w];
      if (known) continue;
      const bool maybe = is_maybe(e, &e->program->ops.at[ways[w]]);
      if (!maybe && !is_instead(e, start, look, ways[w])) return false;
      if (maybe && n == MOST_CHOICES) return false;
      if (maybe) choices[n++] = ways[w];
    }
  }
  return true;
}

/* What only looks is nothing if it comes back to where it was chosen, and the thread looks again there. */
static bool leave_look_out(Emitter *e, uint32_t start, uint32_t number) {
  uint32_t end = number;
  if (emit_at(e, number)->kind == OP_ATOMIC)
    while (emit_at(e, end)->kind != OP_ATOMIC_END) end++;
  const uint32_t to = resolve(e, emit_at(e, end)->next);
  if (!is_maybe(e, emit_at(e, to)) || !looks_again(e, start, number, to) || !is_only_chosen(e, start, to, number, 0))
    return false;
  for (; number <= end; number++) become_jump(emit_at(e, number), to);
  return true;
}

/* A test that is made again until it is so: a wait. */
static bool make_wait(Emitter *e, uint32_t number) {
  ProgramOp *op = emit_at(e, number);
  const uint32_t yes = resolve(e, op->next), no = resolve(e, op->otherwise);
  if (yes == no || (yes != number && no != number)) return false;
  if (yes == number) {
    const uint32_t from = op->items, n = op->n_items;
    op->items = e->program->items.n;
    vec_reserve(e->heap, &e->program->items, n);
    for (uint32_t i = 0; i < n; i++) vec_push(e->heap, &e->program->items, e->program->items.at[from + i]);
    emit_operator(e, number, VALUE_NOT);
    op = emit_at(e, number);
    op->n_items = n + 1;
    op->text = op->otherwise_text;
    op->next = no;
  }
  op->kind = OP_AWAIT;
  op->otherwise = op->next;
  return true;
}

void emit_simplify(Emitter *e, uint32_t from) {
  for (bool changed = true; changed;) {
    changed = false;
    heap_poll(e->heap);
    for (uint32_t i = from; i < e->program->ops.n; i++) {
      if (e->program->ops.at[i].origin == EMIT_LOOK && e->program->ops.at[i].kind != OP_JUMP)
        changed |= leave_look_out(e, from, i);
      if (e->program->ops.at[i].kind != OP_TEST) continue;
      changed |= is_maybe(e, emit_at(e, i)) ? shorten_maybe(e, i) : make_wait(e, i);
    }
  }
}
