#include "frontend/c/question_inside.h"

#include <string.h>

/* ---- conditions ---- */

void question_least(Question *q, const LinearSum *sum) { vec_push(q->heap, &q->least, *sum); }
void question_zero(Question *q, const LinearSum *sum) { vec_push(q->heap, &q->zero, *sum); }

void question_most(Question *q, const LinearSum *a, const LinearSum *b, int64_t more) {
  LinearSum sum = linear_constant(more);
  if (linear_add(&sum, b, 1) && linear_add(&sum, a, -1)) question_least(q, &sum);
}

void question_between(Question *q, const LinearSum *sum, int64_t low, int64_t high) {
  const LinearSum least = linear_constant(low), most = linear_constant(high);
  question_most(q, &least, sum, 0);
  question_most(q, sum, &most, 0);
}

/* What takes longer is left open; sooner, once that many checks have been made for the whole program, or in vain for
 * one cell. A check of more conditions than that is as many checks as it takes of these. */
enum { CONDITIONS = 120, MOST_CHECKS = 2500 * CONDITIONS, FEW_CHECKS = 100 * CONDITIONS };
enum { MOST_IN_ALL = 200000 * CONDITIONS, MOST_IN_VAIN = 4 * MOST_CHECKS };

static void check(Question *q, bool all) {
  const uint32_t n = q->least.n + q->zero.n, checks = n > CONDITIONS ? n : CONDITIONS;
  if (q->refuted || q->checks >= q->most) return;
  q->checks += checks;
  q->d->passing->checks += checks;
  q->refuted = linear_is_impossible(&q->d->passing->memo, &q->least, &q->zero, all);
}

/* Does it hang on how large a word is? */
static bool is_of_words(ChoiceKind kind) {
  return kind == CHOICE_WRAP || kind == CHOICE_CARRY || kind == CHOICE_UNEQUAL || kind == CHOICE_HALF ||
         kind == CHOICE_NATURAL;
}

/* What has been asked in the case before is not asked again. */
void question_check(Question *q) {
  if (q->last < q->choices.n && q->choices.at[q->last].is_passed) return;
  check(q, q->last < q->choices.n && is_of_words(q->choices.at[q->last].kind));
  if (q->last < q->choices.n) q->choices.at[q->last].is_passed = !q->refuted;
}

bool question_may_choose(const Question *q, ChoiceKind kind, uint32_t moment) {
  const bool way = kind == CHOICE_COMING || kind == CHOICE_SELECT;
  if (q->detail == DETAIL_COMMON) return q->is_common && !way;
  return q->detail >= (way && moment == MOMENT_ONCE ? DETAIL_ALL : DETAIL_SOME);
}

static uint32_t find_choice(const Question *q, const Choice *choice) {
  uint32_t i = 0;
  for (; i < q->choices.n; i++) {
    const Choice *c = &q->choices.at[i];
    if (c->kind == choice->kind && c->moment == choice->moment && c->context == choice->context &&
        c->number == choice->number)
      break;
  }
  return i;
}

/* Where other choices come out otherwise, the same serials may be of other unknowns, and of another number of cases.
 * All of the most that there are anywhere are tried; here, those that are too many are none. */
static bool is_too_many(Choice *there, uint32_t n) {
  if (there->n < n) there->n = n;
  return there->option >= n;
}

uint32_t question_choose(Question *q, Choice choice, bool *is_new) {
  const uint32_t i = find_choice(q, &choice);
  q->varies |= choice.moment < MOMENT_ONCE || choice.moment > MOMENT_CREATED + 1;
  q->varies_created |= choice.moment == MOMENT_CREATED || choice.moment == MOMENT_CREATED + 1;
  const bool said = i < q->choices.n && q->choices.at[i].said;
  *is_new = false;
  if (!said && q->refuted) return 0;
  if (!said && !question_may_choose(q, choice.kind, choice.moment)) {
    q->is_long = true;
    return 0;
  }
  choice.option = choice.said = 0;
  choice.is_passed = choice.matters = false;
  if (i == q->choices.n) vec_push(q->heap, &q->choices, choice);
  q->refuted |= is_too_many(&q->choices.at[i], choice.n);
  *is_new = !said;
  if (!said) q->choices.at[i].said = ++q->said;
  q->choices.at[i].matters = true;
  q->last = i;
  return q->refuted ? 0 : q->choices.at[i].option;
}

Saying question_begin(Question *q) {
  const Saying saying = {q->least.n, q->zero.n, q->unknowns.n, q->choices.n, q->said, q->refuted, q->is_long};
  q->is_long = false;
  q->asked++;
  return saying;
}

