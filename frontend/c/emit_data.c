#include "frontend/c/emit_inside.h"

static const CInstruction *instruction(const Emitter *e, uint32_t i) { return &e->module->instructions.at[i]; }

/* ---- accesses ---- */

static const char *text_of(Emitter *e, const char *verb, uint32_t cell) {
  return arena_format(&e->program->arena, "%s %s", verb, emit_name(e, cell));
}

/* The objects that stand for what is accessed: the cell, or parts of it. */
static uint32_t n_objects(const Emitter *e, const CAccess *access) {
  return access->is_apart ? 0 : e->cells->cells.at[access->cell].is_split ? access->n_parts : 1;
}

static uint32_t object_at(Emitter *e, const CAccess *access, uint32_t n) {
  if (!e->cells->cells.at[access->cell].is_split) return emit_object_of(e, access->cell);
  return emit_object_of_part(e, e->cells->in_parts.at[access->parts + n]);
}

static void emit_read(Emitter *e, const CAccess *access) {
  const uint32_t n = n_objects(e, access), first = object_at(e, access, 0);
  const uint32_t op = emit_op(e, OP_ASSIGN, text_of(e, "read", access->cell));
  emit_object(e, op, first);
  for (uint32_t i = 1; i < n; i++) {
    emit_object(e, op, object_at(e, access, i));
    emit_operator(e, op, VALUE_ADD);
  }
  emit_target(e, op, ITEM_LOCAL, e->value);
}

static const COperand *stored_operand(const Emitter *e, const CInstruction *i) {
  return i->kind == C_STORE                                      ? cmodule_operand(e->module, i, 0)
         : i->kind == C_UPDATE && i->number == C_UPDATE_EXCHANGE ? cmodule_operand(e->module, i, 1)
                                                                 : NULL;
}

bool emit_stored(Emitter *e, uint32_t cell, const COperand *operand, int64_t *value) {
  const CCell *c = &e->cells->cells.at[cell];
  const int64_t last = c->n_values - 1;
  if (!cells_constant(e->module, operand, value) && !emit_known(e, operand, value)) return false;
  const bool fits = *value >= 0 && *value <= last;
  if (c->is_counter && !fits) *value = last;
  return fits || c->is_counter;
}

uint32_t emit_put(Emitter *e, uint32_t cell, const COperand *operand) {
  const uint32_t object = emit_object_of(e, cell);
  int64_t value;
  if (emit_stored(e, cell, operand, &value)) return emit_set(e, object, value);
  const uint32_t op = emit_op(e, OP_ASSIGN, text_of(e, "write", cell));
  emit_any(e, op);
  emit_target(e, op, ITEM_OBJECT, object);
  return op;
}

static void emit_write(Emitter *e, const CAccess *access, bool update) {
  const COperand *operand = stored_operand(e, instruction(e, e->number));
  const uint32_t cell = access->cell, n = n_objects(e, access);
  if (cell_is_tracked(&e->cells->cells.at[cell]) && operand) {
    emit_put(e, cell, operand);
    return;
  }
  const uint32_t op = emit_op(e, OP_ASSIGN, text_of(e, update ? "update" : "write", cell));
  for (uint32_t i = 0; i < n; i++) {
    if (update) emit_object(e, op, object_at(e, access, i));
    emit_any(e, op);
    if (update) emit_operator(e, op, VALUE_ADD);
  }
  for (uint32_t i = 0; i < n; i++) emit_target(e, op, ITEM_OBJECT, object_at(e, access, i));
}

/* Is what an instruction does to a cell an access like others, which may race? */
static bool is_plain(const Emitter *e, uint32_t cell, const CInstruction *i) {
  return !e->cells->cells.at[cell].sync && !i->is_atomic && i->kind != C_UPDATE && i->kind != C_SWAP;
}

void emit_deed(Emitter *e, const CAccess *access) {
  const uint32_t cell = access->cell, op = emit_here(e);
  if (access->deed == DOES_READ) emit_read(e, access);
  else emit_write(e, access, access->deed == DOES_UPDATE);
  emit_at(e, op)->sync = !is_plain(e, cell, instruction(e, e->number));
}

static bool is_of_several(const Emitter *e, const CAccess *access) {
  const CCell *cell = &e->cells->cells.at[access->cell];
  return cell->is_shared && !access->is_fresh && (!cell->sync || cell->is_vague || cell->sync_kind == CALL_WAIT);
}

