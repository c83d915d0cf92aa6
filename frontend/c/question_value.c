/* What values are at a moment (question.h). */
#include "frontend/c/question_inside.h"

static const CFunction *function_of(const Question *q, uint32_t context) {
  return &q->d->module->functions.at[q->d->points->contexts.at[context].function];
}

static uint32_t n_comings(const Question *q, uint32_t block) {
  return q->d->dominators.comings[block + 1] - q->d->dominators.comings[block];
}

static uint32_t coming(const Question *q, uint32_t block, uint32_t k) {
  return q->d->dominators.at[q->d->dominators.comings[block] + k];
}

bool question_is_head(const Question *q, uint32_t block) { return q->d->dominators.is_head[block]; }

/* ---- unknowns ---- */

uint64_t question_bits(const Question *q, const COperand *operand) {
  if (operand->kind != C_VALUE) return 0;
  const CInstruction *i = question_at(q, operand->n);
  switch ((int)i->kind) {
  case C_LOAD:
  case C_UPDATE: return i->size * 8;
  case C_SAME:
  case C_MIX:
  case C_OFFSET:
  case C_MERGE:
  case C_SELECT:
  case C_PARAMETER:
  case C_CALL: return i->size >= 8 ? i->size : 0;
  default: return 0;
  }
}

static bool be_unknown(Question *q, Unknown unknown, uint64_t bits, LinearSum *sum) {
  bool is_new;
  const uint32_t name = question_unknown(q, &unknown, &is_new);
  *sum = linear_unknown(name);
  if (is_new && bits && bits <= 32) question_between(q, sum, -question_power(bits - 1), question_power(bits - 1) - 1);
  if (is_new && unknown.kind == UNKNOWN_VALUE) question_tickets(q, name);
  return true;
}

bool question_is_argc(const Question *q, uint32_t context, uint32_t number) {
  const CContext *c = &q->d->points->contexts.at[context];
  const CInstruction *i = question_at(q, number);
  return !context && !c->repeats && number == function_of(q, context)->start && i->kind == C_PARAMETER && i->size == 32;
}

bool question_opaque(Question *q, UnknownKind kind, uint32_t moment, uint32_t context, uint32_t number,
                     LinearSum *sum) {
  const uint32_t when = question_moment(q, moment, context, number);
  const COperand value = {C_VALUE, number, 0};
  if (moment == MOMENT_ONCE && !points_once(q->d->points, context, number)) return false;
  const Unknown natural = {.kind = UNKNOWN_NATURAL, .moment = when, .context = context, .number = number};
  const uint32_t name = kind == UNKNOWN_VALUE ? question_find(q, &natural) : C_NONE;
  if (name != C_NONE)
    return *sum = linear_unknown(name), question_signed(q, moment, context, number, question_bits(q, &value), sum);
  be_unknown(q, (Unknown){.kind = kind, .moment = when, .context = context, .number = number}, question_bits(q, &value),
             sum);
  if (question_is_argc(q, context, number)) question_least(q, sum);
  return true;
}

bool question_rounds(Question *q, uint32_t moment, uint32_t context, uint32_t head, LinearSum *sum) {
  bool is_new;
  if (moment == MOMENT_ONCE) return false;
  for (uint32_t i = 0; i < q->along.n; i++) {
    const Along a = q->along.at[i];
    if (a.moment == moment && a.loop.context == context && a.loop.head == head)
      return question_rounds(q, a.other_moment, a.other.context, a.other.head, sum);
  }
  const Unknown unknown = {.kind = UNKNOWN_ROUNDS, .moment = moment, .context = context, .number = head};
  *sum = linear_unknown(question_unknown(q, &unknown, &is_new));
  if (is_new) question_least(q, sum);
  return true;
}

void question_go_along(Question *q, uint32_t moment, const Loop *loop, uint32_t other_moment, const Loop *other) {
  for (uint32_t i = 0; i < q->along.n; i++)
    if (q->along.at[i].moment == moment) return;
  vec_push(q->heap, &q->along, ((Along){moment, other_moment, *loop, *other}));
}

