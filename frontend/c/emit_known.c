/* What is known of values where control is: numbers of terms (asked.h), which the operations of that place stand for.
 * A basic block stands there once for each set of them that control comes with. So a branch on what is known goes one
 * way, and what comes from an earlier one goes with it.
 *
 * What is known is so in each run that comes there with it: it is learnt where a value is computed, from the outcome
 * that the operation stands for, or at a branch, from the way that it goes; it is forgotten where the value is computed
 * anew, or when its call returns. A value that is computed from others is computed from them where it is used: in SSA
 * form they have not changed since, as each way from there to the use would pass the value, too. */
#include "frontend/c/emit_inside.h"

#include <string.h>

static const CInstruction *instruction(const Emitter *e, uint32_t i) { return &e->module->instructions.at[i]; }

/* ---- facts ---- */

/* The most that is known of a value, with its sign: it is the same one in a byte and in what is longer. */
enum { MOST = 120 };

static uint32_t place_of(const Emitter *e, uint32_t context, uint32_t term) {
  uint32_t k = 0;
  while (k < e->facts.n &&
         (e->facts.at[k].context != context ? e->facts.at[k].context < context : e->facts.at[k].term < term))
    k++;
  return k;
}

static bool is_there(const Emitter *e, uint32_t k, uint32_t context, uint32_t term) {
  return k < e->facts.n && e->facts.at[k].context == context && e->facts.at[k].term == term;
}

static void set_fact(Emitter *e, uint32_t context, uint32_t term, int64_t value) {
  const uint32_t k = place_of(e, context, term);
  if (value < -MOST || value > MOST || e->asked->again.at[context]) return;
  if (!is_there(e, k, context, term)) {
    vec_push(e->heap, &e->facts, (CFact){0});
    memmove(e->facts.at + k + 1, e->facts.at + k, (e->facts.n - 1 - k) * sizeof *e->facts.at);
  }
  e->facts.at[k] = (CFact){context, term, (int32_t)value};
}

static bool find_fact(const Emitter *e, uint32_t context, uint32_t term, int64_t *value) {
  const uint32_t k = place_of(e, context, term);
  if (term == C_NONE || !is_there(e, k, context, term)) return false;
  *value = e->facts.at[k].value;
  return true;
}

static void keep_facts(Emitter *e, bool (*keeps)(const Emitter *e, const CFact *fact, uint32_t number),
                       uint32_t number) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < e->facts.n; k++)
    if (keeps(e, &e->facts.at[k], number)) e->facts.at[n++] = e->facts.at[k];
  e->facts.n = n;
}

static bool stays(const Emitter *e, const CFact *fact, uint32_t number) {
  return fact->context != e->context || !asked_is_killed(e->asked, fact->term, number);
}

static bool is_live(const Emitter *e, const CFact *fact, uint32_t number) {
  return fact->context != e->context || asked_is_live(e->asked, fact->term, number);
}

static bool is_others(const Emitter *e, const CFact *fact, uint32_t number) {
  (void)number;
  return fact->context != e->context;
}

static bool is_no_truth(const Emitter *e, const CFact *fact, uint32_t number) {
  (void)number;
  return e->asked->terms.at[fact->term].kind != TERM_TRUTH;
}

static bool is_no_cell(const Emitter *e, const CFact *fact, uint32_t cell) {
  return fact->term != asked_cell(e->asked, cell);
}

void emit_forget(Emitter *e, uint32_t number) { keep_facts(e, stays, number); }
void emit_forget_dead(Emitter *e, uint32_t number) { keep_facts(e, is_live, number); }
void emit_forget_call(Emitter *e) { keep_facts(e, is_others, 0); }
void emit_forget_truths(Emitter *e) { keep_facts(e, is_no_truth, 0); }

void emit_copy_facts(Emitter *e, const CFactVec *from, CFactVec *to) {
  vec_clear(to);
  vec_reserve(e->heap, to, from->n);
  if (from->n) memcpy(to->at, from->at, from->n * sizeof *from->at);
  to->n = from->n;
}

/* ---- values ---- */

enum { DEEPEST = 12 };

static bool known(Emitter *e, uint32_t context, const COperand *operand, int64_t *value, int depth);

static bool known_operand(Emitter *e, uint32_t context, const CInstruction *i, uint32_t n, int64_t *value, int depth) {
  return known(e, context, cmodule_operand(e->module, i, n), value, depth + 1);
}

