/* Numbers that go on in each round of a loop by what is not constant (question.h): `i += threads`, and
 * `at += n / threads + (t < n % threads)`, which adds one more as long as t, which counts, is less than something.
 *
 * A number without a sign is its first value, and what was added since, if it never wraps: that is asked, as other
 * questions are. Could control go back to the head where the next number is too large? It has come there by the
 * branches that it must pass, and has made the accesses of that round; and until then the number has not wrapped. So it
 * is shown by induction on how far the run has come. What may wrap is known up to a multiple of the power of 2 that
 * divides its step, which divides 2^bits, too. */
#include "frontend/c/question_inside.h"

/* ---- what is added ---- */

enum { MOST_ADDED = 4 };

/* What is added in each round: `number`; operands that are the same in all of them; and one of two numbers, by a test.
 */
typedef struct {
  const COperand *first;
  const COperand *always[MOST_ADDED];
  uint32_t n_always;
  int64_t number;
  uint32_t test;   /* a C_COMPARE; or C_NONE */
  int64_t more[2]; /* if it is false, and if it is true */
  uint64_t bits;
  bool is_signed;
} Step;

/* Where parts of the sum are sought. */
typedef struct {
  const Question *q;
  uint32_t number; /* of the C_MERGE */
  Step *step;
  uint32_t left; /* so many parts */
  bool goes_on;  /* the C_MERGE is one of them */
} Parts;

static bool is_value(const COperand *operand, uint32_t number) {
  return operand->kind == C_VALUE && operand->n == number;
}

static bool set_test(Parts *p, const COperand *test, int64_t if_false, int64_t if_true) {
  Step *s = p->step;
  if (s->test != C_NONE || test->kind != C_VALUE || question_at(p->q, test->n)->kind != C_COMPARE) return false;
  s->test = test->n;
  s->more[0] = if_false;
  s->more[1] = if_true;
  return true;
}

/* Is the instruction a sum of its first operand and a number, as the whole one is? */
static bool is_sum(const Step *s, const CInstruction *i) {
  return i->kind == C_OFFSET && i->n_operands == 1 && i->size == s->bits && i->is_signed == s->is_signed &&
         (i->is_signed || i->number >= 0);
}

/* The operand that a number is added to, which may be a constant, too: then NULL. False: the number is too large. */
static bool take_number(const Parts *p, const COperand **operand, int64_t *number) {
  const int64_t most = question_power(30);
  *number = 0;
  while ((*operand)->kind == C_VALUE && is_sum(p->step, question_at(p->q, (*operand)->n))) {
    const CInstruction *i = question_at(p->q, (*operand)->n);
    *number += i->number;
    *operand = question_operand(p->q, i, 0);
    if (i->number > most || i->number < -most || *number > most || *number < -most) return false;
  }
  if ((*operand)->kind != C_INTEGER) return true;
  *number += (*operand)->number;
  const bool small = (*operand)->number >= 0 && (*operand)->number <= most;
  *operand = NULL;
  return small;
}

/* Is it the same operand, or computed in the same way of such ones? */
static bool is_alike(const Question *q, const COperand *a, const COperand *b, uint32_t depth) {
  if (a->kind != b->kind) return false;
  if (a->kind == C_INTEGER) return a->number == b->number;
  if (a->kind != C_VALUE) return false;
  if (a->n == b->n) return true;
  const CInstruction *i = question_at(q, a->n), *k = question_at(q, b->n);
  if (depth == 3 || i->kind != C_MIX || k->kind != C_MIX || i->number == C_MIX_SOMEHOW || i->number != k->number ||
      i->size != k->size || i->is_free || k->is_free || i->n_operands != 2 || k->n_operands != 2 ||
      i->is_signed != k->is_signed)
    return false;
  return is_alike(q, question_operand(q, i, 0), question_operand(q, k, 0), depth + 1) &&
         is_alike(q, question_operand(q, i, 1), question_operand(q, k, 1), depth + 1);
}

static bool see_part(Parts *p, const COperand *operand);

/* One of two sums of a number and the same operand. */
static bool see_either(Parts *p, const COperand *test, const COperand *if_true, const COperand *if_false) {
  int64_t more, less;
  if (!take_number(p, &if_true, &more) || !take_number(p, &if_false, &less) || !set_test(p, test, less, more))
    return false;
  if (!if_true || !if_false) return if_true == if_false;
  return is_alike(p->q, if_true, if_false, 0) && see_part(p, if_true);
}

