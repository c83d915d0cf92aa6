/* A candidate is found where what is read from one cell is compared with what was added to in another one; then all
 * that is done to either is looked at. */
#include "frontend/c/tickets.h"

enum { DEEPEST = 12, MOST_SITES = 90 };

static const CInstruction *instruction(const Cells *cells, uint32_t i) {
  return &cells->points->module->instructions.at[i];
}

/* The cell that all of what an instruction does is to, exactly; or C_NONE. */
static uint32_t cell_of(Cells *cells, uint32_t context, uint32_t number) {
  CAccessVec accesses = {0};
  cells_accesses(cells, context, number, &accesses);
  const CAccess *a = accesses.n == 1 ? &accesses.at[0] : NULL;
  const uint32_t cell = a && a->is_exact && !a->is_long && !a->is_wide && !a->sync ? a->cell : C_NONE;
  vec_fini(cells->heap, &accesses);
  return cell;
}

static bool may_be_to(Cells *cells, uint32_t context, uint32_t number, uint32_t cell) {
  CAccessVec accesses = {0};
  bool may = false;
  cells_accesses(cells, context, number, &accesses);
  for (uint32_t k = 0; k < accesses.n; k++) may |= accesses.at[k].cell == cell;
  vec_fini(cells->heap, &accesses);
  return may;
}

static bool adds_one(const Cells *cells, const CInstruction *i) {
  int64_t step;
  return i->kind == C_UPDATE && cells_step(cells->points->module, i, &step) && step == 1;
}

/* ---- numbers that were taken ---- */

/* What a function returns by its one return, or NULL. */
static const COperand *returned(const Cells *cells, uint32_t context) {
  const CModule *module = cells->points->module;
  const CFunction *f = &module->functions.at[cells->points->contexts.at[context].function];
  const COperand *value = NULL;
  for (uint32_t b = f->blocks; b < f->blocks_end; b++) {
    const CInstruction *last = &module->instructions.at[module->blocks.at[b].end - 1];
    if (last->kind != C_RETURN) continue;
    if (value || !last->n_operands) return NULL;
    value = cmodule_operand(module, last, 0);
  }
  return value;
}

/* Where an operand is computed, as it is, in the calls under way: an instruction that is no copy; false: nobody knows.
 */
static bool origin(Cells *cells, uint32_t *context, const COperand *operand, uint32_t *number) {
  const Points *p = cells->points;
  for (int depth = 0; depth < DEEPEST; depth++) {
    if (!operand || operand->kind != C_VALUE) return false;
    const CInstruction *i = instruction(cells, operand->n);
    const CContext *c = &p->contexts.at[*context];
    if (i->kind == C_SAME && i->n_operands == 1 && i->size >= 32 && !i->is_cut) {
      operand = cmodule_operand(p->module, i, 0);
    } else if (i->kind == C_PARAMETER) {
      const uint32_t n = 1 + operand->n - p->module->functions.at[c->function].start;
      if (c->parent == C_NONE || c->is_shared) return false;
      const CInstruction *call = instruction(cells, c->call);
      if (points_callee(p, c->parent, c->call) != *context || n >= call->n_operands) return false;
      operand = cmodule_operand(p->module, call, n);
      *context = c->parent;
    } else if (i->kind == C_CALL) {
      const uint32_t callee = points_callee(p, *context, operand->n);
      if (callee == C_NONE || p->contexts.at[callee].is_shared) return false;
      operand = returned(cells, callee);
      *context = callee;
    } else {
      *number = operand->n;
      return true;
    }
  }
  return false;
}

uint32_t tickets_site(const CTicket *ticket, uint32_t context, uint32_t number) {
  for (uint32_t k = 0; k < ticket->sites.n; k++)
    if (ticket->sites.at[k].context == context && ticket->sites.at[k].instruction == number)
      return ticket->sites.at[k].number;
  return C_NONE;
}

/* ---- what is done ---- */

/* Is nothing called or written there in one block from one instruction to another one? */
static bool is_quiet(const Cells *cells, uint32_t from, uint32_t to) {
  for (uint32_t n = from + 1; n < to; n++) {
    const CKind kind = instruction(cells, n)->kind;
    if (kind == C_CALL || kind == C_UPDATE || kind == C_SWAP || kind == C_STORE || kind == C_COPY || kind == C_FILL ||
        kind == C_STRANGE)
      return false;
  }
  return from < to && instruction(cells, from)->block == instruction(cells, to)->block;
}

/* `serving = serving + 1`, with nothing in between. */
static bool stores_one_more(Cells *cells, uint32_t serving, uint32_t context, uint32_t number) {
  const COperand *stored = cmodule_operand(cells->points->module, instruction(cells, number), 0);
  uint32_t from = context, sum, load;
  if (!origin(cells, &from, stored, &sum) || from != context) return false;
  const CInstruction *i = instruction(cells, sum);
  if (i->kind != C_OFFSET || i->n_operands != 1 || i->number != 1 || i->size < 32) return false;
  if (!origin(cells, &from, cmodule_operand(cells->points->module, i, 0), &load) || from != context) return false;
  return instruction(cells, load)->kind == C_LOAD && cell_of(cells, context, load) == serving &&
         is_quiet(cells, load, number);
}

