/* Waiting for all of any number of threads (question.h): `for (i = 0; i < n; i++) pthread_join(t[i], ...)`. What is
 * done behind such a loop is behind all that the threads do which were created by `pthread_create(&t[i], ...)` in
 * another one, and the joins are between them, in the net, too.
 *
 * That is so if each round of the first loop that creates a thread has one of the second loop, of the same number, that
 * joins what was left there: the second one is begun once no thread is created any more, joins in each round that it
 * goes on from, and is left by the test of its head only where it has gone round more often; both are at the same place
 * of the table in the round of the same number; and nobody writes there in between.
 *
 * Or the second loop goes through the table in steps, from wherever, backwards or on, also past handles of several such
 * calls: then the round that joins what was left at a place is as many steps away from the first one as the place is.
 * That has to be a number of rounds that the loop has gone round when it is left. */
#include "frontend/c/question_inside.h"

/* What is asked of a call that creates, a join, and the loops that they are in. */
typedef struct {
  const CThread *thread;     /* that is created */
  const Deed *create, *load; /* where the handle is put, and found */
  Loop begun, ended;         /* the loops that they are in */
  uint32_t exit;             /* the block that the second one is left to */
  bool goes_back;            /* the first one goes round once more where it has created a thread */
  const Deed *write;         /* another one */
  int sign; /* the place where the handle is found is less, or greater; the round is too early, or late */
} Joining;

static const CInstruction *instruction(const Deeds *d, uint32_t i) { return &d->module->instructions.at[i]; }

static uint32_t thread_of(const Deeds *d, uint32_t context) { return d->points->contexts.at[context].thread; }

/* ---- questions: of one of the threads, when it was created, and of the thread that joins ---- */

enum { CREATED = MOMENT_CREATED, JOINED = 1 };

static bool say_rounds(Question *q, const Joining *j, LinearSum *created, LinearSum *joined) {
  return question_rounds_of(q, CREATED, &j->begun, created) && question_rounds_of(q, JOINED, &j->ended, joined);
}

static void say_created(Question *q, const Joining *j) {
  question_add_ways(q, CREATED, j->create->context, j->create->instruction);
}

/* The second loop is left where it has not gone round more often than the first one when it created the thread. */
static void say_left(Question *q, const void *what) {
  const Joining *j = what;
  LinearSum created, joined, over;
  if (!say_rounds(q, j, &created, &joined)) return;
  question_most(q, &joined, &created, 0);
  if (j->goes_back && question_rounds_of(q, JOINED, &j->begun, &over)) question_most(q, &created, &over, -1);
  say_created(q, j);
  if (!q->refuted) question_add_ways(q, JOINED, j->ended.context, q->d->module->blocks.at[j->exit].start);
}

/* In the round of the same number what is joined is loaded from somewhere else. */
static void say_other_place(Question *q, const void *what) {
  const Joining *j = what;
  LinearSum created, joined;
  Where put, found;
  if (!say_rounds(q, j, &created, &joined)) return;
  question_relation(q, &created, &joined, C_EQUAL);
  say_created(q, j);
  if (!q->refuted) question_add_ways(q, JOINED, j->load->context, j->load->instruction);
  if (q->refuted || !question_bytes(q, CREATED, j->create, &put) || !question_bytes(q, JOINED, j->load, &found)) return;
  if (j->sign < 0) question_most(q, &found.at, &put.at, -1);
  else question_most(q, &put.at, &found.at, -1);
}

/* ---- a loop that goes through the table in steps ---- */

/* Is the place so many steps behind what is the same in the whole run, as the loop has gone round? */
static bool goes_in_steps(const Question *q, const LinearSum *place, uint32_t rounds, int64_t *step) {
  *step = 0;
  for (uint32_t i = 0; i < place->n; i++) {
    const LinearTerm *t = &place->terms[i];
    if (t->unknown == rounds) *step = t->factor;
    else if (t->unknown == LINEAR_WORD || q->unknowns.at[t->unknown].moment != MOMENT_ONCE) return false;
  }
  return *step != 0;
}

