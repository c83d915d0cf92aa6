/* Arithmetic on values (question.h): what wraps around, or is rounded, is a case of its own. */
#include "frontend/c/question_inside.h"

/* Does it hang on how often a loop has gone round, as the number of a thread does? */
static bool has_rounds(const Question *q, const LinearSum *sum) {
  for (uint32_t i = 0; i < sum->n; i++)
    if (q->unknowns.at[sum->terms[i].unknown].kind == UNKNOWN_ROUNDS) return true;
  return false;
}

static bool counts_rounds_of(const Question *q, const LinearSum *sum, const Unknown *rounds) {
  for (uint32_t i = 0; i < sum->n; i++) {
    const Unknown *u = &q->unknowns.at[sum->terms[i].unknown];
    if (u->kind == UNKNOWN_ROUNDS && u->number == rounds->number) return true;
  }
  return false;
}

/* Do both hang on how often loops have gone round, and on none in common, as the number of a thread and that of a row?
 * Which one is greater says little, and is not asked. */
static bool has_other_rounds(const Question *q, const LinearSum *a, const LinearSum *b) {
  if (!has_rounds(q, a) || !has_rounds(q, b)) return false;
  for (uint32_t i = 0; i < b->n; i++) {
    const Unknown *u = &q->unknowns.at[b->terms[i].unknown];
    if (u->kind == UNKNOWN_ROUNDS && counts_rounds_of(q, a, u)) return false;
  }
  return true;
}

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

bool question_is_opaque(const Question *q, const LinearSum *sum) {
  const uint32_t last = sum->n - 1;
  const bool one = sum->n == 1 || (sum->n == 2 && sum->terms[0].unknown == LINEAR_WORD);
  if (!one || sum->constant || sum->terms[last].factor != 1) return false;
  const UnknownKind kind = q->unknowns.at[sum->terms[last].unknown].kind;
  return kind == UNKNOWN_VALUE || kind == UNKNOWN_NATURAL;
}

