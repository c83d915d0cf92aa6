/* What goes on from round to round of a loop (question.h): what counts, what is by turns one thing or the other, and
 * how often a loop goes round. */
#include "frontend/c/question_inside.h"

static uint32_t n_comings(const Question *q, uint32_t block) {
  return q->d->dominators.comings[block + 1] - q->d->dominators.comings[block];
}

static uint32_t coming(const Question *q, uint32_t block, uint32_t k) {
  return q->d->dominators.at[q->d->dominators.comings[block] + k];
}

/* Is the value of a C_MERGE one that goes on by the same number in each round? Sets it, and the sum that it goes on by,
 * and what it begins with. */
bool question_finds_step(const Question *q, uint32_t number, uint32_t *sum, const COperand **first) {
  const CInstruction *i = question_at(q, number);
  const CInstruction *step = NULL;
  *first = NULL;
  for (uint32_t n = 0; n < i->n_operands; n++) {
    const COperand *o = question_operand(q, i, n);
    const uint32_t from = q->d->module->sources.at[i->operands + n];
    if (!dominators_goes_back(&q->d->dominators, from, i->block)) {
      if (q->d->dominators.above[from] == C_NONE) continue;
      if (*first) return false;
      *first = o;
      continue;
    }
    const CInstruction *next = o->kind == C_VALUE ? question_at(q, o->n) : NULL;
    if (!next || next->kind != C_OFFSET || next->n_operands != 1) return false;
    if (question_operand(q, next, 0)->kind != C_VALUE || question_operand(q, next, 0)->n != number) return false;
    if (step && step->number != next->number) return false;
    if (step && step->is_signed != next->is_signed) return false;
    step = next;
    *sum = o->n;
  }
  return step && *first;
}

/* Does control only come to that sum, of one more, where what counts is less than something? */
static bool is_guarded(const Question *q, uint32_t counter, uint32_t sum) {
  const Dominators *d = &q->d->dominators;
  uint32_t block = question_at(q, sum)->block;
  if (question_at(q, sum)->number != 1) return false;
  for (; d->above[block] != block; block = d->above[block]) {
    if (n_comings(q, block) != 1) continue;
    const CBlock *from = &q->d->module->blocks.at[coming(q, block, 0)];
    const CInstruction *last = question_at(q, from->end - 1);
    if (last->kind != C_BRANCH || question_operand(q, last, 0)->kind != C_VALUE) continue;
    const CInstruction *test = question_at(q, question_operand(q, last, 0)->n);
    const uint32_t *to = q->d->module->successors.at + from->successors;
    if (test->kind == C_COMPARE && test->number == C_LESS && question_operand(q, test, 0)->kind == C_VALUE &&
        question_operand(q, test, 0)->n == counter && to[0] == block && to[0] != to[1])
      return true;
  }
  return false;
}

static bool count_rounds(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  LinearSum rounds, first;
  const COperand *from;
  uint32_t next;
  if (!question_finds_step(q, number, &next, &from) || !question_value(q, moment, context, from, &first)) return false;
  const uint32_t head = question_at(q, number)->block;
  *sum = first;
  if (!question_rounds(q, moment, context, head, &rounds)) return false;
  if (!linear_add(sum, &rounds, question_at(q, next)->number)) return false;
  return question_at(q, next)->is_signed || is_guarded(q, number, next);
}

static bool is_before(const Question *q, uint32_t head, const COperand *operand) {
  return operand->kind != C_VALUE || question_at(q, operand->n)->kind == C_PARAMETER ||
         !dominators_passes(&q->d->dominators, head, question_at(q, operand->n)->block);
}

static bool computes(const CInstruction *i) {
  if (i->kind == C_MIX) return i->number != C_MIX_SOMEHOW && !i->is_free;
  return i->kind == C_OFFSET || (i->kind == C_SAME && i->n_operands == 1);
}

/* Is the value at the moment one that is the same at all times of the thread, and in all cases? */
static bool is_fixed(Question *q, uint32_t moment, uint32_t context, const COperand *operand) {
  const bool before = q->varies, before_created = q->varies_created, thread = moment < MOMENT_ONCE;
  LinearSum sum = {0};
  q->varies = q->varies_created = false;
  bool fixed = question_value(q, moment, context, operand, &sum) && !q->varies && (thread || !q->varies_created);
  q->varies = before;
  q->varies_created = before_created;
  for (uint32_t i = 0; i < sum.n && fixed; i++) {
    const uint32_t then = q->unknowns.at[sum.terms[i].unknown].moment;
    fixed = then == MOMENT_ONCE || (thread && (then == MOMENT_CREATED || then == MOMENT_CREATED + 1));
  }
  return fixed;
}

