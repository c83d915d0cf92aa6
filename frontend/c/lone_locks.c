#include "frontend/c/lone_locks.h"

#include "frontend/c/question.h"

#include <stdlib.h>

/* What a call does to a lock. */
typedef struct {
  Deed deed; /* its context and instruction */
  uint32_t thread;
  bool is_lone;
} Use;

typedef struct {
  const Deeds *d;
  VEC(Use) all; /* ascending by lock */
  Use *uses;    /* those of the lock under way: */
  uint32_t n;
} LoneLocks;

static uint32_t thread_of(const Deeds *d, uint32_t context) { return d->points->contexts.at[context].thread; }

static CallKind kind_of(const Deeds *d, uint32_t context, uint32_t number) {
  const CInstruction *i = &d->module->instructions.at[number];
  const Effect *effect = i->kind == C_CALL ? points_library(d->points, context, i) : NULL;
  return effect ? effect->kind : CALL_UNKNOWN;
}

static bool may_be_lone(const Cells *cells, uint32_t c) {
  const CCell *cell = &cells->cells.at[c];
  return cell_is_lock(cell) && !cell->is_recursive && !cell_object(cells, c)->is_copied;
}

/* Does it do nothing but take one lock, or give it back? */
static bool is_plain(const Deeds *d, uint32_t context, uint32_t number, const CAccessVec *accesses) {
  const CallKind kind = kind_of(d, context, number);
  return accesses->n == 1 && (kind == CALL_LOCK || kind == CALL_UNLOCK);
}

/* Of all locks, in one walk. To make a lock, or to destroy it, is no event. */
static void collect(LoneLocks *l) {
  CAccessVec accesses = {0};
  for (PointsWalk at = {0}; points_next(l->d->points, &at);) {
    if (kind_of(l->d, at.context, at.number) == CALL_LOCK_INIT) continue;
    cells_accesses(l->d->cells, at.context, at.number, &accesses);
    for (uint32_t i = 0; i < accesses.n; i++) {
      const uint32_t cell = l->d->cells->cells.at[accesses.at[i].cell].first;
      const Deed deed = {.context = at.context, .instruction = at.number, .cell = cell};
      if (may_be_lone(l->d->cells, cell))
        vec_push(l->d->heap, &l->all,
                 ((Use){deed, thread_of(l->d, at.context), is_plain(l->d, at.context, at.number, &accesses)}));
    }
  }
  vec_fini(l->d->heap, &accesses);
}

static int compare(const void *left, const void *right) {
  const Deed *a = &((const Use *)left)->deed, *b = &((const Use *)right)->deed;
  if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
  if (a->context != b->context) return a->context < b->context ? -1 : 1;
  return a->instruction < b->instruction ? -1 : a->instruction > b->instruction;
}

/* Is it done where all others have been joined? */
static bool is_alone(const LoneLocks *l, const Use *use) {
  bool others = false;
  if (!use->is_lone || l->d->points->threads.at[use->thread].is_open) return false;
  for (uint32_t i = 0; i < l->n; i++) {
    const uint32_t other = l->uses[i].thread;
    if (other == use->thread) continue;
    others = true;
    if (!question_is_joined(l->d, other, &use->deed)) return false;
  }
  return others;
}

/* Is what the thread may do to the lock behind it lone, too? */
static bool is_last(const LoneLocks *l, const Use *use) {
  for (uint32_t i = 0; i < l->n; i++) {
    const Use *other = &l->uses[i];
    if (other->thread == use->thread && !other->is_lone && !deeds_is_never_behind(l->d, &other->deed, &use->deed))
      return false;
  }
  return true;
}

static void find_of(LoneLocks *l, Cells *cells) {
  for (uint32_t i = 0; i < l->n; i++) l->uses[i].is_lone = is_alone(l, &l->uses[i]);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < l->n; i++) {
      Use *use = &l->uses[i];
      if (!use->is_lone || is_last(l, use)) continue;
      use->is_lone = false;
      changed = true;
    }
  }
  for (uint32_t i = 0; i < l->n; i++) {
    const Use *use = &l->uses[i];
    if (use->is_lone)
      vec_push(l->d->heap, &cells->shares,
               ((CShare){use->deed.context, use->deed.instruction, use->deed.cell, cells->in_parts.n, 0}));
  }
}

void lone_locks_find(const Deeds *d, Cells *cells) {
  LoneLocks l = {.d = d};
  collect(&l);
  if (l.all.n) qsort(l.all.at, l.all.n, sizeof *l.all.at, compare);
  for (uint32_t i = 0; i < l.all.n; i += l.n) {
    l.uses = &l.all.at[i];
    l.n = 1;
    while (i + l.n < l.all.n && l.uses[l.n].deed.cell == l.uses->deed.cell) l.n++;
    find_of(&l, cells);
  }
  vec_fini(d->heap, &l.all);
}
