/* Threads that are created in a loop (question.h): what is passed to each is what it was when it was created, and two
 * of them were created in different rounds of the loop. */
#include "frontend/c/question_inside.h"

static const CThread *thread_at(const Question *q, uint32_t thread) { return &q->d->points->threads.at[thread]; }

static uint32_t thread_of(const Question *q, uint32_t context) { return q->d->points->contexts.at[context].thread; }

/* Is the function's activation the only one, so that `once` says it of all but its loops? */
static bool is_activated_once(const Points *p, uint32_t context) {
  const CContext *c = &p->contexts.at[context];
  return !c->repeats && (c->parent == C_NONE || points_once(p, c->parent, c->call));
}

/* ---- rounds of a loop ---- */

/* Is a block in the loop of that head: can control come from it to one that goes back? */
static bool is_in_loop(const Dominators *d, uint32_t head, uint32_t block) {
  if (!dominators_passes(d, head, block)) return false;
  for (uint32_t k = d->comings[head]; k < d->comings[head + 1]; k++)
    if (dominators_goes_back(d, d->at[k], head) && (block == head || cmodule_reaches(d->module, block, d->at[k], head)))
      return true;
  return false;
}

/* Is the loop begun at most once in a call of its function? */
static bool is_begun_once(const Dominators *d, uint32_t head) {
  for (uint32_t k = d->comings[head]; k < d->comings[head + 1]; k++)
    if (!dominators_goes_back(d, d->at[k], head) && cmodule_reaches(d->module, head, d->at[k], C_NONE)) return false;
  return true;
}

static uint32_t head_of(const Deeds *d, uint32_t number) {
  const Dominators *dom = &d->dominators;
  const uint32_t block = d->module->instructions.at[number].block;
  for (uint32_t head = block;; head = dom->above[head]) {
    if (is_in_loop(dom, head, block) && !cmodule_comes(d->module, block, block, head))
      return is_begun_once(dom, head) ? head : C_NONE;
    if (dom->above[head] == head || dom->above[head] == C_NONE) return C_NONE;
  }
}

Loop question_loop_of(const Deeds *d, uint32_t context, uint32_t number) {
  const Points *p = d->points;
  while (!is_activated_once(p, context)) {
    const CContext *c = &p->contexts.at[context];
    const uint32_t block = d->module->instructions.at[number].block;
    if (c->parent == C_NONE || deeds_callee(d, c->parent, c->call) != context ||
        cmodule_comes(d->module, block, block, C_NONE))
      return (Loop){C_NONE, C_NONE, C_NONE};
    number = c->call;
    context = c->parent;
  }
  return (Loop){context, head_of(d, number), number};
}

bool question_comes_within(const Deeds *d, uint32_t head, uint32_t from, uint32_t to) {
  const uint32_t start = d->module->instructions.at[from].block, end = d->module->instructions.at[to].block;
  return start == end ? from < to : cmodule_comes(d->module, start, end, head);
}

bool question_in_each_round(const Deeds *d, uint32_t head, uint32_t number) {
  const Dominators *dom = &d->dominators;
  for (uint32_t k = dom->comings[head]; k < dom->comings[head + 1]; k++)
    if (dominators_goes_back(dom, dom->at[k], head) &&
        !dominators_passes(dom, d->module->instructions.at[number].block, dom->at[k]))
      return false;
  return true;
}

/* The block to which the test of its head leaves a loop that is begun once, if nothing else leads there; else C_NONE.
 */
uint32_t question_exit_of(const Deeds *d, uint32_t head) {
  const Dominators *dom = &d->dominators;
  const CBlock *b = &d->module->blocks.at[head];
  uint32_t exit = C_NONE;
  if (d->module->instructions.at[b->end - 1].kind != C_BRANCH) return C_NONE;
  for (uint32_t k = 0; k < b->n_successors; k++) {
    const uint32_t to = d->module->successors.at[b->successors + k];
    if (cmodule_reaches(d->module, to, head, C_NONE)) continue;
    if (exit != C_NONE || dom->comings[to + 1] - dom->comings[to] != 1) return C_NONE;
    exit = to;
  }
  return exit;
}

/* ---- when a thread was created ---- */

