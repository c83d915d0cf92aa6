/* First arrays are sought where each place is known by itself. Then the program is solved with them as objects, and
 * each address that is in one is asked: what is computed from it stays there, and so does what is accessed by it. The
 * address of a structure that begins with the array is told by its type: it goes on by a member of that. */
#include "frontend/c/splits.h"

#include "frontend/c/arrays.h"

#include <stdlib.h>
#include <string.h>

/* Of more of them nothing is sought. */
enum { MOST_SPLITS = 256 };

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static const CObject *object_at(const Points *p, uint32_t target) {
  return &p->objects.at[p->targets.at[target].object];
}

/* ---- which arrays there are ---- */

typedef struct {
  uint32_t object;
  uint64_t from, to, stride;
  bool is_typed; /* the type of its address says that it is an array, but not that it is a member */
} Range;

typedef struct {
  Points *p;
  VEC(Range) all;   /* at last ascending by object and from */
  CharVec is_bad;   /* per object: some of it are in each other by halves */
  CharVec has_lock; /* per object: one is taken somewhere in an array */
} Search;

/* Is it there once in a run, and all the program's? */
static bool may_be_split(const Points *p, uint32_t object) {
  const CObject *o = &p->objects.at[object];
  if (arrays_object(p, carray_of(o)) != object) return false;
  if (o->kind != OBJECT_GLOBAL) return o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP;
  const CGlobal *g = &p->module->globals.at[o->n];
  return g->is_defined && !g->is_constant && !g->is_local;
}

static bool has_range(Search *s, const Range *range) {
  for (uint32_t k = 0; k < s->all.n; k++) {
    Range *it = &s->all.at[k];
    if (it->object != range->object || it->from != range->from || it->to != range->to) continue;
    it->is_typed &= range->is_typed;
    return true;
  }
  return false;
}

static void add_range(Search *s, const CInstruction *i, uint32_t target) {
  const CTarget t = s->p->targets.at[target];
  const CObject *o = object_at(s->p, target);
  if (t.offset == OFFSET_ANY || s->all.n > MOST_SPLITS) return;
  const bool typed = i->n_operands != 3 || !cmodule_operand(s->p->module, i, 1)->number;
  const uint64_t end = typed ? t.offset + i->array : points_array_end(s->p, i, t.object, t.offset);
  const Range range = {t.object, t.offset, end, i->element, typed};
  if (!end || (o->size && end > o->size) || has_range(s, &range) || !may_be_split(s->p, t.object)) return;
  vec_push(s->p->heap, &s->all, range);
}

