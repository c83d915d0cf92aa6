#include "frontend/c/loads.h"

#include "frontend/c/deeds.h"

static CNumber number_found(const Deeds *d, uint32_t context, uint32_t load) {
  const Found found = deeds_load(d, context, load);
  const CInstruction *i = &d->module->instructions.at[load];
  int64_t value = found.value;
  if (found.kind == FOUND_SOMETHING) return (CNumber){NUMBER_NONE, 0};
  if (found.kind != FOUND_NUMBER && !points_known(d->points, found.context, deeds_found(d, &found), &value))
    return (CNumber){NUMBER_NONE, 0};
  const CNumber number = points_one_number(value, 8 * i->size);
  return number.kind == NUMBER_ONE ? number : (CNumber){NUMBER_NONE, 0};
}

/* ---- what does not change ---- */

static uint32_t thread_of(const Deeds *d, uint32_t context) { return d->points->contexts.at[context].thread; }

/* Is it done by the main thread, and never once that has created a thread? */
static bool is_early(const Deeds *d, const Deed *deed) {
  for (uint32_t t = 0; t < d->points->threads.n; t++) {
    const CThread *it = &d->points->threads.at[t];
    if (it->from == C_NONE || thread_of(d, it->from)) continue;
    const Deed creation = {.context = it->from, .instruction = it->call};
    if (!deeds_is_never_behind(d, deed, &creation)) return false;
  }
  return !thread_of(d, deed->context);
}

/* Of each deed, if it writes. */
static bool *find_early(const Deeds *d) {
  bool *early = heap_zeroed(d->heap, (size_t)d->all.n + 1);
  for (uint32_t i = 0; i < d->all.n; i++) early[i] = d->all.at[i].deed == DOES_READ || is_early(d, &d->all.at[i]);
  return early;
}

static bool is_settled_at(const Deeds *d, const bool *early, const CTarget *t, uint64_t size) {
  const CObject *o = &d->points->objects.at[t->object];
  if ((o->kind != OBJECT_GLOBAL && o->kind != OBJECT_STACK && o->kind != OBJECT_HEAP) || o->is_copied) return false;
  for (uint32_t i = d->first[t->object]; i < d->first[t->object + 1]; i++) {
    const Deed *w = &d->all.at[i];
    if (!early[i] && place_meets_other(&d->points->targets.at[w->target], w->size, t, size)) return false;
  }
  return true;
}

static bool is_settled(const Deeds *d, const bool *early, uint32_t context, uint32_t load) {
  const CInstruction *i = &d->module->instructions.at[load];
  const U32Vec set = points_of(d->points, context, i, 0);
  bool settled = set.n && thread_of(d, context);
  for (uint32_t k = 0; k < set.n && settled; k++)
    settled = is_settled_at(d, early, &d->points->targets.at[set.at[k]], i->size);
  return settled;
}

static uint32_t origin_found(const Deeds *d, const bool *early, uint32_t context, uint32_t load) {
  const Found found = deeds_load(d, context, load);
  if (found.kind == FOUND_STORED || found.kind == FOUND_RETURNED)
    return points_node(d->points, found.context, found.number) + 1;
  return is_settled(d, early, context, load) ? ORIGIN_SETTLED : 0;
}

/* ---- the whole ---- */

bool loads_find(Cells *cells, CNumber *numbers, uint32_t *origins) {
  const Points *p = cells->points;
  bool found = false;
  Deeds deeds;
  deeds_init(&deeds, cells);
  bool *early = find_early(&deeds);
  for (PointsWalk at = {0}; points_next(p, &at);) {
    const CInstruction *i = &p->module->instructions.at[at.number];
    const COperand value = {C_VALUE, at.number, 0};
    int64_t known;
    if (i->kind != C_LOAD) continue;
    CNumber *number = &numbers[points_node(p, at.context, at.number)];
    origins[points_node(p, at.context, at.number)] = origin_found(&deeds, early, at.context, at.number);
    const bool is_known = points_known(p, at.context, &value, &known);
    *number = is_known ? (CNumber){NUMBER_ONE, known} : number_found(&deeds, at.context, at.number);
    found |= !is_known && number->kind == NUMBER_ONE;
  }
  heap_release(cells->heap, early);
  deeds_fini(&deeds);
  return found;
}

void loads_go_on(const Points *points, const Points *before, const uint32_t *origins_before, uint32_t *origins) {
  for (PointsWalk at = {0}; points_next(points, &at);) {
    const uint32_t context = points->contexts.at[at.context].before;
    if (points->module->instructions.at[at.number].kind == C_LOAD && context != C_NONE)
      origins[points_node(points, at.context, at.number)] = origins_before[points_node(before, context, at.number)];
  }
}
