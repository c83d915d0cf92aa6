/* Labels, and the ways to them. A place in a context has a label for each set of what is known that control comes with;
 * where all is known, and nothing is done to what is shared, a jump goes on to where that ends. */
#include "frontend/c/emit_inside.h"

#include <string.h>

static const CInstruction *instruction(const Emitter *e, uint32_t i) { return &e->module->instructions.at[i]; }

/* ---- labels ---- */

/* As many labels has a place, before what is known of conditions is forgotten there, and before all is; and as many
 * have all places together. */
enum { MOST_WITH_TRUTHS = 4, MOST_VERSIONS = 32, MOST_LABELS = 100000 };

static uint32_t place_at(Emitter *e, uint32_t context, uint32_t number, bool is_after) {
  const uint32_t key[] = {context, number, is_after};
  bool is_new;
  const uint32_t place = intern_add(&e->places, (const char *)key, sizeof key, &is_new);
  if (is_new) vec_push(e->heap, &e->versions, 0);
  return place;
}

uint32_t emit_known_now(Emitter *e) {
  return intern_add(&e->known, (const char *)e->facts.at, e->facts.n * sizeof *e->facts.at, NULL);
}

void emit_know(Emitter *e, uint32_t known) {
  const uint32_t n = e->known.lengths.at[known] / sizeof *e->facts.at;
  vec_clear(&e->facts);
  vec_reserve(e->heap, &e->facts, n);
  if (n) memcpy(e->facts.at, e->known.strings.at[known], n * sizeof *e->facts.at);
  e->facts.n = n;
}

static uint32_t label_with(Emitter *e, uint32_t context, uint32_t number, bool is_after) {
  const uint32_t known = emit_known_now(e);
  const uint32_t key[] = {context, number, is_after, known};
  bool is_new;
  const uint32_t label = intern_add(&e->keys, (const char *)key, sizeof key, &is_new);
  if (is_new)
    vec_push(e->heap, &e->labels,
             ((CLabel){.context = context, .number = number, .is_after = is_after, .known = known, .op = C_NONE}));
  if (is_new) e->versions.at[place_at(e, context, number, is_after)]++;
  return label;
}

/* Is there a label with what is known now? */
static bool has_label(const Emitter *e, uint32_t context, uint32_t number, bool is_after) {
  const uint32_t known = intern_find(&e->known, (const char *)e->facts.at, e->facts.n * sizeof *e->facts.at);
  const uint32_t key[] = {context, number, is_after, known};
  return known != INTERN_NONE && intern_find(&e->keys, (const char *)key, sizeof key) != INTERN_NONE;
}

static bool is_too_much(Emitter *e, uint32_t context, uint32_t number, bool is_after, uint32_t most) {
  return e->facts.n && !has_label(e, context, number, is_after) &&
         (e->versions.at[place_at(e, context, number, is_after)] >= most || e->labels.n > MOST_LABELS);
}

/* That of the place with what is known now, or with less of it. */
static uint32_t label_at(Emitter *e, uint32_t context, uint32_t number, bool is_after) {
  place_at(e, context, number, is_after);
  if (is_too_much(e, context, number, is_after, MOST_WITH_TRUTHS)) emit_forget_truths(e);
  if (is_too_much(e, context, number, is_after, MOST_VERSIONS)) vec_clear(&e->facts);
  return label_with(e, context, number, is_after);
}

bool emit_go_to(Emitter *e, uint32_t op, uint32_t context, uint32_t number, bool is_after) {
  const uint32_t n = e->labels.n, label = label_at(e, context, number, is_after);
  if (label == n) {
    e->labels.at[label].open = e->open;
    vec_push(e->heap, &e->due, label);
  }
  if (e->labels.at[label].open != e->open) return false;
  vec_push(e->heap, &e->patches, ((CPatch){op, label}));
  return true;
}

/* Control that comes with other blocks open than it does elsewhere is not followed. */
static void go_or_stop(Emitter *e, uint32_t op, uint32_t number) {
  if (emit_go_to(e, op, e->context, number, false)) return;
  points_gap(e->points, e->context, e->number, "a marked block is open on some ways here, and not on others");
  emit_at(e, op)->next = emit_here(e);
  emit_stuck(e);
}

/* ---- where control goes ---- */

/* Is nothing done to what is shared from that instruction on, before the other one? */
static bool is_silent(Emitter *e, uint32_t from, uint32_t end) {
  for (uint32_t i = from; i < end; i++)
    if (!emit_is_silent(e, e->context, i)) return false;
  return true;
}

/* The one that a switch goes to with that value. */
static uint32_t case_of(const Emitter *e, const CInstruction *i, int64_t value) {
  for (uint32_t n = 1; n < i->n_operands; n++)
    if (cmodule_operand(e->module, i, n)->number == value) return n;
  return 0;
}