bool question_end(Question *q, const Saying *saying) {
  const bool good = !q->is_long;
  q->is_long = saying->is_long;
  if (good) return true;
  q->least.n = saying->least;
  q->zero.n = saying->zero;
  q->unknowns.n = saying->unknowns;
  q->choices.n = saying->choices;
  for (uint32_t i = 0; i < q->choices.n; i++)
    if (q->choices.at[i].said > saying->said) q->choices.at[i].said = 0;
  q->refuted = saying->refuted;
  return false;
}

uint32_t question_find(const Question *q, const Unknown *unknown) {
  for (uint32_t i = 0; i < q->unknowns.n; i++) {
    const Unknown *u = &q->unknowns.at[i];
    if (u->kind == unknown->kind && u->moment == unknown->moment && u->context == unknown->context &&
        u->number == unknown->number && linear_is_same(&u->of, &unknown->of) && linear_is_same(&u->by, &unknown->by))
      return i;
  }
  return C_NONE;
}

uint32_t question_unknown(Question *q, const Unknown *unknown, bool *is_new) {
  const uint32_t name = question_find(q, unknown);
  *is_new = name == C_NONE;
  if (!*is_new) return name;
  vec_push(q->heap, &q->unknowns, *unknown);
  vec_last(&q->unknowns).serial = q->serial++;
  return q->unknowns.n - 1;
}

uint32_t question_moment(const Question *q, uint32_t moment, uint32_t context, uint32_t number) {
  return points_once(q->d->points, context, number) ? MOMENT_ONCE : moment;
}

/* ---- the question ---- */

/* Two deeds, and the barriers that both may wait at. */
typedef struct {
  const BarrierVec *barriers;
  const Deed *deeds[2];
} Asked;

/* Both are in one round of the barrier. */
static void add_rounds(Question *q, const Barrier *barrier, const Deed *const deeds[2]) {
  LinearSum waits[2];
  q->barrier = barrier;
  vec_clear(&q->counts);
  for (uint32_t m = 0; m < 2; m++) {
    if (!barrier->uses[q->d->points->contexts.at[deeds[m]->context].thread]) return;
    if (!question_waits(q, m, deeds[m]->context, deeds[m]->instruction, &waits[m])) return;
  }
  if (linear_add(&waits[0], &waits[1], -1)) question_zero(q, &waits[0]);
}

/* What comes first is said first: it often says which cases there are of the rest. */
void question_add_ways(Question *q, uint32_t moment, uint32_t context, uint32_t number) {
  const CContext *c = &q->d->points->contexts.at[context];
  Creation before = {moment, c->parent, c->call};
  if (c->parent != C_NONE || question_creation(q, moment, context, &before))
    question_add_ways(q, before.moment, before.context, before.call);
  if (!q->refuted) question_pass(q, moment, context, question_at(q, number)->block, C_NONE);
}

/* Does the function of the library use what that argument leads to, from there on, and is the deed one of these? */
static bool is_of_argument(const Question *q, const Deed *deed, const Effect *effect) {
  const char letter = deed->operand ? effect_on(effect, deed->operand - 1) : '-';
  const U32Vec set = points_of(q->d->points, deed->context, question_at(q, deed->instruction), deed->operand);
  if (!letter || !strchr("rwboiOI", letter)) return false;
  for (uint32_t k = 0; k < set.n; k++)
    if (set.at[k] == deed->target) return true;
  return false;
}

const COperand *question_address(const Question *q, const Deed *deed) {
  const CInstruction *i = question_at(q, deed->instruction);
  const Effect *effect;
  switch ((int)i->kind) {
  case C_LOAD:
  case C_UPDATE:
  case C_SWAP:
  case C_FILL: return question_operand(q, i, 0);
  case C_STORE: return question_operand(q, i, 1);
  case C_COPY: return question_operand(q, i, deed->deed == DOES_READ);
  case C_CALL:
    effect = points_library(q->d->points, deed->context, i);
    if (effect && effect->kind == CALL_CREATE) return question_operand(q, i, 1);
    return effect && is_of_argument(q, deed, effect) ? question_operand(q, i, deed->operand) : NULL;
  default: return NULL;
  }
}

static bool has_size(const Deed *deed) { return deed->size && deed->size <= UINT32_MAX; }

bool question_begins(Question *q, uint32_t moment, const Deed *deed, Where *where) {
  const COperand *address = question_address(q, deed);
  return address && question_where(q, moment, deed->context, address, deed->object, where);
}

bool question_bytes(Question *q, uint32_t moment, const Deed *deed, Where *where) {
  return has_size(deed) && question_begins(q, moment, deed, where);
}