static bool is_steady(Question *q, uint32_t moment, uint32_t context, uint32_t head, const COperand *operand,
                      uint32_t depth) {
  enum { DEEPEST = 5 };
  if (is_before(q, head, operand)) return true;
  const CInstruction *i = question_at(q, operand->n);
  if (!computes(i)) return is_fixed(q, moment, context, operand);
  for (uint32_t n = 0; n < i->n_operands; n++)
    if (depth == DEEPEST || !is_steady(q, moment, context, head, question_operand(q, i, n), depth + 1)) return false;
  return true;
}

bool question_is_steady(Question *q, uint32_t moment, uint32_t context, uint32_t head, const COperand *operand) {
  return is_steady(q, moment, context, head, operand, 0);
}

bool question_has_gone_round(Question *q, uint32_t moment, uint32_t context, uint32_t head) {
  LinearSum rounds;
  bool is_new;
  if (!question_rounds(q, moment, context, head, &rounds)) return true;
  const bool some = question_case(q, CHOICE_BEGUN, moment, context, head, 2, &is_new) == 1;
  const LinearSum one = linear_constant(1);
  if (is_new && some) question_most(q, &one, &rounds, 0);
  if (is_new && !some) question_zero(q, &rounds);
  if (is_new) question_check(q);
  return some;
}

/* Likewise, what goes on by the same sum in each round, which is not constant: `i += n`. */
static bool count_strides(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const uint32_t head = question_at(q, number)->block;
  const COperand *first, *back;
  LinearSum rounds, step, all;
  question_find_ways(q, question_at(q, number), &first, &back);
  const CInstruction *next = first && back && back->kind == C_VALUE ? question_at(q, back->n) : NULL;
  if (!next || next->kind != C_MIX || next->number != C_MIX_ADD || next->n_operands != 2 || !next->is_signed)
    return false;
  const bool left = question_operand(q, next, 0)->kind == C_VALUE && question_operand(q, next, 0)->n == number;
  const COperand *of = question_operand(q, next, !left), *by = question_operand(q, next, left);
  if (of->kind != C_VALUE || of->n != number || !question_rounds(q, moment, context, head, &rounds)) return false;
  if (!question_has_gone_round(q, moment, context, head)) return question_value(q, moment, context, first, sum);
  if (!question_value(q, moment, context, by, &step) || !question_is_steady(q, moment, context, head, by) ||
      !question_value(q, moment, context, first, sum))
    return false;
  if (!step.n) return linear_add(sum, &rounds, step.constant);
  return question_multiply(q, &rounds, &step, &all) && linear_add(sum, &all, 1);
}

/* Whether a loop has gone round an odd number of times: one case or the other. */
static bool take_turn(Question *q, uint32_t moment, uint32_t context, uint32_t head, bool *odd) {
  const Unknown half = {.kind = UNKNOWN_TURNS, .moment = moment, .context = context, .number = head};
  LinearSum rounds, rest;
  bool is_new, unused;
  if (!question_rounds(q, moment, context, head, &rounds)) return false;
  const LinearSum turns = linear_unknown(question_unknown(q, &half, &unused));
  *odd = question_case(q, CHOICE_TURN, moment, context, head, 2, &is_new) == 1;
  rest = linear_constant(*odd);
  if (!is_new || !linear_add(&rounds, &turns, -2) || !linear_add(&rounds, &rest, -1)) return true;
  question_zero(q, &rounds);
  question_check(q);
  return true;
}

void question_find_ways(const Question *q, const CInstruction *i, const COperand **first, const COperand **back) {
  bool several = false;
  *first = *back = NULL;
  for (uint32_t n = 0; n < i->n_operands; n++) {
    const uint32_t from = q->d->module->sources.at[i->operands + n];
    const COperand **way = dominators_goes_back(&q->d->dominators, from, i->block) ? back : first;
    if (q->d->dominators.above[from] == C_NONE) continue;
    several |= *way != NULL;
    *way = question_operand(q, i, n);
  }
  if (several) *first = *back = NULL;
}

/* Is it `all` less the last value, or the other one of 0 and 1? Sets `all`. */
static bool is_flip(const Question *q, uint32_t number, const COperand *first, const COperand *back, int64_t *all) {
  const CInstruction *i = back->kind == C_VALUE ? question_at(q, back->n) : NULL;
  if (!i || i->kind != C_MIX || i->n_operands != 2) return false;
  const uint32_t last = i->number == C_MIX_XOR ? 0 : 1;
  const COperand *of = question_operand(q, i, last), *other = question_operand(q, i, 1 - last);
  if (of->kind != C_VALUE || of->n != number || other->kind != C_INTEGER) return false;
  *all = other->number;
  if (i->number == C_MIX_SUBTRACT) return i->is_signed;
  return i->number == C_MIX_XOR && other->number == 1 && first->kind == C_INTEGER &&
         (first->number == 0 || first->number == 1);
}

/* By turns this value and that one. */
static bool take_turns(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const COperand *first, *back;
  LinearSum begin;
  int64_t all;
  bool odd;
  question_find_ways(q, question_at(q, number), &first, &back);
  if (!first || !back || !is_flip(q, number, first, back, &all) || !question_value(q, moment, context, first, &begin) ||
      !take_turn(q, moment, context, question_at(q, number)->block, &odd))
    return false;
  *sum = odd ? linear_constant(all) : begin;
  return !odd || linear_add(sum, &begin, -1);
}