/* ---- conditions ---- */

uint32_t question_case(Question *q, ChoiceKind kind, uint32_t moment, uint32_t context, uint32_t number, uint32_t n,
                       bool *is_new) {
  return question_choose(q, (Choice){.kind = kind, .moment = moment, .context = context, .number = number, .n = n},
                         is_new);
}

/* What is said again may give an unknown another number, and that number to another one: so it is known by its serial.
 */
uint32_t question_case_of(Question *q, ChoiceKind kind, uint32_t first, uint32_t second, uint32_t n, bool *is_new) {
  const uint32_t a = q->unknowns.at[first].serial, b = q->unknowns.at[second].serial;
  return question_case(q, kind, C_NONE, a, b, n, is_new);
}

static CRelation opposite(CRelation relation) {
  static const CRelation OPPOSITES[] = {
      C_UNEQUAL,     C_EQUAL, C_GREATER_EQUAL, C_GREATER, C_LESS_EQUAL, C_LESS,
      C_ABOVE_EQUAL, C_ABOVE, C_BELOW_EQUAL,   C_BELOW,   C_OTHERWISE}; /* ORDER CRelation */
  _Static_assert(sizeof OPPOSITES / sizeof *OPPOSITES == C_OTHERWISE + 1, "ORDER CRelation");
  return OPPOSITES[relation];
}

void question_relation(Question *q, const LinearSum *a, const LinearSum *b, CRelation relation) {
  LinearSum sum = *a;
  if (!linear_add(&sum, b, -1)) return;
  switch (relation) {
  case C_EQUAL: question_zero(q, &sum); break;
  case C_UNEQUAL: q->refuted |= !sum.n && !sum.constant; break;
  case C_BELOW:
  case C_LESS: question_most(q, a, b, -1); break;
  case C_BELOW_EQUAL:
  case C_LESS_EQUAL: question_most(q, a, b, 0); break;
  case C_ABOVE:
  case C_GREATER: question_most(q, b, a, -1); break;
  case C_ABOVE_EQUAL:
  case C_GREATER_EQUAL: question_most(q, b, a, 0); break;
  case C_OTHERWISE: break;
  }
}

static bool is_truth(const Question *q, const COperand *operand, int depth) {
  if (operand->kind != C_VALUE || depth > QUESTION_DEEPEST) return false;
  const CInstruction *i = question_at(q, operand->n);
  if (i->kind == C_SAME && i->n_operands == 1) return is_truth(q, question_operand(q, i, 0), depth + 1);
  return i->kind == C_COMPARE;
}

bool question_is_truth(const Question *q, const COperand *operand) { return is_truth(q, operand, 0); }

/* Is it seen that it is a number without a sign? */
static bool is_natural(const Question *q, const COperand *operand, int depth) {
  if (operand->kind != C_VALUE || depth > 3) return false;
  const CInstruction *i = question_at(q, operand->n);
  if (question_is_natural(q, operand->n)) return true;
  if (i->kind != C_MERGE && i->kind != C_SELECT && (i->kind != C_SAME || !i->is_signed)) return false;
  for (uint32_t k = i->kind == C_SELECT; k < i->n_operands; k++)
    if (is_natural(q, question_operand(q, i, k), depth + 1)) return true;
  return false;
}

/* What counts by steps to what it comes to has not gone past it, unless it has begun behind it. */
static void count_to(Question *q, uint32_t moment, uint32_t context, uint32_t number, const LinearSum *a,
                     const LinearSum *b) {
  LinearSum first, far;
  int64_t step;
  uint32_t end;
  bool is_new;
  if (!question_counts_to(q, moment, context, number, &end, &first, &step)) return;
  const LinearSum *to = end ? b : a, *counter = end ? a : b;
  far = first;
  if (!linear_add(&far, to, -1) || linear_divisor(&far) % step != 0) return;
  const uint32_t option =
      question_case(q, CHOICE_PAST, question_moment(q, moment, context, number), context, number, 2, &is_new);
  if (!is_new) return;
  const bool before = option == 0; /* it has not come there yet */
  question_relation(q, counter, to, before == (step > 0) ? C_LESS : C_GREATER);
  if (!before) question_relation(q, &first, to, step > 0 ? C_GREATER : C_LESS);
  question_check(q);
}

