/* Numbers without a sign (question.h): what an instruction computes as one from 0 to 2^bits - 1. What wraps around is a
 * case of its own. Of a word of 64 bits, 2^64 is an unknown, LINEAR_WORD, of which is said that it is large: what
 * cannot be for any such number cannot be for that one. */
#include "frontend/c/question_inside.h"

#include <assert.h>

static bool has_bits(uint64_t bits) { return bits == 64 || (bits >= 8 && bits <= 32); }

/* 2^bits. */
static LinearSum bound_of(uint64_t bits) {
  return bits == 64 ? linear_unknown(LINEAR_WORD) : linear_constant(question_power(bits));
}

void question_add_word(Question *q) {
  const Unknown word = {.kind = UNKNOWN_WORD, .context = C_NONE, .number = C_NONE};
  const LinearSum least = linear_constant(question_power(50)), sum = linear_unknown(LINEAR_WORD);
  bool is_new;
  const uint32_t name = question_unknown(q, &word, &is_new);
  assert(name == LINEAR_WORD);
  (void)name;
  if (is_new) question_most(q, &least, &sum, 0);
}

/* Adds "sum < 2^bits", or "sum >= 2^bits". */
static void say_below(Question *q, const LinearSum *sum, uint64_t bits, bool below) {
  const LinearSum bound = bound_of(bits);
  if (below) question_most(q, sum, &bound, -1);
  else question_most(q, &bound, sum, 0);
}

static uint32_t choose(Question *q, ChoiceKind kind, uint32_t moment, uint32_t context, uint32_t number, uint32_t n,
                       bool *is_new) {
  return question_case(q, kind, question_moment(q, moment, context, number), context, number, n, is_new);
}

/* Is it one of several values, which is not chosen now? */
static bool is_open(const Question *q, uint32_t moment, uint32_t context, uint32_t number) {
  const CInstruction *i = question_at(q, number);
  const uint32_t when = question_moment(q, moment, context, number);
  if (i->kind == C_SELECT) return !question_may_choose(q, CHOICE_SELECT, when);
  return i->kind == C_MERGE && !question_is_head(q, i->block) && !question_may_choose(q, CHOICE_COMING, when);
}

void question_be_vague(Question *q, uint32_t moment, uint32_t context, uint32_t number, const LinearSum *sum,
                       bool is_vague) {
  if (sum->n == 1 && question_is_opaque(q, sum))
    q->unknowns.at[sum->terms[0].unknown].is_vague = is_vague || is_open(q, moment, context, number);
}

bool question_is_vague(Question *q, const LinearSum *sum) {
  bool is_vague = false;
  for (uint32_t i = 0; i < sum->n && q->detail < DETAIL_ALL; i++)
    is_vague |= q->unknowns.at[sum->terms[i].unknown].is_vague;
  q->is_long |= is_vague;
  return is_vague;
}

/* ---- with a sign, and without ---- */

bool question_signed(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum) {
  const LinearSum bound = bound_of(bits);
  LinearSum twice = linear_constant(0);
  bool is_new;
  if (!linear_add(&twice, sum, 2) || question_is_vague(q, sum)) return false;
  if (!sum->n && twice.constant < question_power(bits < 62 ? bits : 62)) return true;
  const uint32_t option = choose(q, CHOICE_NATURAL, moment, context, number, 2, &is_new);
  if (is_new) say_below(q, &twice, bits, option == 0);
  if (is_new) question_check(q);
  return option == 0 || linear_add(sum, &bound, -1);
}

bool question_unsigned(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum) {
  const LinearSum bound = bound_of(bits), zero = linear_constant(0);
  LinearSum twice = zero, negative = bound;
  bool is_new;
  if (!sum->n) return sum->constant >= 0 || linear_add(sum, &bound, 1);
  if (!linear_add(&twice, sum, 2) || !linear_add(&negative, sum, 2) || question_is_vague(q, sum)) return false;
  const uint32_t option = choose(q, CHOICE_NATURAL, moment, context, number, 2, &is_new);
  if (is_new && option == 0) question_most(q, &zero, sum, 0);
  if (is_new && option == 0) say_below(q, &twice, bits, true);
  if (is_new && option == 1) question_most(q, sum, &zero, -1);
  if (is_new && option == 1) question_least(q, &negative);
  if (is_new) question_check(q);
  return option == 0 || linear_add(sum, &bound, 1);
}

