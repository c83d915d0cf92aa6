/* Objects, the places in them, and which addresses are where. */
#include "frontend/c/points_inside.h"

#include "base/hash.h"
#include "frontend/c/causes.h"

#include <assert.h>
#include <string.h>

/* ---- objects and targets ---- */

static uint64_t stride_of(const Points *p, CObjectKind kind, uint32_t n, uint32_t part) {
  for (uint32_t i = 0; i < p->folds->n; i++) {
    const CFold *fold = &p->folds->at[i];
    if (fold->kind == kind && fold->n == n && fold->part == part) return fold->stride;
  }
  return 0;
}

static uint32_t hash_of(uint64_t a, uint64_t b) { return (uint32_t)hash_join(hash_word(a), b); }

/* The table has a free slot then. */
static void keep_room(Points *p, HashSlots *slots, uint32_t n) {
  if (slots->n < 2 * (n + 1)) slots_grow(p->heap, slots);
}

static bool is_object(const Points *p, uint32_t i, const CObject *object) {
  const CObject *o = &p->objects.at[i];
  return o->kind == object->kind && o->n == object->n && o->context == object->context && o->part == object->part;
}

/* The object that is this one, or is new. */
static uint32_t add_object(Points *p, CObject object) {
  keep_room(p, &p->object_slots, p->objects.n);
  const uint32_t hash = hash_of((uint64_t)object.kind << 32 | object.n, (uint64_t)object.part << 32 | object.context);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&p->object_slots, i);
    if (slot->number && slot->hash == hash && is_object(p, slot->number - 1, &object)) return slot->number - 1;
    if (slot->number) continue;
    object.stride = stride_of(p, object.kind, object.n, object.part);
    vec_push(p->heap, &p->objects, object);
    *slot = (HashSlot){hash, p->objects.n};
    return p->objects.n - 1;
  }
}

static bool is_split(const Points *p, CObjectKind kind, uint32_t n) {
  for (uint32_t i = 0; i < p->splits->n; i++)
    if (p->splits->at[i].kind == kind && p->splits->at[i].n == n) return true;
  return false;
}

uint32_t points_object(Points *p, CObjectKind kind, uint32_t n, uint32_t context, uint64_t size) {
  return add_object(
      p, (CObject){.kind = kind, .n = n, .context = context, .size = size, .is_split = is_split(p, kind, n)});
}

/* ---- parts of objects ---- */

uint32_t points_part(const Points *p, CObjectKind kind, uint32_t n, int64_t offset) {
  for (uint32_t i = 0; i < p->splits->n && offset >= 0; i++) {
    const CSplit *s = &p->splits->at[i];
    if (s->kind == kind && s->n == n && s->from <= (uint64_t)offset && (uint64_t)offset < s->to) return i + 1;
  }
  return 0;
}

void points_push_parts(const Points *p, uint32_t object, U32Vec *objects) {
  vec_push(p->heap, objects, object);
  for (uint32_t i = 0; i < p->objects.n && p->objects.at[object].is_split; i++)
    if (i != object && points_is_same_object(p, i, object)) vec_push(p->heap, objects, i);
}

static uint32_t part_object(Points *p, uint32_t object, uint32_t part) {
  const CObject *o = &p->objects.at[object];
  if (o->part == part || !part) return o->part == part ? object : points_object(p, o->kind, o->n, o->context, 0);
  const CSplit *s = &p->splits->at[part - 1];
  return add_object(p, (CObject){.kind = o->kind,
                                 .n = o->n,
                                 .context = o->context,
                                 .size = s->to,
                                 .start = s->from,
                                 .part = part,
                                 .is_split = true});
}

/* Does a place that is not exact meet a part of its object that it does not begin in? */
static bool leaves_part(const Points *p, const CTarget *place, uint32_t part) {
  const CObject *o = &p->objects.at[place->object];
  if (part) return place->last >= p->splits->at[part - 1].to;
  for (uint32_t i = 0; i < p->splits->n; i++) {
    const CSplit *s = &p->splits->at[i];
    if (s->kind == o->kind && s->n == o->n && place->first < s->to && place->last >= s->from) return true;
  }
  return false;
}

/* The same place in the part that it is in. What is anywhere is so in its part. */
static CTarget place_in_part(Points *p, CTarget place) {
  const CObject *o = &p->objects.at[place.object];
  if (!o->is_split || place_is_anywhere(&place)) return place;
  const uint32_t part = points_part(p, o->kind, o->n, place.first);
  if (leaves_part(p, &place, part)) p->left = place.object;
  place.object = part_object(p, place.object, part);
  return place;
}

