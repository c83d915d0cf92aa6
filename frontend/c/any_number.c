#include "frontend/c/any_number.h"

static const CThread *thread_of(const Points *p, uint32_t context) {
  return &p->threads.at[p->contexts.at[context].thread];
}

bool any_number_is_open(const Points *p) {
  for (uint32_t t = 0; t < p->threads.n; t++)
    if (p->threads.at[t].is_open) return true;
  return false;
}

/* ---- what threads have in common ---- */

static bool are_twins(const Points *p, const CObject *a, const CObject *b) {
  if (a->kind != b->kind) return false;
  if (a->kind == OBJECT_OWN) return points_first(p, a->n) == points_first(p, b->n);
  if (a->n != b->n || a->part != b->part) return false;
  if (a->kind == OBJECT_GLOBAL) return points_first(p, a->context) == points_first(p, b->context);
  return points_alike(p, a->context, b->context);
}

/* Puts a cell of an object that each open thread has to the first of its twins, which is as large. */
static bool find_first(Cells *cells, uint32_t number) {
  CCell *cell = &cells->cells.at[number];
  for (uint32_t c = 0; c < cells->cells.n; c++) {
    const CCell *other = &cells->cells.at[c];
    if (!cell_object(cells, c)->is_copied ||
        !are_twins(cells->points, cell_object(cells, c), cell_object(cells, number)))
      continue;
    if (other->sync != cell->sync || other->from != cell->from) continue;
    cell->first = c;
    return other->to == cell->to;
  }
  return false;
}

/* ---- what cannot be so ---- */

/* Which one of them is there makes a difference: a lock of its own, or what is kept of each thread. */
static bool tells_threads_apart(Cells *cells, uint32_t number) {
  const CCell *cell = &cells->cells.at[number];
  if (!cell->sync || cell->is_vague) return false;
  if (cell_object(cells, number)->is_copied) return true;
  if (cell->sync_kind != CALL_READ_LOCK && cell->sync_kind != CALL_BARRIER_WAIT) return false;
  bool *uses = heap_zeroed(cells->heap, cells->points->threads.n + 1), open = false;
  cells_users(cells, number, uses);
  for (uint32_t t = 0; t < cells->points->threads.n; t++) open |= uses[t] && cells->points->threads.at[t].is_open;
  heap_release(cells->heap, uses);
  return open;
}

/* Objects that are told apart are as many as there are threads. */
static bool has_foci(const Points *p) {
  for (uint32_t i = 0; i < p->objects.n; i++) {
    const CObject *o = &p->objects.at[i];
    if (o->instances && (o->has_rest || o->is_copied)) return true;
  }
  return false;
}

static bool creates_others(const Points *p) {
  for (uint32_t t = 0; t < p->threads.n; t++) {
    const uint32_t from = p->threads.at[t].from;
    if (from != C_NONE && thread_of(p, from)->is_open) return true;
  }
  return false;
}

/* The place in a context from which control is at an instruction of another one; C_NONE: it is not there from here. */
static uint32_t place_in(const Points *p, uint32_t context, uint32_t inner, uint32_t number) {
  while (inner != C_NONE && inner != context) {
    number = p->contexts.at[inner].call;
    inner = p->contexts.at[inner].parent;
  }
  return inner == C_NONE ? C_NONE : number;
}

/* Is such a thread created behind a join of one that may have been created before, so that waiting may matter? */
static bool is_created_behind(const Points *p, const CThread *t, uint32_t context, uint32_t join) {
  uint32_t at = t->call;
  for (uint32_t c = t->from; c != C_NONE; c = p->contexts.at[c].parent) {
    const uint32_t there = place_in(p, c, context, join);
    if (there != C_NONE) {
      const uint32_t a = p->module->instructions.at[there].block, b = p->module->instructions.at[at].block;
      if (a == b) return p->module->blocks.at[a].repeats;
      return cmodule_reaches(p->module, a, b, C_NONE) && cmodule_reaches(p->module, b, a, C_NONE);
    }
    at = p->contexts.at[c].call;
  }
  return false;
}

static bool joins_before(Points *p, uint32_t context, uint32_t number) {
  const CInstruction *i = &p->module->instructions.at[number];
  const Effect *effect = i->kind == C_CALL ? points_library(p, context, i) : NULL;
  if (!effect || effect->kind != CALL_JOIN) return false;
  const U32Vec set = points_of(p, context, i, 1);
  for (uint32_t k = 0; k < set.n; k++) {
    const CObject *o = &p->objects.at[p->targets.at[set.at[k]].object];
    if (o->kind != OBJECT_HANDLE || !p->threads.at[o->n].is_open) continue;
    if (is_created_behind(p, &p->threads.at[o->n], context, number)) return true;
  }
  return false;
}

static bool waits_for_some(Points *p) {
  for (PointsWalk at = {0}; points_next(p, &at);)
    if (joins_before(p, at.context, at.number)) return true;
  return false;
}

/* Contexts that several calls share are not compared with those of other threads. */
static bool shares_contexts(const Points *p) {
  for (uint32_t c = 0; c < p->contexts.n; c++)
    if (p->contexts.at[c].is_shared && thread_of(p, c)->is_open) return true;
  return false;
}

bool any_number_fits(Cells *cells) {
  if (shares_contexts(cells->points) || has_foci(cells->points) || creates_others(cells->points) ||
      waits_for_some(cells->points))
    return false;
  for (uint32_t c = 0; c < cells->cells.n; c++) {
    if (tells_threads_apart(cells, c)) return false;
    if (cell_object(cells, c)->is_copied && !find_first(cells, c)) return false;
  }
  return true;
}