bool question_convert(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  const uint64_t before = question_bits(q, question_operand(q, i, 0)), bits = i->size;
  if (i->number || bits < 8) return false;
  return before > bits && !question_is_opaque(q, sum) && question_fit(q, moment, context, number, bits, sum);
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
  const uint32_t option = question_case_of(q, CHOICE_SIGN, name, name, 2, &is_new);
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

/* ---- quotients by what is not constant ---- */

/* Is the sum a number, greater than 1, times one that counts rounds? */
static bool is_multiple(const Question *q, const LinearSum *sum, LinearSum *counts, LinearSum *other) {
  const int64_t factor = linear_divisor(sum);
  if (!has_rounds(q, sum) || factor < 2) return false;
  *counts = *other = linear_constant(factor);
  counts->constant = sum->constant / factor;
  counts->n = sum->n;
  for (uint32_t i = 0; i < sum->n; i++)
    counts->terms[i] = (LinearTerm){sum->terms[i].unknown, sum->terms[i].factor / factor};
  return true;
}

/* Likewise, or a product of such a sum, which is *counts, and another one. */
static bool is_share(const Question *q, const LinearSum *sum, LinearSum *counts, LinearSum *other) {
  if (is_multiple(q, sum, counts, other)) return true;
  if (sum->n != 1 || sum->constant || sum->terms[0].factor != 1) return false;
  const Unknown *u = &q->unknowns.at[sum->terms[0].unknown];
  if (u->kind != UNKNOWN_PRODUCT || has_rounds(q, &u->of) == has_rounds(q, &u->by)) return false;
  *counts = has_rounds(q, &u->of) ? u->of : u->by;
  *other = has_rounds(q, &u->of) ? u->by : u->of;
  return true;
}

/* The first number is not negative, or is; so are, or are 0, the second one, and a quotient of it. */
static void say_sign(Question *q, const LinearSum *sign, const LinearSum *a, const LinearSum *quotient, bool plus) {
  const LinearSum zero = linear_constant(0);
  if (plus) question_most(q, &zero, sign, 0);
  else question_most(q, sign, &zero, -1);
  question_most(q, plus ? &zero : a, plus ? a : &zero, 0);
  question_most(q, plus ? &zero : quotient, plus ? quotient : &zero, 0);
  question_most(q, plus ? quotient : a, plus ? a : quotient, 0);
}

/* A quotient by what is greater than 0 has the sign of what is divided, and is no further from 0. Of `n x / b` with x
 * between 0 and b, it is between 0 and n. Returns the case: 0: the divisor is not greater than 0; 1: nothing is less
 * than 0. */
static uint32_t say_size(Question *q, const LinearSum *a, const LinearSum *b, uint32_t name) {
  const LinearSum zero = linear_constant(0), quotient = linear_unknown(name);
  LinearSum x, n;
  bool is_new;
  const bool share = is_share(q, a, &x, &n);
  const uint32_t option = question_case_of(q, CHOICE_SIGN, name, name, share ? 5 : 3, &is_new);
  if (!is_new) return option;
  if (option) question_most(q, &zero, b, -1);
  else question_most(q, b, &zero, -1);
  if (option == 1 || option == 2) say_sign(q, share ? &n : a, a, &quotient, option == 1);
  if (share && (option == 1 || option == 2)) {
    question_most(q, &zero, &x, 0);
    question_most(q, &x, b, 0);
    question_most(q, option == 1 ? &quotient : &n, option == 1 ? &n : &quotient, 0);
  }
  if (option == 3) question_most(q, &x, &zero, -1);
  if (option == 4) question_most(q, b, &x, -1);
  question_check(q);
  return option;
}

/* Of two quotients by the same number, which is greater than 0, the greater one is of the greater sum. */
static void order_quotients(Question *q, uint32_t first, uint32_t second) {
  const LinearSum a = q->unknowns.at[first].of, b = q->unknowns.at[second].of, less = linear_unknown(first),
                  more = linear_unknown(second);
  bool is_new;
  const uint32_t option = question_case_of(q, CHOICE_ORDER, first, second, 2, &is_new);
  if (!is_new) return;
  if (option == 0) question_most(q, &a, &b, 0);
  if (option == 0) question_most(q, &less, &more, 0);
  if (option == 1) question_most(q, &b, &a, -1);
  if (option == 1) question_most(q, &more, &less, 0);
  question_check(q);
}

/* Of two products of numbers that are not negative, with one factor in common: the one with the greater other factor is
 * greater by that one at least. */
static void order_times(Question *q, uint32_t first, uint32_t second, const LinearSum *a, const LinearSum *b,
                        const LinearSum *common) {
  LinearSum less = linear_unknown(first), more = linear_unknown(second);
  bool is_new;
  const uint32_t option = question_case_of(q, CHOICE_ORDER, first, second, 3, &is_new);
  if (!is_new) return;
  if (option == 0) question_most(q, a, b, -1);
  if (option == 1) question_most(q, b, a, -1);
  if (option == 2) question_relation(q, a, b, C_EQUAL);
  if (option == 2) question_relation(q, &less, &more, C_EQUAL);
  if (option == 0 && linear_add(&less, common, 1)) question_most(q, &less, &more, 0);
  if (option == 1 && linear_add(&more, common, 1)) question_most(q, &more, &less, 0);
  question_check(q);
}

/* Products with one factor in common, which is not negative, and the other ones. */
typedef struct {
  LinearSum a, b, common;
} Pair;

static bool is_pair(const Question *q, uint32_t first, uint32_t second, Pair *pair) {
  const LinearSum of[] = {q->unknowns.at[first].of, q->unknowns.at[first].by},
                  by[] = {q->unknowns.at[second].of, q->unknowns.at[second].by};
  if (q->unknowns.at[first].kind != UNKNOWN_PRODUCT) return false;
  for (uint32_t k = 0; k < 4; k++) {
    if (!linear_is_same(&of[k / 2], &by[k % 2])) continue;
    *pair = (Pair){of[1 - k / 2], by[1 - k % 2], by[k % 2]};
    return true;
  }
  return false;
}

/* It is another one, and the common factor as often as the others differ, if that is known. */
static bool is_other_product(Question *q, uint32_t name) {
  Pair pair;
  for (uint32_t i = 0; i < name; i++) {
    LinearSum apart = linear_unknown(name), other = linear_unknown(i);
    if (!is_pair(q, i, name, &pair) || !linear_add(&pair.b, &pair.a, -1) || pair.b.n) continue;
    if (!linear_add(&apart, &other, -1) || !linear_add(&apart, &pair.common, -pair.b.constant)) continue;
    question_zero(q, &apart);
    return true;
  }
  return false;
}

/* Each other product that has one of its factors; the order of one that is such another one is that of that one. */
static void order_all_times(Question *q, uint32_t name) {
  Pair pair;
  if (is_other_product(q, name)) return;
  for (uint32_t i = 0; i < name && !q->refuted; i++)
    if (is_pair(q, i, name, &pair) && !has_other_rounds(q, &pair.a, &pair.b))
      order_times(q, i, name, &pair.a, &pair.b, &pair.common);
}

/* Is it new? */
static bool times(Question *q, const LinearSum *a, const LinearSum *b, LinearSum *sum) {
  bool is_new = false;
  const Unknown one = {.kind = UNKNOWN_PRODUCT, .context = C_NONE, .number = C_NONE, .of = *a, .by = *b},
                other = {.kind = UNKNOWN_PRODUCT, .context = C_NONE, .number = C_NONE, .of = *b, .by = *a};
  const uint32_t there = question_find(q, &other), name = there == C_NONE ? question_unknown(q, &one, &is_new) : there;
  *sum = linear_unknown(name);
  if (is_new) question_least(q, sum);
  if (is_new) order_all_times(q, name);
  return is_new;
}

void question_times(Question *q, const LinearSum *a, const LinearSum *b, LinearSum *sum) { times(q, a, b, sum); }

/* Of numbers that are not negative: what the quotient leaves is less than the divisor, `whole` being it times that. */
static void say_rest(Question *q, const LinearSum *a, const LinearSum *b, const LinearSum *quotient, LinearSum *whole) {
  if (!times(q, quotient, b, whole)) return;
  LinearSum next = *whole;
  question_most(q, whole, a, 0);
  if (linear_add(&next, b, 1)) question_most(q, a, &next, -1);
}

static uint32_t name_quotient(Question *q, const LinearSum *a, const LinearSum *b, bool *is_new) {
  Unknown unknown = {.kind = UNKNOWN_QUOTIENT, .context = C_NONE, .number = C_NONE, .of = *a, .by = *b};
  for (uint32_t i = 0; i < q->zero.n; i++) linear_reduce(&unknown.of, &q->zero.at[i]);
  return question_unknown(q, &unknown, is_new);
}

static void order_all_quotients(Question *q, uint32_t name) {
  for (uint32_t i = 0; i < name && !q->refuted; i++)
    if (q->unknowns.at[i].kind == UNKNOWN_QUOTIENT && linear_is_same(&q->unknowns.at[i].by, &q->unknowns.at[name].by))
      order_quotients(q, i, name);
}

/* Of numbers with a sign: also sets `whole`, the quotient times the divisor, if the divisor is greater than 0. Is it
 * so? Of a number that is negative it is the negative of that of its negative. */
static bool divide_somehow(Question *q, const LinearSum *a, const LinearSum *b, LinearSum *quotient, LinearSum *whole) {
  LinearSum x, n;
  bool is_new;
  const uint32_t name = name_quotient(q, a, b, &is_new);
  *quotient = linear_unknown(name);
  const uint32_t option = say_size(q, a, b, name);
  const bool is_known = (option == 1 || option == 2) && !is_share(q, a, &x, &n);
  LinearSum minus = linear_constant(0), less = minus, negative = minus;
  if (is_known && option == 1) say_rest(q, a, b, quotient, whole);
  if (is_known && option == 2) {
    if (!linear_add(&minus, a, -1) || !linear_add(&less, quotient, -1)) return false;
    say_rest(q, &minus, b, &less, &negative);
    *whole = linear_constant(0);
    if (!linear_add(whole, &negative, -1)) return false;
  }
  if (is_new && option) order_all_quotients(q, name);
  return is_known;
}

/* Of `n x / b` with one factor that is no greater than b: it is no greater than the other one, if none is negative. */
static void say_share(Question *q, const LinearSum *a, const LinearSum *b, uint32_t name) {
  enum { FIRST, SECOND, NONE, NEGATIVE_FIRST, NEGATIVE_SECOND, CASES };
  const Unknown *u = a->n == 1 && !a->constant && a->terms[0].factor == 1 ? &q->unknowns.at[a->terms[0].unknown] : NULL;
  const LinearSum quotient = linear_unknown(name), zero = linear_constant(0);
  bool is_new;
  if (!u || u->kind != UNKNOWN_PRODUCT) return;
  const LinearSum n = u->of, x = u->by;
  const uint32_t option = question_case_of(q, CHOICE_ORDER, name, name, CASES, &is_new);
  if (!is_new) return;
  if (option == NEGATIVE_FIRST) question_most(q, &n, &zero, -1);
  else question_most(q, &zero, &n, 0);
  if (option == NEGATIVE_SECOND) question_most(q, &x, &zero, -1);
  else if (option != NEGATIVE_FIRST) question_most(q, &zero, &x, 0);
  if (option == FIRST) question_most(q, &n, b, 0);
  if (option == SECOND) question_most(q, &x, b, 0);
  if (option == SECOND || option == NONE) question_most(q, b, &n, -1);
  if (option == NONE) question_most(q, b, &x, -1);
  if (option == FIRST || option == SECOND) question_most(q, &quotient, option == FIRST ? &x : &n, 0);
  question_check(q);
}

void question_quotient(Question *q, const LinearSum *a, const LinearSum *b, LinearSum *quotient, LinearSum *whole) {
  const LinearSum one = linear_constant(1);
  bool is_new;
  const uint32_t name = name_quotient(q, a, b, &is_new);
  *quotient = linear_unknown(name);
  if (is_new) {
    question_most(q, &one, b, 0);
    question_least(q, quotient);
    question_most(q, quotient, a, 0);
  }
  say_rest(q, a, b, quotient, whole);
  if (is_new) say_share(q, a, b, name);
  if (is_new) order_all_quotients(q, name);
}

static bool divided(Question *q, const CInstruction *i, const LinearSum *a, const LinearSum *b, LinearSum *sum) {
  LinearSum quotient, whole;
  const int64_t most = question_power(31);
  const bool rest = i->number == C_MIX_REMAINDER;
  bool is_known = true;
  if (!i->is_signed || (!b->n && (b->constant <= 0 || b->constant > most))) return false;
  if (b->n) is_known = divide_somehow(q, a, b, &quotient, &whole);
  else if (!divide(q, a, b->constant, &quotient)) return false;
  *sum = rest ? *a : quotient;
  if (!rest) return true;
  return b->n ? is_known && linear_add(sum, &whole, -1) : linear_add(sum, &quotient, -b->constant);
}

bool question_floor(Question *q, const LinearSum *a, int64_t by, LinearSum *sum) {
  const Unknown unknown = {
      .kind = UNKNOWN_FLOOR, .context = C_NONE, .number = C_NONE, .of = *a, .by = linear_constant(by)};
  LinearSum rest = *a;
  bool is_new;
  *sum = linear_unknown(question_unknown(q, &unknown, &is_new));
  if (!linear_add(&rest, sum, -by)) return false;
  if (is_new) question_between(q, &rest, 0, by - 1);
  return true;
}

/* The last bits of a number, with a sign or without: its rest by a power of 2. */
static bool masked(Question *q, const LinearSum *a, const LinearSum *mask, LinearSum *sum) {
  const int64_t by = mask->constant + 1, most = question_power(31);
  LinearSum of = *a, quotient;
  if (mask->n || by < 2 || by > most || (by & mask->constant)) return false;
  for (uint32_t i = 0; i < q->zero.n; i++) linear_reduce(&of, &q->zero.at[i]);
  *sum = *a;
  return question_floor(q, &of, by, &quotient) && linear_add(sum, &quotient, -by);
}

/* Of two products with one factor in common: the other factors are less, the same, or greater, and so are the products,
 * if the common one is not negative; else the other way round, which is said where it is known which is less. */
static void order(Question *q, uint32_t first, uint32_t second) {
  const LinearSum by = q->unknowns.at[first].by, a = q->unknowns.at[first].of, b = q->unknowns.at[second].of;
  LinearSum less = linear_unknown(first), more = linear_unknown(second), apart = a;
  const LinearSum zero = linear_constant(0);
  bool is_new;
  const bool one = linear_add(&apart, &b, -1) && !apart.n;
  uint32_t option = question_case_of(q, CHOICE_ORDER, first, second, one ? 2 : 4, &is_new);
  if (!is_new) return;
  if (one && option == 1) option = 3; /* one case of the first three is left */
  else if (one) option = apart.constant < 0 ? 0 : apart.constant > 0 ? 1 : 2;
  if (option == 3) {
    question_most(q, &by, &zero, -1);
    if (one && apart.constant < 0 && linear_add(&less, &by, 1)) question_most(q, &more, &less, 0);
    if (one && apart.constant > 0 && linear_add(&more, &by, 1)) question_most(q, &less, &more, 0);
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

/* How large a product is, if its second factor is not negative. */
static void say_product(Question *q, const LinearSum *a, const LinearSum *b, uint32_t name) {
  const LinearSum zero = linear_constant(0), product = linear_unknown(name);
  LinearSum negative = zero;
  bool is_new;
  const uint32_t option = question_case_of(q, CHOICE_SIGN, name, name, 4, &is_new);
  if (!is_new) return;
  if (option == 0) question_most(q, b, &zero, -1);
  else question_most(q, &zero, b, 0);
  if (option == 1) {
    question_most(q, &zero, a, -1);
    question_most(q, b, &product, 0);
  } else if (option == 2) {
    question_relation(q, a, &zero, C_EQUAL);
    question_relation(q, &product, &zero, C_EQUAL);
  } else if (option == 3) {
    question_most(q, a, &zero, -1);
    if (linear_add(&negative, b, -1)) question_most(q, &product, &negative, 0);
  }
  question_check(q);
}

bool question_multiply(Question *q, const LinearSum *a, const LinearSum *b, LinearSum *sum) {
  if (has_rounds(q, b) && !has_rounds(q, a)) { /* the factor that another product has, too, comes second */
    const LinearSum *other = a;
    a = b;
    b = other;
  }
  Unknown unknown = {.kind = UNKNOWN_PRODUCT, .context = C_NONE, .number = C_NONE, .of = *a, .by = *b};
  bool is_new;
  for (uint32_t i = 0; i < q->unknowns.n; i++)
    if (q->unknowns.at[i].kind == UNKNOWN_PRODUCT && linear_is_same(&q->unknowns.at[i].by, a)) {
      unknown.of = *b;
      unknown.by = *a;
    }
  const uint32_t name = question_unknown(q, &unknown, &is_new);
  *sum = linear_unknown(name);
  if (is_new && has_rounds(q, a)) say_product(q, &unknown.of, &unknown.by, name);
  for (uint32_t i = 0; i < name && is_new && !q->refuted; i++)
    if (q->unknowns.at[i].kind == UNKNOWN_PRODUCT && linear_is_same(&q->unknowns.at[i].by, &unknown.by) &&
        !has_other_rounds(q, &q->unknowns.at[i].of, &unknown.of))
      order(q, i, name);
  return true;
}

bool question_mixed(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  LinearSum a, b;
  if (i->number == C_MIX_SOMEHOW || i->number == C_MIX_SHIFT || i->n_operands != 2 || i->size < 8) return false;
  if (!question_value(q, moment, context, question_operand(q, i, 0), &a) ||
      !question_value(q, moment, context, question_operand(q, i, 1), &b))
    return false;
  switch ((CMix)i->number) {
  case C_MIX_ADD:
  case C_MIX_SUBTRACT: *sum = a; return i->is_signed && linear_add(sum, &b, i->number == C_MIX_ADD ? 1 : -1);
  case C_MIX_MULTIPLY:
    if (a.n && b.n) return i->is_signed && question_multiply(q, &a, &b, sum);
    *sum = linear_constant(0);
    return i->is_signed && (a.n ? linear_add(sum, &a, b.constant) : linear_add(sum, &b, a.constant));
  case C_MIX_AND: return masked(q, &a, &b, sum);
  case C_MIX_XOR: return false;
  case C_MIX_DIVIDE:
  case C_MIX_REMAINDER: return divided(q, i, &a, &b, sum);
  case C_MIX_SHIFT:
  case C_MIX_SOMEHOW: break;
  }
  return false;
}
