/* Arithmetic on values (question.h): what wraps around, or is rounded, is a case of its own. */
#include "frontend/c/question_inside.h"

/* ---- fewer bits, and more ---- */

bool question_fit(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum) {
  const uint32_t when = question_moment(q, moment, context, number);
  LinearSum least, most;
  bool is_new;
  const int64_t most_known = question_power(31) - 1;
  if (!sum->n && bits >= 32 && sum->constant >= 0 && sum->constant <= most_known) return true;
  if (!bits || bits > 32) return false;
  least = linear_constant(-question_power(bits - 1));
  most = linear_constant(question_power(bits - 1) - 1);
  const uint32_t option = question_case(q, CHOICE_WRAP, when, context, number, 3, &is_new);
  if (is_new && option == 0) question_between(q, sum, least.constant, most.constant);
  if (is_new && option == 1) question_most(q, &most, sum, -1);
  if (is_new && option == 2) question_most(q, sum, &least, -1);
  if (is_new) question_check(q);
  return option == 0 || question_opaque(q, UNKNOWN_WRAPPED, moment, context, number, sum);
}

/* Is it a value of which no more is known? */
static bool is_opaque(const Question *q, const LinearSum *sum) {
  return sum->n == 1 && !sum->constant && sum->terms[0].factor == 1 &&
         q->unknowns.at[sum->terms[0].unknown].kind == UNKNOWN_VALUE;
}

bool question_convert(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  const uint64_t before = question_bits(q, question_operand(q, i, 0)), bits = i->size;
  const LinearSum zero = linear_constant(0);
  bool is_new;
  if (i->number || !before || bits < 8 || before == bits) return false;
  if (before > bits && is_opaque(q, sum)) return false;
  if (before > bits) return question_fit(q, moment, context, number, bits, sum);
  if (before > 32) return false;
  const uint32_t option =
      question_case(q, CHOICE_SIGN, question_moment(q, moment, context, number), context, number, 2, &is_new);
  if (is_new && option == 0) question_most(q, &zero, sum, 0);
  if (is_new && option == 1) question_most(q, sum, &zero, -1);
  if (is_new) question_check(q);
  if (option == 0) return true;
  const LinearSum more = linear_constant(question_power(before));
  return linear_add(sum, &more, 1);
}

/* The quotient of a sum by a number that is greater than 0, rounded to 0; the rest has the sign of the sum. */
static bool divide(Question *q, const LinearSum *sum, int64_t by, LinearSum *quotient) {
  Unknown unknown = {
      .kind = UNKNOWN_QUOTIENT, .context = C_NONE, .number = C_NONE, .of = *sum, .by = linear_constant(by)};
  for (uint32_t i = 0; i < q->zero.n; i++) linear_reduce(&unknown.of, &q->zero.at[i]);
  const LinearSum zero = linear_constant(0);
  bool is_new;
  const uint32_t name = question_unknown(q, &unknown, &is_new);
  *quotient = linear_unknown(name);
  const uint32_t option = question_case(q, CHOICE_SIGN, name, C_NONE, C_NONE, 2, &is_new);
  if (!is_new) return true;
  LinearSum rest = *sum;
  if (!linear_add(&rest, quotient, -by)) return false;
  if (option == 0) {
    question_most(q, &zero, sum, 0);
    question_most(q, &zero, quotient, 0);
    question_between(q, &rest, 0, by - 1);
  } else {
    question_most(q, sum, &zero, -1);
    question_most(q, quotient, &zero, 0);
    question_between(q, &rest, 1 - by, 0);
  }
  question_check(q);
  return true;
}

static bool divided(Question *q, uint32_t moment, uint32_t context, uint32_t number, const LinearSum *a,
                    const LinearSum *b, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  const LinearSum zero = linear_constant(0);
  LinearSum quotient;
  bool is_new;
  const int64_t most = question_power(31);
  if (b->n || b->constant <= 0 || b->constant > most) return false;
  if (!i->is_signed) {
    const uint32_t option =
        question_case(q, CHOICE_SIGN, question_moment(q, moment, context, number), context, number, 2, &is_new);
    if (is_new && option == 0) question_most(q, &zero, a, 0);
    if (is_new && option == 1) question_most(q, a, &zero, -1);
    if (is_new) question_check(q);
    if (option == 1) return question_opaque(q, UNKNOWN_WRAPPED, moment, context, number, sum);
  }
  if (!divide(q, a, b->constant, &quotient)) return false;
  if (i->number == C_MIX_DIVIDE) {
    *sum = quotient;
    return true;
  }
  *sum = *a;
  return linear_add(sum, &quotient, -b->constant);
}