/* ---- what wraps ---- */

static bool be_any(Question *q, UnknownKind kind, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits,
                   LinearSum *sum) {
  const uint32_t when = question_moment(q, moment, context, number);
  bool is_new;
  if (moment == MOMENT_ONCE && !points_once(q->d->points, context, number)) return false;
  const Unknown unknown = {.kind = kind, .moment = when, .context = context, .number = number};
  const uint32_t name = question_unknown(q, &unknown, &is_new);
  *sum = linear_unknown(name);
  if (!is_new) return true;
  question_least(q, sum);
  say_below(q, sum, bits, true);
  if (kind == UNKNOWN_NATURAL) question_tickets(q, name);
  return true;
}

/* Of what is not negative, a case: is it below the bound? False: that cannot be asked yet. */
static bool ask_below(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits,
                      const LinearSum *sum, bool *below) {
  bool is_new;
  *below = true;
  if (!sum->n && sum->constant < question_power(bits < 62 ? bits : 62)) return true;
  if (question_is_vague(q, sum)) return false;
  *below = choose(q, CHOICE_CARRY, moment, context, number, 2, &is_new) == 0;
  if (is_new) say_below(q, sum, bits, *below);
  if (is_new) question_check(q);
  return true;
}

/* What is not negative: it is below the bound, or less the bound. */
static bool carry(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum) {
  const LinearSum bound = bound_of(bits);
  bool below;
  return ask_below(q, moment, context, number, bits, sum, &below) && (below || linear_add(sum, &bound, -1));
}

/* What is below the bound: it is not negative, or the bound more. */
static bool borrow(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum) {
  const LinearSum bound = bound_of(bits), zero = linear_constant(0);
  bool is_new;
  if (!sum->n) return sum->constant >= 0 || linear_add(sum, &bound, 1);
  if (question_is_vague(q, sum)) return false;
  const uint32_t option = choose(q, CHOICE_CARRY, moment, context, number, 2, &is_new);
  if (is_new && option == 0) question_most(q, &zero, sum, 0);
  if (is_new && option == 1) question_most(q, sum, &zero, -1);
  if (is_new) question_check(q);
  return option == 0 || linear_add(sum, &bound, 1);
}

/* What is not negative: it is below the bound, or nothing is known of its last bits. */
static bool cut(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum) {
  bool below;
  return ask_below(q, moment, context, number, bits, sum, &below) &&
         (below || be_any(q, UNKNOWN_CARRIED, moment, context, number, bits, sum));
}

/* Likewise, a product: one of the factors has more than half of the bits, if it is not below the bound. */
static bool cut_product(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits,
                        const LinearSum *a, const LinearSum *b, LinearSum *sum) {
  const LinearSum half = linear_constant(question_power(bits / 2));
  bool is_new, below;
  if (!ask_below(q, moment, context, number, bits, sum, &below)) return false;
  if (below) return true;
  const uint32_t option = choose(q, CHOICE_HALF, moment, context, number, 2, &is_new);
  if (is_new) question_most(q, &half, option ? b : a, 0);
  if (is_new && option) question_most(q, a, &half, -1);
  if (is_new) question_check(q);
  return be_any(q, UNKNOWN_CARRIED, moment, context, number, bits, sum);
}

/* ---- arithmetic ---- */

/* Has it half of the bits, and zeros in front of them? */
static bool is_half(const Question *q, const COperand *operand, uint64_t bits) {
  if (operand->kind != C_VALUE || !question_is_natural(q, operand->n)) return false;
  const CInstruction *i = question_at(q, operand->n);
  const uint64_t before = i->kind == C_SAME ? question_bits(q, question_operand(q, i, 0)) : bits;
  return before && before <= bits / 2;
}