bool emit_has_cases(const Emitter *e, const CInstruction *i) {
  for (uint32_t n = 1; n < i->n_operands; n++)
    if (cmodule_operand(e->module, i, n)->kind != C_INTEGER) return false;
  return true;
}

uint32_t emit_next_known(Emitter *e, uint32_t number) {
  const CInstruction *last = instruction(e, number);
  const uint32_t *to = e->module->successors.at + e->module->blocks.at[last->block].successors;
  int64_t value;
  bool holds;
  if (last->kind == C_GOTO) return to[0];
  if (last->kind == C_BRANCH && emit_known_condition(e, cmodule_operand(e->module, last, 0), &holds)) return to[!holds];
  if (last->kind != C_SWITCH || !emit_has_cases(e, last) || !emit_known(e, cmodule_operand(e->module, last, 0), &value))
    return C_NONE;
  return to[case_of(e, last, value)];
}

void emit_learn_here(Emitter *e) {
  if (e->facts.n) emit_forget(e, e->number);
  emit_learn_local(e);
}

/* The block that comes after what is left of one from that instruction on, if nothing is done there to what is shared,
 * and if it is known: with what is known there. Else C_NONE: what is known stays. */
static uint32_t pass_silently(Emitter *e, uint32_t from) {
  const uint32_t last = e->module->blocks.at[instruction(e, from)->block].end - 1, number = e->number;
  CFactVec facts = {0};
  uint32_t next = C_NONE;
  emit_copy_facts(e, &e->facts, &facts);
  if (is_silent(e, from, last + 1)) {
    for (e->number = from; e->number < last; e->number++) emit_learn_here(e);
    next = emit_next_known(e, last);
  }
  e->number = number;
  if (next == C_NONE) emit_copy_facts(e, &facts, &e->facts);
  vec_fini(e->heap, &facts);
  return next;
}

/* A way that is followed is no longer than this. */
enum { MOST_FOLLOWED = 64 };

/* The first instruction of a block that nothing is merged by: what is merged is so on the way to it. */
static uint32_t behind_merges(const Emitter *e, uint32_t block) {
  uint32_t i = e->module->blocks.at[block].start;
  while (instruction(e, i)->kind == C_MERGE) i++;
  return i;
}

/* Adds a jump from one block to another one, and on as far as all is known, and nothing is done to what is shared.
 * Where a loop may close it is an event, so that no circle is made of jumps. */
static void jump_along(Emitter *e, uint32_t from, uint32_t block) {
  uint32_t start;
  for (uint32_t i = 0;; i++) {
    start = behind_merges(e, block);
    if (!points_reaches(e->points, e->context, block)) { /* what comes before never ends */
      emit_stuck(e);
      return;
    }
    emit_learn_merged(e, from, block);
    if (e->facts.n) emit_forget_dead(e, start);
    const bool follows = e->facts.n && i < MOST_FOLLOWED && is_silent(e, e->module->blocks.at[block].start, start);
    const uint32_t next = follows ? pass_silently(e, start) : C_NONE;
    if (next == C_NONE) break;
    from = block;
    block = next;
  }
  emit_tokens_on_way(e, from, block);
  go_or_stop(e, emit_op(e, e->module->blocks.at[block].repeats ? OP_SKIP : OP_JUMP, "on"), start);
}

void emit_jump_to(Emitter *e, uint32_t block) {
  CFactVec facts = {0};
  emit_copy_facts(e, &e->facts, &facts);
  jump_along(e, instruction(e, e->number)->block, block);
  emit_copy_facts(e, &facts, &e->facts);
  vec_fini(e->heap, &facts);
}

void emit_on(Emitter *e) {
  CFactVec facts = {0};
  const uint32_t block = instruction(e, e->number)->block;
  emit_copy_facts(e, &e->facts, &facts);
  emit_tokens(e);
  const uint32_t next = pass_silently(e, e->number + 1);
  if (next != C_NONE) {
    jump_along(e, block, next);
  } else {
    emit_forget_dead(e, e->number + 1);
    go_or_stop(e, emit_op(e, OP_JUMP, "on"), e->number + 1);
  }
  emit_copy_facts(e, &facts, &e->facts);
  vec_fini(e->heap, &facts);
}

void emit_outcome(Emitter *e, int64_t value) {
  CFactVec facts = {0};
  emit_copy_facts(e, &e->facts, &facts);
  emit_learn(e, e->context, e->number, value);
  emit_on(e);
  emit_copy_facts(e, &facts, &e->facts);
  vec_fini(e->heap, &facts);
}