/* Are all cases that have been chosen since then ones of the whole run? */
static bool chooses_once(const Question *q, uint32_t said) {
  for (uint32_t i = 0; i < q->choices.n; i++)
    if (q->choices.at[i].said > said && q->choices.at[i].moment != MOMENT_ONCE) return false;
  return true;
}

/* Where the loop of joins would find a handle in the round that it is in at a moment, as a sum that is the same one in
 * all rounds; whether it does is not said. To be asked for before any case of that moment has been chosen. */
static bool find_steps(Question *q, uint32_t moment, const Loop *loop, const Deed *load, LinearSum *place,
                       int64_t *step) {
  LinearSum rounds;
  Where found;
  if (!question_rounds_of(q, moment, loop, &rounds) || rounds.n != 1) return false;
  for (uint32_t i = 0; i < q->choices.n; i++)
    if (q->choices.at[i].said && q->choices.at[i].moment == moment) return false;
  const uint32_t least = q->least.n, zero = q->zero.n, said = q->said, along = q->along.n;
  const bool refuted = q->refuted, good = question_bytes(q, moment, load, &found);
  const bool is_free = !q->refuted && chooses_once(q, said) && q->along.n == along;
  q->least.n = least;
  q->zero.n = zero;
  q->refuted = refuted;
  *place = found.at;
  return good && is_free && goes_in_steps(q, place, rounds.terms[0].unknown, step);
}

/* The round in which the handle would be joined is before the first one, or the loop is left before it has come to it.
 */
static void say_missed(Question *q, const void *what) {
  const Joining *j = what;
  const CBlock *blocks = q->d->module->blocks.at;
  LinearSum place, far, rounds;
  int64_t step;
  Where put;
  if (!find_steps(q, JOINED, &j->ended, j->load, &place, &step) || !question_rounds_of(q, JOINED, &j->ended, &rounds))
    return;
  say_created(q, j);
  if (!q->refuted) question_add_ways(q, JOINED, j->ended.context, blocks[j->sign < 0 ? j->ended.head : j->exit].start);
  if (q->refuted || !question_bytes(q, CREATED, j->create, &put)) return;
  far = put.at;
  if (!linear_add(&far, &place, -1) || linear_divisor(&far) % step != 0) return;
  if (j->sign < 0 && !linear_add(&place, &rounds, -step)) return;
  if ((j->sign < 0) == (step > 0)) question_most(q, &put.at, &place, j->sign < 0 ? -1 : 0);
  else question_most(q, &place, &put.at, j->sign < 0 ? -1 : 0);
}

/* ---- `if (pthread_create(...)) break;` ---- */

/* Is it what the call has returned? */
static bool is_result(const Deeds *d, const COperand *operand, uint32_t call) {
  while (operand->kind == C_VALUE && operand->n != call) {
    const CInstruction *i = instruction(d, operand->n);
    if (i->kind != C_SAME || i->n_operands != 1 || i->is_cut) return false;
    operand = cmodule_operand(d->module, i, 0);
  }
  return operand->kind == C_VALUE;
}

/* Which successor a block goes to if the call there has returned 0: C_NONE: that does not hang on it alone. */
static uint32_t way_of_zero(const Deeds *d, uint32_t block, uint32_t call) {
  const CBlock *b = &d->module->blocks.at[block];
  const CInstruction *end = instruction(d, b->end - 1);
  const COperand *test = end->kind == C_BRANCH ? cmodule_operand(d->module, end, 0) : NULL;
  const CInstruction *i = test && test->kind == C_VALUE ? instruction(d, test->n) : NULL;
  if (!i || i->kind != C_COMPARE || i->number > C_UNEQUAL) return C_NONE;
  const COperand *left = cmodule_operand(d->module, i, 0), *right = cmodule_operand(d->module, i, 1);
  if (right->kind != C_INTEGER || right->number || !is_result(d, left, call)) return C_NONE;
  return d->module->successors.at[b->successors + (i->number == C_EQUAL ? 0 : 1)];
}

/* A walk through a loop, from where a thread has been created. */
typedef struct {
  const Deeds *d;
  uint32_t head, call;
  U32Vec met;
} Walk;