static bool is_place(const CTarget *a, const CTarget *b) {
  return a->object == b->object && a->offset == b->offset && a->first == b->first && a->last == b->last &&
         a->step == b->step;
}

/* So many places of an object are kept apart; any other one is all of it. What is copied to and fro, a few bytes
 * further on each time, would find ever new ones. */
enum { MOST_PLACES = 256 };

static uint32_t add_target(Points *p, CTarget place) {
  keep_room(p, &p->target_slots, p->targets.n);
  const uint32_t hash = hash_of((uint64_t)place.object << 32 | place.first, (uint64_t)place.last << 32 | place.step);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&p->target_slots, i);
    const bool taken = slot->number != 0;
    if (taken && slot->hash == hash && is_place(&p->targets.at[slot->number - 1], &place)) return slot->number - 1;
    if (taken) continue;
    if (p->objects.at[place.object].targets.n >= MOST_PLACES && !place_is_anywhere(&place))
      return add_target(p, place_anywhere(place.object));
    vec_push(p->heap, &p->targets, place);
    vec_push(p->heap, &p->contents, ((U32Vec){0}));
    vec_push(p->heap, &p->objects.at[place.object].targets, p->targets.n - 1);
    *slot = (HashSlot){hash, p->targets.n};
    return p->targets.n - 1;
  }
}

uint32_t points_place(Points *p, CTarget place) { return add_target(p, place_in_part(p, place)); }

uint32_t points_target(Points *p, uint32_t object, uint32_t offset) {
  const uint64_t stride = p->objects.at[object].stride;
  assert(!p->objects.at[object].part || offset == OFFSET_ANY);
  if (offset == OFFSET_ANY) return points_place(p, place_anywhere(object));
  return points_place(p, place_exact(object, stride ? (uint32_t)(offset % stride) : offset));
}

/* What goes on from an array in a structure stays there, or comes to its end (splits.h). */
uint32_t points_go(Points *p, uint32_t from, CTarget place) {
  const uint32_t object = p->targets.at[from].object;
  const CObject *o = &p->objects.at[object];
  if (o->part && (place.first < o->start || place.last >= o->size)) return points_target(p, object, OFFSET_ANY);
  if (o->is_split && !o->part && place_is_anywhere(&place)) p->left = object;
  return points_place(p, place);
}

uint32_t points_at(Points *p, uint32_t object, int64_t offset) {
  const CTarget begin = place_exact(object, 0);
  assert(!p->objects.at[object].part);
  if (p->objects.at[object].stride) return points_move(p, points_target(p, object, 0), offset, false);
  return points_go(p, add_target(p, begin), place_moved(&begin, offset));
}

uint32_t points_structure(Points *p, uint32_t target, uint64_t structure) {
  const CTarget t = p->targets.at[target];
  const CObject *o = &p->objects.at[t.object];
  if (!o->part || structure <= cobject_length(o)) return target;
  const CTarget begin = place_exact(part_object(p, t.object, 0), (uint32_t)o->start);
  return add_target(p, begin);
}

/* What leaves an element that stands for all of an array is in the next one, or the one before. */
uint32_t points_move(Points *p, uint32_t target, int64_t bytes, bool anywhere) {
  const CTarget t = p->targets.at[target];
  const int64_t stride = (int64_t)p->objects.at[t.object].stride;
  if (p->objects.at[t.object].kind == OBJECT_UNKNOWN) return target;
  if (anywhere) return points_go(p, target, place_anywhere(t.object));
  if (stride && t.offset != OFFSET_ANY) {
    const int64_t start = (int64_t)p->objects.at[t.object].start;
    const int64_t offset = (((int64_t)t.offset - start + bytes) % stride + stride) % stride;
    return points_place(p, place_exact(t.object, (uint32_t)(start + offset)));
  }
  return points_go(p, target, place_moved(&t, bytes));
}

/* ---- sets of targets: ascending by object ---- */

/* More places of one object are all of it. */
enum { MOST_OFFSETS = 16 };

static uint32_t object_in(const Points *p, const U32Vec *set, uint32_t i) { return p->targets.at[set->at[i]].object; }