/* What is not the same is less, or greater: one case or the other, of what is computed. */
static void relate(Question *q, uint32_t moment, uint32_t context, uint32_t number, const LinearSum *a,
                   const LinearSum *b, CRelation relation) {
  LinearSum apart = *a;
  bool is_new;
  question_relation(q, a, b, relation);
  if (relation != C_UNEQUAL || !linear_add(&apart, b, -1) || apart.n < 2 || question_is_vague(q, &apart)) return;
  const uint32_t option =
      question_case(q, CHOICE_UNEQUAL, question_moment(q, moment, context, number), context, number, 2, &is_new);
  if (is_new) question_relation(q, a, b, option == 0 ? C_LESS : C_GREATER);
  if (is_new) question_check(q);
}

/* As numbers without a sign. */
static void compare_naturals(Question *q, uint32_t moment, uint32_t context, uint32_t number, CRelation relation) {
  const CInstruction *i = question_at(q, number);
  const COperand *left = question_operand(q, i, 0), *right = question_operand(q, i, 1);
  const uint64_t a_bits = question_bits(q, left), b_bits = question_bits(q, right), bits = a_bits ? a_bits : b_bits;
  LinearSum a, b;
  if (!question_natural(q, moment, context, left, bits, &a) || !question_natural(q, moment, context, right, bits, &b))
    return;
  const bool null = !b.n && !b.constant && relation == C_UNEQUAL;
  relate(q, moment, context, number, &a, &b, null ? C_ABOVE : relation);
}

static void add_comparison(Question *q, uint32_t moment, uint32_t context, uint32_t number, bool truth) {
  const CInstruction *i = question_at(q, number);
  const COperand *left = question_operand(q, i, 0), *right = question_operand(q, i, 1);
  const CRelation relation = truth ? (CRelation)i->number : opposite((CRelation)i->number);
  const bool equal = relation == C_EQUAL || relation == C_UNEQUAL;
  LinearSum a, b;
  if (equal && right->kind == C_INTEGER && !right->number && question_is_truth(q, left)) {
    question_truth(q, moment, context, left, relation == C_UNEQUAL);
    return;
  }
  if (relation == C_OTHERWISE) return;
  if (relation >= C_BELOW || (equal && (is_natural(q, left, 0) || is_natural(q, right, 0))))
    compare_naturals(q, moment, context, number, relation);
  else if (question_value(q, moment, context, left, &a) && question_value(q, moment, context, right, &b)) {
    if (relation == C_UNEQUAL) count_to(q, moment, context, number, &a, &b);
    relate(q, moment, context, number, &a, &b, relation);
  }
}

/* What is known of those operands that are computed whichever way control comes, whose cases are the same for all ways:
 * that is said first. */
static void say_operands(Question *q, uint32_t moment, uint32_t context, uint32_t number) {
  const CInstruction *i = question_at(q, number);
  const COperand it = {C_VALUE, number, 0};
  const bool before = q->is_common, natural = is_natural(q, &it, 0);
  LinearSum unused;
  q->is_common = true;
  for (uint32_t k = 0; k < i->n_operands; k++) {
    const COperand *o = question_operand(q, i, k);
    if (o->kind != C_VALUE || !dominators_is_before(&q->d->dominators, o->n, number)) continue;
    if (natural) question_natural(q, moment, context, o, question_bits(q, o), &unused);
    else question_value(q, moment, context, o, &unused);
  }
  q->is_common = before;
}

/* By which way the block of a C_MERGE was come to, of several that do not go back to it: sets *operand to what it takes
 * then. */
