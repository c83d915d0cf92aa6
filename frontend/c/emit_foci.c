/* Objects that are told apart: which instance an access is to hangs on a token (foci.h), a local of the thread. */
#include "frontend/c/emit_inside.h"
#include "program/live.h"

#include <assert.h>

static const CInstruction *under_way(const Emitter *e) { return &e->module->instructions.at[e->number]; }

static bool is_told(const Emitter *e, const CAccess *access) {
  return cell_object(e->cells, access->cell)->instances != 0;
}

bool emit_is_told(const Emitter *e, const CAccessVec *accesses) {
  for (uint32_t i = 0; i < accesses->n; i++)
    if (is_told(e, &accesses->at[i])) return true;
  return false;
}

/* ---- which tokens are needed ---- */

static bool needs_token(const Emitter *e, const CAccess *access) {
  const CCell *cell = &e->cells->cells.at[access->cell];
  return is_told(e, access) && !access->is_wide &&
         (emit_is_shared(e, access) || cell_is_lock(cell) || cell_is_read_write_lock(cell));
}

static void find_tokens(Emitter *e, uint32_t context, uint32_t number) {
  const CKind kind = e->module->instructions.at[number].kind;
  cells_accesses(e->cells, context, number, &e->accesses);
  for (uint32_t k = 0; k < e->accesses.n; k++)
    if (needs_token(e, &e->accesses.at[k])) foci_need(e->foci, context, number, e->accesses.at[k].operand);
  if (kind == C_BRANCH || kind == C_SELECT) foci_need_truth(e->foci, context, number, 0);
}

void emit_find_tokens(Emitter *e) {
  for (PointsWalk at = {0}; e->foci->n_instances && points_next(e->points, &at);) find_tokens(e, at.context, at.number);
  foci_close(e->foci);
}

/* ---- one of several ways ---- */

typedef void Way(Emitter *e, uint32_t choice, void *data);

/* Where no local is, any way may be gone. */
static uint32_t emit_is_choice(Emitter *e, uint32_t local, uint32_t choice) {
  if (local == C_NONE) return emit_maybe(e);
  const uint32_t op = emit_op(e, OP_TEST, "[it is this one]");
  emit_at(e, op)->otherwise_text = "[it is another one]";
  emit_local(e, op, local);
  emit_literal(e, op, choice);
  emit_operator(e, op, VALUE_EQ);
  return op;
}

/* One test after the other. */
static void emit_ways_by_tests(Emitter *e, uint32_t local, const U32Vec *choices, Way *way, void *data) {
  U32Vec jumps = {0};
  for (uint32_t i = 0; i < choices->n; i++) {
    const bool last = i + 1 == choices->n && local == C_NONE;
    const uint32_t test = last ? C_NONE : emit_is_choice(e, local, choices->at[i]);
    way(e, choices->at[i], data);
    if (test != C_NONE) vec_push(e->heap, &jumps, emit_else(e, test));
  }
  if (local != C_NONE) emit_stuck(e);
  for (uint32_t i = 0; i < jumps.n; i++) emit_end(e, jumps.at[i]);
  vec_fini(e->heap, &jumps);
}

/* Adds an OP_SELECT of n jumps, to be set; the first of them. */
static uint32_t emit_select(Emitter *e, uint32_t local, uint32_t n) {
  const uint32_t op = emit_op(e, OP_SELECT, "");
  if (local == C_NONE) emit_any(e, op);
  else emit_local(e, op, local);
  emit_at(e, op)->number = n;
  for (uint32_t i = 0; i < n; i++) emit_at(e, emit_op(e, OP_JUMP, ""))->next = C_NONE;
  return op + 1;
}

static uint32_t greatest(const U32Vec *choices) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < choices->n; i++) most = choices->at[i] > most ? choices->at[i] : most;
  return most;
}