static void meet(Walk *w, uint32_t block) {
  for (uint32_t k = 0; k < w->met.n; k++)
    if (w->met.at[k] == block) return;
  if (block != w->head) vec_push(w->d->heap, &w->met, block);
}

/* Goes on from a block. False: the loop may be left there. */
static bool walk_on(Walk *w, uint32_t block) {
  const CModule *m = w->d->module;
  const CBlock *b = &m->blocks.at[block];
  const uint32_t zero = way_of_zero(w->d, block, w->call);
  if (instruction(w->d, b->end - 1)->kind == C_STOP) return true;
  if (!b->n_successors || !cmodule_reaches(m, block, w->head, C_NONE)) return false;
  for (uint32_t n = 0; n < b->n_successors; n++)
    if (zero == C_NONE || m->successors.at[b->successors + n] == zero) meet(w, m->successors.at[b->successors + n]);
  return true;
}

/* A call that has created a thread has returned 0. Does the loop go round once more then, or the thread end? */
static bool goes_back(const Deeds *d, const Joining *j) {
  Walk w = {.d = d, .head = j->begun.head, .call = j->thread->call};
  bool good = j->thread->from == j->begun.context;
  meet(&w, instruction(d, w.call)->block);
  for (uint32_t k = 0; k < w.met.n && good; k++) good = walk_on(&w, w.met.at[k]);
  good &= w.met.n != 0;
  vec_fini(d->heap, &w.met);
  return good;
}

/* ---- what else writes the table ---- */

static bool is_one(const Deed *a, const Deed *b) {
  return a->context == b->context && a->instruction == b->instruction;
}

/* A handle is overwritten, of the same loop in a later round, or in the same one behind the call. */
static void say_overwritten(Question *q, const void *what) {
  const Joining *j = what;
  const Deed *w = j->write;
  LinearSum created, later;
  Where put, there;
  say_created(q, j);
  if (!q->refuted) question_add_ways(q, JOINED, w->context, w->instruction);
  if (q->refuted) return;
  const bool before = is_one(w, j->create) ||
                      deeds_is_before(q->d, w->context, w->instruction, j->create->context, j->create->instruction);
  const Loop loop = question_loop_of(q->d, w->context, w->instruction);
  if (question_same_loop(&loop, &j->begun) && question_rounds_of(q, CREATED, &loop, &created) &&
      question_rounds_of(q, JOINED, &loop, &later))
    question_most(q, &created, &later, before ? -1 : 0);
  if (!question_bytes(q, CREATED, j->create, &put) || !question_bytes(q, JOINED, w, &there)) return;
  question_overlap(q, &put, j->create, &there, w);
}

static bool never(const Deeds *d, const Joining *j, uint32_t context, QuestionSay *say) {
  const uint32_t threads[] = {thread_of(d, j->thread->root), thread_of(d, context)};
  return question_never(d, threads, say, j);
}

/* Is what the call has put into the table still there when it is joined? */
static bool is_kept(const Deeds *d, Joining *j) {
  const bool once = points_once(d->points, j->create->context, j->create->instruction);
  for (uint32_t i = d->first[j->create->object]; i < d->first[j->create->object + 1]; i++) {
    j->write = &d->all.at[i];
    if (j->write->deed == DOES_READ || deeds_is_never_behind(d, j->write, j->create) ||
        deeds_is_never_behind(d, j->load, j->write) || (once && is_one(j->write, j->create)))
      continue;
    if (!never(d, j, j->write->context, say_overwritten)) return false;
  }
  return true;
}

/* ---- a call that creates, and one that joins ---- */

/* The load that finds the handle that a call joins, and its context, which may be one that leads to the call; C_NONE:
 * it comes from somewhere else. */
