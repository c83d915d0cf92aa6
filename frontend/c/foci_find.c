/* Which objects are told apart, and how many instances they have. */
#include "frontend/c/foci_inside.h"

#include "frontend/c/kept.h"
#include "frontend/c/same.h"

#include <assert.h>

/* ---- calls that take locks ---- */

/* The argument of a call that is a lock, or 0. */
static uint32_t lock_argument(Points *p, uint32_t context, uint32_t number) {
  const CInstruction *i = &p->module->instructions.at[number];
  const Effect *effect = i->kind == C_CALL ? points_library(p, context, i) : NULL;
  switch (effect ? (int)effect->kind : CALL_UNKNOWN) {
  case CALL_LOCK:
  case CALL_TRY_LOCK:
  case CALL_UNLOCK:
  case CALL_READ_LOCK:
  case CALL_WRITE_LOCK:
  case CALL_READ_WRITE_UNLOCK: return 1;
  case CALL_WAIT: return 2;
  default: return 0;
  }
}

typedef void Visit(Points *p, U32Vec set, void *data);

/* Calls back for each call that takes or gives back a lock, with what the lock may be. */
static void each_lock(Points *p, Visit *visit, void *data) {
  U32Vec copy = {0};
  for (PointsWalk at = {0}; points_next(p, &at);) {
    const uint32_t argument = lock_argument(p, at.context, at.number);
    if (!argument) continue;
    const U32Vec set = points_of(p, at.context, &p->module->instructions.at[at.number], argument);
    vec_clear(&copy);
    for (uint32_t k = 0; k < set.n; k++) vec_push(p->heap, &copy, set.at[k]);
    visit(p, copy, data);
  }
  vec_fini(p->heap, &copy);
}

static bool is_memory(const CObject *o) {
  return o->kind == OBJECT_GLOBAL || o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP;
}

/* ---- arrays ---- */

/* The longest step that an address makes by an index. */
static uint64_t step_of(const CModule *module, const CInstruction *i) {
  uint64_t step = 0;
  for (uint32_t n = 2; i->kind == C_OFFSET && n < i->n_operands; n += 2) {
    const int64_t bytes = cmodule_operand(module, i, n)->number;
    if (bytes > 0 && (uint64_t)bytes > step) step = (uint64_t)bytes;
  }
  return step;
}

/* The longest step by an index in each of `n` objects. */
typedef struct {
  uint64_t *longest;
  uint32_t n;
} Steps;

static Steps find_steps(Points *p) {
  const Steps steps = {heap_zeroed(p->heap, heap_product(p->heap, p->objects.n, sizeof(uint64_t))), p->objects.n};
  for (PointsWalk at = {0}; points_next(p, &at);) {
    const CInstruction *i = &p->module->instructions.at[at.number];
    const uint64_t step = step_of(p->module, i);
    if (!step) continue;
    const U32Vec set = points_of(p, at.context, i, 0);
    for (uint32_t k = 0; k < set.n; k++) {
      const uint32_t object = p->targets.at[set.at[k]].object;
      if (object < steps.n && step > steps.longest[object]) steps.longest[object] = step;
    }
  }
  return steps;
}

/* In an object that nothing led to when the steps were found there is none. */
static void add_fold(const Points *p, const Steps *steps, CFoldVec *folds, uint32_t object) {
  const uint64_t step = object < steps->n ? steps->longest[object] : 0;
  const CObject *o = &p->objects.at[object];
  for (uint32_t i = 0; i < folds->n; i++)
    if (folds->at[i].kind == o->kind && folds->at[i].n == o->n && folds->at[i].part == o->part) return;
  const uint64_t length = cobject_length(o);
  if (o->is_split && !o->part) return; /* its elements would not lie where it is not */
  if (step && (!length || (length % step == 0 && length > step)))
    vec_push(p->heap, folds, ((CFold){o->kind, o->n, o->part, step}));
}

void foci_add_fold(Points *p, CFoldVec *folds, uint32_t object) {
  const Steps steps = find_steps(p);
  add_fold(p, &steps, folds, object);
  heap_release(p->heap, steps.longest);
}