bool question_coming(Question *q, uint32_t moment, uint32_t context, uint32_t number, const COperand **operand) {
  const CInstruction *i = question_at(q, number);
  const uint32_t n = n_comings(q, i->block);
  bool is_new;
  if (!n || question_is_head(q, i->block)) return false;
  if (moment == MOMENT_ONCE && !points_once(q->d->points, context, number)) return false;
  const uint32_t when = question_moment(q, moment, context, number);
  say_operands(q, moment, context, number);
  if (!question_may_choose(q, CHOICE_COMING, when)) return false;
  const uint32_t option = question_case(q, CHOICE_COMING, when, context, i->block, n, &is_new);
  const uint32_t from = coming(q, i->block, option);
  *operand = NULL;
  for (uint32_t k = 0; k < i->n_operands; k++)
    if (q->d->module->sources.at[i->operands + k] == from) *operand = question_operand(q, i, k);
  if (!is_new || !*operand) return *operand != NULL;
  const CBlock *b = &q->d->module->blocks.at[from];
  const CInstruction *last = question_at(q, b->end - 1);
  const uint32_t *to = q->d->module->successors.at + b->successors;
  question_pass(q, moment, context, from, q->d->dominators.above[i->block]);
  if (last->kind == C_BRANCH && to[0] != to[1])
    question_truth(q, moment, context, question_operand(q, last, 0), to[0] == i->block);
  question_check(q);
  return true;
}

/* The operand is a truth value, and that one. */
void question_truth(Question *q, uint32_t moment, uint32_t context, const COperand *operand, bool truth) {
  const COperand *taken;
  int64_t known;
  if (q->refuted || question_is_deep(q)) return;
  if (operand->kind == C_INTEGER || points_known(q->d->points, context, operand, &known)) {
    q->refuted |= (operand->kind == C_INTEGER ? operand->number != 0 : known != 0) != truth;
    return;
  }
  if (operand->kind != C_VALUE) return;
  const CInstruction *i = question_at(q, operand->n);
  q->depth++;
  if (i->kind == C_COMPARE) add_comparison(q, moment, context, operand->n, truth);
  else if (i->kind == C_SAME && i->n_operands == 1 && question_is_truth(q, operand))
    question_truth(q, moment, context, question_operand(q, i, 0), truth);
  else if (i->kind == C_MERGE && question_coming(q, moment, context, operand->n, &taken))
    question_truth(q, moment, context, taken, truth);
  q->depth--;
}

/* Of a block that only a branch leads to, the branch goes there. */
void question_pass(Question *q, uint32_t moment, uint32_t context, uint32_t block, uint32_t above) {
  const Dominators *d = &q->d->dominators;
  for (; block != above && !q->refuted; block = d->above[block]) {
    if (n_comings(q, block) == 1) {
      const CBlock *from = &q->d->module->blocks.at[coming(q, block, 0)];
      const CInstruction *last = question_at(q, from->end - 1);
      const uint32_t *to = q->d->module->successors.at + from->successors;
      const Saying saying = question_begin(q);
      if (last->kind == C_BRANCH && to[0] != to[1])
        question_truth(q, moment, context, question_operand(q, last, 0), to[0] == block);
      question_end(q, &saying);
    }
    if (d->above[block] == block) break;
  }
}

/* ---- values ---- */

/* What a parameter was given: the operand, in which context, at which moment. */
bool question_given(const Question *q, uint32_t *moment, uint32_t *context, uint32_t number, const COperand **operand) {
  const uint32_t parameter = number - function_of(q, *context)->start;
  const CContext *c = &q->d->points->contexts.at[*context];
  const bool root = c->parent == C_NONE;
  Creation from = {*moment, c->parent, c->call};
  if (root && (parameter || !question_creation(q, *moment, *context, &from))) return false;
  if (!root && deeds_callee(q->d, from.context, from.call) != *context) return false;
  const uint32_t n = root ? 4 : parameter + 1;
  if (n >= question_at(q, from.call)->n_operands) return false;
  *operand = question_operand(q, question_at(q, from.call), n);
  *moment = from.moment;
  *context = from.context;
  return true;
}