void question_overlap(Question *q, const Where *a, const Deed *of_a, const Where *b, const Deed *of_b) {
  if (!has_size(of_a) || !has_size(of_b)) return;
  question_most(q, &a->at, &b->at, (int64_t)of_b->size - 1);
  question_most(q, &b->at, &a->at, (int64_t)of_a->size - 1);
}

/* Each round of the loop makes one block at most. */
void question_same_block(Question *q, uint32_t object, const Where *a, const Where *b) {
  const CObject *o = &q->d->points->objects.at[object];
  LinearSum one, other;
  if (!a->is_made || !b->is_made) return;
  const Loop loop = question_loop_of(q->d, o->context, o->n);
  if (question_rounds_of(q, a->made, &loop, &one) && question_rounds_of(q, b->made, &loop, &other))
    question_relation(q, &one, &other, C_EQUAL);
}

/* What is accessed by an index of an array in a structure is one of its elements (C: 6.5.6p8). Memory of the heap may
 * be longer than its type, so that the last array goes on there. */
static void be_elements(Question *q, uint32_t moment, const Deed *deed, const COperand *address) {
  while (address->kind == C_VALUE && question_at(q, address->n)->kind == C_OFFSET) {
    const CInstruction *i = question_at(q, address->n);
    address = question_operand(q, i, 0);
    if (i->number < 0 || i->n_operands > 3) return;
    if (i->n_operands == 1) continue;
    const int64_t elements = points_elements(q->d->points, i, deed->object);
    LinearSum at;
    if (!elements || !question_value(q, moment, deed->context, question_operand(q, i, 1), &at)) return;
    question_least(q, &at);
    if (elements != INT64_MAX) question_between(q, &at, 0, elements - 1);
  }
}

/* A function of the library uses so many bytes at most, but where it puts a handle. */
static bool is_whole(const Question *q, const Deed *deed) {
  const CInstruction *i = question_at(q, deed->instruction);
  const Effect *effect = i->kind == C_CALL ? points_library(q->d->points, deed->context, i) : NULL;
  return has_size(deed) && (!effect || effect->kind == CALL_CREATE);
}

static bool find_where(Question *q, uint32_t moment, const Deed *deed, Where *where) {
  const COperand *address = question_address(q, deed);
  if (!is_whole(q, deed)) return question_begins(q, moment, deed, where);
  if (address) be_elements(q, moment, deed, address);
  const uint64_t size = q->d->points->objects.at[deed->object].size, most = UINT32_MAX;
  const LinearSum least = linear_constant(0), end = linear_constant((int64_t)size);
  if (!question_bytes(q, moment, deed, where)) return false;
  question_most(q, &least, &where->at, 0);
  if (size && size < most) question_most(q, &where->at, &end, -(int64_t)deed->size);
  return true;
}

/* The block was put into the table that another one was found in, in the round in which it was made, before the thread
 * was created. */
static void find_put(Question *q, uint32_t object, const Where *other, Where *where) {
  const CObject *o = &q->d->points->objects.at[object];
  const uint32_t m = where->made - MOMENT_CREATED;
  Where there;
  if (other->table == C_NONE || where->table != C_NONE || !where->is_made || m > 1) return;
  const CThread *t = &q->d->points->threads.at[q->threads[m]];
  const Deed *put = deeds_table(q->d, other->table, object);
  if (!put || !deeds_is_before(q->d, put->context, put->instruction, t->from, t->call)) return;
  const Loop made = question_loop_of(q->d, o->context, o->n),
             loop = question_loop_of(q->d, put->context, put->instruction);
  if (!question_same_loop(&made, &loop) || !question_bytes(q, where->made, put, &there)) return;
  where->table = other->table;
  where->slot = there.at;
}

/* One byte of one block of memory is in both. */
static void add_places(Question *q, const Deed *const deeds[2]) {
  Where where[2];
  for (uint32_t m = 0; m < 2; m++)
    if (!find_where(q, m, deeds[m], &where[m])) return;
  question_overlap(q, &where[0], deeds[0], &where[1], deeds[1]);
  question_same_block(q, deeds[0]->object, &where[0], &where[1]);
  for (uint32_t m = 0; m < 2; m++) find_put(q, deeds[0]->object, &where[1 - m], &where[m]);
  if (where[0].table == C_NONE || where[0].table != where[1].table) return;
  if (!deeds_table(q->d, where[0].table, deeds[0]->object)) return;
  if (linear_add(&where[0].slot, &where[1].slot, -1)) question_zero(q, &where[0].slot);
}

static void add_all(Question *q, const Deed *const deeds[2]) {
  for (uint32_t m = 0; m < 2 && !q->refuted; m++) question_add_ways(q, m, deeds[m]->context, deeds[m]->instruction);
  if (q->refuted) return;
  const Saying saying = question_begin(q);
  add_places(q, deeds);
  question_end(q, &saying);
}

