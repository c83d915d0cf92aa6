#include "frontend/c/constants.h"

#include "frontend/c/dominators.h"

#include <string.h>

/* Of larger programs they are not asked for: so many instructions in all contexts. */
enum { MOST_INSTRUCTIONS = 30000 };

/* What is stored in a cell. */
typedef struct {
  CNumber number;          /* NUMBER_NONE: nothing */
  uint32_t context, store; /* one of those that store it */
} Stored;

typedef struct {
  Cells *cells;
  const Points *points;
  Dominators dominators;
  VEC(Stored) stored; /* per cell */
  CAccessVec accesses;
} Finder;

void constants_init(CConstants *constants, Heap *heap) {
  *constants = (CConstants){0};
  intern_init(&constants->keys, heap);
}

void constants_fini(CConstants *constants, Heap *heap) {
  intern_fini(&constants->keys);
  vec_fini(heap, &constants->numbers);
}

static const CInstruction *instruction(const Finder *f, uint32_t i) { return &f->points->module->instructions.at[i]; }

/* ---- what is stored ---- */

/* Is it the only place that the instruction writes to? */
static bool is_one_place(const Finder *f, const CAccess *access) {
  for (uint32_t k = 0; k < f->accesses.n; k++)
    if (f->accesses.at[k].deed != DOES_READ && f->accesses.at[k].target != access->target) return false;
  return f->points->targets.at[access->target].offset != OFFSET_ANY && !access->is_wide && !access->sync;
}

/* The number that a copy of what begins with known numbers, and is never changed, puts into a cell; -1: not known. */
static int64_t copied(const Finder *f, const CInstruction *i, const CAccess *access) {
  const CModule *module = f->points->module;
  const COperand *source = cmodule_operand(module, i, 1);
  const CCell *cell = &f->cells->cells.at[access->cell];
  const uint64_t to = f->points->targets.at[access->target].offset;
  if (source->kind != C_GLOBAL || !module->globals.at[source->n].is_constant || source->number < 0) return -1;
  if (cell->from < to || cell->to > to + i->size || cell->from == UINT64_MAX || !is_one_place(f, access)) return -1;
  const uint64_t from = (uint64_t)source->number + cell->from - to;
  return cmodule_initial(module, source->n, from, from + (cell->to - cell->from));
}

/* Sets *value to what an instruction stores in a cell, if it does so and if it is known. */
static bool stores(const Finder *f, uint32_t context, const CInstruction *i, const CAccess *access, int64_t *value) {
  const bool exact = f->accesses.n == 1 && access->is_exact && !access->is_long && !access->is_wide;
  if (i->kind == C_COPY) return (*value = copied(f, i, access)) >= 0;
  return exact && i->kind == C_STORE &&
         points_known(f->points, context, cmodule_operand(f->points->module, i, 0), value);
}

static void see_write(Finder *f, uint32_t context, uint32_t number, const CAccess *access) {
  const CInstruction *i = instruction(f, number);
  Stored *s = &f->stored.at[access->cell];
  int64_t value;
  const bool known = stores(f, context, i, access, &value);
  if (!known || s->number.kind == NUMBER_ANY || (s->number.kind == NUMBER_ONE && s->number.value != value))
    s->number.kind = NUMBER_ANY;
  else *s = (Stored){{NUMBER_ONE, value}, context, number};
}

static void see_writes(Finder *f) {
  for (PointsWalk at = {0}; points_next(f->points, &at);) {
    cells_accesses(f->cells, at.context, at.number, &f->accesses);
    for (uint32_t k = 0; k < f->accesses.n; k++)
      if (f->accesses.at[k].deed != DOES_READ) see_write(f, at.context, at.number, &f->accesses.at[k]);
  }
}

/* ---- what is read ---- */

/* Memory that has nothing in it before something is stored there. */
static bool is_empty(const Finder *f, const CObject *o) {
  if (o->kind == OBJECT_STACK) return true;
  if (o->kind != OBJECT_HEAP) return false;
  const COperand *callee = cmodule_operand(f->points->module, instruction(f, o->n), 0);
  return callee->kind == C_FUNCTION && strcmp(f->points->module->functions.at[callee->n].name, "malloc") == 0;
}

/* Is it stored on each way to the creation of the context's thread? */
static bool is_stored_before(const Finder *f, const Stored *s, uint32_t context) {
  const CThread *t = &f->points->threads.at[f->points->contexts.at[context].thread];
  return t->from != C_NONE && t->from == s->context && dominators_is_before(&f->dominators, s->store, t->call);
}

/* Is the number less than that with the highest bit of so many bytes, so that it is the same with a sign and without?
 */
static bool fits(int64_t value, uint64_t size) { return size && value < (int64_t)1 << (size < 4 ? 8 * size - 1 : 31); }

static bool finds(Finder *f, uint32_t context, uint32_t number, int64_t *value) {
  const CInstruction *i = instruction(f, number);
  if (i->kind != C_LOAD) return false;
  cells_accesses(f->cells, context, number, &f->accesses);
  const CAccess *a = f->accesses.n == 1 ? &f->accesses.at[0] : NULL;
  if (!a || !a->is_exact || a->is_long || a->is_wide || a->sync) return false;
  const CObject *o = cell_object(f->cells, a->cell);
  const Stored *s = &f->stored.at[a->cell];
  const int64_t initial = cells_initial(f->cells, a->cell);
  *value = s->number.kind == NUMBER_ONE ? s->number.value : initial;
  if (s->number.kind == NUMBER_ANY || *value < 0 || !fits(*value, i->size)) return false;
  if (s->number.kind == NUMBER_NONE) return initial >= 0;
  return initial == *value || is_empty(f, o) || (o->kind == OBJECT_GLOBAL && is_stored_before(f, s, context));
}

/* ---- the whole ---- */

bool constants_find(CConstants *constants, Cells *cells) {
  Finder f = {.cells = cells, .points = cells->points};
  U32Vec key = {0};
  uint64_t n = 0;
  for (uint32_t t = 0; t < cells->points->threads.n; t++) n += cells->points->threads.at[t].size;
  if (n > MOST_INSTRUCTIONS) return false;
  dominators_init(&f.dominators, cells->points->module);
  vec_resize_zeroed(cells->heap, &f.stored, cells->cells.n);
  see_writes(&f);
  for (PointsWalk at = {0}; points_next(f.points, &at);) {
    int64_t value;
    bool is_new;
    if (!finds(&f, at.context, at.number, &value) || !points_path(f.points, at.context, at.number, &key)) continue;
    intern_add(&constants->keys, (const char *)key.at, key.n * sizeof *key.at, &is_new);
    if (is_new) vec_push(cells->heap, &constants->numbers, value);
  }
  vec_fini(cells->heap, &key);
  vec_fini(cells->heap, &f.stored);
  vec_fini(cells->heap, &f.accesses);
  dominators_fini(&f.dominators);
  return constants->numbers.n;
}
