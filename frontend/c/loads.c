#include "frontend/c/loads.h"

#include "frontend/c/deeds.h"
#include "frontend/c/order.h"

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

/* ---- local variables ---- */

/* Is a context one that is called, perhaps by others, from another one, or that one itself? */
static bool is_below(const Points *p, uint32_t context, uint32_t above) {
  while (context != C_NONE && context != above) context = p->contexts.at[context].parent;
  return context == above;
}

/* Is it a local variable of which there is one in each call of its function, one at a time? */
static bool is_local(const Points *p, const CObject *o) {
  if (o->kind != OBJECT_STACK || o->stride || o->is_split) return false;
  if (p->module->blocks.at[p->module->instructions.at[o->n].block].repeats) return false;
  for (uint32_t c = o->context; c != C_NONE; c = p->contexts.at[c].parent)
    if (p->contexts.at[c].repeats || p->contexts.at[c].is_shared) return false;
  return true;
}

/* The only deed that writes some of these bytes of an object; NULL: there are several. */
static const Deed *only_write(const Deeds *d, uint32_t object, uint64_t offset, uint64_t size) {
  const Deed *only = NULL;
  for (uint32_t i = d->first[object]; i < d->first[object + 1]; i++) {
    if (!deeds_writes(d, &d->all.at[i], offset, size)) continue;
    if (only) return NULL;
    only = &d->all.at[i];
  }
  return only;
}

static bool is_in_own_call(const Points *p, uint32_t context) {
  for (; context != C_NONE; context = p->contexts.at[context].parent)
    if (p->contexts.at[context].repeats || p->contexts.at[context].is_shared) return false;
  return true;
}

/* The store that has been done on each way to a load from a local variable that nothing else is stored in. */
static uint32_t store_found(const Deeds *d, uint32_t context, uint32_t load) {
  Points *p = d->points;
  const CInstruction *i = &p->module->instructions.at[load];
  const U32Vec set = points_of(p, context, i, 0);
  const CTarget t = set.n == 1 ? p->targets.at[set.at[0]] : place_anywhere(0);
  const CObject *o = &p->objects.at[t.object];
  if (t.offset == OFFSET_ANY || !is_local(p, o) || !is_below(p, context, o->context)) return 0;
  const Deed *w = only_write(d, t.object, t.offset, i->size);
  const CInstruction *store = w ? &p->module->instructions.at[w->instruction] : NULL;
  if (!store || store->kind != C_STORE || w->offset != t.offset || store->size != i->size) return 0;
  if (points_of(p, w->context, store, 1).n != 1 || !is_below(p, w->context, o->context)) return 0;
  if (!is_in_own_call(p, context) || !is_in_own_call(p, w->context)) return 0;
  const CSpot first = {w->context, w->instruction}, place = {context, load};
  return order_is_behind(p, &d->dominators, first, place, false) ? points_node(p, w->context, w->instruction) + 1 : 0;
}

/* ---- the whole ---- */

void origins_init(COrigins *origins, const Points *p) {
  const size_t bytes = ((size_t)p->nodes.n + 1) * sizeof(uint32_t);
  *origins = (COrigins){heap_zeroed(p->heap, bytes), heap_zeroed(p->heap, bytes)};
}

void origins_fini(COrigins *origins, Heap *heap) {
  heap_release(heap, origins->same);
  heap_release(heap, origins->stores);
}

bool loads_find(Cells *cells, CNumber *numbers, COrigins *origins) {
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
    origins->same[points_node(p, at.context, at.number)] = origin_found(&deeds, early, at.context, at.number);
    origins->stores[points_node(p, at.context, at.number)] = store_found(&deeds, at.context, at.number);
    const bool is_known = points_known(p, at.context, &value, &known);
    *number = is_known ? (CNumber){NUMBER_ONE, known} : number_found(&deeds, at.context, at.number);
    found |= !is_known && number->kind == NUMBER_ONE;
  }
  heap_release(cells->heap, early);
  deeds_fini(&deeds);
  return found;
}

/* Per context of a program that was solved before, the one that it became, or C_NONE. */
static uint32_t *contexts_after(const Points *points, const Points *before) {
  uint32_t *after = heap_zeroed(points->heap, ((size_t)before->contexts.n + 1) * sizeof *after);
  for (uint32_t c = 0; c < before->contexts.n; c++) after[c] = C_NONE;
  for (uint32_t c = 0; c < points->contexts.n; c++)
    if (points->contexts.at[c].before != C_NONE) after[points->contexts.at[c].before] = c;
  return after;
}

/* The same node of the other program, or 0; both are 1 more. */
static uint32_t node_after(const Points *points, const Points *before, const uint32_t *after, uint32_t node) {
  const uint32_t old = node ? before->owners.at[node - 1] : C_NONE, context = node ? after[old] : C_NONE;
  return context == C_NONE ? 0 : points->contexts.at[context].base + (node - before->contexts.at[old].base);
}

void loads_go_on(const Points *points, const Points *before, const COrigins *origins_before, COrigins *origins) {
  uint32_t *after = contexts_after(points, before);
  for (PointsWalk at = {0}; points_next(points, &at);) {
    const uint32_t context = points->contexts.at[at.context].before;
    if (points->module->instructions.at[at.number].kind != C_LOAD || context == C_NONE) continue;
    const uint32_t node = points_node(points, at.context, at.number), old = points_node(before, context, at.number);
    origins->same[node] = origins_before->same[old];
    origins->stores[node] = node_after(points, before, after, origins_before->stores[old]);
  }
  heap_release(points->heap, after);
}