static void find_ranges(Search *s) {
  for (PointsWalk at = {0}; points_next(s->p, &at);) {
    const CInstruction *i = instruction(s->p, at.number);
    if (i->kind != C_OFFSET || !i->is_signed || !i->array) continue;
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

/* Rows of an array of arrays may be gone through as one. */
static bool is_row(const Search *s, uint32_t n) {
  const Range *it = &s->all.at[n];
  for (uint32_t k = 0; k < s->all.n && it->is_typed; k++) {
    const Range *other = &s->all.at[k];
    if (other->object == it->object && (other->from == it->to || other->to == it->from) &&
        other->to - other->from == it->to - it->from && other->stride == it->stride)
      return true;
  }
  return false;
}

static void see_lock(Search *s, uint32_t context, const CInstruction *i, uint32_t n) {
  const U32Vec set = points_of(s->p, context, i, n);
  for (uint32_t k = 0; k < set.n; k++) {
    const CTarget *t = &s->p->targets.at[set.at[k]];
    for (uint32_t r = 0; r < s->all.n && t->offset == OFFSET_ANY; r++)
      if (s->all.at[r].object == t->object && t->first < s->all.at[r].to && t->last >= s->all.at[r].from)
        s->has_lock.at[t->object] = 1;
  }
}

static void see_locks(Search *s) {
  for (PointsWalk at = {0}; points_next(s->p, &at);) {
    const CInstruction *i = instruction(s->p, at.number);
    const Effect *effect = i->kind == C_CALL ? points_library(s->p, at.context, i) : NULL;
    switch (effect ? (int)effect->kind : CALL_UNKNOWN) {
    case CALL_LOCK:
    case CALL_TRY_LOCK:
    case CALL_UNLOCK:
    case CALL_READ_LOCK:
    case CALL_WRITE_LOCK:
    case CALL_READ_WRITE_UNLOCK: see_lock(s, at.context, i, 1); break;
    case CALL_WAIT: see_lock(s, at.context, i, 2); break;
    default: break;
    }
  }
}

/* Is it one array, and nothing else? */
static bool is_all(const Points *p, const Range *range) {
  const CObject *o = &p->objects.at[range->object];
  return !range->from && range->to == (o->kind == OBJECT_HEAP ? points_made(p, o) : o->size);
}

void splits_find(Points *p, CSplitVec *splits) {
  Search s = {.p = p};
  vec_resize_zeroed(p->heap, &s.is_bad, p->objects.n);
  vec_resize_zeroed(p->heap, &s.has_lock, p->objects.n);
  find_ranges(&s);
  keep_outer(&s);
  see_locks(&s);
  for (uint32_t k = 0; k < s.all.n && s.all.n <= MOST_SPLITS; k++) {
    const Range *range = &s.all.at[k];
    const CObject *o = &p->objects.at[range->object];
    if (s.has_lock.at[range->object] && !s.is_bad.at[range->object] && !is_all(p, range) && !is_row(&s, k))
      vec_push(p->heap, splits, ((CSplit){o->kind, o->n, range->from, range->to, range->stride}));
  }
  vec_fini(p->heap, &s.all);
  vec_fini(p->heap, &s.is_bad);
  vec_fini(p->heap, &s.has_lock);
}

/* ---- whether addresses stay in them ---- */

typedef struct {
  Points *p;
  CharVec is_bad; /* per object, a part or all else: the whole is not to be split */
} Check;

static void refuse(Check *c, uint32_t target) { c->is_bad.at[c->p->targets.at[target].object] = 1; }

/* All that operand n leads to. */
static void refuse_all(Check *c, uint32_t context, const CInstruction *i, uint32_t n) {
  const U32Vec set = points_of(c->p, context, i, n);
  for (uint32_t k = 0; k < set.n; k++) refuse(c, set.at[k]);
}

static void refuse_value(Check *c, uint32_t context, const CInstruction *i) {
  const U32Vec set = c->p->nodes.at[points_node(c->p, context, (uint32_t)(i - c->p->module->instructions.at))];
  for (uint32_t k = 0; k < set.n; k++) refuse(c, set.at[k]);
}

static const COperand *operand_of(const Check *c, const CInstruction *i) { return cmodule_operand(c->p->module, i, 0); }

/* Is it the address of the first element of an array of that length, or comes from there? The address of a union, cast,
 * may be that of a longer one. */
static bool is_decayed(const Check *c, uint32_t context, const COperand *operand, uint64_t length, int depth) {
  enum { DEEPEST = 8 };
  if (operand->kind != C_VALUE || depth == DEEPEST) return false;
  const CInstruction *i = instruction(c->p, operand->n);
  const CContext *at = &c->p->contexts.at[context];
  const uint32_t parameter = 1 + operand->n - c->p->module->functions.at[at->function].start;
  switch ((int)i->kind) {
  case C_OFFSET: return i->array ? i->array == length : i->element && !i->structure;
  case C_PARAMETER:
    if (at->parent == C_NONE || points_callee(c->p, at->parent, at->call) != context) return false;
    return parameter < instruction(c->p, at->call)->n_operands &&
           is_decayed(c, at->parent, cmodule_operand(c->p->module, instruction(c->p, at->call), parameter), length,
                      depth + 1);
  case C_MERGE:
    for (uint32_t n = 0; n < i->n_operands; n++)
      if (!is_decayed(c, context, cmodule_operand(c->p->module, i, n), length, depth + 1)) return false;
    return true;
  default: return false;
  }
}

/* Does what goes on from an array stay there, or come to its end? By an index, or from element to element it does. */
static bool stays(Check *c, uint32_t context, const CInstruction *i, uint32_t target) {
  const CTarget t = c->p->targets.at[target];
  const CObject *o = object_at(c->p, target);
  const CSplit *s = &c->p->splits->at[o->part - 1];
  const bool at_start = t.offset == o->start;
  if (i->structure > cobject_length(o)) return at_start; /* else it would not lie there */
  if (i->structure) return !i->n_operands || i->n_operands < 3;
  if (i->array) return i->is_signed && i->array <= cobject_length(o);
  if (i->is_signed && i->element > 1 && i->element <= s->stride && !at_start) return true;
  if (i->is_signed && i->element == s->stride && i->element > 1 &&
      is_decayed(c, context, operand_of(c, i), cobject_length(o), 0))
    return true;
  return c->p->targets.at[points_go_on(c->p, context, i, target)].offset != OFFSET_ANY;
}

static void see_offset(Check *c, uint32_t context, const CInstruction *i) {
  U32Vec set = {0};
  const U32Vec from = points_of(c->p, context, i, 0);
  for (uint32_t k = 0; k < from.n; k++) vec_push(c->p->heap, &set, from.at[k]);
  for (uint32_t k = 0; k < set.n; k++)
    if (object_at(c->p, set.at[k])->part && !stays(c, context, i, set.at[k])) refuse(c, set.at[k]);
  vec_fini(c->p->heap, &set);
}

/* Are so many bytes in the array? */
static bool are_inside(const Check *c, uint32_t target, uint64_t size) {
  const CTarget *t = &c->p->targets.at[target];
  const CObject *o = object_at(c->p, target);
  if (place_is_anywhere(t)) return size && size <= c->p->splits->at[o->part - 1].stride;
  return size && t->first >= o->start && t->last + size <= o->size;
}

/* Are they in no array? */
static bool are_outside(const Check *c, uint32_t target, uint64_t size) {
  const CTarget *t = &c->p->targets.at[target];
  const CObject *o = object_at(c->p, target);
  if (t->last == UINT32_MAX || !size) return false;
  for (uint32_t k = 0; k < c->p->splits->n; k++) {
    const CSplit *s = &c->p->splits->at[k];
    if (s->kind == o->kind && s->n == o->n && t->first < s->to && t->last + size > s->from) return false;
  }
  return true;
}

/* Of so many bytes, or any number. What is `loose` goes on from one array to another one (cells_access.c). */
static void see_access(Check *c, uint32_t context, const CInstruction *i, uint32_t n, uint64_t size, bool loose) {
  const U32Vec set = points_of(c->p, context, i, n);
  for (uint32_t k = 0; k < set.n; k++) {
    const CObject *o = object_at(c->p, set.at[k]);
    const bool goes_on = loose && (!o->part || !size || size > cobject_length(o));
    if (!o->is_split || goes_on) continue;
    if (o->part ? !are_inside(c, set.at[k], size) : !are_outside(c, set.at[k], size)) refuse(c, set.at[k]);
  }
}

/* Does it read, or write what is no address, or free? */
static bool is_plain(const Effect *effect, uint32_t n) {
  return effect->result != RESULT_AGAIN && strchr("-rwbs", effect_on(effect, n - 1));
}

static void see_memory(Check *c, uint32_t context, const CInstruction *i, const Effect *effect) {
  if (effect->result != RESULT_FRESH) refuse_value(c, context, i);
  for (uint32_t n = 1; n < i->n_operands; n++) {
    if (!is_plain(effect, n)) refuse_all(c, context, i, n);
    else if (effect_on(effect, n - 1) != '-') see_access(c, context, i, n, effect_size(effect, n - 1), true);
  }
}

static void see_call(Check *c, uint32_t context, const CInstruction *i) {
  const Effect *effect = points_library(c->p, context, i);
  switch (effect ? effect->kind : CALL_BEGIN) {
  case CALL_CREATE: see_access(c, context, i, 1, 8, false); break;
  case CALL_JOIN: see_access(c, context, i, 2, 8, false); break;
  case CALL_MEMORY: see_memory(c, context, i, effect); break;
  case CALL_LOCK:
  case CALL_TRY_LOCK:
  case CALL_UNLOCK:
  case CALL_READ_LOCK:
  case CALL_WRITE_LOCK:
  case CALL_READ_WRITE_UNLOCK:
  case CALL_TRY_READ_LOCK:
  case CALL_TRY_WRITE_LOCK:
  case CALL_WAIT:
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
  case CALL_ONCE:
    for (uint32_t n = 1; n < i->n_operands; n++) refuse_all(c, context, i, n);
    break;
  }
}

static void see_instruction(Check *c, uint32_t context, const CInstruction *i) {
  switch ((int)i->kind) {
  case C_LOAD:
    see_access(c, context, i, 0, i->size, false);
    if (i->size < 8) refuse_value(c, context, i); /* a part of an address */
    break;
  case C_UPDATE:
    see_access(c, context, i, 0, i->size, false);
    if (i->number == C_UPDATE_EXCHANGE && i->size >= 8) break;
    refuse_value(c, context, i);
    refuse_all(c, context, i, 1);
    break;
  case C_SWAP: see_access(c, context, i, 0, i->size, false); break;
  case C_STORE: see_access(c, context, i, 1, i->size, false); break;
  case C_COPY:
    see_access(c, context, i, 0, i->size, false);
    see_access(c, context, i, 1, i->size, false);
    break;
  case C_FILL: see_access(c, context, i, 0, i->size, true); break;
  case C_OFFSET: see_offset(c, context, i); break;
  case C_CALL: see_call(c, context, i); break;
  case C_MIX: refuse_value(c, context, i); break;
  case C_STRANGE:
    for (uint32_t n = 0; n < i->n_operands; n++) refuse_all(c, context, i, n);
    break;
  default: break;
  }
}

static bool is_bad(const Check *c, const CSplit *split) {
  for (uint32_t k = 0; k < c->p->objects.n; k++) {
    const CObject *o = &c->p->objects.at[k];
    if (c->is_bad.at[k] && o->kind == split->kind && o->n == split->n) return true;
  }
  return false;
}

bool splits_check(Points *p, CSplitVec *splits) {
  Check c = {.p = p};
  uint32_t n = 0;
  const uint32_t before = splits->n;
  vec_resize_zeroed(p->heap, &c.is_bad, p->objects.n + 1);
  if (p->left != C_NONE) c.is_bad.at[p->left] = 1;
  for (PointsWalk at = {0}; points_next(p, &at);) see_instruction(&c, at.context, instruction(p, at.number));
  for (uint32_t k = 0; k < before; k++)
    if (!is_bad(&c, &splits->at[k])) splits->at[n++] = splits->at[k];
  splits->n = n;
  vec_fini(p->heap, &c.is_bad);
  return n == before;
}
