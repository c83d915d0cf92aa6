/* Tickets: numbers that a counter gives which only goes up, each of them once: `row = atomic_fetch_add(&next, 1)`, and
 * `lock(&m); row = next++; unlock(&m)`. Two threads never have the same one, whenever they took it. That a counter
 * comes back to a number that it has had, by wrapping around, is left out of account (docs/c.md), if it has 32 bits. */
#include "frontend/c/question_inside.h"

/* What gives a number: an instruction that adds to the counter, in one, or a load whose number and some more is stored
 * under the same lock. */
typedef struct {
  uint32_t lock; /* of Cells.cells; C_NONE: it needs none */
  int64_t step;  /* so much is added, more than 0 */
} Giver;

static uint32_t only_target(const Question *q, uint32_t context, uint32_t number, uint32_t operand) {
  const U32Vec set = points_of(q->d->points, context, question_at(q, number), operand);
  return set.n == 1 ? set.at[0] : C_NONE;
}

/* The block's only predecessor, or C_NONE. */
static uint32_t before(const Question *q, uint32_t block) {
  const uint32_t *comings = q->d->dominators.comings;
  return comings[block + 1] - comings[block] == 1 ? q->d->dominators.at[comings[block]] : C_NONE;
}

/* The lock that a call takes, if it is followed and exists once; else C_NONE. */
static uint32_t lock_taken(const Question *q, uint32_t context, uint32_t call) {
  const uint32_t cell = cells_lock(q->d->cells, context, call, 1);
  const CObject *o = cell == C_NONE ? NULL : cell_object(q->d->cells, cell);
  return o && o->is_single && !o->instances && !o->stride ? cell : C_NONE;
}

/* Does the call leave all locks as they are? */
static bool leaves_locks(const Effect *effect) {
  return effect && (effect->kind == CALL_MEMORY || effect->kind == CALL_SIGNAL || effect->kind == CALL_BEGIN ||
                    effect->kind == CALL_END);
}

/* The lock that the last call before the instruction takes that does not leave all as they are, on the only way to it
 * in its function: it is held there. C_NONE: there is none. */
static uint32_t lock_held(const Question *q, uint32_t context, uint32_t number) {
  enum { MOST_BLOCKS = 16 };
  uint32_t block = question_at(q, number)->block, end = number;
  for (uint32_t steps = 0; block != C_NONE && steps < MOST_BLOCKS; steps++) {
    for (uint32_t i = end; i-- > q->d->module->blocks.at[block].start;) {
      const CInstruction *it = question_at(q, i);
      const Effect *effect = it->kind == C_CALL ? points_library(q->d->points, context, it) : NULL;
      if (effect && effect->kind == CALL_LOCK) return lock_taken(q, context, i);
      if (it->kind == C_STRANGE || (it->kind == C_CALL && !leaves_locks(effect))) return C_NONE;
    }
    block = before(q, block);
    end = block == C_NONE ? 0 : q->d->module->blocks.at[block].end;
  }
  return C_NONE;
}

/* The load whose number a store of the form `x = x + n` adds to, and what it adds; C_NONE: it is no such store. */
static uint32_t load_of(const Question *q, uint32_t store, int64_t *step) {
  const CInstruction *it = question_at(q, store);
  const COperand *value = it->kind == C_STORE ? question_operand(q, it, 0) : NULL;
  const CInstruction *sum = value && value->kind == C_VALUE ? question_at(q, value->n) : NULL;
  const COperand *from = sum && sum->kind == C_OFFSET && sum->n_operands == 1 ? question_operand(q, sum, 0) : NULL;
  if (!from || from->kind != C_VALUE || question_at(q, from->n)->kind != C_LOAD) return C_NONE;
  *step = sum->number;
  return from->n;
}

/* Are both in one block, with no call in between? */
static bool is_at_once(const Question *q, uint32_t load, uint32_t store) {
  for (uint32_t i = load; i < store; i++)
    if (question_at(q, i)->kind == C_CALL || question_at(q, i)->kind == C_STRANGE) return false;
  return load < store && question_at(q, load)->block == question_at(q, store)->block;
}

/* Of an instruction that writes the counter at that target: what it gives. */
static bool gives(const Question *q, const Deed *w, uint32_t target, uint64_t size, Giver *giver) {
  const CInstruction *i = question_at(q, w->instruction);
  if (w->target != target || w->size != size) return false;
  if (i->kind == C_UPDATE && i->number == C_UPDATE_ADD) {
    *giver = (Giver){C_NONE, 0};
    return only_target(q, w->context, w->instruction, 0) == target &&
           points_number(q->d->points, w->context, i, 1, &giver->step) && giver->step > 0;
  }
  const uint32_t load = load_of(q, w->instruction, &giver->step);
  if (load == C_NONE || only_target(q, w->context, w->instruction, 1) != target ||
      only_target(q, w->context, load, 0) != target || question_at(q, load)->size != size ||
      !is_at_once(q, load, w->instruction))
    return false;
  giver->lock = lock_held(q, w->context, load);
  return giver->lock != C_NONE && giver->step > 0;
}