/* The truth value that a number was made of, 1 or 0; NULL: it was not. */
static const COperand *truth_of(const Question *q, const COperand *operand) {
  for (uint32_t n = 0; n < 4 && operand->kind == C_VALUE; n++) {
    const CInstruction *i = question_at(q, operand->n);
    if (i->kind != C_SAME || i->n_operands != 1) return NULL;
    operand = question_operand(q, i, 0);
    if (operand->kind == C_VALUE && question_at(q, operand->n)->kind == C_COMPARE) return i->is_signed ? NULL : operand;
  }
  return NULL;
}

/* Of a branch at the end of a block, the way by which control comes from there to another block through `from`, or at
 * once if that is the same block: 0, 1, or 2: that is not known. */
static uint32_t way_of(const Question *q, uint32_t block, uint32_t from, uint32_t to) {
  const Dominators *d = &q->d->dominators;
  const uint32_t *ways = q->d->module->successors.at + q->d->module->blocks.at[block].successors;
  const uint32_t next = from == block ? to : from;
  if (from != block && (d->comings[from + 1] - d->comings[from] != 1 || d->at[d->comings[from]] != block)) return 2;
  return ways[0] == next ? 0 : ways[1] == next ? 1 : 2;
}

/* A C_MERGE of what comes from the two ways of a branch. */
static bool see_merge(Parts *p, const CInstruction *i) {
  const Question *q = p->q;
  const uint32_t block = q->d->dominators.above[i->block];
  const CInstruction *last = question_at(q, q->d->module->blocks.at[block].end - 1);
  const COperand *values[3] = {NULL, NULL, NULL};
  if (last->kind != C_BRANCH || i->n_operands != 2) return false;
  for (uint32_t n = 0; n < 2; n++)
    values[way_of(q, block, q->d->module->sources.at[i->operands + n], i->block)] = question_operand(q, i, n);
  return values[0] && values[1] && see_either(p, question_operand(q, last, 0), values[0], values[1]);
}

static bool see_computed(Parts *p, const COperand *operand) {
  const Question *q = p->q;
  const CInstruction *i = question_at(q, operand->n);
  const COperand *truth = truth_of(q, operand);
  if (truth) return set_test(p, truth, 0, 1);
  if (is_sum(p->step, i))
    return !__builtin_add_overflow(p->step->number, i->number, &p->step->number) &&
           see_part(p, question_operand(q, i, 0));
  if (i->kind == C_MIX && i->number == C_MIX_ADD && i->n_operands == 2 && i->size == p->step->bits &&
      i->is_signed == p->step->is_signed)
    return see_part(p, question_operand(q, i, 0)) && see_part(p, question_operand(q, i, 1));
  if (i->kind == C_SELECT)
    return see_either(p, question_operand(q, i, 0), question_operand(q, i, 1), question_operand(q, i, 2));
  if (i->kind == C_MERGE && !question_is_head(q, i->block)) return see_merge(p, i);
  if (p->step->n_always == MOST_ADDED) return false;
  p->step->always[p->step->n_always++] = operand;
  return true;
}

static bool see_part(Parts *p, const COperand *operand) {
  const Question *q = p->q;
  if (!p->left) return false;
  p->left--;
  if (is_value(operand, p->number)) return !p->goes_on && (p->goes_on = true);
  if (operand->kind == C_VALUE &&
      dominators_passes(&q->d->dominators, question_at(q, p->number)->block, question_at(q, operand->n)->block))
    return see_computed(p, operand);
  if (p->step->n_always == MOST_ADDED) return false;
  p->step->always[p->step->n_always++] = operand;
  return true;
}

static bool find_step(const Question *q, uint32_t number, bool is_signed, Step *step) {
  const CInstruction *i = question_at(q, number);
  const COperand *first, *back;
  if (i->kind != C_MERGE || !question_is_head(q, i->block)) return false;
  question_find_ways(q, i, &first, &back);
  if (!first || !back || back->kind != C_VALUE || is_value(back, number)) return false;
  *step = (Step){.first = first, .test = C_NONE, .bits = i->size, .is_signed = is_signed};
  Parts parts = {.q = q, .number = number, .step = step, .left = 16};
  return see_part(&parts, back) && parts.goes_on;
}

