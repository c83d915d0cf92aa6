#include "frontend/c/sweep.h"

/* Numbers beyond these may be others where they have fewer bits, or no sign. */
enum { MOST_NUMBER = 1 << 30 };

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static bool is_small(int64_t number) { return number > -MOST_NUMBER && number < MOST_NUMBER; }

/* A number that is known, or an address in the sweep's global as its bytes there. */
static bool is_constant(const Sweep *s, const Points *p, const COperand *operand, int64_t *value) {
  if (s->global != C_NONE) {
    *value = operand->number;
    return operand->kind == C_GLOBAL && operand->n == s->global && is_small(*value);
  }
  return points_known(p, s->context, operand, value) && is_small(*value);
}

/* By how much an instruction goes on from the merge; false if it does not. */
static bool is_step(const Sweep *s, const Points *p, const COperand *operand, const CInstruction **step) {
  if (operand->kind != C_VALUE) return false;
  *step = instruction(p, operand->n);
  return (*step)->kind == C_OFFSET && (*step)->n_operands == 1 && is_small((*step)->number) &&
         cmodule_operand(p->module, *step, 0)->kind == C_VALUE && cmodule_operand(p->module, *step, 0)->n == s->merge;
}

/* ---- where the loop is left ---- */

/* The operand is the value of the merge now, and *more. In a number that is not negative conversions change nothing,
 * and else those that keep the sign. */
static bool is_value(const Sweep *s, const Points *p, const COperand *operand, int64_t *more) {
  *more = 0;
  while (operand->kind == C_VALUE && operand->n != s->merge) {
    const CInstruction *i = instruction(p, operand->n);
    const bool same =
        i->kind == C_SAME && i->n_operands == 1 && !i->is_cut && i->size >= 32 && (s->step > 0 || i->is_signed);
    const bool offset = i->kind == C_OFFSET && i->n_operands == 1 && (!i->size || i->size >= 32);
    if ((!same && !offset) || !is_small(i->number) || !is_small(*more)) return false;
    if (offset) *more += i->number;
    operand = cmodule_operand(p->module, i, 0);
  }
  return operand->kind == C_VALUE && is_small(*more);
}

static CRelation turned(CRelation relation) {
  static const CRelation TURNED[] = {
      C_EQUAL,     C_UNEQUAL,   C_GREATER,   C_GREATER_EQUAL, C_LESS,     C_LESS_EQUAL,
      C_OTHERWISE, C_OTHERWISE, C_OTHERWISE, C_OTHERWISE,     C_OTHERWISE}; /* ORDER CRelation */
  _Static_assert(sizeof TURNED / sizeof *TURNED == C_OTHERWISE + 1, "ORDER CRelation");
  return TURNED[relation];
}

/* What is the least that compares so with a number, where `truth` says whether it does? False: there is none. */
static bool least(CRelation relation, bool truth, int64_t number, int64_t *bound) {
  const CRelation yes = truth ? relation : C_OTHERWISE, no = truth ? C_OTHERWISE : relation;
  *bound = number + (yes == C_GREATER || no == C_LESS_EQUAL);
  return yes == C_EQUAL || no == C_UNEQUAL || yes == C_GREATER || yes == C_GREATER_EQUAL || no == C_LESS ||
         no == C_BELOW || no == C_LESS_EQUAL;
}

static bool greatest(CRelation relation, bool truth, int64_t number, int64_t *bound) {
  const CRelation yes = truth ? relation : C_OTHERWISE, no = truth ? C_OTHERWISE : relation;
  *bound = number - (yes == C_LESS || no == C_GREATER_EQUAL);
  return yes == C_EQUAL || no == C_UNEQUAL || yes == C_LESS || yes == C_LESS_EQUAL || no == C_GREATER ||
         no == C_GREATER_EQUAL;
}

/* A number that goes on is never negative, nor is what it is compared with: a sign makes no difference. One that goes
 * back is compared as one with a sign. */