typedef struct {
  CFoldVec *folds;
  const Steps *steps;
} Folding;

static void fold_lock(Points *p, U32Vec set, void *data) {
  const Folding *folding = data;
  for (uint32_t k = 0; k < set.n; k++) {
    const CTarget t = p->targets.at[set.at[k]];
    if (t.offset == OFFSET_ANY && is_memory(&p->objects.at[t.object]))
      add_fold(p, folding->steps, folding->folds, t.object);
  }
}

void foci_fold(Points *p, const COrigins *origins, CFoldVec *folds, CBonds *bonds) {
  const Steps steps = find_steps(p);
  each_lock(p, fold_lock, &(Folding){folds, &steps});
  heap_release(p->heap, steps.longest);
  parallel_find(p, origins, folds, bonds);
}

void foci_forget(CBonds *bonds, Heap *heap) {
  vec_fini(heap, &bonds->all);
  vec_fini(heap, &bonds->parallel);
  vec_fini(heap, &bonds->bases);
}

/* ---- instances ---- */

static void mark_lock(Points *p, U32Vec set, void *data) {
  (void)data;
  for (uint32_t k = 0; k < set.n; k++) {
    CObject *o = &p->objects.at[p->targets.at[set.at[k]].object];
    if (is_memory(o) && (set.n > 1 || !o->is_single)) o->instances = 1;
  }
}

/* What may be anywhere in an object is followed nowhere in it. */
static void unmark_lock(Points *p, U32Vec set, void *data) {
  (void)data;
  for (uint32_t k = 0; k < set.n; k++) {
    const CTarget t = p->targets.at[set.at[k]];
    if (t.offset == OFFSET_ANY) p->objects.at[t.object].instances = 0;
  }
}

/* ---- what is chosen with a lock ---- */

static U32Vec merged(const Points *p, uint32_t context, uint32_t number) {
  const bool merges = p->module->instructions.at[number].kind == C_MERGE;
  return merges ? p->nodes.at[points_node(p, context, number)] : (U32Vec){0};
}

/* Is it one of several locks that are told apart? */
static bool is_one_lock(const Points *p, U32Vec set) {
  for (uint32_t k = 0; k < set.n; k++)
    if (!p->objects.at[p->targets.at[set.at[k]].object].instances) return false;
  return set.n > 1;
}

/* Lists are told apart by their locks alone (kept.h). */
static bool has_addresses(const Points *p, const CObject *o) {
  for (uint32_t t = 0; t < o->targets.n; t++)
    if (p->contents.at[o->targets.at[t]].n) return true;
  return false;
}

/* Is it one of several variables? */
static bool is_one_variable(const Points *p, U32Vec set) {
  enum { MOST = 8, MOST_BYTES = 256 };
  for (uint32_t k = 0; k < set.n; k++) {
    const CTarget t = p->targets.at[set.at[k]];
    const CObject *o = &p->objects.at[t.object];
    if (!is_memory(o) || o->kind == OBJECT_HEAP || !o->is_single || o->is_copied || o->is_split ||
        t.offset == OFFSET_ANY || o->size > MOST_BYTES || points_is_constant(p, t.object) || has_addresses(p, o))
      return false;
  }
  return set.n > 1 && set.n <= MOST;
}

typedef bool IsSet(const Points *p, U32Vec set);

/* Is there such a value that is merged? Then tells apart all that it may be, if it `marks`. */
static bool each_merged(Points *p, IsSet *is, bool marks) {
  bool found = false;
  for (PointsWalk at = {0}; points_next(p, &at);) {
    const U32Vec set = merged(p, at.context, at.number);
    if (!is(p, set)) continue;
    found = true;
    for (uint32_t k = 0; k < set.n && marks; k++) p->objects.at[p->targets.at[set.at[k]].object].instances = 1;
  }
  return found;
}

/* `n = odd ? &x : &y`, where a lock is chosen, too: it may be in the same way. */
static void mark_chosen(Points *p) {
  if (each_merged(p, is_one_lock, false)) each_merged(p, is_one_variable, true);
}