/* Likewise, or half of the bits and a sign, and the number is not negative? */
static bool is_small_factor(Question *q, uint32_t moment, uint32_t context, const COperand *operand, uint64_t bits,
                            const LinearSum *natural) {
  if (is_half(q, operand, bits)) return true;
  const CInstruction *i = operand->kind == C_VALUE ? question_at(q, operand->n) : NULL;
  LinearSum sum;
  if (!i || i->kind != C_SAME || !i->is_signed || i->n_operands != 1) return false;
  const uint64_t before = question_bits(q, question_operand(q, i, 0));
  return before && before <= bits / 2 && question_value(q, moment, context, question_operand(q, i, 0), &sum) &&
         linear_is_same(&sum, natural);
}

/* The product of two such numbers does not wrap, not even if another one is added. */
static void say_small(Question *q, uint64_t bits, const LinearSum *product) {
  const LinearSum bound = bound_of(bits);
  question_most(q, product, &bound, 1 - 2 * question_power(bits / 2));
}

static bool multiplied(Question *q, uint32_t moment, uint32_t context, uint32_t number, const LinearSum *a,
                       const LinearSum *b, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  const uint64_t bits = i->size;
  const bool small = is_small_factor(q, moment, context, question_operand(q, i, 0), bits, a) &&
                     is_small_factor(q, moment, context, question_operand(q, i, 1), bits, b);
  if (question_is_vague(q, a) || question_is_vague(q, b)) return false;
  if (a->n && b->n) {
    question_times(q, a, b, sum);
    if (!small) return cut_product(q, moment, context, number, bits, a, b, sum);
    say_small(q, bits, sum);
    return true;
  }
  *sum = linear_constant(0);
  return (a->n ? linear_add(sum, a, b->constant) : linear_add(sum, b, a->constant)) &&
         cut(q, moment, context, number, bits, sum);
}

/* Both are not negative; the quotient, or the rest. */
static bool divided(Question *q, const LinearSum *a, const LinearSum *b, bool rest, LinearSum *sum) {
  LinearSum quotient, whole;
  if (question_is_vague(q, a) || question_is_vague(q, b)) return false;
  if (b->n) question_quotient(q, a, b, &quotient, &whole);
  else if (!question_floor(q, a, b->constant, &quotient)) return false;
  *sum = rest ? *a : quotient;
  if (!rest) return true;
  return b->n ? linear_add(sum, &whole, -1) : linear_add(sum, &quotient, -b->constant);
}

static bool shifted(Question *q, const LinearSum *a, const LinearSum *b, LinearSum *sum) {
  return !b->n && b->constant > 0 && b->constant < 32 &&
         question_floor(q, a, question_power((uint64_t)b->constant), sum);
}

static bool mixed(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  LinearSum a, b;
  if (i->n_operands != 2 || i->number == C_MIX_SOMEHOW || i->number == C_MIX_AND || i->number == C_MIX_XOR ||
      !question_natural(q, moment, context, question_operand(q, i, 0), i->size, &a) ||
      !question_natural(q, moment, context, question_operand(q, i, 1), i->size, &b))
    return false;
  *sum = a;
  switch ((int)i->number) {
  case C_MIX_ADD: return linear_add(sum, &b, 1) && carry(q, moment, context, number, i->size, sum);
  case C_MIX_SUBTRACT: return linear_add(sum, &b, -1) && borrow(q, moment, context, number, i->size, sum);
  case C_MIX_MULTIPLY: return multiplied(q, moment, context, number, &a, &b, sum);
  case C_MIX_SHIFT: return shifted(q, &a, &b, sum);
  default: return divided(q, &a, &b, i->number == C_MIX_REMAINDER, sum);
  }
}

/* ---- what counts in a loop ---- */

/* Where that comparison has that truth, is the number less than the other one? *equal: or the same. */
static bool is_less(CRelation relation, bool truth, bool first, bool *equal) {
  const bool below = relation == C_BELOW || relation == C_BELOW_EQUAL,
             above = relation == C_ABOVE || relation == C_ABOVE_EQUAL;
  *equal = (relation == C_BELOW_EQUAL || relation == C_ABOVE_EQUAL) == truth;
  return (below && first == truth) || (above && first != truth);
}

/* Is a number of so many bits so small that a step more does not wrap: a constant, or made of half of the bits? */
static bool is_small(const Question *q, const COperand *operand, uint64_t bits, int64_t step) {
  if (step > INT16_MAX) return false;
  if (operand->kind != C_INTEGER) return is_half(q, operand, bits);
  return operand->number >= 0 && operand->number <= INT32_MAX &&
         operand->number + step < question_power(bits < 62 ? bits : 62);
}

