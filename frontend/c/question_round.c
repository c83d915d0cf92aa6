/* How often a thread has waited at a barrier (question.h): a number for each block, where all ways to it give the same
 * one. A loop that waits as often in each round adds that many for each time that it has gone back. */
#include "frontend/c/question_inside.h"

/* Where something is counted: in which context, from the function's entry on, or from a block. */
typedef struct {
  uint32_t moment, context, head;
} Place;

static bool waits_at(Question *q, Place p, uint32_t block, LinearSum *sum);
static bool waits_through(Question *q, Place p, uint32_t block, LinearSum *sum);

/* ---- what an instruction adds ---- */

static bool is_wait(const Question *q, uint32_t context, uint32_t number) {
  const Effect *effect = points_library(q->d->points, context, question_at(q, number));
  return effect && effect->kind == CALL_BARRIER_WAIT && cells_round(q->d->cells, context, number) == q->barrier->cell;
}

/* From its entry to its return, what is waited in the block of the return too. */
static bool waits_inside(Question *q, uint32_t moment, uint32_t callee, LinearSum *sum) {
  const uint32_t last = deeds_return(q->d, q->d->points->contexts.at[callee].function);
  const Place p = {moment, callee, C_NONE};
  if (last == C_NONE) return false;
  return waits_through(q, p, question_at(q, last)->block, sum);
}

/* Does a call run something that waits? */
static bool may_wait(const Question *q, uint32_t context, uint32_t number) {
  const Points *p = q->d->points;
  for (uint32_t e = points_edges(p, context, number); e != C_NONE; e = p->edges.at[e].next)
    if (q->barrier->waits[p->edges.at[e].callee]) return true;
  return false;
}

static bool add_instruction(Question *q, Place p, uint32_t number, LinearSum *sum) {
  const LinearSum one = linear_constant(1);
  LinearSum more = linear_constant(0);
  if (question_at(q, number)->kind != C_CALL) return true;
  if (is_wait(q, p.context, number)) return linear_add(sum, &one, 1);
  if (!may_wait(q, p.context, number)) return true;
  const uint32_t callee = deeds_callee(q->d, p.context, number);
  return callee != C_NONE && waits_inside(q, p.moment, callee, &more) && linear_add(sum, &more, 1);
}

static bool add_block(Question *q, Place p, uint32_t block, uint32_t end, LinearSum *sum) {
  for (uint32_t i = q->d->module->blocks.at[block].start; i < end; i++)
    if (!add_instruction(q, p, i, sum)) return false;
  return true;
}

/* ---- what all ways to a block add ---- */

/* Before and in the block. */
static bool waits_through(Question *q, Place p, uint32_t block, LinearSum *sum) {
  return waits_at(q, p, block, sum) && add_block(q, p, block, q->d->module->blocks.at[block].end, sum);
}

/* Behind a loop that goes round so often. */
static void know_rounds(Question *q, Place p, uint32_t head, uint32_t to, LinearSum *sum) {
  int64_t number;
  LinearSum rounds;
  if (!question_all_rounds(q, p.context, head, to, &number)) return;
  const LinearSum all = linear_constant(number);
  if (question_rounds(q, p.moment, p.context, head, &rounds) && linear_add(&rounds, &all, -1))
    linear_reduce(sum, &rounds);
}

static bool comings_agree(Question *q, Place p, uint32_t block, bool back, bool *some, LinearSum *sum) {
  const Dominators *d = &q->d->dominators;
  LinearSum other = linear_constant(0);
  *some = false;
  for (uint32_t k = d->comings[block]; k < d->comings[block + 1]; k++) {
    const uint32_t from = d->at[k];
    if (dominators_goes_back(d, from, block) != back) continue;
    if (!waits_through(q, p, from, *some ? &other : sum)) return false;
    know_rounds(q, p, from, block, *some ? &other : sum);
    if (*some && !linear_is_same(sum, &other)) return false;
    *some = true;
  }
  return true;
}

static bool count_block(Question *q, Place p, uint32_t block, LinearSum *sum) {
  LinearSum round = linear_constant(0), rounds;
  const Place inside = {p.moment, p.context, block};
  bool some;
  *sum = linear_constant(0);
  if (q->d->dominators.above[block] == block) return true;
  if (!comings_agree(q, p, block, false, &some, sum) || !some) return false;
  if (!comings_agree(q, inside, block, true, &some, &round)) return false;
  if (!some || (!round.n && !round.constant)) return true;
  return !round.n && question_rounds(q, p.moment, p.context, block, &rounds) &&
         linear_add(sum, &rounds, round.constant);
}

static uint32_t counted(const Question *q, Place p, uint32_t block) {
  for (uint32_t i = 0; i < q->counts.n; i++) {
    const Count *c = &q->counts.at[i];
    if (c->moment == p.moment && c->context == p.context && c->block == block && c->head == p.head) return i;
  }
  return C_NONE;
}

/* What is being counted already is not known: there is a loop with several entries. */
static bool waits_at(Question *q, Place p, uint32_t block, LinearSum *sum) {
  *sum = linear_constant(0);
  if (block == p.head || !q->barrier->waits[p.context]) return true;
  uint32_t number = counted(q, p, block);
  if (number == C_NONE) {
    number = q->counts.n;
    vec_push(q->heap, &q->counts, ((Count){p.moment, p.context, block, p.head, false, {0}}));
    LinearSum waits;
    const bool good = count_block(q, p, block, &waits);
    q->counts.at[number].is_known = good;
    if (good) q->counts.at[number].waits = waits;
  }
  *sum = q->counts.at[number].waits;
  return q->counts.at[number].is_known;
}

bool question_waits(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum) {
  *sum = linear_constant(0);
  while (context != C_NONE) {
    const CContext *c = &q->d->points->contexts.at[context];
    const uint32_t block = question_at(q, number)->block;
    const Place p = {moment, context, C_NONE};
    LinearSum here;
    if (!waits_at(q, p, block, &here) || !add_block(q, p, block, number, &here) || !linear_add(sum, &here, 1))
      return false;
    number = c->call;
    context = c->parent;
  }
  return true;
}