/* The first element that is of that object or a later one. */
static uint32_t first_of(const Points *p, const U32Vec *set, uint32_t object) {
  uint32_t low = 0, high = set->n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (object_in(p, set, middle) < object) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void insert_at(Points *p, U32Vec *set, uint32_t at, uint32_t target) {
  vec_reserve(p->heap, set, 1);
  memmove(set->at + at + 1, set->at + at, (set->n - at) * sizeof *set->at);
  set->at[at] = target;
  set->n++;
}

static bool is_given_up(const Points *p, const U32Vec *set) { return set->n == 1 && set->at[0] == p->given_up; }

/* Does the one cover the other one? Of an element that stands for all only what is anywhere covers others. */
static bool covers(const Points *p, uint32_t target, uint32_t other) {
  const CTarget *t = &p->targets.at[target];
  return target == other || place_is_anywhere(t) ||
         (!p->objects.at[t->object].stride && place_covers(t, &p->targets.at[other]));
}

/* One target that covers that one and all those from `first` to `end`. */
static uint32_t join(Points *p, const U32Vec *set, uint32_t first, uint32_t end, uint32_t target) {
  CTarget all = p->targets.at[target];
  if (p->objects.at[all.object].stride || p->objects.at[all.object].part)
    return points_target(p, all.object, OFFSET_ANY);
  for (uint32_t i = first; i < end; i++) all = place_joined(&all, &p->targets.at[set->at[i]]);
  return points_place(p, all);
}

/* The places of each object become one that covers them. */
static void join_each(Points *p, U32Vec *set) {
  uint32_t n = 0;
  for (uint32_t i = 0, end; i < set->n; i = end) {
    const uint32_t object = object_in(p, set, i), first = set->at[i];
    for (end = i + 1; end < set->n && object_in(p, set, end) == object; end++) {}
    const uint32_t all = end > i + 1 ? join(p, set, i + 1, end, first) : first;
    set->at[n++] = all;
  }
  set->n = n;
}

/* In a set of too many targets the places of each object are not told apart. If there are too many still, it is one of
 * an address of which nothing is known: to do something there is a gap. */
static void give_up_if_full(Points *p, U32Vec *set) {
  if (set->n <= p->precision->targets) return;
  join_each(p, set);
  if (set->n <= p->precision->targets) return;
  set->at[0] = p->given_up;
  set->n = 1;
}

/* False: it was there. */
static bool set_insert(Points *p, U32Vec *set, uint32_t target) {
  const uint32_t object = p->targets.at[target].object, first = first_of(p, set, object);
  uint32_t end = first;
  for (; end < set->n && object_in(p, set, end) == object; end++)
    if (covers(p, set->at[end], target)) return false;
  if (!place_is_anywhere(&p->targets.at[target]) && end - first < MOST_OFFSETS)
    return insert_at(p, set, end, target), true;
  const uint32_t all = join(p, set, first, end, target);
  if (set->n > end) memmove(set->at + first, set->at + end, (set->n - end) * sizeof *set->at);
  set->n -= end - first;
  insert_at(p, set, first, all);
  return true;
}

static bool set_add(Points *p, U32Vec *set, uint32_t target) {
  if (is_given_up(p, set) || !set_insert(p, set, target)) return false;
  give_up_if_full(p, set);
  return true;
}

/* Are they all there? Both ascend. */
static bool set_has_all(const Points *p, const U32Vec *set, const U32Vec *of) {
  uint32_t first = 0;
  if (is_given_up(p, set)) return true;
  for (uint32_t k = 0; k < of->n; k++) {
    const uint32_t object = object_in(p, of, k);
    while (first < set->n && object_in(p, set, first) < object) first++;
    uint32_t i = first;
    for (; i < set->n && object_in(p, set, i) == object; i++)
      if (covers(p, set->at[i], of->at[k])) break;
    if (i == set->n || object_in(p, set, i) != object) return false;
  }
  return true;
}

static bool is_unknown(const Points *p, uint32_t target) {
  return p->objects.at[p->targets.at[target].object].kind == OBJECT_UNKNOWN;
}

/* The set that a node, or the contents of a target, has: these vectors grow, so it is looked up for each element. */
void points_add(Points *p, uint32_t node, uint32_t target) {
  U32Vec set = p->nodes.at[node];
  const bool grows = set_add(p, &set, target);
  p->nodes.at[node] = set;
  if (grows && (is_unknown(p, target) || is_given_up(p, &set))) cause_comes(p, node, !is_unknown(p, target));
  if (grows) points_wake_users(p, node);
}

static void wake_loaders(Points *p, uint32_t object) {
  const U32Vec *loaders = &p->objects.at[object].loaders;
  p->objects.at[object].age++;
  for (uint32_t i = 0; i < loaders->n; i++) p->are_done.at[loaders->at[i]] = 0;
  p->changed = true;
}

void points_content_add(Points *p, uint32_t where, uint32_t target) {
  points_target(p, p->targets.at[target].object, OFFSET_ANY); /* contents may grow here, not while the set is away */
  U32Vec set = p->contents.at[where];
  const bool grows = set_add(p, &set, target);
  p->contents.at[where] = set;
  if (grows && (is_unknown(p, target) || is_given_up(p, &set))) cause_is_put(p, where, !is_unknown(p, target));
  if (grows) wake_loaders(p, p->targets.at[where].object);
}

void points_add_all(Points *p, uint32_t node, const U32Vec *from) {
  p->steps += from->n;
  if (set_has_all(p, &p->nodes.at[node], from)) return;
  for (uint32_t i = 0; i < from->n; i++) points_add(p, node, from->at[i]);
}

uint32_t points_anywhere(Points *p, uint32_t object) { return points_target(p, object, OFFSET_ANY); }

uint32_t points_unknown(Points *p) {
  return points_target(p, points_object(p, OBJECT_UNKNOWN, 0, C_NONE, 0), OFFSET_ANY);
}

/* ---- what is stored where ---- */

/* Where something of that size at the target may overlap what is stored: calls back for each such target. Addresses
 * have 8 bytes. */
typedef void Overlap(Points *p, uint32_t where, bool exact, uint32_t node);

static void each_overlap(Points *p, uint32_t target, uint64_t size, Overlap *overlap, uint32_t node) {
  const CTarget t = p->targets.at[target];
  const uint32_t n = p->objects.at[t.object].targets.n;
  const uint64_t stride = p->objects.at[t.object].stride;
  p->steps += n;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t where = p->objects.at[t.object].targets.at[i];
    const CTarget at = p->targets.at[where];
    const uint64_t end = p->objects.at[t.object].start + stride;
    const bool spans = stride && (!size || t.offset + size > end || at.offset + 8 > end);
    if (!spans && !place_meets_other(&t, size, &at, 8)) continue;
    overlap(p, where, size >= 8 || !size, node);
  }
}