/* With a value of the local that is none of the choices nobody goes on. */
static void emit_ways_by_select(Emitter *e, uint32_t local, const U32Vec *choices, Way *way, void *data) {
  const uint32_t n = local == C_NONE ? choices->n : greatest(choices) + 1, first = emit_select(e, local, n);
  U32Vec jumps = {0};
  for (uint32_t i = 0; i < choices->n; i++) {
    emit_at(e, first + (local == C_NONE ? i : choices->at[i]))->next = emit_here(e);
    way(e, choices->at[i], data);
    vec_push(e->heap, &jumps, emit_op(e, OP_JUMP, ""));
  }
  for (uint32_t i = 0; i < n; i++)
    if (emit_at(e, first + i)->next == C_NONE) emit_at(e, first + i)->next = emit_here(e);
  if (n > choices->n) emit_stuck(e);
  for (uint32_t i = 0; i < jumps.n; i++) emit_end(e, jumps.at[i]);
  vec_fini(e->heap, &jumps);
}

static void emit_ways(Emitter *e, uint32_t local, const U32Vec *choices, Way *way, void *data) {
  if (!choices->n) emit_stuck(e);
  else if (choices->n == 1) way(e, choices->at[0], data);
  else if (e->options->plain) emit_ways_by_tests(e, local, choices, way, data);
  else emit_ways_by_select(e, local, choices, way, data);
}

static uint32_t local_of(Emitter *e, CToken *token) {
  if (token->local == C_NONE) {
    token->local = emit_new_local(e, "which", token->is_truth ? 2 : e->foci->n_instances + 1);
    vec_last(&e->tracked).is_brief = true;
  }
  return token->local;
}

/* One way for each instance that operand n of the instruction under way may lead to. */
static void emit_ways_of(Emitter *e, uint32_t n, Way *way, void *data) {
  const CIdentity it = foci_identity(e->foci, e->context, under_way(e), n);
  U32Vec choices = {0};
  if (it.kind == IDENTITY_KNOWN) {
    way(e, it.n, data);
  } else if (it.kind == IDENTITY_TOKEN) {
    CToken *token = &e->foci->tokens.at[it.n];
    emit_ways(e, local_of(e, token), &token->choices, way, data);
  } else {
    assert(it.kind == IDENTITY_ANY);
    foci_choices(e->foci, e->context, under_way(e), n, &choices);
    emit_ways(e, C_NONE, &choices, way, data);
  }
  vec_fini(e->heap, &choices);
}

/* ---- accesses ---- */

/* What an instruction does, once it is known of some of its operands where they lead to. */
typedef struct {
  CAccessVec accesses; /* `instance` of what is told apart is C_NONE where it is not done */
  bool several, twice;
  bool none;      /* it may be to the rest, of which nothing is done */
  EmitLock *lock; /* NULL: it is no operation of a lock */
} Deeds;

static bool is_lock_deed(const Emitter *e, const Deeds *d, const CAccess *access) {
  const CCell *cell = &e->cells->cells.at[access->cell];
  return d->lock && (cell_is_lock(cell) || cell_is_read_write_lock(cell));
}

static bool is_deed(const Emitter *e, const Deeds *d, const CAccess *access) {
  return access->instance != C_NONE && (is_lock_deed(e, d, access) || emit_is_shared(e, access));
}

static void emit_it(Emitter *e, const Deeds *d, const CAccess *access) {
  e->instance = access->instance;
  if (is_lock_deed(e, d, access)) d->lock(e, access->cell);
  else emit_deed(e, access);
}

/* A wide one is to each instance. */
static void add_deed(Emitter *e, CAccessVec *list, CAccess access) {
  const CObject *o = cell_object(e->cells, access.cell);
  const bool all = o->instances && access.is_wide;
  for (uint32_t i = 0; i < (all ? o->instances : 1); i++) {
    if (all) access.instance = o->first + i;
    vec_push(e->heap, list, access);
  }
}

static void emit_deeds_once(Emitter *e, const Deeds *d, const CAccessVec *list, bool none) {
  U32Vec jumps = {0};
  for (uint32_t i = 0; i < list->n; i++) {
    const bool last = i + 1 == list->n && !d->several && !none;
    const uint32_t test = last ? C_NONE : emit_maybe(e);
    emit_it(e, d, &list->at[i]);
    if (d->several) emit_end(e, emit_else(e, test));
    else if (!last) vec_push(e->heap, &jumps, emit_else(e, test));
  }
  for (uint32_t i = 0; i < jumps.n; i++) emit_end(e, jumps.at[i]);
  vec_fini(e->heap, &jumps);
}

