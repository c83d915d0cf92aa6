#include "frontend/c/deeds.h"

#include <stdlib.h>
#include <string.h>

static const CInstruction *instruction(const Deeds *d, uint32_t i) { return &d->module->instructions.at[i]; }

static const CContext *context_at(const Deeds *d, uint32_t context) { return &d->points->contexts.at[context]; }

/* ---- all of them ---- */

static int compare(const void *left, const void *right) {
  const Deed *a = left, *b = right;
  if (a->object != b->object) return a->object < b->object ? -1 : 1;
  if (a->context != b->context) return a->context < b->context ? -1 : 1;
  if (a->instruction != b->instruction) return a->instruction < b->instruction ? -1 : 1;
  return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static void collect(Deeds *d, uint32_t context, uint32_t number, const CAccessVec *accesses) {
  for (uint32_t i = 0; i < accesses->n; i++) {
    const CAccess *a = &accesses->at[i];
    const CTarget t = d->points->targets.at[a->target];
    if (!a->sync)
      vec_push(d->heap, &d->all,
               ((Deed){t.object, t.offset, a->target, context, number, a->cell, a->size, a->deed, a->operand}));
  }
}

void deeds_init(Deeds *d, Cells *cells) {
  CAccessVec accesses = {0};
  *d = (Deeds){.cells = cells, .points = cells->points, .module = cells->points->module, .heap = cells->heap};
  d->passing = heap_zeroed(d->heap, sizeof *d->passing);
  d->passing->striding = C_NONE;
  d->passing->goes_on = heap_zeroed(d->heap, (size_t)d->module->instructions.n + 1);
  linear_memo_init(&d->passing->memo, d->heap);
  intern_init(&d->passing->loads, d->heap);
  dominators_init(&d->dominators, d->module);
  for (PointsWalk at = {0}; points_next(d->points, &at);) {
    cells_accesses(cells, at.context, at.number, &accesses);
    collect(d, at.context, at.number, &accesses);
  }
  vec_fini(d->heap, &accesses);
  if (d->all.n) qsort(d->all.at, d->all.n, sizeof *d->all.at, compare);
  d->first = heap_zeroed(d->heap, ((size_t)d->points->objects.n + 2) * sizeof *d->first);
  for (uint32_t i = 0; i < d->all.n; i++) d->first[d->all.at[i].object + 1]++;
  for (uint32_t o = 0; o < d->points->objects.n; o++) d->first[o + 1] += d->first[o];
}

void deeds_fini(Deeds *d) {
  dominators_fini(&d->dominators);
  linear_memo_fini(&d->passing->memo);
  heap_release(d->heap, d->passing->goes_on);
  intern_fini(&d->passing->loads);
  vec_fini(d->heap, &d->passing->finds);
  vec_fini(d->heap, &d->passing->found);
  vec_fini(d->heap, &d->passing->joined);
  vec_fini(d->heap, &d->passing->joined_once);
  vec_fini(d->heap, &d->passing->strides);
  heap_release(d->heap, d->passing);
  heap_release(d->heap, d->first);
  vec_fini(d->heap, &d->all);
}

const Deed *deeds_of(const Deeds *d, uint32_t context, uint32_t number, uint32_t n) {
  const Deed *found = NULL;
  const U32Vec set = points_of(d->points, context, instruction(d, number), n);
  const uint32_t object = set.n ? d->points->targets.at[set.at[0]].object : C_NONE;
  for (uint32_t k = 0; k < set.n; k++)
    if (d->points->targets.at[set.at[k]].object != object) return NULL;
  for (uint32_t i = object == C_NONE ? 0 : d->first[object]; object != C_NONE && i < d->first[object + 1]; i++)
    if (d->all.at[i].context == context && d->all.at[i].instruction == number) found = &d->all.at[i];
  return found;
}

/* ---- calls ---- */

uint32_t deeds_callee(const Deeds *d, uint32_t context, uint32_t call) {
  if (points_library(d->points, context, instruction(d, call))) return C_NONE;
  const uint32_t callee = points_callee(d->points, context, call);
  return callee == C_NONE || context_at(d, callee)->parent != context || context_at(d, callee)->call != call ||
                 context_at(d, callee)->repeats
             ? C_NONE
             : callee;
}

uint32_t deeds_return(const Deeds *d, uint32_t function) {
  const CFunction *f = &d->module->functions.at[function];
  uint32_t found = C_NONE;
  for (uint32_t b = f->blocks; b < f->blocks_end; b++) {
    const uint32_t last = d->module->blocks.at[b].end - 1;
    if (d->dominators.above[b] == C_NONE || instruction(d, last)->kind != C_RETURN) continue;
    if (found != C_NONE) return C_NONE;
    found = last;
  }
  return found;
}

/* ---- before and behind ---- */

/* The place in a context from which another one runs, at whatever depth: its call there, or `number` in itself; C_NONE:
 * it does not run from there. */
static uint32_t place_in(const Deeds *d, uint32_t context, uint32_t inner, uint32_t number) {
  while (inner != C_NONE && inner != context) {
    number = context_at(d, inner)->call;
    inner = context_at(d, inner)->parent;
  }
  return inner == C_NONE ? C_NONE : number;
}

bool deeds_is_always_done(const Deeds *d, uint32_t function, uint32_t number) {
  const CFunction *f = &d->module->functions.at[function];
  for (uint32_t b = f->blocks; b < f->blocks_end; b++) {
    const uint32_t last = d->module->blocks.at[b].end - 1;
    if (d->dominators.above[b] != C_NONE && instruction(d, last)->kind == C_RETURN && number != last &&
        !dominators_is_before(&d->dominators, number, last))
      return false;
  }
  return true;
}

/* Whose thread is created by the first one's thread, or by one that is, ...: sets the call of that. */
static bool find_creation(const Deeds *d, uint32_t thread, uint32_t *context, uint32_t *number) {
  while (context_at(d, *context)->thread != thread) {
    const CThread *t = &d->points->threads.at[context_at(d, *context)->thread];
    if (t->from == C_NONE) return false;
    *context = t->from;
    *number = t->call;
  }
  return true;
}

bool deeds_is_before(const Deeds *d, uint32_t context, uint32_t number, uint32_t later_context, uint32_t later) {
  if (!find_creation(d, context_at(d, context)->thread, &later_context, &later)) return false;
  for (uint32_t there; context != C_NONE; context = context_at(d, context)->parent) {
    const CContext *c = context_at(d, context);
    if (c->repeats) return false;
    there = place_in(d, context, later_context, later);
    if (there != C_NONE) return dominators_is_before(&d->dominators, number, there);
    if (c->parent == C_NONE || deeds_callee(d, c->parent, c->call) != context ||
        !deeds_is_always_done(d, c->function, number))
      return false;
    number = c->call;
  }
  return false;
}

bool deeds_is_behind(const Deeds *d, uint32_t context, uint32_t block, uint32_t later_context, uint32_t later) {
  const uint32_t first = d->module->blocks.at[block].start;
  if (deeds_is_before(d, context, first, later_context, later)) return true;
  return !context_at(d, context)->repeats && find_creation(d, context_at(d, context)->thread, &later_context, &later) &&
         place_in(d, context, later_context, later) == first;
}

/* Is the function called once at most, in that thread? */
static bool is_called_once(const Deeds *d, uint32_t context) {
  const CContext *c = context_at(d, context);
  return !c->repeats && (c->parent == C_NONE || points_once(d->points, c->parent, c->call));
}

bool deeds_is_never_behind(const Deeds *d, const Deed *deed, const Deed *once) {
  if (context_at(d, deed->context)->thread != context_at(d, once->context)->thread) return false;
  uint32_t context = once->context, here = once->instruction, there;
  while (context != C_NONE) {
    there = place_in(d, context, deed->context, deed->instruction);
    if (there != C_NONE) {
      const uint32_t a = instruction(d, there)->block, b = instruction(d, here)->block;
      if (!is_called_once(d, context)) return false;
      if (a == b) return there < here && !d->module->blocks.at[a].repeats;
      return !cmodule_reaches(d->module, b, a, C_NONE);
    }
    here = context_at(d, context)->call;
    context = context_at(d, context)->parent;
  }
  return false;
}

/* ---- what is in memory ---- */

static Found something(void) { return (Found){FOUND_SOMETHING, C_NONE, C_NONE, 0}; }

/* The number that a global begins with, at that place. */
static Found initial(const Deeds *d, uint32_t global, uint64_t offset, uint64_t size) {
  Found found = {FOUND_NUMBER, C_NONE, C_NONE, 0};
  return cmodule_initial(d->module, global, offset, offset + size, &found.value) ? found : something();
}

/* Is it the write of a join that leads to one place? */
static bool is_join(const Deeds *d, const Deed *w) {
  const Effect *effect = points_library(d->points, w->context, instruction(d, w->instruction));
  return effect && effect->kind == CALL_JOIN &&
         points_of(d->points, w->context, instruction(d, w->instruction), 2).n == 1;
}

/* What the one thread that a call joins has ended with, if that is always by the same instruction. */
static Found returned(const Deeds *d, uint32_t context, uint32_t join) {
  const U32Vec set = points_of(d->points, context, instruction(d, join), 1);
  const CObject *o = set.n == 1 ? &d->points->objects.at[d->points->targets.at[set.at[0]].object] : NULL;
  const CThread *t = o && o->kind == OBJECT_HANDLE ? &d->points->threads.at[o->n] : NULL;
  Found found = something();
  if (!t || t->is_open || t->from == C_NONE || !points_once(d->points, t->from, t->call)) return found;
  for (PointsWalk at = {0}; points_next(d->points, &at);) {
    const CInstruction *i = instruction(d, at.number);
    const Effect *effect = i->kind == C_CALL ? points_library(d->points, at.context, i) : NULL;
    const bool ends = at.context == t->root && i->kind == C_RETURN;
    if (context_at(d, at.context)->thread != o->n || (!ends && (!effect || effect->kind != CALL_LAST_STEP))) continue;
    if (found.kind != FOUND_SOMETHING || i->n_operands <= !ends) return something();
    found = (Found){FOUND_RETURNED, at.context, at.number, 0};
  }
  return found;
}

/* What a deed that is done once, to those bytes and perhaps others, leaves there. */
static Found left_by(const Deeds *d, const Deed *w, uint64_t offset, uint64_t size) {
  const CInstruction *i = instruction(d, w->instruction);
  const bool store = i->kind == C_STORE;
  if (i->kind == C_CALL && w->size == size && w->offset == offset && is_join(d, w))
    return returned(d, w->context, w->instruction);
  if (!store && i->kind != C_COPY && i->kind != C_FILL) return something();
  if (points_of(d->points, w->context, i, store ? 1 : 0).n != 1 || w->offset == OFFSET_ANY) return something();
  if (store)
    return w->offset == offset && w->size == size ? (Found){FOUND_STORED, w->context, w->instruction, 0} : something();
  if (!w->size || w->offset > offset || offset + size > w->offset + w->size) return something();
  const COperand *from = cmodule_operand(d->module, i, 1);
  if (i->kind == C_FILL)
    return from->kind == C_INTEGER && !from->number ? (Found){FOUND_NUMBER, C_NONE, C_NONE, 0} : something();
  const U32Vec set = points_of(d->points, w->context, i, 1);
  const CTarget t = set.n == 1 ? d->points->targets.at[set.at[0]] : place_anywhere(0);
  const CObject *o = &d->points->objects.at[t.object];
  if (t.offset == OFFSET_ANY || o->kind != OBJECT_GLOBAL || !d->module->globals.at[o->n].is_constant)
    return something();
  return initial(d, o->n, t.offset + (offset - w->offset), size);
}

bool deeds_writes(const Deeds *d, const Deed *deed, uint64_t offset, uint64_t size) {
  return deed->deed != DOES_READ &&
         (d->points->objects.at[deed->object].stride ||
          place_meets(&d->points->targets.at[deed->target], deed->size, offset, offset + size));
}

/* Are all others that write there done before it, or behind the load, which is done once then? */
static bool is_last(const Deeds *d, const Deed *once, const Deed *load, uint64_t offset, uint64_t size) {
  const bool is_once = points_once(d->points, load->context, load->instruction);
  for (uint32_t i = d->first[once->object]; i < d->first[once->object + 1]; i++) {
    const Deed *w = &d->all.at[i];
    if (!deeds_writes(d, w, offset, size)) continue;
    if (w->context == once->context && w->instruction == once->instruction) continue;
    if (!deeds_is_never_behind(d, w, once) && !(is_once && deeds_is_never_behind(d, load, w))) return false;
  }
  return true;
}

bool deeds_is_zeroed(const Deeds *d, uint32_t object) {
  const CObject *o = &d->points->objects.at[object];
  if (o->kind == OBJECT_GLOBAL) {
    const CGlobal *g = &d->module->globals.at[o->n];
    return g->is_defined && !g->string && !g->n_initials;
  }
  if (o->kind != OBJECT_HEAP) return false;
  const Effect *effect = points_library(d->points, o->context, instruction(d, o->n));
  return effect && strcmp(effect->name, "calloc") == 0;
}

static Found found_by(const Deeds *d, uint32_t context, uint32_t load) {
  const U32Vec set = points_of(d->points, context, instruction(d, load), 0);
  const CTarget t = set.n == 1 ? d->points->targets.at[set.at[0]] : place_anywhere(0);
  const CObject *o = &d->points->objects.at[t.object];
  const uint64_t size = instruction(d, load)->size;
  const Deed it = {.context = context, .instruction = load};
  bool written = false;
  if (t.offset == OFFSET_ANY || !size || !o->is_single) return something();
  if (o->kind != OBJECT_GLOBAL && o->kind != OBJECT_STACK && o->kind != OBJECT_HEAP) return something();
  for (uint32_t i = d->first[t.object]; i < d->first[t.object + 1]; i++) {
    const Deed *w = &d->all.at[i];
    if (!deeds_writes(d, w, t.offset, size)) continue;
    written = true;
    if (!points_once(d->points, w->context, w->instruction) ||
        !deeds_is_before(d, w->context, w->instruction, context, load) || !is_last(d, w, &it, t.offset, size))
      continue;
    return left_by(d, w, t.offset, size);
  }
  if (written) return something();
  if (o->kind == OBJECT_GLOBAL) return initial(d, o->n, t.offset, size);
  return deeds_is_zeroed(d, t.object) ? (Found){FOUND_NUMBER, C_NONE, C_NONE, 0} : something();
}

Found deeds_load(const Deeds *d, uint32_t context, uint32_t load) {
  const uint32_t key[] = {context, load};
  bool is_new;
  const uint32_t number = intern_add(&d->passing->loads, (const char *)key, sizeof key, &is_new);
  if (is_new) vec_push(d->heap, &d->passing->finds, found_by(d, context, load));
  return d->passing->finds.at[number];
}

const COperand *deeds_found(const Deeds *d, const Found *found) {
  const CInstruction *i = instruction(d, found->number);
  return cmodule_operand(d->module, i, i->kind == C_CALL);
}

/* ---- tables of blocks of memory ---- */

static bool is_fresh(const Deeds *d, const CObject *o) {
  if (o->kind != OBJECT_HEAP) return false;
  const Effect *effect = points_library(d->points, o->context, instruction(d, o->n));
  return effect && effect->result == RESULT_FRESH;
}

/* Is it the call's value that the object comes from, whatever functions return it? Then *call is the one of that
 * context. */
static bool comes_from(const Deeds *d, uint32_t context, const COperand *operand, const CObject *o, uint32_t *call) {
  while (operand->kind == C_VALUE && instruction(d, operand->n)->kind == C_SAME)
    operand = cmodule_operand(d->module, instruction(d, operand->n), 0);
  if (operand->kind != C_VALUE || instruction(d, operand->n)->kind != C_CALL) return false;
  *call = operand->n;
  if (context == o->context && operand->n == o->n) return true;
  uint32_t callee = deeds_callee(d, context, operand->n), inner;
  const uint32_t last = callee == C_NONE ? C_NONE : deeds_return(d, context_at(d, callee)->function);
  if (last == C_NONE || !instruction(d, last)->n_operands) return false;
  return comes_from(d, callee, cmodule_operand(d->module, instruction(d, last), 0), o, &inner);
}

bool deeds_is_made(const Deeds *d, uint32_t context, const COperand *operand, uint32_t object) {
  const CObject *o = &d->points->objects.at[object];
  uint32_t call;
  return is_fresh(d, o) && comes_from(d, context, operand, o, &call);
}

/* Is a store done at most once for each time that the call is? */
static bool is_once_for(const Deeds *d, uint32_t call, uint32_t store) {
  const uint32_t a = instruction(d, call)->block, b = instruction(d, store)->block;
  return a == b ? call < store : !cmodule_comes(d->module, b, b, a);
}

static bool leads_to(const Deeds *d, U32Vec set, uint32_t object) {
  for (uint32_t k = 0; k < set.n; k++)
    if (d->points->targets.at[set.at[k]].object == object) return true;
  return false;
}

const Deed *deeds_table(const Deeds *d, uint32_t table, uint32_t object) {
  const CObject *o = &d->points->objects.at[object], *t = &d->points->objects.at[table];
  const Deed *only = NULL;
  if (!is_fresh(d, o) || o->is_split || (t->kind == OBJECT_HEAP && !is_fresh(d, t))) return NULL;
  for (uint32_t i = d->first[table]; i < d->first[table + 1]; i++) {
    const Deed *w = &d->all.at[i];
    const CInstruction *it = instruction(d, w->instruction);
    uint32_t call;
    if (w->deed == DOES_READ || it->kind == C_FILL) continue;
    if (it->kind != C_STORE) return NULL;
    if (!leads_to(d, points_of(d->points, w->context, it, 0), object)) continue;
    if (only && (only->context != w->context || only->instruction != w->instruction)) return NULL;
    only = w;
    if (it->size != 8 || !comes_from(d, w->context, cmodule_operand(d->module, it, 0), o, &call) ||
        !is_once_for(d, call, w->instruction))
      return NULL;
  }
  return only;
}