static bool known_compare(Emitter *e, uint32_t context, const CInstruction *i, int64_t *value, int depth) {
  int64_t a, b;
  if (!known_operand(e, context, i, 0, &a, depth) || !known_operand(e, context, i, 1, &b, depth)) return false;
  const bool ordered = i->is_signed || (a >= 0 && b >= 0);
  switch ((int)i->number) {
  case C_EQUAL: *value = a == b; return true;
  case C_UNEQUAL: *value = a != b; return true;
  case C_LESS: *value = a < b; return ordered;
  case C_LESS_EQUAL: *value = a <= b; return ordered;
  case C_GREATER: *value = a > b; return ordered;
  case C_GREATER_EQUAL: *value = a >= b; return ordered;
  case C_BELOW: *value = a < b; return a >= 0 && b >= 0;
  default: return false;
  }
}

static bool fits(int64_t value) { return value >= -MOST && value <= MOST; }

static bool known_sum(Emitter *e, uint32_t context, const CInstruction *i, int64_t *value, int depth) {
  if (i->n_operands != 1 || i->size < 8 || !known_operand(e, context, i, 0, value, depth) || !fits(*value))
    return false;
  *value += i->number;
  return fits(*value);
}

/* With fewer bits than 8 only 0 and 1 are sure to stay; with more of them, or as an address, what has no sign. */
static bool known_same(Emitter *e, uint32_t context, const CInstruction *i, int64_t *value, int depth) {
  if (i->n_operands != 1 || !known_operand(e, context, i, 0, value, depth) || !fits(*value)) return false;
  if (i->number) return *value == 0 || *value == 1;
  return *value >= 0 || i->is_signed;
}

static bool known_bits(Emitter *e, uint32_t context, const CInstruction *i, int64_t *value, int depth) {
  int64_t a, b;
  if (i->number != C_MIX_AND && i->number != C_MIX_XOR) return false;
  if (!known_operand(e, context, i, 0, &a, depth) || !known_operand(e, context, i, 1, &b, depth)) return false;
  *value = i->number == C_MIX_AND ? a & b : a ^ b;
  return a >= 0 && b >= 0 && fits(a) && fits(b);
}

static bool known_select(Emitter *e, uint32_t context, const CInstruction *i, int64_t *value, int depth) {
  int64_t first;
  return known_operand(e, context, i, 0, &first, depth) && known_operand(e, context, i, first ? 1 : 2, value, depth);
}

/* Of a swap: what was there, and whether it has stored. What is known of the swap is 1 where it has; -1 - v where it
 * has not, and v was there; 0 where it has not. */
static bool known_pick(Emitter *e, uint32_t context, const CInstruction *i, int64_t *value, int depth) {
  const COperand *swap = cmodule_operand(e->module, i, 0);
  int64_t outcome;
  if (swap->kind != C_VALUE || !known(e, context, swap, &outcome, depth + 1)) return false;
  if (i->number == 1) return *value = outcome == 1, true;
  if (outcome == 1) return known_operand(e, context, instruction(e, swap->n), 1, value, depth);
  *value = -1 - outcome;
  return outcome < 0;
}

/* What is passed, by the one call that the context is of. */
static bool known_passed(Emitter *e, uint32_t context, uint32_t number, int64_t *value, int depth) {
  const CContext *c = &e->points->contexts.at[context];
  const uint32_t n = 1 + number - e->module->functions.at[c->function].start;
  if (e->asked->again.at[context] || c->parent == C_NONE) return false;
  const CInstruction *call = instruction(e, c->call);
  if (points_library(e->points, c->parent, call) || n >= call->n_operands) return false;
  return known_operand(e, c->parent, call, n, value, depth);
}

static bool known(Emitter *e, uint32_t context, const COperand *operand, int64_t *value, int depth) {
  if (operand->kind == C_INTEGER) return *value = operand->number, true;
  if (operand->kind != C_VALUE || depth > DEEPEST) return false;
  const CInstruction *i = instruction(e, operand->n);
  if (points_known(e->points, context, operand, value)) return true;
  if (find_fact(e, context, asked_value(e->asked, operand->n), value)) return true;
  switch ((int)i->kind) {
  case C_COMPARE: return known_compare(e, context, i, value, depth);
  case C_OFFSET: return known_sum(e, context, i, value, depth);
  case C_SAME: return known_same(e, context, i, value, depth);
  case C_MIX: return known_bits(e, context, i, value, depth);
  case C_SELECT: return known_select(e, context, i, value, depth);
  case C_PICK: return known_pick(e, context, i, value, depth);
  case C_PARAMETER: return known_passed(e, context, operand->n, value, depth);
  default: return false;
  }
}