/* All is known. What is said of each instance is an event, also where it is of the rest. */
static void emit_deeds(Emitter *e, const Deeds *d) {
  CAccessVec list = {0};
  bool none = d->none, some = false;
  for (uint32_t i = 0; i < d->accesses.n; i++) {
    const CAccess *access = &d->accesses.at[i];
    some |= access->instance != C_NONE;
    if (is_deed(e, d, access)) add_deed(e, &list, *access);
    else none |= access->instance != C_NONE;
  }
  if (!some && !none) emit_stuck(e);
  else if (none || !list.n) emit_at(e, emit_op(e, OP_SKIP, "elsewhere"))->origin = EMIT_ELSEWHERE;
  emit_deeds_once(e, d, &list, none);
  if (d->twice) emit_deeds_once(e, d, &list, none);
  vec_fini(e->heap, &list);
}

static bool hangs_on(const Emitter *e, const CAccess *access, uint32_t operand) {
  return access->operand == operand && !(is_told(e, access) && access->is_wide);
}

/* The next operand whose instance is asked for, or C_NONE. */
static uint32_t next_operand(const Emitter *e, const Deeds *d, uint32_t after) {
  uint32_t next = C_NONE;
  for (uint32_t i = 0; i < d->accesses.n; i++) {
    const CAccess *access = &d->accesses.at[i];
    const bool later = after == C_NONE || access->operand > after;
    if (is_told(e, access) && !access->is_wide && later && access->operand < next) next = access->operand;
  }
  return next;
}

typedef struct {
  const Deeds *deeds;
  uint32_t operand;
} Step;

static void emit_operands(Emitter *e, const Deeds *d, uint32_t after);

/* That operand leads to that instance. */
static void emit_with(Emitter *e, uint32_t choice, void *data) {
  const Step *step = data;
  Deeds d = *step->deeds;
  if (e->is_full) return;
  d.accesses = (CAccessVec){0};
  for (uint32_t i = 0; i < step->deeds->accesses.n; i++) {
    CAccess access = step->deeds->accesses.at[i];
    const CObject *o = cell_object(e->cells, access.cell);
    if (hangs_on(e, &access, step->operand)) {
      const bool here = o->instances ? choice >= o->first && choice < o->first + o->instances : !choice;
      access.instance = here ? choice : C_NONE;
      d.none |= o->is_kept ? !here : !choice && o->has_rest; /* what is kept may hang in none */
    }
    vec_push(e->heap, &d.accesses, access);
  }
  emit_operands(e, &d, step->operand);
  vec_fini(e->heap, &d.accesses);
}

static void emit_operands(Emitter *e, const Deeds *d, uint32_t after) {
  const uint32_t operand = next_operand(e, d, after);
  Step step = {d, operand};
  if (operand == C_NONE) emit_deeds(e, d);
  else emit_ways_of(e, operand, emit_with, &step);
}

/* Is something done by that operand at all? */
static bool does_something(const Emitter *e, const Deeds *d, uint32_t operand) {
  for (uint32_t i = 0; i < e->accesses.n; i++) {
    const CAccess *access = &e->accesses.at[i];
    if (access->operand == operand && (is_lock_deed(e, d, access) || emit_is_shared(e, access))) return true;
  }
  return false;
}

/* Is it to memory that hangs nowhere yet? */
static bool is_fresh(Emitter *e, const CAccess *access) {
  return is_told(e, access) && foci_identity(e->foci, e->context, under_way(e), access->operand).kind == IDENTITY_FRESH;
}

/* Of those of one operand, or of all. */
static void emit_all(Emitter *e, Deeds d, uint32_t operand) {
  for (uint32_t i = 0; i < e->accesses.n; i++) {
    CAccess access = e->accesses.at[i];
    if ((operand != C_NONE && access.operand != operand) || !does_something(e, &d, access.operand)) continue;
    if (is_fresh(e, &access)) continue;
    access.instance = 0;
    vec_push(e->heap, &d.accesses, access);
  }
  if (d.accesses.n) emit_operands(e, &d, C_NONE);
  vec_fini(e->heap, &d.accesses);
}

void emit_told(Emitter *e, bool several, bool twice) {
  emit_all(e, (Deeds){.several = several, .twice = twice}, C_NONE);
}