/* What is followed is read all the same where its value is asked for. */
static bool may_be_done(const Emitter *e, const CAccess *access) {
  return is_of_several(e, access) && (n_objects(e, access) || cell_is_tracked(&e->cells->cells.at[access->cell]));
}

bool emit_is_shared(const Emitter *e, const CAccess *access) {
  return is_of_several(e, access) && n_objects(e, access);
}

/* One of them, or none that is shared. */
static void emit_one_of(Emitter *e) {
  U32Vec jumps = {0};
  bool all = true;
  uint32_t n = 0, left = 0;
  for (uint32_t i = 0; i < e->accesses.n; i++) {
    all &= emit_is_shared(e, &e->accesses.at[i]);
    left += emit_is_shared(e, &e->accesses.at[i]);
  }
  for (uint32_t i = 0; i < e->accesses.n; i++) {
    if (!emit_is_shared(e, &e->accesses.at[i])) continue;
    const bool is_last = ++n == left && all;
    const uint32_t test = is_last ? C_NONE : emit_maybe(e);
    emit_deed(e, &e->accesses.at[i]);
    if (!is_last) vec_push(e->heap, &jumps, emit_else(e, test));
  }
  for (uint32_t i = 0; i < jumps.n; i++) emit_end(e, jumps.at[i]);
  vec_fini(e->heap, &jumps);
}

/* Each of them, or not. */
static void emit_each(Emitter *e) {
  for (uint32_t i = 0; i < e->accesses.n; i++) {
    if (!emit_is_shared(e, &e->accesses.at[i])) continue;
    const uint32_t test = emit_maybe(e);
    emit_deed(e, &e->accesses.at[i]);
    emit_end(e, emit_else(e, test));
  }
}

static void emit_once(Emitter *e, bool several) {
  if (e->accesses.n == 1) {
    if (emit_is_shared(e, &e->accesses.at[0])) emit_deed(e, &e->accesses.at[0]);
  } else if (several) {
    emit_each(e);
  } else {
    emit_one_of(e);
  }
}

/* What is long is done twice: two events of each kind, and of each cell, in any order that matters. Others may come
 * between them; and whichever of its parts a chain of dependences comes in by, and leaves by, these two can stand for
 * them. */
static void emit_all(Emitter *e) {
  const CKind kind = instruction(e, e->number)->kind;
  bool twice = false;
  for (uint32_t i = 0; i < e->accesses.n; i++) twice |= e->accesses.at[i].is_long;
  const bool several = twice || kind == C_COPY || kind == C_CALL;
  if (emit_is_told(e, &e->accesses)) {
    emit_told(e, several, twice);
    return;
  }
  emit_once(e, several);
  if (twice) emit_once(e, several);
}

void emit_accesses(Emitter *e) {
  cells_accesses(e->cells, e->context, e->number, &e->accesses);
  emit_all(e);
}

void emit_arguments(Emitter *e) {
  uint32_t n = 0;
  cells_accesses(e->cells, e->context, e->number, &e->accesses);
  for (uint32_t i = 0; i < e->accesses.n; i++)
    if (!e->accesses.at[i].sync) e->accesses.at[n++] = e->accesses.at[i];
  e->accesses.n = n;
  if (n) emit_all(e);
}

bool emit_is_silent(Emitter *e, uint32_t context, uint32_t number) {
  const CInstruction *i = instruction(e, number);
  CAccessVec accesses = {0};
  bool silent = true;
  if (i->kind == C_CALL) {
    const Effect *effect = points_library(e->points, context, i);
    silent = effect && effect->kind == CALL_MEMORY;
  }
  cells_accesses(e->cells, context, number, &accesses);
  for (uint32_t k = 0; k < accesses.n; k++) silent &= !may_be_done(e, &accesses.at[k]) && !accesses.at[k].sync;
  vec_fini(e->heap, &accesses);
  return silent && i->kind != C_STRANGE && i->kind != C_RETURN && !emit_has_tokens(e, context, number);
}

/* ---- conditions ---- */

enum { DEEPEST = 12 };

/* What a condition hangs on: one load of a tracked cell, in the basic block of the branch, that nothing comes after. */
typedef struct {
  Emitter *e;
  uint32_t block, load; /* C_NONE: none was met yet */
} Condition;

/* Is it the same number whenever control comes there? */
static bool is_number(const Emitter *e, const COperand *operand, int64_t *number) {
  if (operand->kind == C_INTEGER) return *number = operand->number, true;
  return points_known(e->points, e->context, operand, number);
}