bool question_is_stride(const Question *q, uint32_t number) {
  Step step;
  return find_step(q, number, false, &step);
}

/* ---- its values ---- */

static bool value_of(Question *q, uint32_t moment, uint32_t context, const Step *s, const COperand *operand,
                     LinearSum *sum) {
  return s->is_signed ? question_value(q, moment, context, operand, sum)
                      : question_natural(q, moment, context, operand, s->bits, sum);
}

static bool add_operand(Question *q, uint32_t moment, uint32_t context, const Step *s, const COperand *operand,
                        LinearSum *sum) {
  LinearSum more;
  return value_of(q, moment, context, s, operand, &more) && !question_is_vague(q, &more) && linear_add(sum, &more, 1);
}

/* What is added in any case. */
static bool add_always_parts(Question *q, uint32_t moment, uint32_t context, const Step *s, LinearSum *sum) {
  *sum = linear_constant(s->number);
  for (uint32_t n = 0; n < s->n_always; n++)
    if (!add_operand(q, moment, context, s, s->always[n], sum)) return false;
  return true;
}

static bool are_steady(Question *q, uint32_t moment, uint32_t context, uint32_t head, const Step *s) {
  for (uint32_t n = 0; n < s->n_always; n++)
    if (!question_is_steady(q, moment, context, head, s->always[n])) return false;
  return true;
}

/* ---- does it wrap? ---- */

typedef struct {
  uint32_t context, number, from; /* from: a block from which control goes back */
} Going;

static LinearSum bound_of(uint64_t bits) {
  return bits == 64 ? linear_unknown(LINEAR_WORD) : linear_constant(question_power(bits));
}

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

/* What is added in this round: one case or the other. */
static bool add_round(Question *q, uint32_t context, const Step *s, LinearSum *sum) {
  const COperand test = {C_VALUE, s->test, 0};
  LinearSum more;
  bool is_new;
  if (!add_always_parts(q, 0, context, s, &more) || !linear_add(sum, &more, 1)) return false;
  if (s->test == C_NONE) return true;
  const bool truth = question_case(q, CHOICE_STEPS, 0, context, s->test, 2, &is_new) == 1;
  if (is_new) question_truth(q, 0, context, &test, truth);
  if (is_new) question_check(q);
  more = linear_constant(s->more[truth]);
  return linear_add(sum, &more, 1);
}