void emit_told_lock(Emitter *e, EmitLock *lock, uint32_t n) { emit_all(e, (Deeds){.lock = lock}, n); }

/* ---- the values of tokens ---- */

bool emit_has_tokens(const Emitter *e, uint32_t context, uint32_t number) {
  for (uint32_t t = 0; t < e->foci->tokens.n; t++)
    if (foci_defines(&e->foci->tokens.at[t], context, number)) return true;
  return false;
}

static void emit_value(Emitter *e, uint32_t choice, void *data) {
  const uint32_t local = *(const uint32_t *)data, op = emit_op(e, OP_ASSIGN, "which");
  emit_literal(e, op, choice);
  emit_target(e, op, ITEM_LOCAL, local);
}

/* Any that it may have. */
static void emit_any_value(Emitter *e, uint32_t token) {
  uint32_t local = local_of(e, &e->foci->tokens.at[token]);
  emit_ways(e, C_NONE, &e->foci->tokens.at[token].choices, emit_value, &local);
}

static void emit_identity(Emitter *e, uint32_t token, CIdentity it) {
  uint32_t local = local_of(e, &e->foci->tokens.at[token]);
  if (it.kind == IDENTITY_ANY) {
    emit_any_value(e, token);
  } else if (it.kind == IDENTITY_KNOWN) {
    emit_value(e, it.n, &local);
  } else if (it.n != token) {
    const uint32_t from = local_of(e, &e->foci->tokens.at[it.n]), op = emit_op(e, OP_ASSIGN, "which");
    emit_local(e, op, from);
    emit_target(e, op, ITEM_LOCAL, local);
  }
}

static void emit_side(Emitter *e, uint32_t op, CIdentity side) {
  if (side.kind == IDENTITY_KNOWN) emit_literal(e, op, side.n);
  else emit_local(e, op, local_of(e, &e->foci->tokens.at[side.n]));
}

/* Two that lead to no instance may be equal or not. */
static uint32_t emit_is_equal(Emitter *e, CIdentity a, CIdentity b, bool negated) {
  const uint32_t op = emit_op(e, OP_TEST, negated ? "[another one]" : "[the same one]");
  emit_at(e, op)->otherwise_text = negated ? "[the same one]" : "[another one]";
  emit_side(e, op, a);
  emit_side(e, op, b);
  emit_operator(e, op, VALUE_EQ);
  emit_side(e, op, a);
  emit_literal(e, op, 0);
  emit_operator(e, op, VALUE_NE);
  emit_any(e, op);
  emit_operator(e, op, VALUE_OR);
  emit_operator(e, op, VALUE_AND);
  if (negated) emit_operator(e, op, VALUE_NOT);
  return op;
}

uint32_t emit_question(Emitter *e) {
  CIdentity a, b;
  bool negated;
  if (foci_equal(e->foci, e->context, e->number, 0, &a, &b, &negated)) return emit_is_equal(e, a, b, negated);
  const uint32_t token = foci_truth(e->foci, e->context, e->number, 0);
  return token == C_NONE ? emit_maybe(e) : emit_is_choice(e, local_of(e, &e->foci->tokens.at[token]), 1);
}

/* One of both. */
static void emit_selected(Emitter *e, uint32_t token) {
  const CToken *t = &e->foci->tokens.at[token];
  const CIdentity a = foci_merged(e->foci, t, e->context, e->number, 1),
                  b = foci_merged(e->foci, t, e->context, e->number, 2);
  const uint32_t test = emit_question(e);
  emit_identity(e, token, a);
  const uint32_t jump = emit_else(e, test);
  emit_identity(e, token, b);
  emit_end(e, jump);
}

/* ---- tokens that others say something of ---- */

/* The token `by` is that instance, or none. */
static void emit_owner(Emitter *e, uint32_t choice, void *data) {
  const uint32_t token = *(const uint32_t *)data;
  CToken *t = &e->foci->tokens.at[token];
  const CBond *b = &e->foci->bonds->all.at[t->bond];
  uint32_t local = local_of(e, t);
  U32Vec owners = {0};
  if (!choice) {
    emit_any_value(e, token);
    return;
  }
  foci_owners(e->foci, b, choice, &owners);
  if (owners.n > 1) {
    const uint32_t op = emit_op(e, OP_ASSIGN, "which");
    emit_object(e, op, b->objects[choice - foci_array(e->foci, b)->first]);
    emit_literal(e, op, owners.at[0]);
    emit_operator(e, op, VALUE_ADD);
    emit_target(e, op, ITEM_LOCAL, local);
  } else {
    emit_value(e, owners.n ? owners.at[0] : 0, &local); /* 0: the keeper has no such element, which is not used */
  }
  vec_fini(e->heap, &owners);
}