static uint32_t load_of(const Deeds *d, uint32_t *context, uint32_t join) {
  const COperand *handle = cmodule_operand(d->module, instruction(d, join), 1);
  while (handle->kind == C_VALUE) {
    const CInstruction *i = instruction(d, handle->n);
    const CContext *c = &d->points->contexts.at[*context];
    if (i->kind == C_LOAD) return handle->n;
    if (i->kind == C_SAME) {
      handle = cmodule_operand(d->module, i, 0);
      continue;
    }
    const uint32_t parameter = handle->n - d->module->functions.at[c->function].start;
    if (i->kind != C_PARAMETER || c->parent == C_NONE || deeds_callee(d, c->parent, c->call) != *context ||
        parameter + 1 >= instruction(d, c->call)->n_operands)
      return C_NONE;
    handle = cmodule_operand(d->module, instruction(d, c->call), parameter + 1);
    *context = c->parent;
  }
  return C_NONE;
}

/* Do both have to do with one table, that is there once? */
static bool have_table(const Deeds *d, const Joining *j) {
  const CObject *o = j->create && j->load ? &d->points->objects.at[j->create->object] : NULL;
  return o && j->create->object == j->load->object && o->is_single && !o->is_copied && !o->instances &&
         j->load->size == 8 && deeds_is_never_behind(d, j->create, j->load);
}

/* Is it always the thread of the round of the same number that is joined? */
static bool joins_same(const Deeds *d, Joining *j) {
  const uint32_t context = j->load->context;
  if (j->begun.head == C_NONE) return false;
  j->sign = -1;
  if (!never(d, j, context, say_other_place)) return false;
  j->sign = 1;
  return never(d, j, context, say_other_place) && is_kept(d, j);
}

/* Is each handle that was put into the table joined, in whatever order? */
static bool joins_all(const Deeds *d, Joining *j) {
  if (j->exit == C_NONE) return false;
  j->sign = -1;
  if (!never(d, j, j->load->context, say_missed)) return false;
  j->sign = 1;
  return never(d, j, j->load->context, say_missed) && is_kept(d, j);
}

/* Is the instruction done in each round of the loop that control goes on from, in the functions that are called there?
 */
static bool is_done_in_each(const Deeds *d, const Loop *loop, uint32_t context, uint32_t number) {
  while (context != loop->context) {
    const CContext *c = &d->points->contexts.at[context];
    if (c->parent == C_NONE || !deeds_is_always_done(d, c->function, number)) return false;
    number = c->call;
    context = c->parent;
  }
  return question_in_each_round(d, loop->head, number);
}

static void find_join(const Deeds *d, const CThread *thread, uint32_t context, uint32_t join) {
  Joining j = {.thread = thread};
  uint32_t there = context;
  const uint32_t load = load_of(d, &there, join);
  if (load == C_NONE || thread_of(d, context) != thread_of(d, thread->from)) return;
  j.create = deeds_of(d, thread->from, thread->call, 1);
  j.load = deeds_of(d, there, load, 0);
  j.begun = question_loop_of(d, thread->from, thread->call);
  j.ended = question_loop_of(d, context, join);
  if (j.ended.head == C_NONE || !have_table(d, &j) || !is_done_in_each(d, &j.ended, context, join)) return;
  j.exit = question_exit_of(d, j.ended.head);
  j.goes_back = j.begun.head != C_NONE && goes_back(d, &j);
  const bool same = joins_same(d, &j);
  if (!same && !joins_all(d, &j)) return;
  if (same && j.exit != C_NONE && !never(d, &j, context, say_left)) j.exit = C_NONE;
  const Loop begun = same ? j.begun : (Loop){C_NONE, C_NONE, C_NONE};
  vec_push(d->heap, &d->passing->joined,
           ((Joined){thread->from, thread->call, begun, j.ended, j.exit, context, join, j.create, j.load}));
}

static bool is_join(const Deeds *d, uint32_t context, uint32_t number) {
  const CInstruction *i = instruction(d, number);
  const Effect *effect = i->kind == C_CALL ? points_library(d->points, context, i) : NULL;
  return effect && effect->kind == CALL_JOIN;
}

static void find_joins(const Deeds *d, const CThread *thread) {
  for (PointsWalk at = {0}; points_next(d->points, &at);)
    if (is_join(d, at.context, at.number)) find_join(d, thread, at.context, at.number);
}

