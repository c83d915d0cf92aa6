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

/* What is added in each round: `number`; operands that are the same in all of them; and by a test one of two sums, of
 * an operand, or 0, and a number. */
typedef struct {
  const COperand *first;
  const COperand *always[MOST_ADDED];
  uint32_t n_always;
  int64_t number;
  uint32_t test;             /* a C_COMPARE; or C_NONE */
  const COperand *either[2]; /* if it is false, and if it is true; NULL: 0 */
  int64_t more[2];
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

static bool add_always(Step *s, const COperand *operand) {
  if (s->n_always == MOST_ADDED) return false;
  s->always[s->n_always++] = operand;
  return true;
}

static bool set_test(Step *s, const Question *q, const COperand *test) {
  if (s->test != C_NONE || test->kind != C_VALUE || question_at(q, test->n)->kind != C_COMPARE) return false;
  s->test = test->n;
  return true;
}

/* As sums: what is constant in them is added as a number. */
static bool set_either(Step *s, const Question *q, const COperand *test, const COperand *if_true,
                       const COperand *if_false) {
  s->either[0] = if_false;
  s->either[1] = if_true;
  for (uint32_t k = 0; k < 2; k++) {
    const COperand **o = &s->either[k];
    for (s->more[k] = 0; (*o)->kind == C_VALUE; *o = question_operand(q, question_at(q, (*o)->n), 0)) {
      const CInstruction *i = question_at(q, (*o)->n);
      if (i->kind != C_OFFSET || i->n_operands != 1 || i->size != s->bits || i->is_signed != s->is_signed ||
          (!i->is_signed && i->number < 0) || __builtin_add_overflow(s->more[k], i->number, &s->more[k]))
        break;
    }
  }
  return set_test(s, q, test);
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
static bool see_merge(Parts *p, const COperand *operand) {
  const Question *q = p->q;
  const CInstruction *i = question_at(q, operand->n);
  const uint32_t block = q->d->dominators.above[i->block];
  const CInstruction *last = question_at(q, q->d->module->blocks.at[block].end - 1);
  const COperand *values[3] = {NULL, NULL, NULL};
  if (last->kind != C_BRANCH || i->n_operands != 2) return false;
  for (uint32_t n = 0; n < 2; n++)
    values[way_of(q, block, q->d->module->sources.at[i->operands + n], i->block)] = question_operand(q, i, n);
  return values[0] && values[1] && set_either(p->step, q, question_operand(q, last, 0), values[0], values[1]);
}

static bool see_part(Parts *p, const COperand *operand) {
  const Question *q = p->q;
  if (!p->left--) return p->left = 0, false;
  if (is_value(operand, p->number)) return !p->goes_on && (p->goes_on = true);
  if (operand->kind != C_VALUE ||
      !dominators_passes(&q->d->dominators, question_at(q, p->number)->block, question_at(q, operand->n)->block))
    return add_always(p->step, operand);
  const CInstruction *i = question_at(q, operand->n);
  const COperand *truth = truth_of(q, operand);
  if (i->size == p->step->bits && i->is_signed == p->step->is_signed) {
    if (i->kind == C_MIX && i->number == C_MIX_ADD && i->n_operands == 2)
      return see_part(p, question_operand(q, i, 0)) && see_part(p, question_operand(q, i, 1));
    if (i->kind == C_OFFSET && i->n_operands == 1 && (i->is_signed || i->number > 0))
      return !__builtin_add_overflow(p->step->number, i->number, &p->step->number) &&
             see_part(p, question_operand(q, i, 0));
  }
  if (truth) return p->step->more[1] = 1, set_test(p->step, q, truth);
  if (i->kind == C_SELECT)
    return set_either(p->step, q, question_operand(q, i, 0), question_operand(q, i, 1), question_operand(q, i, 2));
  return i->kind == C_MERGE && !question_is_head(q, i->block) ? see_merge(p, operand) : add_always(p->step, operand);
}

static bool find_step(const Question *q, uint32_t number, Step *step) {
  const CInstruction *i = question_at(q, number);
  const COperand *first, *back;
  if (i->kind != C_MERGE || !question_is_head(q, i->block)) return false;
  question_find_ways(q, i, &first, &back);
  const CInstruction *next = first && back && back->kind == C_VALUE ? question_at(q, back->n) : NULL;
  if (!next || next->size != i->size || (next->kind != C_MIX && next->kind != C_OFFSET)) return false;
  *step = (Step){.first = first, .bits = i->size, .is_signed = next->is_signed, .test = C_NONE};
  Parts parts = {.q = q, .number = number, .step = step, .left = 16};
  return see_part(&parts, back) && parts.goes_on;
}

bool question_is_stride(const Question *q, uint32_t number) {
  Step step;
  return find_step(q, number, &step) && !step.is_signed;
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

/* What is added by the test if it comes out like that. */
static bool either_part(Question *q, uint32_t moment, uint32_t context, const Step *s, bool truth, LinearSum *sum) {
  *sum = linear_constant(s->more[truth]);
  return !s->either[truth] || add_operand(q, moment, context, s, s->either[truth], sum);
}

static bool are_steady(Question *q, uint32_t moment, uint32_t context, uint32_t head, const Step *s) {
  for (uint32_t n = 0; n < s->n_always; n++)
    if (!question_is_steady(q, moment, context, head, s->always[n])) return false;
  for (uint32_t k = 0; k < 2; k++)
    if (s->either[k] && !question_is_steady(q, moment, context, head, s->either[k])) return false;
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
  return either_part(q, 0, context, s, truth, &more) && linear_add(sum, &more, 1);
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
  if (q->refuted || !find_step(q, g->number, &step) || !value_of(q, 0, g->context, &step, &value, &next) ||
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

/* ---- in which rounds the test was true ---- */

/* A test as `count < limit`, or `count <= limit`, or the opposite. */
typedef struct {
  const COperand *count, *limit;
  LinearSum from; /* the count in the first round */
  bool is_natural, is_equal, is_opposite;
} Test;

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
      question_at(q, operand->n)->block != head || !question_rounds(q, moment, context, head, &rounds))
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
  LinearSum more, less, times;
  return either_part(q, moment, context, s, true, &more) && either_part(q, moment, context, s, false, &less) &&
         linear_add(&more, &less, -1) && !more.n && linear_add(always, &less, 1) &&
         count_true(q, moment, context, number, s, &times) && linear_add(sum, &times, more.constant);
}

/* As often as the loop has gone round. */
static bool add_rounds(Question *q, uint32_t moment, uint32_t context, uint32_t number, bool is_signed,
                       const LinearSum *always, LinearSum *sum) {
  LinearSum rounds, all;
  if (!question_rounds(q, moment, context, question_at(q, number)->block, &rounds)) return false;
  if (!always->n) return linear_add(sum, &rounds, always->constant);
  if (!is_signed) question_times(q, &rounds, always, &all);
  else if (!question_multiply(q, &rounds, always, &all)) return false;
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

bool question_stride(Question *q, uint32_t moment, uint32_t context, uint32_t number, bool is_signed, LinearSum *sum) {
  const uint32_t head = question_at(q, number)->block;
  LinearSum always;
  Step s;
  if (moment == MOMENT_ONCE || !find_step(q, number, &s) || s.is_signed != is_signed ||
      !are_steady(q, moment, context, head, &s) || !add_always_parts(q, moment, context, &s, &always) ||
      !value_of(q, moment, context, &s, s.first, sum))
    return false;
  if (!is_signed && !is_exact(q->d, context, number))
    return s.test == C_NONE && !always.n && step_somehow(q, moment, context, number, always.constant, sum);
  if ((s.test != C_NONE && !add_either(q, moment, context, number, &s, &always, sum)) ||
      !add_rounds(q, moment, context, number, is_signed, &always, sum))
    return false;
  const LinearSum bound = bound_of(s.bits);
  if (is_signed) return true;
  question_least(q, sum);
  question_most(q, sum, &bound, -1);
  return true;
}