/* What a call of a function of the program returns. */
bool question_returned(const Question *q, uint32_t *context, uint32_t call, const COperand **operand) {
  const uint32_t callee = deeds_callee(q->d, *context, call);
  const uint32_t last = callee == C_NONE ? C_NONE : deeds_return(q->d, q->d->points->contexts.at[callee].function);
  if (last == C_NONE || !question_at(q, last)->n_operands) return false;
  *operand = question_operand(q, question_at(q, last), 0);
  *context = callee;
  return true;
}

/* What a load finds is what a store has left there. */
static bool loaded_from(Question *q, uint32_t *moment, uint32_t *context, uint32_t number, const COperand **operand) {
  const Found found = deeds_load(q->d, *context, number);
  Source source;
  if (found.kind == FOUND_SOMETHING) {
    if (!question_passed(q, *moment, *context, number, &source) || source.is_zero) return false;
    *operand = source.operand;
    *moment = source.moment;
    *context = source.context;
    return true;
  }
  if (found.kind == FOUND_NUMBER) return false;
  *operand = deeds_found(q->d, &found);
  *moment = MOMENT_ONCE;
  *context = found.context;
  return (*operand)->kind != C_VALUE || points_once(q->d->points, found.context, (*operand)->n);
}

static bool loaded(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const Found found = deeds_load(q->d, context, number);
  Source source;
  if (found.kind == FOUND_SOMETHING) {
    if (!question_passed(q, moment, context, number, &source)) return false;
    if (source.is_zero) return *sum = linear_constant(0), true;
    return question_value(q, source.moment, source.context, source.operand, sum);
  }
  if (found.kind == FOUND_NUMBER) return *sum = linear_constant(found.value), true;
  if (question_value(q, MOMENT_ONCE, found.context, deeds_found(q->d, &found), sum)) return true;
  return be_unknown(
      q, (Unknown){.kind = UNKNOWN_STORED, .moment = MOMENT_ONCE, .context = found.context, .number = found.number},
      question_at(q, number)->size * 8, sum);
}

/* Which operand a C_SELECT takes; NULL: that is not asked. */
const COperand *question_selected(Question *q, uint32_t moment, uint32_t context, uint32_t number) {
  const CInstruction *i = question_at(q, number);
  const uint32_t when = question_moment(q, moment, context, number);
  bool is_new;
  say_operands(q, moment, context, number);
  if (!question_may_choose(q, CHOICE_SELECT, when)) return NULL;
  const uint32_t option = question_case(q, CHOICE_SELECT, when, context, number, 2, &is_new);
  if (is_new) question_truth(q, moment, context, question_operand(q, i, 0), option == 0);
  if (is_new) question_check(q);
  return question_operand(q, i, 1 + option);
}

/* An index that is a number without a sign, from the beginning of an object on or less than an element behind it: as an
 * address that is computed lies in its object, it is less than half of what there is, which with a sign is not
 * negative.
 */
static bool index_of(Question *q, uint32_t moment, uint32_t context, const COperand *index, const LinearSum *at,
                     int64_t scale, LinearSum *sum) {
  LinearSum twice = linear_constant(1);
  const LinearSum word = linear_unknown(LINEAR_WORD);
  if (at->n || at->constant < 0 || at->constant >= scale || !is_natural(q, index, 0) || question_bits(q, index) != 64 ||
      !question_natural(q, moment, context, index, 64, sum))
    return question_value(q, moment, context, index, sum);
  if (linear_add(&twice, sum, 2)) question_most(q, &twice, &word, 0);
  return true;
}

