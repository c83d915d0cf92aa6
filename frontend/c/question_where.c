/* Where addresses lead at a moment (question.h). */
#include "frontend/c/question_inside.h"

/* The only place in that object that a set has; OFFSET_ANY: there is none, or several. */
static uint32_t only_place(const Question *q, U32Vec set, uint32_t object) {
  uint32_t offset = OFFSET_ANY;
  for (uint32_t k = 0; k < set.n; k++) {
    const CTarget t = q->d->points->targets.at[set.at[k]];
    if (!points_is_same_object(q->d->points, t.object, object)) continue;
    if (offset != OFFSET_ANY || t.offset == OFFSET_ANY) return OFFSET_ANY;
    offset = t.offset;
  }
  return offset;
}

static uint32_t only_object(const Question *q, U32Vec set) {
  uint32_t object = C_NONE;
  for (uint32_t k = 0; k < set.n; k++) {
    const uint32_t it = q->d->points->targets.at[set.at[k]].object;
    if (object != C_NONE && object != it) return C_NONE;
    object = it;
  }
  return object;
}

/* The address is loaded from a table. */
static void find_slot(Question *q, uint32_t moment, uint32_t context, uint32_t number, Where *where) {
  const CInstruction *i = question_at(q, number);
  const uint32_t table = only_object(q, points_of(q->d->points, context, i, 0));
  Where there;
  if (table == C_NONE || i->size != 8) return;
  if (!question_where(q, moment, context, question_operand(q, i, 0), table, &there)) return;
  question_least(q, &there.at); /* it lies in the table */
  where->table = table;
  where->slot = there.at;
}

/* Is it known where it leads, and not into the object? */
static bool leads_elsewhere(const Question *q, U32Vec set, uint32_t object) {
  for (uint32_t k = 0; k < set.n; k++) {
    const uint32_t it = q->d->points->targets.at[set.at[k]].object;
    if (points_is_same_object(q->d->points, it, object) || q->d->points->objects.at[it].kind == OBJECT_UNKNOWN)
      return false;
  }
  return set.n != 0;
}

/* It is where the analysis of addresses says, if that is one place of the object. */
static bool be_place(Question *q, uint32_t moment, uint32_t context, const COperand *operand, uint32_t object,
                     Where *where) {
  const U32Vec set = points_operand(q->d->points, context, operand);
  const uint32_t offset = only_place(q, set, object);
  q->refuted |= leads_elsewhere(q, set, object);
  if (offset == OFFSET_ANY) return false;
  *where = (Where){.at = linear_constant(offset), .table = C_NONE, .made = moment};
  where->is_made = !offset && deeds_is_made(q->d, context, operand, object);
  if (operand->kind == C_VALUE && question_at(q, operand->n)->kind == C_LOAD && offset == 0)
    find_slot(q, moment, context, operand->n, where);
  return true;
}

static bool count_places(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint32_t object,
                         Where *where) {
  LinearSum rounds;
  const COperand *first;
  uint32_t next;
  if (!question_finds_step(q, number, &next, &first) || !question_at(q, next)->is_signed ||
      !question_where(q, moment, context, first, object, where))
    return false;
  return question_rounds(q, moment, context, question_at(q, number)->block, &rounds) &&
         linear_add(&where->at, &rounds, question_at(q, next)->number);
}

/* What is loaded is what a store has left there. */
static bool loaded_place(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint32_t object,
                         Where *where) {
  const Found found = deeds_load(q->d, context, number);
  Source source;
  if (found.kind == FOUND_SOMETHING)
    return question_passed(q, moment, context, number, &source) && !source.is_zero &&
           question_where(q, source.moment, source.context, source.operand, object, where);
  return found.kind != FOUND_NUMBER &&
         question_where(q, MOMENT_ONCE, found.context, deeds_found(q->d, &found), object, where);
}

static bool place_of(Question *q, uint32_t moment, uint32_t context, const COperand *operand, uint32_t object,
                     Where *where) {
  const CInstruction *i = question_at(q, operand->n);
  const COperand *from;
  switch ((int)i->kind) {
  case C_OFFSET:
    return question_operand(q, i, 0)->kind != C_INTEGER &&
           question_where(q, moment, context, question_operand(q, i, 0), object, where) &&
           question_move(q, moment, context, i, &where->at);
  case C_SAME:
    return i->n_operands == 1 && question_where(q, moment, context, question_operand(q, i, 0), object, where);
  case C_PARAMETER:
    return question_given(q, &moment, &context, operand->n, &from) &&
           question_where(q, moment, context, from, object, where);
  case C_CALL:
    return question_returned(q, &context, operand->n, &from) && question_where(q, moment, context, from, object, where);
  case C_LOAD: return loaded_place(q, moment, context, operand->n, object, where);
  case C_MERGE:
    if (question_is_head(q, i->block) && count_places(q, moment, context, operand->n, object, where)) return true;
    if (question_is_head(q, i->block)) {
      from = question_swapped(q, moment, context, operand->n);
      return from && question_where(q, moment, context, from, object, where);
    }
    return question_coming(q, moment, context, operand->n, &from) &&
           question_where(q, moment, context, from, object, where);
  case C_SELECT:
    from = question_selected(q, moment, context, operand->n);
    return from && question_where(q, moment, context, from, object, where);
  default: return false;
  }
}

/* Of an address that is loaded, which leads to one place in the object, and to other objects, or to one of several
 * blocks of memory: it may be known which one was put there. */
static void find_block(Question *q, uint32_t moment, uint32_t context, const COperand *operand, uint32_t object,
                       Where *where) {
  Where there;
  if (operand->kind != C_VALUE || question_at(q, operand->n)->kind != C_LOAD) return;
  if (q->d->points->objects.at[object].is_single &&
      only_object(q, points_operand(q->d->points, context, operand)) == object)
    return;
  q->depth++;
  if (loaded_place(q, moment, context, operand->n, object, &there)) {
    where->is_made = there.is_made;
    where->made = there.made;
  }
  q->depth--;
}

/* Does the address come from another one, which may be known better? */
static bool is_step(const Question *q, const COperand *operand) {
  if (operand->kind != C_VALUE) return false;
  const CKind kind = question_at(q, operand->n)->kind;
  return kind == C_OFFSET || kind == C_SAME || kind == C_PARAMETER || kind == C_MERGE || kind == C_SELECT;
}

/* A value that leads nowhere into the object is not the one that is asked for: this case cannot be. NULL is one. */
bool question_where(Question *q, uint32_t moment, uint32_t context, const COperand *operand, uint32_t object,
                    Where *where) {
  if (q->refuted || question_is_deep(q) || q->d->points->objects.at[object].stride) return false;
  const bool step = is_step(q, operand);
  if (operand->kind == C_INTEGER) return q->refuted = true, false;
  if (!step && be_place(q, moment, context, operand, object, where)) {
    find_block(q, moment, context, operand, object, where);
    return true;
  }
  if (operand->kind != C_VALUE) return false;
  q->depth++;
  const bool good = place_of(q, moment, context, operand, object, where);
  q->depth--;
  return good || (step && !q->refuted && be_place(q, moment, context, operand, object, where));
}