static void emit_kept(Emitter *e, uint32_t token) {
  CToken *by = &e->foci->tokens.at[e->foci->tokens.at[token].by];
  U32Vec choices = {0};
  vec_push(e->heap, &choices, 0);
  for (uint32_t i = 0; i < by->choices.n; i++)
    if (by->choices.at[i]) vec_push(e->heap, &choices, by->choices.at[i]);
  emit_ways(e, local_of(e, by), &choices, emit_owner, &token);
  vec_fini(e->heap, &choices);
}

/* All those that the instruction gives a value to. */
static void emit_all_kept(Emitter *e, uint32_t context, uint32_t number) {
  for (uint32_t t = 0; t < e->foci->tokens.n; t++) {
    const CToken *token = &e->foci->tokens.at[t];
    if (token->bond != C_NONE && foci_defines(token, context, number)) emit_kept(e, t);
  }
}

void emit_owners(Emitter *e) {
  U32Vec owners = {0};
  for (uint32_t i = 0; i < e->foci->bonds->all.n; i++) {
    CBond *b = &e->foci->bonds->all.at[i];
    for (uint32_t k = 0; b->is_used && k < foci_array(e->foci, b)->instances; k++) {
      const uint32_t instance = foci_array(e->foci, b)->first + k;
      foci_owners(e->foci, b, instance, &owners);
      if (owners.n < 2) continue;
      const char *name =
          arena_format(&e->program->arena, "keeper of %s#%u", emit_object_name(e, foci_array(e->foci, b)), k + 1);
      b->objects[k] = emit_new_object(e, name, PROGRAM_TRACKED, owners.n, 0);
      const uint32_t op = emit_op(e, OP_ASSIGN, name);
      emit_any(e, op);
      emit_target(e, op, ITEM_OBJECT, b->objects[k]);
    }
  }
  vec_fini(e->heap, &owners);
}

/* ---- where tokens get their values ---- */

void emit_tokens(Emitter *e) {
  const CKind kind = under_way(e)->kind;
  if (kind == C_MERGE) return; /* on the way to it */
  for (uint32_t t = 0; t < e->foci->tokens.n; t++) {
    const CToken *token = &e->foci->tokens.at[t];
    if (token->bond != C_NONE || !foci_defines(token, e->context, e->number)) continue;
    if (kind == C_SELECT) emit_selected(e, t);
    else emit_any_value(e, t);
  }
  emit_all_kept(e, e->context, e->number);
}

void emit_tokens_of_call(Emitter *e, uint32_t context) {
  const CFunction *f = &e->module->functions.at[e->points->contexts.at[context].function];
  for (uint32_t i = 0; i < f->n_parameters; i++) {
    for (uint32_t t = 0; t < e->foci->tokens.n; t++) {
      const CToken *token = &e->foci->tokens.at[t];
      if (token->bond == C_NONE && foci_defines(token, context, f->start + i)) emit_any_value(e, t);
    }
    emit_all_kept(e, context, f->start + i);
  }
}

/* ---- loops that go over all elements ---- */

/* How many of the instances a token has been that is swept. */
static uint32_t done_of(Emitter *e, CToken *token) {
  if (token->done == C_NONE) {
    token->done = emit_new_local(e, "done", e->points->objects.at[token->object].instances + 1);
    vec_last(&e->tracked).is_brief = true;
  }
  return token->done;
}

/* It is the next one, behind so many. */
static void emit_next(Emitter *e, uint32_t done, void *data) {
  CToken *t = &e->foci->tokens.at[*(const uint32_t *)data];
  const CObject *o = &e->points->objects.at[t->object];
  uint32_t local = local_of(e, t), count = done_of(e, t);
  if (done < o->instances) {
    emit_value(e, o->first + (t->sweep.step > 0 ? done : o->instances - 1 - done), &local);
    emit_value(e, done + 1, &count);
  } else if (foci_may_skip(e->foci, t)) {
    emit_stuck(e);
  } else {
    emit_value(e, 0, &local);
  }
}