static bool is_late_load(Condition *c, uint32_t number) {
  Emitter *e = c->e;
  const CInstruction *i = instruction(e, number);
  if (i->kind != C_LOAD || i->block != c->block) return false;
  cells_accesses(e->cells, e->context, number, &e->accesses);
  if (e->accesses.n != 1 || !is_of_several(e, &e->accesses.at[0])) return false;
  if (!cell_is_tracked(&e->cells->cells.at[e->accesses.at[0].cell])) return false;
  for (uint32_t k = number + 1; k < e->module->blocks.at[c->block].end; k++)
    if (!emit_is_silent(e, e->context, k)) return false;
  return true;
}

/* Sets c->load. False if the condition is none of those. */
static bool is_simple(Condition *c, const COperand *operand, int depth) {
  int64_t number;
  if (is_number(c->e, operand, &number)) return true;
  if (operand->kind != C_VALUE || depth > DEEPEST) return false;
  const CInstruction *i = instruction(c->e, operand->n);
  if (i->kind == C_LOAD) {
    if (c->load != operand->n && (c->load != C_NONE || !is_late_load(c, operand->n))) return false;
    c->load = operand->n;
    return true;
  }
  if (i->block != c->block || (i->kind == C_COMPARE && i->number >= C_BELOW)) return false;
  if (i->kind != C_COMPARE && (i->kind != C_SAME || i->n_operands != 1)) return false;
  for (uint32_t n = 0; n < i->n_operands; n++)
    if (!is_simple(c, cmodule_operand(c->e->module, i, n), depth + 1)) return false;
  return true;
}

/* Of a value with a few bits, only those of 0 and 1 are kept. */
static bool keeps_bits(Condition *c, const COperand *operand) {
  int64_t number;
  if (is_number(c->e, operand, &number)) return true;
  const CInstruction *i = instruction(c->e, operand->n);
  if (i->kind == C_LOAD) return true;
  if (i->kind == C_SAME && i->number) {
    cells_accesses(c->e->cells, c->e->context, c->load, &c->e->accesses);
    if (c->e->cells->cells.at[c->e->accesses.at[0].cell].n_values > 2) return false;
  }
  for (uint32_t n = 0; n < i->n_operands; n++)
    if (!keeps_bits(c, cmodule_operand(c->e->module, i, n))) return false;
  return true;
}

/* The load that the branch at the end of a basic block hangs on, or C_NONE. */
static uint32_t tested_load(Emitter *e, uint32_t block) {
  const CInstruction *branch = instruction(e, e->module->blocks.at[block].end - 1);
  Condition c = {e, block, C_NONE};
  if (branch->kind != C_BRANCH) return C_NONE;
  const COperand *condition = cmodule_operand(e->module, branch, 0);
  return is_simple(&c, condition, 0) && c.load != C_NONE && keeps_bits(&c, condition) ? c.load : C_NONE;
}

static void emit_condition(Emitter *e, uint32_t op, const COperand *operand, uint32_t object) {
  static const ValueOperator OPERATORS[] = {VALUE_EQ, VALUE_NE, VALUE_LT,
                                            VALUE_LE, VALUE_GT, VALUE_GE}; /* ORDER CRelation */
  _Static_assert(sizeof OPERATORS / sizeof *OPERATORS == C_BELOW, "ORDER CRelation");
  int64_t number;
  if (is_number(e, operand, &number)) {
    emit_literal(e, op, number);
    return;
  }
  const CInstruction *i = instruction(e, operand->n);
  if (i->kind == C_LOAD) {
    emit_object(e, op, object);
    return;
  }
  for (uint32_t n = 0; n < i->n_operands; n++) emit_condition(e, op, cmodule_operand(e->module, i, n), object);
  if (i->kind == C_COMPARE) emit_operator(e, op, OPERATORS[i->number]);
}

/* It may be so or not where the counter has its last value. */
static void emit_counter_condition(Emitter *e, uint32_t op, const COperand *operand, uint32_t cell) {
  const uint32_t object = emit_object_of(e, cell), last = e->cells->cells.at[cell].n_values - 1;
  emit_object(e, op, object);
  emit_literal(e, op, last);
  emit_operator(e, op, VALUE_EQ);
  emit_any(e, op);
  emit_operator(e, op, VALUE_AND);
  emit_object(e, op, object);
  emit_literal(e, op, last);
  emit_operator(e, op, VALUE_NE);
  emit_condition(e, op, operand, object);
  emit_operator(e, op, VALUE_AND);
  emit_operator(e, op, VALUE_OR);
}