/* May one instruction be done, in main, before another one is done there? */
static bool may_come_before(const Points *p, uint32_t context, uint32_t number, uint32_t later, uint32_t later_number) {
  for (uint32_t c = context, at = number; c != C_NONE; at = p->contexts.at[c].call, c = p->contexts.at[c].parent)
    for (uint32_t d = later, then = later_number; d != C_NONE;
         then = p->contexts.at[d].call, d = p->contexts.at[d].parent) {
      if (c != d) continue;
      const uint32_t from = p->module->instructions.at[at].block, to = p->module->instructions.at[then].block;
      if (p->contexts.at[c].repeats || at == then) return true;
      if (from == to) return at < then || p->module->blocks.at[from].repeats;
      return cmodule_reaches(p->module, from, to, C_NONE);
    }
  return true;
}

/* Is it done by main, before it creates a thread, and before it takes a number? */
static bool comes_first(Cells *cells, const CTicket *ticket, uint32_t context, uint32_t number) {
  const Points *p = cells->points;
  if (p->contexts.at[context].thread) return false;
  for (uint32_t t = 1; t < p->threads.n; t++) {
    const CThread *thread = &p->threads.at[t];
    if (!p->contexts.at[thread->from].thread && may_come_before(p, thread->from, thread->call, context, number))
      return false;
  }
  for (uint32_t k = 0; k < ticket->sites.n; k++) {
    const CTicketSite *s = &ticket->sites.at[k];
    if (!p->contexts.at[s->context].thread && may_come_before(p, s->context, s->instruction, context, number))
      return false;
  }
  return true;
}

/* Both begin with the same number. */
static bool makes(Cells *cells, const CTicket *ticket, uint32_t context, uint32_t number) {
  int64_t value;
  const COperand *stored = cmodule_operand(cells->points->module, instruction(cells, number), 0);
  return points_known(cells->points, context, stored, &value) && value == cells_initial(cells, ticket->next) &&
         comes_first(cells, ticket, context, number);
}

CTicketDeed tickets_deed(Cells *cells, const CTicket *ticket, uint32_t context, uint32_t number) {
  const CInstruction *i = instruction(cells, number);
  const uint32_t cell = cell_of(cells, context, number);
  const bool serves = cell == ticket->serving;
  if (!serves && cell != ticket->next) return TICKET_NOTHING;
  if (i->kind == C_LOAD) return TICKET_READ;
  if (adds_one(cells, i)) return serves ? TICKET_SERVE : TICKET_TAKE;
  if (i->kind != C_STORE) return TICKET_NOTHING;
  if (serves && stores_one_more(cells, ticket->serving, context, number)) return TICKET_SERVE;
  return makes(cells, ticket, context, number) ? TICKET_MAKE : TICKET_NOTHING;
}

/* ---- waits ---- */

/* The load of some cell that a branch compares for equality, in its own block, with something else; or C_NONE. */
static uint32_t compared_load(Cells *cells, uint32_t context, uint32_t branch, const COperand **other) {
  const CModule *module = cells->points->module;
  const CInstruction *b = instruction(cells, branch);
  const COperand *condition = b->kind == C_BRANCH ? cmodule_operand(module, b, 0) : NULL;
  if (!condition || condition->kind != C_VALUE) return C_NONE;
  const CInstruction *i = instruction(cells, condition->n);
  if (i->kind != C_COMPARE || i->number > C_UNEQUAL || i->block != b->block) return C_NONE;
  for (uint32_t n = 0; n < 2; n++) {
    uint32_t from = context, load;
    if (!origin(cells, &from, cmodule_operand(module, i, n), &load) || from != context) continue;
    if (instruction(cells, load)->kind != C_LOAD || !is_quiet(cells, load, branch)) continue;
    *other = cmodule_operand(module, i, 1 - n);
    return load;
  }
  return C_NONE;
}

uint32_t tickets_wait(const CTicketVec *tickets, Cells *cells, uint32_t context, uint32_t branch, uint32_t *ticket,
                      uint32_t *site) {
  const COperand *other = NULL;
  uint32_t number;
  const uint32_t load = tickets->n ? compared_load(cells, context, branch, &other) : C_NONE;
  if (load == C_NONE) return C_NONE;
  *ticket = tickets_of(tickets, cell_of(cells, context, load));
  if (*ticket == C_NONE || cell_of(cells, context, load) != tickets->at[*ticket].serving) return C_NONE;
  if (!origin(cells, &context, other, &number)) return C_NONE;
  *site = tickets_site(&tickets->at[*ticket], context, number);
  return *site == C_NONE ? C_NONE : load;
}

/* ---- finding them ---- */

uint32_t tickets_of(const CTicketVec *tickets, uint32_t cell) {
  for (uint32_t k = 0; k < tickets->n; k++)
    if (tickets->at[k].next == cell || tickets->at[k].serving == cell) return k;
  return C_NONE;
}