/* The last bits of a number, with a sign or without: its rest by a power of 2. */
static bool masked(Question *q, const LinearSum *a, const LinearSum *mask, LinearSum *sum) {
  const int64_t by = mask->constant + 1, most = question_power(31);
  Unknown unknown = {.kind = UNKNOWN_FLOOR, .context = C_NONE, .number = C_NONE, .of = *a};
  bool is_new;
  if (mask->n || by < 2 || by > most || (by & mask->constant)) return false;
  for (uint32_t i = 0; i < q->zero.n; i++) linear_reduce(&unknown.of, &q->zero.at[i]);
  unknown.by = linear_constant(by);
  const LinearSum quotient = linear_unknown(question_unknown(q, &unknown, &is_new));
  *sum = *a;
  if (!linear_add(sum, &quotient, -by)) return false;
  if (is_new) question_between(q, sum, 0, by - 1);
  return true;
}

/* Of two products with one factor in common: the other factors are less, the same, or greater, and so are the products,
 * if the common one is not negative. */
static void order(Question *q, uint32_t first, uint32_t second) {
  const LinearSum by = q->unknowns.at[first].by, a = q->unknowns.at[first].of, b = q->unknowns.at[second].of;
  LinearSum less = linear_unknown(first), more = linear_unknown(second);
  const LinearSum zero = linear_constant(0);
  bool is_new;
  const uint32_t option = question_case(q, CHOICE_ORDER, first, second, C_NONE, 4, &is_new);
  if (!is_new) return;
  if (option == 3) {
    question_most(q, &by, &zero, -1);
    question_check(q);
    return;
  }
  question_most(q, &zero, &by, 0);
  if (option == 0) question_most(q, &a, &b, -1);
  if (option == 1) question_most(q, &b, &a, -1);
  if (option == 2) question_relation(q, &a, &b, C_EQUAL);
  if (option == 2) question_relation(q, &less, &more, C_EQUAL);
  if (option == 0 && linear_add(&less, &by, 1)) question_most(q, &less, &more, 0);
  if (option == 1 && linear_add(&more, &by, 1)) question_most(q, &more, &less, 0);
  question_check(q);
}

/* The factor that another product has, too, comes second. */
static bool multiply(Question *q, const LinearSum *a, const LinearSum *b, LinearSum *sum) {
  Unknown unknown = {.kind = UNKNOWN_PRODUCT, .context = C_NONE, .number = C_NONE, .of = *a, .by = *b};
  bool is_new;
  for (uint32_t i = 0; i < q->unknowns.n; i++)
    if (q->unknowns.at[i].kind == UNKNOWN_PRODUCT && linear_is_same(&q->unknowns.at[i].by, a)) {
      unknown.of = *b;
      unknown.by = *a;
    }
  const uint32_t name = question_unknown(q, &unknown, &is_new);
  *sum = linear_unknown(name);
  for (uint32_t i = 0; i < name && is_new; i++)
    if (q->unknowns.at[i].kind == UNKNOWN_PRODUCT && linear_is_same(&q->unknowns.at[i].by, &unknown.by))
      order(q, i, name);
  return true;
}

bool question_mixed(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  LinearSum a, b;
  if (i->number == C_MIX_SOMEHOW || i->n_operands != 2 || i->size < 8) return false;
  if (!question_value(q, moment, context, question_operand(q, i, 0), &a) ||
      !question_value(q, moment, context, question_operand(q, i, 1), &b))
    return false;
  switch ((CMix)i->number) {
  case C_MIX_ADD:
  case C_MIX_SUBTRACT:
    *sum = a;
    return linear_add(sum, &b, i->number == C_MIX_ADD ? 1 : -1) &&
           (i->is_signed || question_fit(q, moment, context, number, i->size, sum));
  case C_MIX_MULTIPLY:
    if (a.n && b.n) return i->is_signed && multiply(q, &a, &b, sum);
    *sum = linear_constant(0);
    return (a.n ? linear_add(sum, &a, b.constant) : linear_add(sum, &b, a.constant)) &&
           (i->is_signed || question_fit(q, moment, context, number, i->size, sum));
  case C_MIX_AND: return masked(q, &a, &b, sum);
  case C_MIX_XOR: return false;
  case C_MIX_DIVIDE:
  case C_MIX_REMAINDER: return divided(q, moment, context, number, &a, &b, sum);
  case C_MIX_SOMEHOW: break;
  }
  return false;
}