/* It is the next instance, or none of them: one of the rest, or none of the array. */
static void emit_sweep(Emitter *e, uint32_t token, bool begins) {
  CToken *t = &e->foci->tokens.at[token];
  uint32_t local = local_of(e, t), count = done_of(e, t), jump = C_NONE;
  U32Vec choices = {0};
  for (uint32_t i = 0; i <= e->points->objects.at[t->object].instances && (!begins || !i); i++)
    vec_push(e->heap, &choices, i);
  if (begins) emit_value(e, 0, &count);
  if (foci_may_skip(e->foci, t)) {
    const uint32_t test = emit_maybe(e);
    emit_value(e, 0, &local);
    jump = emit_else(e, test);
  }
  emit_ways(e, count, &choices, emit_next, &token);
  if (jump != C_NONE) emit_end(e, jump);
  vec_fini(e->heap, &choices);
}

/* Control leaves a loop that has gone over all elements. */
static void emit_leave(Emitter *e, CToken *t, bool beyond) {
  const uint32_t op = emit_op(e, OP_TEST, "[all]");
  emit_local(e, op, done_of(e, t));
  emit_literal(e, op, e->points->objects.at[t->object].instances);
  emit_operator(e, op, VALUE_EQ);
  if (beyond) {
    emit_local(e, op, local_of(e, t));
    emit_literal(e, op, 0);
    emit_operator(e, op, VALUE_EQ);
    emit_operator(e, op, VALUE_AND);
  }
  const uint32_t jump = emit_else(e, op);
  emit_stuck(e);
  emit_end(e, jump);
}

static void emit_leaves(Emitter *e, uint32_t from, uint32_t to) {
  bool beyond;
  for (uint32_t i = 0; i < e->foci->tokens.n; i++) {
    CToken *t = &e->foci->tokens.at[i];
    if (t->is_swept && t->sweep.context == e->context && foci_has_been_all(e->foci, t, from, to, &beyond))
      emit_leave(e, t, beyond);
  }
}

/* ---- merges ---- */

typedef struct {
  uint32_t token;
  CIdentity from;
  bool begins; /* of one that is swept */
} Move;

typedef VEC(Move) MoveVec;

/* The operand of a merge that comes from that block, or C_NONE. */
static uint32_t operand_from(const Emitter *e, const CInstruction *merge, uint32_t block) {
  for (uint32_t n = 0; n < merge->n_operands; n++)
    if (e->module->sources.at[merge->operands + n] == block) return n;
  return C_NONE;
}

static void add_move(Emitter *e, MoveVec *moves, uint32_t token, uint32_t merge, uint32_t n) {
  const CToken *t = &e->foci->tokens.at[token];
  const bool any = n == C_NONE || t->is_swept;
  CIdentity it = any ? (CIdentity){IDENTITY_ANY, 0} : foci_merged(e->foci, t, e->context, merge, n);
  assert(n != C_NONE || !t->is_swept);
  for (uint32_t i = 0; i < moves->n; i++) {
    if (moves->at[i].token != token) continue;
    moves->at[i].from = (CIdentity){IDENTITY_ANY, 0}; /* both its base and its index change */
    return;
  }
  vec_push(e->heap, moves, ((Move){token, it, t->is_swept && foci_begins(e->foci, t, n)}));
}

/* Does a later one need the value that the token has now? */
static bool is_needed(const MoveVec *moves, uint32_t token, uint32_t except) {
  for (uint32_t i = 0; i < moves->n; i++)
    if (i != except && moves->at[i].from.kind == IDENTITY_TOKEN && moves->at[i].from.n == token) return true;
  return false;
}

/* All are at once: each is done when nobody needs the old value any more; of a circle one becomes any. */
static void emit_moves(Emitter *e, MoveVec *moves) {
  while (moves->n) {
    uint32_t next = 0;
    while (next < moves->n && is_needed(moves, moves->at[next].token, next)) next++;
    if (next == moves->n) {
      moves->at[0].from = (CIdentity){IDENTITY_ANY, 0};
      continue;
    }
    const Move move = moves->at[next];
    if (e->foci->tokens.at[move.token].is_swept) emit_sweep(e, move.token, move.begins);
    else emit_identity(e, move.token, move.from);
    moves->at[next] = moves->at[--moves->n];
  }
}