/* Is the number greater, or less, than something where that comparison has that truth, so that a step more does not
 * wrap? */
static bool is_bounded(const Question *q, uint32_t counter, const CInstruction *test, bool truth, int64_t step) {
  const COperand *left = question_operand(q, test, 0), *right = question_operand(q, test, 1);
  const bool first = left->kind == C_VALUE && left->n == counter,
             second = right->kind == C_VALUE && right->n == counter;
  const bool null = right->kind == C_INTEGER && !right->number;
  bool equal;
  if (first == second) return false;
  if (step < 0 && (test->number == C_EQUAL || test->number == C_UNEQUAL))
    return null && truth == (test->number == C_UNEQUAL);
  if (!is_less((CRelation)test->number, truth, first == (step > 0), &equal)) return false;
  return (!equal && (step == 1 || step == -1)) ||
         (step > 0 && is_small(q, first ? right : left, question_at(q, counter)->size, step));
}

/* Does control only come to that block, within a round, where such a comparison says so? */
static bool is_guarded(const Question *q, uint32_t counter, uint32_t block, int64_t step) {
  const Dominators *d = &q->d->dominators;
  const uint32_t head = question_at(q, counter)->block;
  for (; block != head && d->above[block] != block; block = d->above[block]) {
    if (d->comings[block + 1] - d->comings[block] != 1) continue;
    const CBlock *from = &q->d->module->blocks.at[d->at[d->comings[block]]];
    const CInstruction *last = question_at(q, from->end - 1);
    const uint32_t *to = q->d->module->successors.at + from->successors;
    if (last->kind != C_BRANCH || to[0] == to[1] || question_operand(q, last, 0)->kind != C_VALUE) continue;
    const CInstruction *test = question_at(q, question_operand(q, last, 0)->n);
    if (test->kind == C_COMPARE && is_bounded(q, counter, test, to[0] == block, step)) return true;
  }
  return false;
}

/* Does it go on by one in each round, or up by more, and not wrap: is it compared on each way back? */
static bool counts(const Question *q, uint32_t number, const COperand **first, int64_t *step) {
  const Dominators *d = &q->d->dominators;
  const uint32_t head = question_at(q, number)->block;
  uint32_t next;
  if (!question_finds_step(q, number, &next, first) || question_at(q, next)->is_signed ||
      question_at(q, next)->size != question_at(q, number)->size)
    return false;
  *step = question_at(q, next)->number;
  if (*step < -1 || !*step) return false;
  for (uint32_t k = d->comings[head]; k < d->comings[head + 1]; k++)
    if (dominators_goes_back(d, d->at[k], head) && !is_guarded(q, number, d->at[k], *step)) return false;
  return true;
}

static bool counted(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  const COperand *first;
  LinearSum rounds;
  int64_t step;
  if (!counts(q, number, &first, &step) || !question_natural(q, moment, context, first, i->size, sum) ||
      !question_rounds(q, moment, context, i->block, &rounds) || !linear_add(sum, &rounds, step))
    return false;
  question_least(q, sum);
  say_below(q, sum, i->size, true);
  return true;
}

/* ---- values ---- */

static bool goes_on(const Question *q, uint32_t number) {
  const COperand *first;
  int64_t step;
  signed char *answer = &q->d->passing->goes_on[number];
  if (!*answer) *answer = counts(q, number, &first, &step) || question_is_stride(q, number) ? 1 : -1;
  return *answer > 0;
}

bool question_is_natural(const Question *q, uint32_t number) {
  const CInstruction *i = question_at(q, number);
  if (!has_bits(i->size) || i->is_signed) return false;
  switch ((int)i->kind) {
  case C_SAME: return i->n_operands == 1 && !i->number && question_bits(q, question_operand(q, i, 0)) < i->size;
  case C_OFFSET: return i->n_operands == 1;
  case C_MIX: return i->number != C_MIX_SOMEHOW && i->number != C_MIX_AND && i->number != C_MIX_XOR;
  case C_MERGE: return question_is_head(q, i->block) && goes_on(q, number);
  default: return false;
  }
}