/* What has been asked in the case before is not asked again. */
static void check_detail(Question *q) {
  if (q->passed[q->detail]) return;
  check(q, true);
  if (!q->refuted) q->passed[q->detail] = q->said + 1;
}

/* What needs no cases often is enough; if not, it leaves fewer of them. */
static void say_deeds(Question *q, const void *what) {
  const Asked *asked = what;
  for (uint32_t b = 0; b < asked->barriers->n && !q->refuted; b++) add_rounds(q, &asked->barriers->at[b], asked->deeds);
  if (!q->refuted) question_add_creations(q);
  for (uint32_t m = 0; m < 2; m++) {
    question_add_later(q, m, asked->deeds[m]->context, asked->deeds[m]->instruction);
    question_add_joins(q, m, asked->deeds[m]);
  }
  for (q->detail = DETAIL_NONE; q->detail < DETAIL_COUNT && !q->refuted; q->detail++) {
    add_all(q, asked->deeds);
    check_detail(q);
  }
}

/* False: all cases were tried. Of a choice that nothing was said of, whatever was chosen behind it, the other cases are
 * no different. */
static bool next_case(Question *q) {
  while (q->choices.n &&
         (!vec_last(&q->choices).matters || vec_last(&q->choices).option + 1 == vec_last(&q->choices).n))
    q->choices.n--;
  if (!q->choices.n) return false;
  Choice *last = &vec_last(&q->choices);
  for (uint32_t i = 0; i < DETAIL_COUNT; i++)
    if (q->passed[i] > last->said) q->passed[i] = 0;
  last->option++;
  last->is_passed = last->matters = false;
  return true;
}

bool question_is_recursive(const Deeds *d, uint32_t context) {
  for (; context != C_NONE; context = d->points->contexts.at[context].parent)
    if (d->points->contexts.at[context].repeats) return true;
  return false;
}

/* Likewise, where the thread was created, and those that have created it. */
static bool is_created_recursively(const Deeds *d, uint32_t context) {
  while (context != C_NONE) {
    context = d->points->threads.at[d->points->contexts.at[context].thread].from;
    if (question_is_recursive(d, context)) return true;
  }
  return false;
}

/* One case. */
static bool is_refuted(Question *q, QuestionSay *say, const void *what) {
  vec_clear(&q->least);
  vec_clear(&q->zero);
  vec_clear(&q->unknowns);
  vec_clear(&q->along);
  for (uint32_t i = 0; i < q->choices.n; i++) q->choices.at[i].said = 0;
  q->said = q->serial = 0;
  q->refuted = false;
  q->detail = DETAIL_ALL;
  question_add_word(q);
  say(q, what);
  check(q, true);
  return q->refuted;
}

/* Adds the checks that it takes in vain to *in_vain. */
static bool never(const Deeds *d, const uint32_t threads[2], QuestionSay *say, const void *what, uint32_t *in_vain) {
  Question q = {.d = d, .heap = d->heap, .threads = {threads[0], threads[1]}};
  bool refuted;
  q.most = d->passing->checks < MOST_IN_ALL && *in_vain < MOST_IN_VAIN ? MOST_CHECKS : FEW_CHECKS;
  for (uint32_t m = 0; m < 2; m++) q.is_recursive |= is_created_recursively(d, d->points->threads.at[threads[m]].root);
  do {
    heap_poll(d->heap);
    refuted = is_refuted(&q, say, what);
  } while (refuted && next_case(&q));
  vec_fini(q.heap, &q.least);
  vec_fini(q.heap, &q.zero);
  vec_fini(q.heap, &q.unknowns);
  vec_fini(q.heap, &q.choices);
  vec_fini(q.heap, &q.counts);
  vec_fini(q.heap, &q.along);
  if (!refuted) *in_vain += q.checks;
  return refuted;
}

bool question_never(const Deeds *d, const uint32_t threads[2], QuestionSay *say, const void *what) {
  uint32_t in_vain = 0;
  return never(d, threads, say, what, &in_vain);
}

bool question_never_meet(const Deeds *d, const BarrierVec *barriers, const Deed *a, const Deed *b, uint32_t *in_vain) {
  const Asked asked = {barriers, {a, b}};
  const CContext *contexts = d->points->contexts.at;
  if (question_is_recursive(d, a->context) || question_is_recursive(d, b->context)) return false;
  const uint32_t threads[] = {contexts[a->context].thread, contexts[b->context].thread};
  return question_is_created_later(d, threads[1], a) || question_is_created_later(d, threads[0], b) ||
         question_is_joined(d, threads[1], a) || question_is_joined(d, threads[0], b) ||
         never(d, threads, say_deeds, &asked, in_vain);
}