uint64_t foci_elements(const Points *p, const CObject *o) {
  const bool once = o->kind == OBJECT_GLOBAL ? o->context == C_NONE : points_once(p, o->context, o->n);
  return o->stride && once ? cobject_length(o) / o->stride : 0;
}

static void say_limit(Points *p, const CObject *o) {
  if (p->threads.n <= p->precision->foci) return;
  const uint32_t context = o->kind == OBJECT_GLOBAL ? 0 : o->context;
  const uint32_t number = o->kind == OBJECT_GLOBAL ? p->module->functions.at[p->contexts.at[0].function].start : o->n;
  points_gap(p, context, number,
             arena_format(&p->arena, "has %u threads, and only %u object%s with a lock %s told apart", p->threads.n,
                          p->precision->foci, p->precision->foci == 1 ? "" : "s",
                          p->precision->foci == 1 ? "is" : "are"));
}

static void count_instances(Foci *f, CObject *o) {
  Points *p = f->points;
  const uint64_t elements = foci_elements(p, o);
  o->has_rest = !o->is_single && (!elements || elements > foci_most_elements(p));
  o->instances = o->is_single                        ? 1
                 : !o->has_rest                      ? (uint32_t)elements
                 : p->threads.n < p->precision->foci ? p->threads.n
                                                     : p->precision->foci;
  if (o->has_rest) say_limit(p, o);
}

/* Is something kept by an array, or by one that is parallel to it? */
static bool is_keeper(const Foci *f, uint32_t object) {
  const Points *p = f->points;
  for (uint32_t i = 0; f->kept && i < p->objects.n; i++)
    if ((i == object || p->objects.at[i].parallel == object + 1) && kept_is_keeper(p, i)) return true;
  return false;
}

static void number_instances(Foci *f, bool keepers) {
  Points *p = f->points;
  for (uint32_t i = 0; i < p->objects.n; i++) {
    CObject *o = &p->objects.at[i];
    if (!o->instances || o->parallel || is_keeper(f, i) != keepers) continue;
    o->first = f->n_instances + 1;
    f->n_instances += o->instances;
  }
}

/* Those that have the instances of others. */
static void number_parallel(Points *p) {
  for (uint32_t i = 0; i < p->objects.n; i++) {
    CObject *o = &p->objects.at[i];
    if (!o->parallel) continue;
    const CObject *first = &p->objects.at[o->parallel - 1];
    assert(first->instances == o->instances && first->has_rest == o->has_rest);
    o->first = first->first;
  }
}

/* What is kept has the numbers of all keepers, which come first. */
static void number_kept(Foci *f) {
  Points *p = f->points;
  f->n_instances = 0;
  number_instances(f, true);
  const uint32_t n = f->n_instances;
  number_instances(f, false);
  number_parallel(p);
  for (uint32_t i = 0; i < p->objects.n; i++) {
    CObject *o = &p->objects.at[i];
    if (!o->is_kept) continue;
    o->first = 1;
    o->instances = n;
    o->has_rest = true; /* also what hangs nowhere yet */
  }
}

static void drop_tokens(Foci *f) {
  for (uint32_t i = 0; i < f->tokens.n; i++) vec_fini(f->heap, &f->tokens.at[i].choices);
  vec_clear(&f->tokens);
}

void foci_find(Foci *f, Points *p, const COrigins *origins, CBonds *bonds) {
  *f = (Foci){.points = p, .heap = p->heap, .origins = origins, .bonds = bonds};
  each_lock(p, mark_lock, NULL);
  each_lock(p, unmark_lock, NULL);
  mark_chosen(p);
  bonds_mark(f);
  for (uint32_t i = 0; i < p->objects.n; i++)
    if (p->objects.at[i].instances) count_instances(f, &p->objects.at[i]);
  number_instances(f, false);
  number_parallel(p);
  if (f->n_instances) same_find(f, false);
  kept_find(f);
  drop_tokens(f); /* they have the old numbers */
  if (f->kept) number_kept(f);
}

void foci_fini(Foci *f) {
  drop_tokens(f);
  kept_fini(f);
  same_fini(f);
  vec_fini(f->heap, &f->tokens);
  vec_fini(f->heap, &f->asked);
}