void emit_tokens_on_way(Emitter *e, uint32_t from, uint32_t to) {
  const CBlock *b = &e->module->blocks.at[to];
  MoveVec moves = {0};
  if (!e->foci->tokens.n) return;
  emit_leaves(e, from, to);
  for (uint32_t i = b->start; i < b->end && e->module->instructions.at[i].kind == C_MERGE; i++)
    for (uint32_t t = 0; t < e->foci->tokens.n; t++)
      if (e->foci->tokens.at[t].bond == C_NONE && foci_defines(&e->foci->tokens.at[t], e->context, i))
        add_move(e, &moves, t, i, operand_from(e, &e->module->instructions.at[i], from));
  emit_moves(e, &moves);
  for (uint32_t i = b->start; i < b->end && e->module->instructions.at[i].kind == C_MERGE; i++)
    emit_all_kept(e, e->context, i);
  vec_fini(e->heap, &moves);
}

/* ---- tokens that nobody asks for ---- */

/* The operations from `start` on as a flow: numbers count from there, and the last one ends it. */
static void make_flow(const Emitter *e, uint32_t start, Flow *flow) {
  flow_init(flow, e->heap);
  for (uint32_t i = start; i < e->program->ops.n; i++) {
    const ProgramOp *op = &e->program->ops.at[i];
    const OpKind kind = i + 1 == e->program->ops.n ? OP_RETURN : op->kind;
    vec_push(e->heap, &flow->ops, ((FlowOp){kind, i, op->next - start, op->otherwise - start}));
  }
}

static bool is_written(const Emitter *e, const ProgramOp *op, uint32_t local) {
  for (uint32_t i = op->targets; i < op->targets + op->n_targets; i++)
    if (e->program->items.at[i].kind == ITEM_LOCAL && e->program->items.at[i].variable == local) return true;
  return false;
}

/* The operation to go on with instead of that one: those come first that forget what nobody asks for there. */
static uint32_t forget_before(Emitter *e, const Live *live, uint32_t start, uint32_t op, uint32_t to) {
  uint32_t first = C_NONE;
  for (uint32_t i = 0; i < live->locals.n; i++) {
    uint32_t local = e->program->tracked.at[live->locals.at[i]].local;
    if (live_has(live, to - start, i)) continue;
    if (!live_has(live, op - start, i) && !is_written(e, emit_at(e, op), local)) continue;
    if (first == C_NONE) first = emit_here(e);
    emit_value(e, 0, &local);
  }
  if (first == C_NONE) return to;
  emit_at(e, emit_op(e, OP_JUMP, ""))->next = to;
  return first;
}

static void forget_after(Emitter *e, const Live *live, uint32_t start, uint32_t op) {
  const ProgramOp it = *emit_at(e, op);
  const uint32_t next = forget_before(e, live, start, op, it.next);
  const uint32_t otherwise = it.kind == OP_TEST ? forget_before(e, live, start, op, it.otherwise) : it.otherwise;
  emit_at(e, op)->next = next;
  emit_at(e, op)->otherwise = otherwise;
}

void emit_forget_tokens(Emitter *e, uint32_t start) {
  const uint32_t tracked = e->program->tracked.n, end = emit_op(e, OP_JUMP, ""); /* the last one, for now */
  Flow flow;
  Live live;
  bool inside = false;
  for (uint32_t i = 0; i < e->tracked.n; i++) vec_push(e->heap, &e->program->tracked, e->tracked.at[i]);
  make_flow(e, start, &flow);
  live_find(&live, e->program, &flow, tracked, e->tracked.n);
  for (uint32_t op = start; op < end && live.locals.n; op++) {
    const OpKind kind = emit_at(e, op)->kind;
    inside = kind == OP_ATOMIC || (inside && kind != OP_ATOMIC_END);
    if (!inside && kind != OP_ATOMIC_END) forget_after(e, &live, start, op);
  }
  emit_at(e, end)->next = emit_here(e);
  live_fini(&live);
  flow_fini(&flow);
  e->program->tracked.n = tracked;
}
