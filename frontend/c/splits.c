/* Addresses are asked where all are known by the offset in the whole: each is in one array, or in none, as is what is
 * accessed by it; and what is computed from one in an array is in that array, or one behind its last element. The
 * address of a structure that begins with the array is told by its type: it goes on by a member of it. */
#include "frontend/c/splits.h"

#include "frontend/c/arrays.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t object;
  uint64_t from, to;
} Range;

typedef struct {
  Points *p;
  VEC(Range) all; /* ascending by object and from */
  CharVec is_bad; /* per object that may have some: it is not split */
  CharVec has_lock;
} Search;

/* Of more of them nothing is sought. */
enum { MOST_RANGES = 256 };

/* Where the bytes of a target may be: in no array, in one; or who knows. */
typedef enum { PLACE_OUT, PLACE_IN, PLACE_BAD } Placing;

static const CTarget *target_at(const Search *s, uint32_t target) { return &s->p->targets.at[target]; }

static uint64_t last_of(const CTarget *t) { return t->last == UINT32_MAX ? UINT64_MAX : t->last; }

static void refuse(Search *s, uint32_t target) { s->is_bad.at[target_at(s, target)->object] = 1; }

/* ---- arrays ---- */

/* Is it there once in a run, and all the program's? */
static bool may_be_split(const Search *s, uint32_t object) {
  const CObject *o = &s->p->objects.at[object];
  if (arrays_object(s->p, carray_of(o)) != object) return false;
  if (o->kind != OBJECT_GLOBAL) return true;
  const CGlobal *g = &s->p->module->globals.at[o->n];
  return g->is_defined && !g->is_constant && !g->is_local;
}

static void add_range(Search *s, const CInstruction *i, uint32_t target) {
  const CTarget *t = target_at(s, target);
  const CObject *o = &s->p->objects.at[t->object];
  const int64_t first = (int64_t)t->offset + i->number;
  const bool memory = o->kind == OBJECT_GLOBAL || o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP;
  if (!memory || t->offset == OFFSET_ANY || first < 0 || s->all.n == MOST_RANGES) return;
  const uint64_t end = points_array_end(s->p, i, t->object, (uint64_t)first);
  if (!end || (o->size && end > o->size) || !may_be_split(s, t->object)) return;
  for (uint32_t k = 0; k < s->all.n; k++)
    if (s->all.at[k].object == t->object && s->all.at[k].from == (uint64_t)first && s->all.at[k].to == end) return;
  vec_push(s->p->heap, &s->all, ((Range){t->object, (uint64_t)first, end}));
}

static void find_ranges(Search *s) {
  for (PointsWalk at = {0}; points_next(s->p, &at);) {
    const CInstruction *i = &s->p->module->instructions.at[at.number];
    if (i->kind != C_OFFSET || i->n_operands != 3 || !i->is_signed || !cmodule_operand(s->p->module, i, 1)->number)
      continue;
    const U32Vec set = points_of(s->p, at.context, i, 0);
    for (uint32_t k = 0; k < set.n; k++) add_range(s, i, set.at[k]);
  }
}

static int compare(const void *a, const void *b) {
  const Range *x = a, *y = b;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->to > y->to ? -1 : x->to < y->to;
}

/* Those that are in elements of others are left out; what overlaps is no array. */
static void keep_outer(Search *s) {
  uint32_t n = 0;
  if (s->all.n) qsort(s->all.at, s->all.n, sizeof *s->all.at, compare);
  for (uint32_t k = 0; k < s->all.n; k++) {
    const Range range = s->all.at[k], *before = n ? &s->all.at[n - 1] : NULL;
    const bool meets = before && before->object == range.object && range.from < before->to;
    if (meets && range.to > before->to) s->is_bad.at[range.object] = 1;
    if (!meets) s->all.at[n++] = range;
  }
  s->all.n = n;
}

/* ---- where addresses are ---- */

static bool is_candidate(const Search *s, uint32_t object) {
  for (uint32_t k = 0; k < s->all.n; k++)
    if (s->all.at[k].object == object) return !s->is_bad.at[object];
  return false;
}