bool question_creation(const Question *q, uint32_t moment, uint32_t context, Creation *creation) {
  const CThread *t = thread_at(q, thread_of(q, context));
  if (t->from == C_NONE || q->is_recursive) return false;
  if (moment == MOMENT_ONCE) {
    for (moment = 0; moment < 2 && thread_of(q, context) != q->threads[moment]; moment++) {}
  }
  const bool once = points_once(q->d->points, t->from, t->call);
  if (!once && moment >= 2) return false;
  *creation = (Creation){once ? MOMENT_ONCE : MOMENT_CREATED + moment, t->from, t->call};
  return true;
}

/* Two threads that one call has created, in two rounds: one of them was created before the other one. */
void question_add_creations(Question *q) {
  Creation c[2];
  LinearSum rounds[2];
  bool is_new;
  const CThread *t = thread_at(q, q->threads[0]), *u = thread_at(q, q->threads[1]);
  if (q->threads[0] == q->threads[1] || t->from == C_NONE || t->from != u->from || t->call != u->call) return;
  const Loop loop = question_loop_of(q->d, t->from, t->call);
  for (uint32_t m = 0; m < 2; m++)
    if (!question_creation(q, m, q->d->points->threads.at[q->threads[m]].root, &c[m]) || c[m].moment == MOMENT_ONCE ||
        !question_rounds_of(q, c[m].moment, &loop, &rounds[m]))
      return;
  const uint32_t first = question_case(q, CHOICE_CREATED, 0, t->from, t->call, 2, &is_new);
  if (is_new) question_most(q, &rounds[first], &rounds[1 - first], -1);
  if (is_new) question_check(q);
}

bool question_is_created_later(const Deeds *d, uint32_t thread, const Deed *deed) {
  const CThread *t = &d->points->threads.at[thread];
  if (t->from == C_NONE || points_once(d->points, t->from, t->call)) return false;
  const Loop loop = question_loop_of(d, t->from, t->call);
  const Deed creation = {.context = loop.context, .instruction = loop.number};
  return loop.head != C_NONE && deeds_is_never_behind(d, deed, &creation);
}

/* Is an instruction that is done in the loop never done behind the call that creates, in one round? */
static bool is_done_first(const Question *q, const Loop *creating, const Loop *done, uint32_t context, uint32_t number,
                          const CThread *t) {
  if (deeds_is_before(q->d, context, number, t->from, t->call)) return true;
  return creating->number != done->number &&
         !question_comes_within(q->d, creating->head, creating->number, done->number);
}

/* What is done in the loop before the call that creates is done in a later round than the one in which the thread was
 * created: else it was before all that the thread does, and there is the creation between them. */
void question_add_later(Question *q, uint32_t moment, uint32_t context, uint32_t number) {
  const CThread *t = thread_at(q, q->threads[1 - moment]);
  LinearSum then, later;
  if (t->from == C_NONE || points_once(q->d->points, t->from, t->call)) return;
  const Loop loop = question_loop_of(q->d, t->from, t->call), other = question_loop_of(q->d, context, number);
  if (!question_same_loop(&loop, &other) || !is_done_first(q, &loop, &other, context, number, t)) return;
  if (question_rounds_of(q, MOMENT_CREATED + 1 - moment, &loop, &then) && question_rounds_of(q, moment, &loop, &later))
    question_most(q, &then, &later, -1);
}

/* ---- how many there are ---- */

typedef struct {
  uint32_t others, context, making;
} Enough;

/* One is created so many rounds behind another one that they would be more. */
static void say_more(Question *q, const void *what) {
  const Enough *enough = what;
  const CThread *t = thread_at(q, q->threads[0]);
  LinearSum rounds[2], most;
  const Loop loop = question_loop_of(q->d, t->from, t->call);
  for (uint32_t m = 0; m < 2; m++) {
    if (!question_rounds_of(q, MOMENT_CREATED + m, &loop, &rounds[m])) return;
    question_add_ways(q, MOMENT_CREATED + m, t->from, t->call);
  }
  if (q->refuted ||
      !question_value(q, MOMENT_ONCE, enough->context, question_operand(q, question_at(q, enough->making), 3), &most))
    return;
  if (linear_add(&most, &rounds[0], 1)) question_most(q, &most, &rounds[1], enough->others);
}

bool question_is_enough(const Deeds *d, uint32_t thread, uint32_t others, uint32_t context, uint32_t making) {
  const Enough enough = {others, context, making};
  const CThread *t = &d->points->threads.at[thread];
  if (others > 1 || !t->is_open) return false;
  return question_never(d, (uint32_t[]){thread, thread}, say_more, &enough);
}
