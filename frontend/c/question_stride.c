/* Numbers without a sign that go on by a number in each round of a loop (question.h), as `i += threads` does. Such a
 * number is its first value, and as many steps as the loop has gone round, if it never wraps: that is asked, as other
 * questions are. Could control go back to the head where the next number is too large? It has come there by the
 * branches that it must pass, and has made the accesses of that round; and until then the number has not wrapped. So it
 * is shown by induction on how far the run has come.
 *
 * What may wrap is known up to a multiple of the power of 2 that divides its step, which divides 2^bits, too. */
#include "frontend/c/question_inside.h"

/* What goes on: by an operand, or by a number. */
typedef struct {
  const COperand *first, *by;
  int64_t number;
} Step;

static bool is_value(const COperand *operand, uint32_t number) {
  return operand->kind == C_VALUE && operand->n == number;
}

static bool find_step(const Question *q, uint32_t number, Step *step) {
  const CInstruction *i = question_at(q, number);
  const COperand *back;
  question_find_ways(q, i, &step->first, &back);
  const CInstruction *next = step->first && back && back->kind == C_VALUE ? question_at(q, back->n) : NULL;
  if (!next || next->is_signed || next->size != i->size || !next->n_operands) return false;
  const bool second = !is_value(question_operand(q, next, 0), number);
  step->number = next->kind == C_OFFSET ? next->number : 0;
  step->by = NULL;
  if (next->kind == C_OFFSET) return next->n_operands == 1 && !second && next->number > 0;
  if (next->kind != C_MIX || next->number != C_MIX_ADD || next->n_operands != 2) return false;
  step->by = question_operand(q, next, !second);
  return is_value(question_operand(q, next, second), number);
}

bool question_is_stride(const Question *q, uint32_t number) {
  Step step;
  return question_at(q, number)->kind == C_MERGE && find_step(q, number, &step);
}

/* ---- does it wrap? ---- */

typedef struct {
  uint32_t context, number, from; /* from: a block from which control goes back */
} Going;

/* Of an address that is accessed, an index that goes on from the beginning of an object is less than half of what there
 * is. */
static void say_index(Question *q, uint32_t context, const COperand *address) {
  const CInstruction *i = address->kind == C_VALUE ? question_at(q, address->n) : NULL;
  const LinearSum word = linear_unknown(LINEAR_WORD);
  LinearSum index, twice = linear_constant(1);
  if (!i || i->kind != C_OFFSET || i->size || i->n_operands != 3 || !i->is_signed || i->number) return;
  const COperand *by = question_operand(q, i, 1), *scale = question_operand(q, i, 2);
  const U32Vec set = points_operand(q->d->points, context, question_operand(q, i, 0));
  bool begins = set.n && scale->kind == C_INTEGER && scale->number > 0 && question_bits(q, by) == 64;
  for (uint32_t k = 0; k < set.n; k++) {
    const CTarget t = q->d->points->targets.at[set.at[k]];
    begins &= !t.offset && q->d->points->objects.at[t.object].kind != OBJECT_UNKNOWN;
  }
  if (begins && question_natural(q, 0, context, by, 64, &index) && linear_add(&twice, &index, 2))
    question_most(q, &twice, &word, 0);
}

/* Those that are made in each round that comes to a block. */
static void say_indices(Question *q, const Going *g) {
  enum { MOST = 16 };
  const Dominators *d = &q->d->dominators;
  const uint32_t head = question_at(q, g->number)->block;
  uint32_t left = MOST;
  for (uint32_t block = g->from;; block = d->above[block]) {
    const CBlock *b = &q->d->module->blocks.at[block];
    for (uint32_t n = b->start; n < b->end && left && !q->refuted; n++) {
      const CInstruction *i = question_at(q, n);
      if (i->kind != C_LOAD && i->kind != C_STORE && i->kind != C_UPDATE && i->kind != C_SWAP) continue;
      say_index(q, g->context, question_operand(q, i, i->kind == C_STORE));
      left--;
    }
    if (block == head) return;
  }
}

static bool step_by(Question *q, uint32_t moment, uint32_t context, const Step *step, uint64_t bits, LinearSum *sum) {
  *sum = linear_constant(step->number);
  return !step->by || question_natural(q, moment, context, step->by, bits, sum);
}