/* Two that change their places in each round: what it is now was one of them at first. */
const COperand *question_swapped(Question *q, uint32_t moment, uint32_t context, uint32_t number) {
  const COperand *first, *back, *other, *again;
  bool odd;
  question_find_ways(q, question_at(q, number), &first, &back);
  if (!first || !back || back->kind != C_VALUE || question_at(q, back->n)->kind != C_MERGE ||
      question_at(q, back->n)->block != question_at(q, number)->block)
    return NULL;
  question_find_ways(q, question_at(q, back->n), &other, &again);
  if (!other || !again || again->kind != C_VALUE || again->n != number ||
      !take_turn(q, moment, context, question_at(q, number)->block, &odd))
    return NULL;
  return odd ? other : first;
}

/* Does control leave the loop of that head where it goes to that block? */
static bool leaves(const Question *q, uint32_t head, uint32_t to) {
  for (uint32_t k = 0; k < n_comings(q, head); k++) {
    const uint32_t from = coming(q, head, k);
    if (dominators_goes_back(&q->d->dominators, from, head) && cmodule_reaches(q->d->module, to, from, head))
      return false;
  }
  return to != head;
}

bool question_all_rounds(const Question *q, uint32_t context, uint32_t head, uint32_t to, int64_t *rounds) {
  const CBlock *b = &q->d->module->blocks.at[head];
  const CInstruction *last = question_at(q, b->end - 1);
  const uint32_t *ways = q->d->module->successors.at + b->successors;
  const COperand *first;
  int64_t from, end;
  uint32_t next;
  if (last->kind != C_BRANCH || ways[1] != to || ways[0] == to || !leaves(q, head, to) ||
      question_operand(q, last, 0)->kind != C_VALUE)
    return false;
  const CInstruction *test = question_at(q, question_operand(q, last, 0)->n);
  if (test->kind != C_COMPARE || (test->number != C_LESS && test->number != C_BELOW)) return false;
  const COperand *counter = question_operand(q, test, 0);
  if (counter->kind != C_VALUE || question_at(q, counter->n)->kind != C_MERGE ||
      question_at(q, counter->n)->block != head || !question_finds_step(q, counter->n, &next, &first) ||
      !points_known(q->d->points, context, first, &from) ||
      !points_known(q->d->points, context, question_operand(q, test, 1), &end))
    return false;
  const int64_t step = question_at(q, next)->number;
  if (step <= 0 || step > INT16_MAX || (step != 1 && !question_at(q, next)->is_signed)) return false;
  *rounds = end > from ? (end - from + step - 1) / step : 0;
  return true;
}

bool question_counted(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  return count_rounds(q, moment, context, number, sum) || count_strides(q, moment, context, number, sum) ||
         question_stride(q, moment, context, number, true, sum) || take_turns(q, moment, context, number, sum);
}

/* ---- what counts until it is equal to something ---- */

/* Is the loop left where the comparison, by which its head branches, says that both are equal? */
static bool leaves_if_equal(const Question *q, uint32_t head, uint32_t comparison) {
  const CModule *m = q->d->module;
  const CBlock *b = &m->blocks.at[head];
  const CInstruction *last = question_at(q, b->end - 1), *i = question_at(q, comparison);
  const COperand *test = last->kind == C_BRANCH ? question_operand(q, last, 0) : NULL;
  if (!test || test->kind != C_VALUE || test->n != comparison || i->block != head || i->number > C_UNEQUAL)
    return false;
  const uint32_t equal = m->successors.at[b->successors + (i->number == C_EQUAL ? 0 : 1)];
  for (uint32_t k = 0; k < n_comings(q, head); k++) {
    const uint32_t from = coming(q, head, k);
    if (dominators_goes_back(&q->d->dominators, from, head) && cmodule_reaches(m, equal, from, head)) return false;
  }
  return equal != head;
}

bool question_counts_to(Question *q, uint32_t moment, uint32_t context, uint32_t comparison, uint32_t *end,
                        LinearSum *first, int64_t *step) {
  const CInstruction *i = question_at(q, comparison);
  for (*end = 0; *end < 2; ++*end) {
    const COperand *counter = question_operand(q, i, 1 - *end), *from;
    uint32_t next;
    if (counter->kind != C_VALUE || question_at(q, counter->n)->kind != C_MERGE) continue;
    const uint32_t head = question_at(q, counter->n)->block;
    if (!question_is_head(q, head) || !leaves_if_equal(q, head, comparison) ||
        !question_finds_step(q, counter->n, &next, &from) || !question_at(q, next)->is_signed ||
        !question_is_steady(q, moment, context, head, question_operand(q, i, *end)))
      continue;
    *step = question_at(q, next)->number;
    return *step && question_value(q, moment, context, from, first);
  }
  return false;
}