/* Joins of the threads that are created like that one: those from number *i on. They are sought once. */
static const Joined *next_join(const Deeds *d, uint32_t thread, uint32_t *i) {
  const CThread *t = &d->points->threads.at[thread];
  if (t->from == C_NONE) return NULL;
  bool sought = *i != 0;
  for (;; ++*i) {
    if (*i == d->passing->joined.n) {
      if (sought) return NULL;
      const Loop none = {C_NONE, C_NONE, C_NONE};
      vec_push(d->heap, &d->passing->joined,
               ((Joined){t->from, t->call, none, none, C_NONE, C_NONE, C_NONE, NULL, NULL}));
      const uint32_t striding = d->passing->striding;
      d->passing->striding = C_NONE; /* what is found is to stay */
      find_joins(d, t);
      d->passing->striding = striding;
    }
    const Joined *j = &d->passing->joined.at[*i];
    if (j->from != t->from || j->call != t->call) continue;
    sought = true;
    if (j->ended.head != C_NONE) return ++*i, j;
  }
}

/* ---- one thread, and a join of that alone ---- */

static void add_once(const Deeds *d, uint32_t context, uint32_t join) {
  const U32Vec set = points_of(d->points, context, instruction(d, join), 1);
  if (set.n != 1) return;
  const CObject *o = &d->points->objects.at[d->points->targets.at[set.at[0]].object];
  const CThread *t = o->kind == OBJECT_HANDLE ? &d->points->threads.at[o->n] : NULL;
  if (t && t->from != C_NONE && points_once(d->points, t->from, t->call))
    vec_push(d->heap, &d->passing->joined_once, ((JoinedOnce){o->n, context, join}));
}

static void seek_once(const Deeds *d) {
  d->passing->has_sought_once = true;
  for (PointsWalk at = {0}; points_next(d->points, &at);)
    if (is_join(d, at.context, at.number)) add_once(d, at.context, at.number);
}

static bool is_joined_once(const Deeds *d, uint32_t thread, const Deed *deed) {
  if (!d->passing->has_sought_once) seek_once(d);
  for (uint32_t i = 0; i < d->passing->joined_once.n; i++) {
    const JoinedOnce j = d->passing->joined_once.at[i];
    if (j.thread == thread && deeds_is_before(d, j.context, j.join, deed->context, deed->instruction)) return true;
  }
  return false;
}

bool question_is_joined(const Deeds *d, uint32_t thread, const Deed *deed) {
  const Joined *j;
  if (is_joined_once(d, thread, deed)) return true;
  for (uint32_t i = 0; (j = next_join(d, thread, &i));)
    if (j->exit != C_NONE && deeds_is_behind(d, j->ended.context, j->exit, deed->context, deed->instruction))
      return true;
  return false;
}

/* The round in which the handle is joined is not one before, or not this one either. */
static void add_steps(Question *q, uint32_t moment, const Joined *j, bool behind) {
  LinearSum place;
  int64_t step;
  Where put;
  if (!find_steps(q, moment, &j->ended, j->load, &place, &step) ||
      !question_bytes(q, CREATED + 1 - moment, j->create, &put))
    return;
  if (step > 0) question_most(q, &place, &put.at, behind ? -step : 0);
  else question_most(q, &put.at, &place, behind ? step : 0);
}

void question_add_joins(Question *q, uint32_t moment, const Deed *deed) {
  const Joined *next;
  LinearSum created, joined;
  const Loop loop = question_loop_of(q->d, deed->context, deed->instruction);
  for (uint32_t i = 0; (next = next_join(q->d, q->threads[1 - moment], &i));) {
    const Joined j = *next;
    if (!question_same_loop(&loop, &j.ended)) continue;
    const bool behind = deeds_is_before(q->d, j.context, j.join, deed->context, deed->instruction);
    if (j.begun.head == C_NONE) add_steps(q, moment, &j, behind);
    else if (question_rounds_of(q, CREATED + 1 - moment, &j.begun, &created) &&
             question_rounds_of(q, moment, &j.ended, &joined))
      question_most(q, &joined, &created, behind ? -1 : 0);
  }
}