/* Of so many bytes there; *range: the array that they are in. */
static Placing placing(const Search *s, uint32_t target, uint64_t size, const Range **range) {
  const CTarget *t = target_at(s, target);
  const uint64_t last = last_of(t), end = last > UINT64_MAX - size ? UINT64_MAX : last + size;
  for (uint32_t k = 0; k < s->all.n; k++) {
    const Range *it = &s->all.at[k];
    if (it->object != t->object || it->to <= t->first || end <= it->from) continue;
    *range = it;
    return it->from <= t->first && end <= it->to ? PLACE_IN : PLACE_BAD;
  }
  return PLACE_OUT;
}

static void see_target(Search *s, uint32_t target) {
  const Range *range;
  if (is_candidate(s, target_at(s, target)->object) && placing(s, target, 1, &range) == PLACE_BAD) refuse(s, target);
}

static void see_set(Search *s, const U32Vec *set) {
  for (uint32_t k = 0; k < set->n; k++) see_target(s, set->at[k]);
}

static void see_values(Search *s) {
  for (uint32_t n = 0; n < s->p->nodes.n; n++) see_set(s, &s->p->nodes.at[n]);
  for (uint32_t t = 0; t < s->p->contents.n; t++) {
    if (s->p->contents.at[t].n) see_target(s, t);
    see_set(s, &s->p->contents.at[t]);
  }
}

/* ---- what is computed from them ---- */

/* What goes on from an array stays there, or comes to its end. */
static bool stays(Search *s, uint32_t context, const CInstruction *i, uint32_t target) {
  const Range *range, *other;
  if (placing(s, target, 1, &range) != PLACE_IN) return true;
  const CTarget from = *target_at(s, target);
  if (i->structure > range->to - range->from) return from.offset == range->from;
  const uint32_t to = points_go_on(s->p, context, i, target);
  return target_at(s, to)->offset == range->to || (placing(s, to, 1, &other) == PLACE_IN && other == range);
}

static void see_offset(Search *s, uint32_t context, const CInstruction *i) {
  U32Vec set = {0};
  const U32Vec from = points_of(s->p, context, i, 0);
  for (uint32_t k = 0; k < from.n; k++) vec_push(s->p->heap, &set, from.at[k]);
  for (uint32_t k = 0; k < set.n; k++)
    if (is_candidate(s, target_at(s, set.at[k])->object) && !stays(s, context, i, set.at[k])) refuse(s, set.at[k]);
  vec_fini(s->p->heap, &set);
}

/* ---- what is accessed ---- */

/* So many bytes, or any number. What is `loose` goes on from one to another (cells_access.c). */
static void see_access(Search *s, uint32_t context, const CInstruction *i, uint32_t n, uint64_t size, bool loose) {
  const U32Vec set = points_of(s->p, context, i, n);
  const Range *range;
  for (uint32_t k = 0; k < set.n; k++) {
    if (!is_candidate(s, target_at(s, set.at[k])->object)) continue;
    const bool is_inside = placing(s, set.at[k], 1, &range) == PLACE_IN;
    const bool goes_on = loose && (!is_inside || !size || size > range->to - range->from);
    if (!goes_on && placing(s, set.at[k], size ? size : UINT64_MAX, &range) == PLACE_BAD) refuse(s, set.at[k]);
  }
}

static void see_lock(Search *s, uint32_t context, const CInstruction *i, uint32_t n) {
  const U32Vec set = points_of(s->p, context, i, n);
  const Range *range;
  for (uint32_t k = 0; k < set.n; k++)
    if (target_at(s, set.at[k])->offset == OFFSET_ANY && placing(s, set.at[k], 1, &range) == PLACE_IN)
      s->has_lock.at[range->object] = 1;
}

static void refuse_all(Search *s, uint32_t context, const CInstruction *i) {
  for (uint32_t n = 1; n < i->n_operands; n++) {
    const U32Vec set = points_of(s->p, context, i, n);
    for (uint32_t k = 0; k < set.n; k++) refuse(s, set.at[k]);
  }
}

/* It reads, or writes what is no address, or frees. */
static bool is_plain(const Effect *effect, uint32_t n) {
  return effect->result != RESULT_AGAIN && strchr("-rwbs", effect_on(effect, n - 1));
}