/* One number, which exists once, and begins with one that is known. */
static bool is_number(const Cells *cells, uint32_t cell) {
  const CCell *c = &cells->cells.at[cell];
  const CObject *o = cell_object(cells, cell);
  return !c->sync && c->is_shared && c->from != UINT64_MAX && c->to - c->from >= 4 && o->kind == OBJECT_GLOBAL &&
         o->context == C_NONE && !o->stride && o->instances < 2 && cells_initial(cells, cell) >= 0;
}

static void add_candidate(CTicketVec *tickets, Cells *cells, uint32_t context, uint32_t branch) {
  const COperand *other = NULL;
  const uint32_t load = compared_load(cells, context, branch, &other);
  uint32_t from = context, take;
  if (load == C_NONE || !origin(cells, &from, other, &take) || !adds_one(cells, instruction(cells, take))) return;
  const CTicket found = {.next = cell_of(cells, from, take), .serving = cell_of(cells, context, load)};
  if (found.next == C_NONE || found.serving == C_NONE || found.next == found.serving) return;
  for (uint32_t k = 0; k < tickets->n; k++)
    if (tickets->at[k].next == found.next && tickets->at[k].serving == found.serving) return;
  vec_push(cells->heap, tickets, found);
}

static void find_sites(CTicket *ticket, Cells *cells) {
  const Points *p = cells->points;
  for (PointsWalk at = {0}; points_next(p, &at);) {
    uint32_t number = 1;
    if (!adds_one(cells, instruction(cells, at.number)) || cell_of(cells, at.context, at.number) != ticket->next)
      continue;
    for (uint32_t k = 0; k < ticket->sites.n; k++)
      number += p->contexts.at[ticket->sites.at[k].context].thread == p->contexts.at[at.context].thread;
    vec_push(cells->heap, &ticket->sites, ((CTicketSite){at.context, at.number, number}));
  }
}

static bool has_many_sites(const CTicket *ticket) {
  for (uint32_t k = 0; k < ticket->sites.n; k++)
    if (ticket->sites.at[k].number > MOST_SITES) return true;
  return false;
}

/* Is it, and quiet, as far as that is seen here? */
static bool is_ticket(const CTicketVec *tickets, CTicket *ticket, Cells *cells) {
  const CCell *next = &cells->cells.at[ticket->next], *serving = &cells->cells.at[ticket->serving];
  uint32_t uses = 0;
  for (uint32_t k = 0; k < tickets->n; k++) {
    const CTicket *t = &tickets->at[k];
    uses += t->next == ticket->next || t->serving == ticket->serving || t->next == ticket->serving ||
            t->serving == ticket->next;
  }
  if (uses != 1 || !is_number(cells, ticket->next) || !is_number(cells, ticket->serving)) return false;
  if (next->to - next->from != serving->to - serving->from || has_many_sites(ticket)) return false;
  if (cells_initial(cells, ticket->next) != cells_initial(cells, ticket->serving)) return false;
  ticket->is_quiet = true;
  for (PointsWalk at = {0}; points_next(cells->points, &at);) {
    const bool takes = may_be_to(cells, at.context, at.number, ticket->next);
    if (!takes && !may_be_to(cells, at.context, at.number, ticket->serving)) continue;
    const CTicketDeed deed = tickets_deed(cells, ticket, at.context, at.number);
    if (deed == TICKET_NOTHING) return false;
    if (deed == TICKET_READ && takes) ticket->is_quiet = false;
  }
  return true;
}

void tickets_find(CTicketVec *tickets, Cells *cells) {
  CTicketVec all = {0};
  for (PointsWalk at = {0}; points_next(cells->points, &at);)
    if (instruction(cells, at.number)->kind == C_BRANCH) add_candidate(&all, cells, at.context, at.number);
  for (uint32_t k = 0; k < all.n; k++) find_sites(&all.at[k], cells);
  for (uint32_t k = 0; k < all.n; k++) {
    CTicket *t = &all.at[k];
    if (is_ticket(&all, t, cells)) {
      cells->cells.at[t->next].n_values = cells->cells.at[t->serving].n_values = 0;
      vec_push(cells->heap, tickets, *t);
    } else {
      vec_fini(cells->heap, &t->sites);
    }
  }
  vec_fini(cells->heap, &all);
}

bool tickets_correct(CTicketVec *tickets, Heap *heap) {
  bool changed = false;
  uint32_t n = 0;
  for (uint32_t k = 0; k < tickets->n; k++) {
    CTicket *t = &tickets->at[k];
    changed |= t->is_broken || t->is_slow;
    if (t->is_slow) t->is_quiet = t->is_slow = false;
    if (t->is_broken) vec_fini(heap, &t->sites);
    else tickets->at[n++] = *t;
  }
  tickets->n = n;
  return changed;
}

void tickets_fini(CTicketVec *tickets, Heap *heap) {
  for (uint32_t k = 0; k < tickets->n; k++) vec_fini(heap, &tickets->at[k].sites);
  vec_fini(heap, tickets);
}