/* Is the deed done once, before all others that write the same bytes, or are those such, too? */
static bool comes_first(const Question *q, const Deed *first, uint64_t offset, uint64_t size) {
  const Deeds *d = q->d;
  if (!points_once(d->points, first->context, first->instruction)) return false;
  for (uint32_t k = d->first[first->object]; k < d->first[first->object + 1]; k++) {
    const Deed *w = &d->all.at[k];
    int64_t step;
    if (!deeds_writes(d, w, offset, size) || (w->context == first->context && w->instruction == first->instruction))
      continue;
    const bool counts = question_at(q, w->instruction)->kind == C_UPDATE || load_of(q, w->instruction, &step) != C_NONE;
    if (counts && !deeds_is_before(d, first->context, first->instruction, w->context, w->instruction)) return false;
  }
  return true;
}

/* A counter of fewer bytes comes back to its numbers soon. */
enum { LEAST_SIZE = 4 };

/* Does all that is written there, but what is written first, give numbers, all by the same lock, or all by none? Sets
 * what it goes on by at least. */
static bool is_counter(const Question *q, uint32_t target, uint64_t size, Giver *all) {
  const Deeds *d = q->d;
  const CTarget t = d->points->targets.at[target];
  bool found = false;
  if (size < LEAST_SIZE) return false;
  if (t.offset == OFFSET_ANY || !d->points->objects.at[t.object].is_single || d->points->objects.at[t.object].stride)
    return false;
  for (uint32_t k = d->first[t.object]; k < d->first[t.object + 1]; k++) {
    const Deed *w = &d->all.at[k];
    Giver one;
    if (!deeds_writes(d, w, t.offset, size)) continue;
    if (!gives(q, w, target, size, &one)) {
      if (!comes_first(q, w, t.offset, size)) return false;
      continue;
    }
    if (found && one.lock != all->lock) return false;
    if (!found || one.step < all->step) *all = one;
    found = true;
  }
  return found;
}

/* Is it a load whose number is one that a store to the same place behind it, in its block, goes on from? */
static bool is_gone_on(const Question *q, uint32_t context, uint32_t load, uint32_t target) {
  const CBlock *b = &q->d->module->blocks.at[question_at(q, load)->block];
  int64_t step = 0;
  for (uint32_t i = load + 1; i < b->end; i++)
    if (load_of(q, i, &step) == load && step > 0 && is_at_once(q, load, i) && only_target(q, context, i, 1) == target)
      return true;
  return false;
}

/* Is what the instruction finds a ticket? Sets what of, and by how much another one is less or more. */
static bool is_ticket(const Question *q, const Unknown *u, uint32_t *target, int64_t *step) {
  const bool value = u->kind == UNKNOWN_VALUE || u->kind == UNKNOWN_NATURAL;
  const CInstruction *i = value ? question_at(q, u->number) : NULL;
  Giver all = {C_NONE, 0};
  if (!i || (i->kind != C_UPDATE && i->kind != C_LOAD)) return false;
  *target = only_target(q, u->context, u->number, 0);
  if (*target == C_NONE || (i->kind == C_LOAD && !is_gone_on(q, u->context, u->number, *target)) ||
      !is_counter(q, *target, i->size, &all))
    return false;
  *step = all.step;
  return i->kind != C_UPDATE || all.lock == C_NONE;
}

void question_tickets(Question *q, uint32_t name) {
  uint32_t target, other_target;
  int64_t step, other_step;
  if (!is_ticket(q, &q->unknowns.at[name], &target, &step)) return;
  const CContext *contexts = q->d->points->contexts.at;
  const LinearSum mine = linear_unknown(name);
  for (uint32_t i = 0; i < name; i++) {
    const Unknown *u = &q->unknowns.at[i];
    const LinearSum other = linear_unknown(i);
    bool is_new;
    if (u->kind != q->unknowns.at[name].kind || !is_ticket(q, u, &other_target, &other_step) ||
        other_target != target || contexts[u->context].thread == contexts[q->unknowns.at[name].context].thread)
      continue;
    const uint32_t option = question_case_of(q, CHOICE_ORDER, i, name, 2, &is_new);
    if (is_new && option == 0) question_most(q, &mine, &other, -step);
    if (is_new && option == 1) question_most(q, &other, &mine, -step);
    if (is_new) question_check(q);
  }
}