bool emit_known(Emitter *e, const COperand *operand, int64_t *value) { return known(e, e->context, operand, value, 0); }

bool emit_known_condition(Emitter *e, const COperand *condition, bool *holds) {
  CTruth truths[ASKED_DEEPEST];
  int64_t value;
  if (emit_known(e, condition, &value)) return *holds = value != 0, true;
  if (!e->facts.n) return false;
  for (uint32_t n = asked_truths(e->asked, e->context, condition, truths); n-- > 0;)
    if (find_fact(e, truths[n].context, truths[n].term, &value))
      return *holds = (value != 0) != truths[n].negated, true;
  return false;
}

/* ---- what is learnt ---- */

void emit_learn(Emitter *e, uint32_t context, uint32_t number, int64_t value) {
  const uint32_t term = asked_value(e->asked, number);
  if (term != C_NONE) set_fact(e, context, term, value);
}

/* Where it is one that callers have passed it is so in them, too, as long as it is asked there. */
void emit_learn_condition(Emitter *e, const COperand *condition, bool holds) {
  CTruth truths[ASKED_DEEPEST];
  for (uint32_t n = asked_truths(e->asked, e->context, condition, truths); n-- > 0;)
    set_fact(e, truths[n].context, truths[n].term, holds != truths[n].negated);
  if (condition->kind != C_VALUE) return;
  const CInstruction *i = instruction(e, condition->n);
  if (i->kind != C_COMPARE || i->n_operands != 2 || i->number != (holds ? C_EQUAL : C_UNEQUAL)) return;
  const COperand *a = cmodule_operand(e->module, i, 0), *b = cmodule_operand(e->module, i, 1);
  if (a->kind == C_VALUE && b->kind == C_INTEGER) emit_learn(e, e->context, a->n, b->number);
}

/* All at once: by what was known before. */
void emit_learn_merged(Emitter *e, uint32_t from, uint32_t to) {
  const CBlock *b = &e->module->blocks.at[to];
  CFactVec learnt = {0};
  for (uint32_t i = b->start; i < b->end && instruction(e, i)->kind == C_MERGE; i++)
    for (uint32_t k = 0; k < instruction(e, i)->n_operands; k++) {
      int64_t value;
      if (e->module->sources.at[instruction(e, i)->operands + k] != from || asked_value(e->asked, i) == C_NONE)
        continue;
      if (emit_known(e, cmodule_operand(e->module, instruction(e, i), k), &value) && fits(value))
        vec_push(e->heap, &learnt, ((CFact){e->context, asked_value(e->asked, i), (int32_t)value}));
    }
  for (uint32_t i = b->start; i < b->end && instruction(e, i)->kind == C_MERGE && e->facts.n; i++) emit_forget(e, i);
  for (uint32_t k = 0; k < learnt.n; k++) set_fact(e, learnt.at[k].context, learnt.at[k].term, learnt.at[k].value);
  vec_fini(e->heap, &learnt);
}

/* A store to the cell of a local variable, a load of it; whatever else may write there. */
void emit_learn_local(Emitter *e) {
  const CCellDeed *deeds;
  const uint32_t n = asked_deeds(e->asked, e->context, e->number, &deeds);
  const CInstruction *i = instruction(e, e->number);
  int64_t value;
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t term = asked_cell(e->asked, deeds[k].cell), owner = cell_object(e->cells, deeds[k].cell)->context;
    if (term == C_NONE) continue;
    if (deeds[k].is_load) {
      if (find_fact(e, owner, term, &value)) emit_learn(e, e->context, e->number, value);
      continue;
    }
    keep_facts(e, is_no_cell, deeds[k].cell);
    if (deeds[k].is_sure && emit_known(e, cmodule_operand(e->module, i, 0), &value)) set_fact(e, owner, term, value);
  }
}

static uint32_t root_of(const Emitter *e) { return e->points->threads.at[e->thread].root; }

void emit_know_ticket(Emitter *e, uint32_t ticket, int64_t state) {
  set_fact(e, root_of(e), e->asked->tickets + ticket, state);
}

bool emit_has_ticket(const Emitter *e, uint32_t ticket, int64_t state) {
  int64_t has;
  return find_fact(e, root_of(e), e->asked->tickets + ticket, &has) && has == state;
}

bool emit_is_asked(const Emitter *e) {
  const uint32_t term = asked_value(e->asked, e->number);
  return term != C_NONE && !e->asked->again.at[e->context] && asked_is_live(e->asked, term, e->number + 1);
}