static bool compares(const Sweep *s, const Points *p, const CInstruction *compare, bool truth, int64_t *last) {
  const COperand *left = cmodule_operand(p->module, compare, 0), *right = cmodule_operand(p->module, compare, 1);
  CRelation relation = (CRelation)compare->number;
  int64_t number, more, bound;
  if (!is_constant(s, p, right, &number)) {
    if (!is_constant(s, p, left, &number)) return false;
    left = right;
    relation = turned(relation);
  }
  if (!is_value(s, p, left, &more)) return false;
  if (s->global == C_NONE && s->step > 0 && s->first + more < 0) return false;
  if (!(s->step > 0 ? least : greatest)(relation, truth, number, &bound)) return false;
  *last = bound - more;
  return true;
}

bool sweep_leaves(const Sweep *s, const Points *p, uint32_t from, uint32_t to, int64_t *last) {
  const CBlock *b = &p->module->blocks.at[from];
  const CInstruction *branch = instruction(p, b->end - 1);
  const uint32_t *next = p->module->successors.at + b->successors;
  if (branch->kind != C_BRANCH || next[0] == next[1]) return false;
  const COperand *condition = cmodule_operand(p->module, branch, 0);
  if (condition->kind != C_VALUE || instruction(p, condition->n)->kind != C_COMPARE) return false;
  return compares(s, p, instruction(p, condition->n), next[0] == to, last);
}

/* ---- the loop ---- */

/* Is it asked in each round, between the merge and that block, whether the value has come to an end, so that it goes on
 * from none but those before it? */
static bool is_asked(const Sweep *s, const Points *p, uint32_t latch) {
  const uint32_t head = instruction(p, s->merge)->block;
  const CFunction *f = &p->module->functions.at[p->contexts.at[s->context].function];
  for (uint32_t b = f->blocks; b < f->blocks_end; b++) {
    const CBlock *block = &p->module->blocks.at[b];
    int64_t last;
    if (b != head && b != latch && cmodule_reaches(p->module, head, latch, b)) continue;
    for (uint32_t k = 0; k < block->n_successors && block->n_successors == 2; k++) {
      const uint32_t leave = p->module->successors.at[block->successors + k],
                     stay = p->module->successors.at[block->successors + !k];
      if (!sweep_leaves(s, p, b, leave, &last) || (leave != head && cmodule_reaches(p->module, leave, latch, head)))
        continue;
      if (stay == leave || leave == head) continue;
      if (s->step > 0 ? s->first <= last : s->first >= last) return true;
    }
  }
  return false;
}

/* Of each way to the merge: *first and *step, as far as they are not there yet. */
static bool add_way(Sweep *s, const Points *p, uint32_t n, bool *begins) {
  const CInstruction *merge = instruction(p, s->merge), *step;
  const COperand *operand = cmodule_operand(p->module, merge, n);
  int64_t first;
  if (is_step(s, p, operand, &step)) {
    if (s->step && s->step != step->number) return false;
    s->step = step->number;
    return true;
  }
  if (!is_constant(s, p, operand, &first) || (*begins && first != s->first)) return false;
  s->first = first;
  *begins = true;
  return true;
}

bool sweep_find(Sweep *s, const Points *p, uint32_t context, uint32_t number, uint32_t global, int64_t bytes) {
  const CInstruction *merge = instruction(p, number), *step;
  bool begins = false;
  *s = (Sweep){.context = context, .merge = number, .global = global};
  if (merge->kind != C_MERGE || (global == C_NONE && merge->size < 32)) return false;
  for (uint32_t n = 0; n < merge->n_operands; n++)
    if (!add_way(s, p, n, &begins)) return false;
  if (!begins || s->first < 0 || (s->step != bytes && s->step != -bytes)) return false;
  for (uint32_t n = 0; n < merge->n_operands; n++)
    if (is_step(s, p, cmodule_operand(p->module, merge, n), &step) && !step->is_signed &&
        !is_asked(s, p, p->module->sources.at[merge->operands + n]))
      return false;
  return true;
}

bool sweep_begins(const Sweep *s, const Points *p, uint32_t n) {
  const CInstruction *step;
  return !is_step(s, p, cmodule_operand(p->module, instruction(p, s->merge), n), &step);
}