/* Control goes back, and the next number is too large. */
static void say_wraps(Question *q, const void *what) {
  const Going *g = what;
  const CInstruction *i = question_at(q, g->number);
  const CBlock *from = &q->d->module->blocks.at[g->from];
  const CInstruction *last = question_at(q, from->end - 1);
  const uint32_t *to = q->d->module->successors.at + from->successors;
  const COperand value = {C_VALUE, g->number, 0};
  const LinearSum bound = bound_of(i->size);
  LinearSum next;
  Step step;
  question_add_ways(q, 0, g->context, from->end - 1);
  if (last->kind == C_BRANCH && to[0] != to[1])
    question_truth(q, 0, g->context, question_operand(q, last, 0), to[0] == i->block);
  if (q->refuted || !find_step(q, g->number, false, &step) || !value_of(q, 0, g->context, &step, &value, &next) ||
      !add_round(q, g->context, &step, &next))
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

/* No more is asked; nor is it asked while it is of so many others. */
enum { MOST_STRIDES = 64, MOST_SOUGHT = 4 };

/* While it is asked of one, that one has not wrapped yet; of another one that is being asked for nothing is known. */
static bool is_exact(const Deeds *d, uint32_t context, uint32_t number) {
  Passing *p = d->passing;
  uint32_t n = 0, sought = 0;
  for (uint32_t i = 0; i < p->strides.n; i++) sought += p->strides.at[i].is_sought;
  while (n < p->strides.n && (p->strides.at[n].context != context || p->strides.at[n].number != number)) n++;
  if (n < p->strides.n) return p->strides.at[n].holds || (p->strides.at[n].is_sought && p->striding == n);
  if (n == MOST_STRIDES || sought >= MOST_SOUGHT) return false;
  const uint32_t before = p->striding;
  vec_push(d->heap, &p->strides, ((Stride){.context = context, .number = number, .is_sought = true}));
  p->striding = n;
  const bool holds = never_wraps(d, context, number);
  p->striding = before;
  p->strides.at[n].is_sought = false;
  return p->strides.at[n].holds = holds;
}

/* ---- in which rounds the test was true ---- */

/* A test as `count < limit`, or `count <= limit`, or the opposite. */
typedef struct {
  const COperand *count, *limit;
  LinearSum from; /* the count in the first round */
  bool is_natural, is_equal, is_opposite;
} Test;

/* It is no count then, and to ask for it may be to ask for what it is asked for. */
static bool goes_on_by_test(const Question *q, uint32_t number) {
  Step step;
  return find_step(q, number, !question_is_natural(q, number), &step) && step.test != C_NONE;
}

/* Does a number go on by one in each round from a constant on, and is it the same with a sign and without, perhaps with
 * more bits? */
static bool is_count(Question *q, uint32_t moment, uint32_t context, uint32_t head, Test *t) {
  const COperand *operand = t->count;
  bool extends = false, sign = false; /* bits were added, as copies of the sign */
  LinearSum rounds;
  while (operand->kind == C_VALUE && question_at(q, operand->n)->kind == C_SAME) {
    const CInstruction *i = question_at(q, operand->n);
    const uint64_t before = i->n_operands == 1 ? question_bits(q, question_operand(q, i, 0)) : 0;
    if (!before || before > i->size) return false;
    extends |= before < i->size;
    sign |= before < i->size && i->is_signed;
    operand = question_operand(q, i, 0);
  }
  if (operand->kind != C_VALUE || question_at(q, operand->n)->kind != C_MERGE ||
      question_at(q, operand->n)->block != head || goes_on_by_test(q, operand->n) ||
      !question_rounds(q, moment, context, head, &rounds))
    return false;
  const bool natural = question_is_natural(q, operand->n);
  if (natural && (sign || (!extends && !t->is_natural))) return false;
  const bool known = natural ? question_natural(q, moment, context, operand, question_bits(q, operand), &t->from)
                             : question_value(q, moment, context, operand, &t->from);
  return known && linear_add(&t->from, &rounds, -1) && !t->from.n && t->from.constant >= 0;
}

/* With the count on the left, or on the right. */
static bool find_test(Question *q, uint32_t moment, uint32_t context, uint32_t head, uint32_t number, bool right,
                      Test *t) {
  _Static_assert(C_LESS_EQUAL == C_LESS + 1 && C_GREATER == C_LESS + 2 && C_GREATER_EQUAL == C_LESS + 3 &&
                     C_BELOW == C_LESS + 4 && C_BELOW_EQUAL == C_LESS + 5 && C_ABOVE == C_LESS + 6 &&
                     C_ABOVE_EQUAL == C_LESS + 7,
                 "ORDER CRelation");
  const CInstruction *i = question_at(q, number);
  const CRelation relation = (CRelation)i->number;
  if (!i->is_signed || relation < C_LESS || relation > C_ABOVE_EQUAL) return false;
  const uint32_t form = ((uint32_t)(relation - C_LESS) & 3) ^ (right ? 2 : 0);
  *t = (Test){.count = question_operand(q, i, right),
              .limit = question_operand(q, i, !right),
              .is_natural = relation >= C_BELOW,
              .is_equal = form == 1 || form == 2,
              .is_opposite = form >= 2};
  return is_count(q, moment, context, head, t) && question_is_steady(q, moment, context, head, t->limit);
}

/* In how many of the rounds so far: in the first ones, until the count was too large, or not in those. */
static bool count_true(Question *q, uint32_t moment, uint32_t context, uint32_t number, const Step *s,
                       LinearSum *times) {
  const uint32_t head = question_at(q, number)->block;
  const LinearSum zero = linear_constant(0), one = linear_constant(1);
  LinearSum rounds, most;
  Test t;
  bool is_new;
  if ((!find_test(q, moment, context, head, s->test, false, &t) &&
       !find_test(q, moment, context, head, s->test, true, &t)) ||
      !question_rounds(q, moment, context, head, &rounds) ||
      !(t.is_natural ? question_natural(q, moment, context, t.limit, question_bits(q, t.count), &most)
                     : question_value(q, moment, context, t.limit, &most)) ||
      question_is_vague(q, &most) || !linear_add(&most, &t.from, -1) || !linear_add(&most, &one, t.is_equal))
    return false;
  const uint32_t option = question_case(q, CHOICE_STEPS, moment, context, number, 3, &is_new);
  *times = option == 0 ? rounds : option == 1 ? most : zero;
  if (is_new && option == 0) question_most(q, &rounds, &most, 0);
  if (is_new && option == 1) question_most(q, &zero, &most, 0);
  if (is_new && option == 1) question_most(q, &most, &rounds, -1);
  if (is_new && option == 2) question_most(q, &most, &zero, -1);
  if (is_new) question_check(q);
  if (!t.is_opposite) return true;
  const LinearSum others = *times;
  *times = rounds;
  return linear_add(times, &others, -1);
}

/* ---- what it is ---- */

/* What was added by the test so far, but for what is added in any case, which is added to *always. */
static bool add_either(Question *q, uint32_t moment, uint32_t context, uint32_t number, const Step *s,
                       LinearSum *always, LinearSum *sum) {
  const LinearSum less = linear_constant(s->more[0]);
  LinearSum times;
  return linear_add(always, &less, 1) && count_true(q, moment, context, number, s, &times) &&
         linear_add(sum, &times, s->more[1] - s->more[0]);
}

/* As often as the loop has gone round, which is once at least if `some`. */
static bool add_rounds(Question *q, uint32_t moment, uint32_t context, uint32_t number, bool is_signed, bool some,
                       const LinearSum *always, LinearSum *sum) {
  LinearSum rounds, all;
  if (!question_rounds(q, moment, context, question_at(q, number)->block, &rounds)) return false;
  if (!always->n) return linear_add(sum, &rounds, always->constant);
  if (is_signed && !question_multiply(q, &rounds, always, &all)) return false;
  if (!is_signed) question_times(q, &rounds, always, &all);
  if (!is_signed && some) question_most(q, always, &all, 0);
  return linear_add(sum, &all, 1);
}

/* The first value, and a multiple of the power of 2 that divides the step. */
static bool step_somehow(Question *q, uint32_t moment, uint32_t context, uint32_t number, int64_t step,
                         LinearSum *sum) {
  const Unknown unknown = {.kind = UNKNOWN_STEPS, .moment = moment, .context = context, .number = number};
  const int64_t power = step & -step, most = question_power(30);
  bool is_new;
  if (power < 2 || power > most) return false;
  const LinearSum times = linear_unknown(question_unknown(q, &unknown, &is_new));
  return linear_add(sum, &times, power);
}

/* Is it asked whether that number wraps, of a round that is at its end at that moment? */
static bool is_at_end(const Question *q, uint32_t moment, uint32_t context, uint32_t number) {
  const Passing *p = q->d->passing;
  const Stride *s = p->striding == C_NONE ? NULL : &p->strides.at[p->striding];
  return s && !moment && s->context == context && s->number == number;
}

bool question_stride(Question *q, uint32_t moment, uint32_t context, uint32_t number, bool is_signed, LinearSum *sum) {
  const uint32_t head = question_at(q, number)->block;
  LinearSum always;
  Step s;
  if (moment == MOMENT_ONCE || !find_step(q, number, is_signed, &s)) return false;
  const bool at_end = is_at_end(q, moment, context, number);
  if ((s.n_always || s.test != C_NONE) && !at_end && !question_has_gone_round(q, moment, context, head))
    return value_of(q, moment, context, &s, s.first, sum);
  if (!are_steady(q, moment, context, head, &s) || !add_always_parts(q, moment, context, &s, &always) ||
      !value_of(q, moment, context, &s, s.first, sum))
    return false;
  if (!is_signed && !is_exact(q->d, context, number))
    return s.test == C_NONE && !always.n && step_somehow(q, moment, context, number, always.constant, sum);
  if ((s.test != C_NONE && !add_either(q, moment, context, number, &s, &always, sum)) ||
      !add_rounds(q, moment, context, number, is_signed, !at_end, &always, sum))
    return false;
  const LinearSum bound = bound_of(s.bits);
  if (is_signed) return true;
  question_least(q, sum);
  question_most(q, sum, &bound, -1);
  return true;
}