uint32_t emit_branch(Emitter *e) {
  const CInstruction *branch = instruction(e, e->number);
  const uint32_t load = tested_load(e, branch->block);
  if (load == C_NONE) return emit_question(e);
  cells_accesses(e->cells, e->context, load, &e->accesses);
  const uint32_t cell = e->accesses.at[0].cell, object = emit_object_of(e, cell);
  const char *name = emit_name(e, cell);
  const uint32_t op = emit_op(e, OP_TEST, arena_format(&e->program->arena, "[%s is so]", name));
  emit_at(e, op)->otherwise_text = arena_format(&e->program->arena, "[%s is not so]", name);
  emit_at(e, op)->place = emit_place(e, e->context, load);
  emit_at(e, op)->sync = !is_plain(e, cell, instruction(e, load));
  if (e->cells->cells.at[cell].is_counter) emit_counter_condition(e, op, cmodule_operand(e->module, branch, 0), cell);
  else emit_condition(e, op, cmodule_operand(e->module, branch, 0), object);
  return op;
}

/* ---- the values of loads ---- */

/* Does the condition of the branch under way hold if the load has that value? */
static bool holds_with(Emitter *e, uint32_t load, int64_t value, bool *holds) {
  CFactVec facts = {0};
  emit_copy_facts(e, &e->facts, &facts);
  emit_learn(e, e->context, load, value);
  const bool known = emit_known_condition(e, cmodule_operand(e->module, instruction(e, e->number), 0), holds);
  emit_copy_facts(e, &facts, &e->facts);
  vec_fini(e->heap, &facts);
  return known;
}

bool emit_tested_value(Emitter *e, bool holds, uint32_t *load, int64_t *value) {
  uint32_t n = 0;
  *load = tested_load(e, instruction(e, e->number)->block);
  if (*load == C_NONE) return false;
  cells_accesses(e->cells, e->context, *load, &e->accesses);
  const CCell *cell = &e->cells->cells.at[e->accesses.at[0].cell];
  for (int64_t v = 0; v < cell->n_values; v++) {
    bool so = holds;
    if (holds_with(e, *load, v, &so) && so != holds) continue;
    *value = v;
    n++;
  }
  return n == 1 && !(cell->is_counter && *value == cell->n_values - 1);
}

/* Is it asked behind the branch that it is done by, where the branch does not say which value it is? */
static bool is_asked_behind(Emitter *e, uint32_t load) {
  const uint32_t term = asked_value(e->asked, load), number = e->number;
  const CBlock *b = &e->module->blocks.at[instruction(e, load)->block];
  bool asked = false;
  if (term == C_NONE || e->asked->again.at[e->context]) return false;
  e->number = b->end - 1;
  for (uint32_t n = 0; n < b->n_successors; n++) {
    const uint32_t start = e->module->blocks.at[e->module->successors.at[b->successors + n]].start; /* no merge of it */
    uint32_t same;
    int64_t value;
    if (asked_is_live(e->asked, term, start) || asked_is_merged(e->asked, term, b->end - 1))
      asked |= !emit_tested_value(e, n == 0, &same, &value);
  }
  e->number = number;
  return asked;
}

bool emit_is_tested(Emitter *e) {
  return tested_load(e, instruction(e, e->number)->block) == e->number && !is_asked_behind(e, e->number);
}

bool emit_load(Emitter *e) {
  cells_accesses(e->cells, e->context, e->number, &e->accesses);
  if (!emit_is_asked(e) || e->accesses.n != 1 || !is_of_several(e, &e->accesses.at[0])) return false;
  const uint32_t cell = e->accesses.at[0].cell;
  const CCell c = e->cells->cells.at[cell];
  if (!cell_is_tracked(&c) || e->accesses.at[0].deed != DOES_READ) return false;
  for (int64_t v = 0; v < c.n_values; v++) {
    const bool last = v + 1 == c.n_values;
    const uint32_t test = last ? C_NONE : emit_maybe(e);
    const uint32_t op = emit_test(e, OP_AWAIT, emit_object_of(e, cell), VALUE_EQ, v);
    emit_at(e, op)->text = text_of(e, "read", cell);
    emit_at(e, op)->sync = !is_plain(e, cell, instruction(e, e->number));
    emit_at(e, op)->origin = EMIT_LOOK;
    if (last && c.is_counter) emit_on(e);
    else emit_outcome(e, v);
    if (!last) emit_at(e, test)->otherwise = emit_here(e);
  }
  return true;
}