static void load_from(Points *p, uint32_t where, bool exact, uint32_t node) {
  const U32Vec contents = p->contents.at[where];
  if (exact) points_add_all(p, node, &contents);
  for (uint32_t i = 0; !exact && i < contents.n; i++) points_add(p, node, points_move(p, contents.at[i], 0, true));
}

void points_store_one(Points *p, uint32_t where, uint64_t size, const U32Vec *values) {
  if (!points_may_be_address(size) || set_has_all(p, &p->contents.at[where], values)) return;
  for (uint32_t i = 0; i < values->n; i++) points_content_add(p, where, values->at[i]);
}

bool points_is_constant(const Points *p, uint32_t object) {
  const CObject *o = &p->objects.at[object];
  const CGlobal *g = o->kind == OBJECT_GLOBAL ? &p->module->globals.at[o->n] : NULL;
  return o->kind == OBJECT_TEXT || (g && g->is_constant && g->is_defined);
}

static bool is_constant_at(const Points *p, uint32_t target) {
  return points_is_constant(p, p->targets.at[target].object);
}

/* A value of several words may have an address in each. */
void points_store(Points *p, uint32_t target, uint64_t size, const U32Vec *values) {
  if (is_constant_at(p, target)) return;
  points_store_one(p, target, size, values);
  for (uint64_t at = 8; at + 8 <= size && at < 256; at += 8)
    points_store_one(p, points_move(p, target, (int64_t)at, false), 8, values);
}

/* The number of a pair, which is added if it is not there. */
static uint32_t pair_of(Points *p, CPairs *pairs, uint32_t from, uint32_t to) {
  keep_room(p, &pairs->slots, pairs->all.n);
  const uint32_t hash = hash_of(from, to);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&pairs->slots, i);
    const CPair *pair = slot->number ? &pairs->all.at[slot->number - 1] : NULL;
    if (pair && pair->from == from && pair->to == to) return slot->number - 1;
    if (pair) continue;
    vec_push(p->heap, &pairs->all, ((CPair){from, to, 0}));
    *slot = (HashSlot){hash, pairs->all.n};
    return pairs->all.n - 1;
  }
}

/* The node is to be solved again where something else comes into the object. */
static void add_loader(Points *p, uint32_t object, uint32_t node) {
  const uint32_t before = p->loads.all.n;
  pair_of(p, &p->loads, object, node);
  if (p->loads.all.n > before) vec_push(p->heap, &p->objects.at[object].loaders, node);
}