static void see_memory(Search *s, uint32_t context, const CInstruction *i, const Effect *effect) {
  for (uint32_t n = 1; n < i->n_operands; n++) {
    const U32Vec set = points_of(s->p, context, i, n);
    if (effect_on(effect, n - 1) != '-') see_access(s, context, i, n, effect_size(effect, n - 1), true);
    for (uint32_t k = 0; k < set.n && !is_plain(effect, n); k++) refuse(s, set.at[k]);
  }
}

static void see_call(Search *s, uint32_t context, const CInstruction *i) {
  const Effect *effect = points_library(s->p, context, i);
  switch (effect ? effect->kind : CALL_BEGIN) {
  case CALL_LOCK:
  case CALL_TRY_LOCK:
  case CALL_UNLOCK:
  case CALL_READ_LOCK:
  case CALL_WRITE_LOCK:
  case CALL_READ_WRITE_UNLOCK: see_lock(s, context, i, 1); break;
  case CALL_WAIT: see_lock(s, context, i, 2); break;
  case CALL_CREATE: see_access(s, context, i, 1, 8, false); break;
  case CALL_JOIN: see_access(s, context, i, 2, 8, false); break;
  case CALL_MEMORY: see_memory(s, context, i, effect); break;
  case CALL_TRY_READ_LOCK:
  case CALL_TRY_WRITE_LOCK:
  case CALL_LOCK_INIT:
  case CALL_SIGNAL:
  case CALL_SEMAPHORE_INIT:
  case CALL_SEMAPHORE_WAIT:
  case CALL_TRY_SEMAPHORE:
  case CALL_SEMAPHORE_POST:
  case CALL_SEMAPHORE_VALUE:
  case CALL_BARRIER_INIT:
  case CALL_BARRIER_WAIT:
  case CALL_BEGIN:
  case CALL_END:
  case CALL_STOP:
  case CALL_LAST_STEP: break;
  case CALL_UNKNOWN:
  case CALL_BACK:
  case CALL_COPY:
  case CALL_ARGUMENTS:
  case CALL_HANDLER:
  case CALL_ONCE: refuse_all(s, context, i); break;
  }
}

static void see_instruction(Search *s, uint32_t context, const CInstruction *i) {
  switch ((int)i->kind) {
  case C_LOAD:
  case C_UPDATE:
  case C_SWAP: see_access(s, context, i, 0, i->size, false); break;
  case C_STORE: see_access(s, context, i, 1, i->size, false); break;
  case C_COPY:
    see_access(s, context, i, 0, i->size, false);
    see_access(s, context, i, 1, i->size, false);
    break;
  case C_FILL: see_access(s, context, i, 0, i->size, true); break;
  case C_OFFSET: see_offset(s, context, i); break;
  case C_CALL: see_call(s, context, i); break;
  case C_STRANGE: refuse_all(s, context, i); break;
  default: break;
  }
}

/* ---- the whole ---- */

/* Is it one array, and nothing else? */
static bool is_all(const Search *s, const Range *range) {
  const CObject *o = &s->p->objects.at[range->object];
  const uint64_t size = o->kind == OBJECT_HEAP ? points_made(s->p, o) : o->size;
  return !range->from && range->to == size;
}

static void add_splits(Search *s, CSplitVec *splits) {
  for (uint32_t k = 0; k < s->all.n; k++) {
    const Range *range = &s->all.at[k];
    const CObject *o = &s->p->objects.at[range->object];
    if (s->has_lock.at[range->object] && !s->is_bad.at[range->object] && !is_all(s, range))
      vec_push(s->p->heap, splits, ((CSplit){o->kind, o->n, range->from, range->to}));
  }
}

void splits_find(Points *p, CSplitVec *splits) {
  Search s = {.p = p};
  vec_resize_zeroed(p->heap, &s.is_bad, p->objects.n);
  vec_resize_zeroed(p->heap, &s.has_lock, p->objects.n);
  find_ranges(&s);
  keep_outer(&s);
  if (s.all.n && s.all.n < MOST_RANGES) {
    see_values(&s);
    for (PointsWalk at = {0}; points_next(p, &at);)
      see_instruction(&s, at.context, &p->module->instructions.at[at.number]);
    add_splits(&s, splits);
  }
  vec_fini(p->heap, &s.all);
  vec_fini(p->heap, &s.is_bad);
  vec_fini(p->heap, &s.has_lock);
}