/* Adds what an address goes on by. */
bool question_move(Question *q, uint32_t moment, uint32_t context, const CInstruction *i, LinearSum *at) {
  const LinearSum more = linear_constant(i->number);
  LinearSum index;
  if (!i->is_signed || !linear_add(at, &more, 1)) return false;
  for (uint32_t n = 1; n + 1 < i->n_operands; n += 2) {
    const COperand *scale = question_operand(q, i, n + 1);
    if (scale->kind != C_INTEGER ||
        !index_of(q, moment, context, question_operand(q, i, n), at, scale->number, &index) ||
        !linear_add(at, &index, scale->number))
      return false;
  }
  return true;
}

bool question_from(Question *q, uint32_t *moment, uint32_t *context, uint32_t number, const COperand **operand) {
  const CInstruction *i = question_at(q, number);
  switch ((int)i->kind) {
  case C_PARAMETER: return question_given(q, moment, context, number, operand);
  case C_CALL: return question_returned(q, context, number, operand);
  case C_LOAD: return loaded_from(q, moment, context, number, operand);
  case C_MERGE:
    *operand = NULL;
    if (!question_is_head(q, i->block)) return question_coming(q, *moment, *context, number, operand);
    *operand = question_swapped(q, *moment, *context, number);
    return *operand != NULL;
  case C_SELECT: *operand = question_selected(q, *moment, *context, number); return *operand != NULL;
  default: return false;
  }
}

bool question_computed(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  const CInstruction *i = question_at(q, number);
  const LinearSum more = linear_constant(i->number);
  const COperand *operand;
  if (question_is_natural(q, number)) {
    const bool good = question_computes_natural(q, moment, context, number, sum);
    if (good || i->kind != C_MERGE) return good;
  }
  switch ((int)i->kind) {
  case C_LOAD: return loaded(q, moment, context, number, sum);
  case C_SAME:
    return i->n_operands == 1 && question_value(q, moment, context, question_operand(q, i, 0), sum) &&
           (i->is_signed || question_convert(q, moment, context, number, sum));
  case C_OFFSET:
    if (!question_value(q, moment, context, question_operand(q, i, 0), sum)) return false;
    if (!i->size) return question_move(q, moment, context, i, sum);
    return i->n_operands == 1 && i->size >= 8 && i->is_signed && linear_add(sum, &more, 1);
  case C_MIX: return question_mixed(q, moment, context, number, sum);
  case C_MERGE:
    if (question_is_head(q, i->block) && question_counted(q, moment, context, number, sum)) return true;
    break;
  default: break;
  }
  return question_from(q, &moment, &context, number, &operand) && question_value(q, moment, context, operand, sum);
}

static bool address_of(Question *q, const COperand *operand, LinearSum *sum) {
  const Unknown unknown = {.kind = UNKNOWN_ADDRESS, .moment = MOMENT_ONCE, .context = C_NONE, .number = operand->n};
  const LinearSum more = linear_constant(operand->number);
  return !q->d->module->globals.at[operand->n].is_local && be_unknown(q, unknown, 0, sum) && linear_add(sum, &more, 1);
}

bool question_is_number(Question *q, uint32_t context, const COperand *operand, LinearSum *sum) {
  int64_t known;
  if (points_known(q->d->points, context, operand, &known)) return *sum = linear_constant(known), true;
  if (operand->kind == C_INTEGER) return *sum = linear_constant(operand->number), true;
  return operand->kind == C_GLOBAL && address_of(q, operand, sum);
}

bool question_value(Question *q, uint32_t moment, uint32_t context, const COperand *operand, LinearSum *sum) {
  if (q->refuted || question_is_deep(q)) return false;
  if (question_is_number(q, context, operand, sum)) return true;
  if (operand->kind != C_VALUE) return false;
  const Saying saying = question_begin(q);
  q->depth++;
  bool good = question_computed(q, moment, context, operand->n, sum);
  q->depth--;
  const bool is_vague = !question_end(q, &saying);
  if (good && !is_vague) return true;
  if (q->refuted || question_is_deep(q) || !question_opaque(q, UNKNOWN_VALUE, moment, context, operand->n, sum))
    return false;
  question_be_vague(q, moment, context, operand->n, sum, is_vague);
  return true;
}