/* Bits are added in front of it, or taken off. */
static bool converted(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  const COperand *operand = question_operand(q, i, 0);
  const uint64_t before = question_bits(q, operand);
  bool is_new;
  if (question_is_truth(q, operand)) {
    const uint32_t option = choose(q, CHOICE_CARRY, moment, context, number, 2, &is_new);
    *sum = linear_constant(option == 0);
    if (is_new) question_truth(q, moment, context, operand, option == 0);
    if (is_new) question_check(q);
    return true;
  }
  if (i->number || !has_bits(before) || !question_natural(q, moment, context, operand, before, sum)) return false;
  return before <= i->size || (!question_is_opaque(q, sum) && cut(q, moment, context, number, i->size, sum));
}

static bool computed(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  const LinearSum more = linear_constant(i->number);
  switch ((int)i->kind) {
  case C_SAME: return converted(q, moment, context, number, sum);
  case C_OFFSET:
    if (!question_natural(q, moment, context, question_operand(q, i, 0), i->size, sum) || !linear_add(sum, &more, 1))
      return false;
    return i->number < 0 ? borrow(q, moment, context, number, i->size, sum)
                         : carry(q, moment, context, number, i->size, sum);
  case C_MIX: return mixed(q, moment, context, number, sum);
  default: return counted(q, moment, context, number, sum) || question_stride(q, moment, context, number, false, sum);
  }
}

bool question_computes_natural(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  return computed(q, moment, context, number, sum) &&
         (question_at(q, number)->kind == C_SAME ||
          question_signed(q, moment, context, number, question_at(q, number)->size, sum));
}

/* What the instruction has from somewhere else is that as a number without a sign. */
static bool natural_of(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  const COperand *operand;
  if (question_is_natural(q, number)) {
    const bool good = computed(q, moment, context, number, sum);
    if (good || i->kind != C_MERGE) return good;
  }
  if (i->kind == C_SAME && i->n_operands == 1) {
    const uint64_t before = question_bits(q, question_operand(q, i, 0));
    if (i->is_signed && before == bits)
      return question_natural(q, moment, context, question_operand(q, i, 0), bits, sum);
    if (before > bits) return converted(q, moment, context, number, sum);
  }
  uint32_t then = moment, there = context;
  if (question_from(q, &then, &there, number, &operand)) return question_natural(q, then, there, operand, bits, sum);
  return question_computed(q, moment, context, number, sum) && question_unsigned(q, moment, context, number, bits, sum);
}

/* What is known of it as a number with a sign already is what it is; else it is any. */
static bool be_natural(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum) {
  const Unknown with_sign = {.kind = UNKNOWN_VALUE,
                             .moment = question_moment(q, moment, context, number),
                             .context = context,
                             .number = number};
  const uint32_t name = question_find(q, &with_sign);
  if (question_is_argc(q, context, number)) return question_opaque(q, UNKNOWN_VALUE, moment, context, number, sum);
  if (name == C_NONE) return be_any(q, UNKNOWN_NATURAL, moment, context, number, bits, sum);
  *sum = linear_unknown(name);
  return question_unsigned(q, moment, context, number, bits, sum);
}

bool question_natural(Question *q, uint32_t moment, uint32_t context, const COperand *operand, uint64_t bits,
                      LinearSum *sum) {
  if (!has_bits(bits) || (operand->kind == C_VALUE && question_bits(q, operand) != bits) || q->refuted ||
      question_is_deep(q))
    return false;
  if (question_is_number(q, context, operand, sum))
    return operand->kind == C_GLOBAL || question_unsigned(q, moment, context, C_NONE, bits, sum);
  if (operand->kind != C_VALUE) return false;
  const Saying saying = question_begin(q);
  q->depth++;
  bool good = natural_of(q, moment, context, operand->n, bits, sum);
  q->depth--;
  const bool is_vague = !question_end(q, &saying);
  if (good && !is_vague) return true;
  if (q->refuted || question_is_deep(q) || !be_natural(q, moment, context, operand->n, bits, sum)) return false;
  question_be_vague(q, moment, context, operand->n, sum, is_vague);
  return true;
}
