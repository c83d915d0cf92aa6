/* Ticket locks (tickets.h). In the net the cell that says who is served is a variable of two values: has somebody seen
 * that it is his number, and not gone on to the next one? What a thread has of the lock is one of what is known where
 * control is. If it does something that a lock does not allow, or if that is not known, it is none: then the program is
 * written anew. */
#include "frontend/c/emit_inside.h"

/* What a thread has; from 1 on it has taken a number at that site, and has not seen it served. */
enum { HAS_NOTHING = 0, HAS_LOCK = -1 };

static const CInstruction *under_way(const Emitter *e) { return &e->module->instructions.at[e->number]; }

static void become(Emitter *e, uint32_t ticket, int64_t state) {
  emit_know_ticket(e, ticket, state);
  if (!emit_has_ticket(e, ticket, state)) e->tickets->at[ticket].is_broken = true;
}

void emit_start_tickets(Emitter *e) {
  for (uint32_t k = 0; k < e->tickets->n; k++) become(e, k, HAS_NOTHING);
}

static void require(Emitter *e, uint32_t ticket, int64_t state) {
  if (!emit_has_ticket(e, ticket, state)) e->tickets->at[ticket].is_broken = true;
}

static void set_served(Emitter *e, uint32_t ticket, int64_t value) {
  const CInstruction *i = under_way(e);
  const uint32_t op = emit_set(e, emit_object_of(e, e->tickets->at[ticket].serving), value);
  emit_at(e, op)->sync = i->is_atomic || i->kind == C_UPDATE;
}

/* Does the instruction under way do something that others can see, or the end of a block, other than to look who is
 * served? What it calls is looked at by itself. */
static bool is_seen(Emitter *e) {
  const CInstruction *i = under_way(e);
  if (i->kind == C_CALL && !points_library(e->points, e->context, i)) return false;
  return !emit_is_silent(e, e->context, e->number) && !emit_is_waited(e);
}

void emit_watch_tickets(Emitter *e) {
  for (uint32_t k = 0; k < e->tickets->n; k++) {
    CTicket *t = &e->tickets->at[k];
    const bool waits = !emit_has_ticket(e, k, HAS_NOTHING) && !emit_has_ticket(e, k, HAS_LOCK);
    if (t->is_quiet && waits && is_seen(e)) t->is_slow = true;
  }
}

bool emit_ticket(Emitter *e) {
  if (!e->tickets->n) return false;
  cells_accesses(e->cells, e->context, e->number, &e->accesses);
  const uint32_t ticket = e->accesses.n == 1 ? tickets_of(e->tickets, e->accesses.at[0].cell) : C_NONE;
  if (ticket == C_NONE) return false;
  const CTicket *t = &e->tickets->at[ticket];
  const bool serves = e->accesses.at[0].cell == t->serving;
  if (e->asked->again.at[e->context]) e->tickets->at[ticket].is_broken = true;
  switch (tickets_deed(e->cells, t, e->context, e->number)) {
  case TICKET_TAKE:
    if (!t->is_quiet) emit_accesses(e);
    require(e, ticket, HAS_NOTHING);
    become(e, ticket, tickets_site(t, e->context, e->number));
    return true;
  case TICKET_SERVE:
    set_served(e, ticket, 0);
    require(e, ticket, HAS_LOCK);
    become(e, ticket, HAS_NOTHING);
    return true;
  case TICKET_MAKE:
    if (!serves) return false;
    set_served(e, ticket, 0);
    return true;
  case TICKET_READ:
  case TICKET_NOTHING: break;
  }
  return false;
}

/* ---- waits ---- */

/* The load that the branch at the end of a block makes part of itself, if nothing comes in between. */
static uint32_t waited_load(Emitter *e, uint32_t branch, uint32_t *ticket, uint32_t *site) {
  const uint32_t load = tickets_wait(e->tickets, e->cells, e->context, branch, ticket, site);
  if (load == C_NONE || e->asked->again.at[e->context]) return C_NONE;
  for (uint32_t k = load + 1; k < branch; k++)
    if (!emit_is_silent(e, e->context, k)) return C_NONE;
  return load;
}

bool emit_is_waited(Emitter *e) {
  uint32_t ticket, site;
  if (!e->tickets->n) return false;
  return waited_load(e, e->module->blocks.at[under_way(e)->block].end - 1, &ticket, &site) == e->number;
}

/* Adds a look at who is served. */
static void look(Emitter *e, uint32_t load) {
  const uint32_t op = emit_here(e), branch = e->number;
  e->number = load;
  emit_accesses(e);
  e->number = branch;
  emit_at(e, op)->sync = e->module->instructions.at[load].is_atomic;
  if (emit_at(e, op)->sync) emit_at(e, op)->origin = EMIT_LOOK;
}

static void emit_turn(Emitter *e, uint32_t ticket, uint32_t load) {
  const uint32_t object = emit_object_of(e, e->tickets->at[ticket].serving);
  const uint32_t op = emit_op(
      e, OP_ATOMIC, arena_format(&e->program->arena, "%s is mine", emit_name(e, e->tickets->at[ticket].serving)));
  emit_at(e, op)->place = emit_place(e, e->context, load);
  emit_test(e, OP_AWAIT, object, VALUE_EQ, 0);
  emit_set(e, object, 1);
  emit_op(e, OP_ATOMIC_END, "");
}

/* Adds a jump to where the branch goes if it is so, or not. */
static void go(Emitter *e, const uint32_t *to, bool holds) {
  emit_learn_condition(e, cmodule_operand(e->module, under_way(e), 0), holds);
  emit_jump_to(e, to[!holds]);
}

bool emit_wait_for_ticket(Emitter *e, const uint32_t *to) {
  CFactVec facts = {0};
  uint32_t ticket, site;
  const uint32_t load = e->tickets->n ? waited_load(e, e->number, &ticket, &site) : C_NONE;
  if (load == C_NONE) return false;
  const COperand *condition = cmodule_operand(e->module, under_way(e), 0);
  const bool equal = e->module->instructions.at[condition->n].number == C_EQUAL;
  emit_copy_facts(e, &e->facts, &facts);
  const uint32_t test = emit_maybe(e);
  if (emit_has_ticket(e, ticket, site)) {
    emit_turn(e, ticket, load);
    become(e, ticket, HAS_LOCK);
  } else {
    look(e, load);
  }
  go(e, to, equal);
  emit_copy_facts(e, &facts, &e->facts);
  emit_at(e, test)->otherwise = emit_here(e);
  look(e, load);
  go(e, to, !equal);
  emit_copy_facts(e, &facts, &e->facts);
  vec_fini(e->heap, &facts);
  return true;
}