/* Control goes back, and the next number is too large. */
static void say_wraps(Question *q, const void *what) {
  const Going *g = what;
  const CInstruction *i = question_at(q, g->number);
  const CBlock *from = &q->d->module->blocks.at[g->from];
  const CInstruction *last = question_at(q, from->end - 1);
  const uint32_t *to = q->d->module->successors.at + from->successors;
  const COperand value = {C_VALUE, g->number, 0};
  const LinearSum bound = i->size == 64 ? linear_unknown(LINEAR_WORD) : linear_constant(question_power(i->size));
  LinearSum next, step;
  Step by;
  question_add_ways(q, 0, g->context, from->end - 1);
  if (last->kind == C_BRANCH && to[0] != to[1])
    question_truth(q, 0, g->context, question_operand(q, last, 0), to[0] == i->block);
  if (q->refuted || !find_step(q, g->number, &by) || !question_natural(q, 0, g->context, &value, i->size, &next) ||
      !step_by(q, 0, g->context, &by, i->size, &step) || !linear_add(&next, &step, 1))
    return;
  question_most(q, &bound, &next, 0);
  if (i->size == 64) say_indices(q, g);
}

static bool never_wraps(const Deeds *d, uint32_t context, uint32_t number) {
  const uint32_t thread = d->points->contexts.at[context].thread, head = d->module->instructions.at[number].block;
  const Dominators *dom = &d->dominators;
  if (question_is_recursive(d, context)) return false;
  for (uint32_t k = dom->comings[head]; k < dom->comings[head + 1]; k++) {
    const Going going = {context, number, dom->at[k]};
    if (dominators_goes_back(dom, dom->at[k], head) &&
        !question_never(d, (uint32_t[]){thread, thread}, say_wraps, &going))
      return false;
  }
  return true;
}

/* No more is asked. */
enum { MOST_STRIDES = 64 };

/* While it is asked of one, that one has not wrapped yet; of another one that is being asked for nothing is known. */
static bool is_exact(const Deeds *d, uint32_t context, uint32_t number) {
  Passing *p = d->passing;
  uint32_t n = 0;
  while (n < p->strides.n && (p->strides.at[n].context != context || p->strides.at[n].number != number)) n++;
  if (n < p->strides.n) return p->strides.at[n].holds || (p->strides.at[n].is_sought && p->striding == n);
  if (n == MOST_STRIDES) return false;
  const uint32_t before = p->striding;
  vec_push(d->heap, &p->strides, ((Stride){.context = context, .number = number, .is_sought = true}));
  p->striding = n;
  const bool holds = never_wraps(d, context, number);
  p->striding = before;
  p->strides.at[n].is_sought = false;
  return p->strides.at[n].holds = holds;
}

/* ---- what it is ---- */

/* The first value, and a multiple of the power of 2 that divides the step. */
static bool step_somehow(Question *q, uint32_t moment, uint32_t context, uint32_t number, int64_t step,
                         LinearSum *sum) {
  const Unknown unknown = {.kind = UNKNOWN_STEPS, .moment = moment, .context = context, .number = number};
  const int64_t power = step & -step, most = question_power(30);
  bool is_new;
  if (power < 2 || power > most || moment == MOMENT_ONCE) return false;
  const LinearSum times = linear_unknown(question_unknown(q, &unknown, &is_new));
  return linear_add(sum, &times, power);
}

bool question_stride(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  const LinearSum bound = i->size == 64 ? linear_unknown(LINEAR_WORD) : linear_constant(question_power(i->size));
  LinearSum rounds, by, all = linear_constant(0);
  Step step;
  if (moment == MOMENT_ONCE || !question_is_stride(q, number) || !find_step(q, number, &step) ||
      !step_by(q, moment, context, &step, i->size, &by) || question_is_vague(q, &by) ||
      (step.by && !question_is_steady(q, moment, i->block, step.by, &by)) ||
      !question_natural(q, moment, context, step.first, i->size, sum) ||
      !question_rounds(q, moment, context, i->block, &rounds))
    return false;
  if (!is_exact(q->d, context, number)) {
    if (by.n || !step_somehow(q, moment, context, number, by.constant, sum)) return false;
  } else {
    if (by.n) question_times(q, &rounds, &by, &all);
    else if (!linear_add(&all, &rounds, by.constant)) return false;
    if (!linear_add(sum, &all, 1)) return false;
  }
  question_least(q, sum);
  question_most(q, sum, &bound, -1);
  return true;
}