void points_load_target(Points *p, uint32_t target, uint64_t size, uint32_t node) {
  const uint32_t object = p->targets.at[target].object;
  const CObjectKind kind = p->objects.at[object].kind;
  if (!points_may_be_address(size) && size) return;
  if (kind == OBJECT_UNKNOWN || kind == OBJECT_LIBRARY) {
    points_add(p, node, target);
    return;
  }
  add_loader(p, object, node);
  each_overlap(p, target, size, load_from, node);
}

void points_load(Points *p, uint32_t context, const CInstruction *i, uint32_t node, uint32_t address) {
  U32Vec from = points_copy(p, context, i, address);
  for (uint32_t k = 0; k < from.n && points_may_be_address(i->size); k++)
    points_load_target(p, from.at[k], i->size, node);
  vec_fini(p->heap, &from);
}

void points_store_value(Points *p, uint32_t context, const CInstruction *i, uint32_t value, uint32_t address) {
  U32Vec to = points_copy(p, context, i, address), values = points_copy(p, context, i, value);
  for (uint32_t k = 0; k < to.n && values.n; k++) points_store(p, to.at[k], i->size, &values);
  vec_fini(p->heap, &to);
  vec_fini(p->heap, &values);
}

/* An exchange leaves the other operand there. What is computed of what was there, as by an addition, leads anywhere in
 * the same objects, or in those of the other operand; what is shorter than an address is none. */
void points_update(Points *p, uint32_t context, const CInstruction *i, uint32_t node) {
  points_load(p, context, i, node, 0);
  if (i->number == C_UPDATE_EXCHANGE || !points_may_be_address(i->size)) {
    points_store_value(p, context, i, 1, 0);
    return;
  }
  U32Vec to = points_copy(p, context, i, 0), values = points_copy(p, context, i, 1);
  const U32Vec found = p->nodes.at[node];
  for (uint32_t k = 0; k < found.n; k++) vec_push(p->heap, &values, found.at[k]);
  for (uint32_t k = 0; k < values.n; k++) values.at[k] = points_move(p, values.at[k], 0, true);
  for (uint32_t k = 0; k < to.n && values.n; k++) points_store(p, to.at[k], i->size, &values);
  vec_fini(p->heap, &to);
  vec_fini(p->heap, &values);
}

void points_store_unknown(Points *p, uint32_t target) { points_content_add(p, target, points_unknown(p)); }

/* What lies behind one target comes behind another one. It is there already if nothing has come into the object since.
 */
void points_copy_contents(Points *p, uint32_t from, uint32_t to) {
  const CTarget a = p->targets.at[from], b = p->targets.at[to];
  const CObjectKind kind = p->objects.at[a.object].kind;
  if (is_constant_at(p, to)) return;
  if (kind == OBJECT_UNKNOWN || kind == OBJECT_LIBRARY) points_store_unknown(p, points_move(p, to, 0, true));
  const uint32_t n = p->objects.at[a.object].targets.n;
  const uint64_t size = p->objects.at[b.object].size;
  const bool folded = p->objects.at[a.object].stride || p->objects.at[b.object].stride;
  const uint32_t pair = pair_of(p, &p->copied, from, to), age = p->objects.at[a.object].age;
  if (p->copied.all.at[pair].age == age) return;
  p->copied.all.at[pair].age = age;
  p->steps += n;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t where = p->objects.at[a.object].targets.at[i];
    const CTarget w = p->targets.at[where];
    const bool any = folded || w.offset == OFFSET_ANY || a.offset == OFFSET_ANY || b.offset == OFFSET_ANY;
    if (!p->contents.at[where].n || (!any && w.offset < a.offset)) continue;
    const int64_t further = any ? 0 : (int64_t)w.offset - a.offset;
    if (!any && size && b.offset + further >= (int64_t)size) continue; /* it is not as long as that */
    const uint32_t there = points_move(p, to, further, any);
    vec_clear(&p->moved);
    for (uint32_t k = 0; k < p->contents.at[where].n; k++) vec_push(p->heap, &p->moved, p->contents.at[where].at[k]);
    points_store_one(p, there, 8, &p->moved);
  }
}

void points_solve_copy(Points *p, uint32_t context, const CInstruction *i, uint32_t node) {
  U32Vec to = points_copy(p, context, i, 0), from = points_copy(p, context, i, 1);
  for (uint32_t a = 0; a < from.n; a++) {
    add_loader(p, p->targets.at[from.at[a]].object, node);
    for (uint32_t b = 0; b < to.n; b++) points_copy_contents(p, from.at[a], to.at[b]);
  }
  vec_fini(p->heap, &to);
  vec_fini(p->heap, &from);
}
