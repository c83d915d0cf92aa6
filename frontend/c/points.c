#include "frontend/c/points_inside.h"

#include <assert.h>
#include <string.h>

/* ---- objects and targets ---- */

static uint64_t stride_of(const Points *p, CObjectKind kind, uint32_t n) {
  for (uint32_t i = 0; i < p->folds->n; i++)
    if (p->folds->at[i].kind == kind && p->folds->at[i].n == n) return p->folds->at[i].stride;
  return 0;
}

static uint32_t object_of(Points *p, CObjectKind kind, uint32_t n, uint32_t context, uint64_t size) {
  for (uint32_t i = 0; i < p->objects.n; i++) {
    const CObject *o = &p->objects.at[i];
    if (o->kind == kind && o->n == n && o->context == context) return i;
  }
  vec_push(p->heap, &p->objects,
           ((CObject){.kind = kind, .n = n, .context = context, .size = size, .stride = stride_of(p, kind, n)}));
  return p->objects.n - 1;
}

static uint32_t target_of(Points *p, uint32_t object, uint32_t offset) {
  CObject *o = &p->objects.at[object];
  if (o->stride && offset != OFFSET_ANY) offset = (uint32_t)(offset % o->stride);
  for (uint32_t i = 0; i < o->targets.n; i++)
    if (p->targets.at[o->targets.at[i]].offset == offset) return o->targets.at[i];
  vec_push(p->heap, &p->targets, ((CTarget){object, offset}));
  vec_push(p->heap, &p->contents, ((U32Vec){0}));
  vec_push(p->heap, &o->targets, p->targets.n - 1);
  return p->targets.n - 1;
}

/* An address that many bytes further on. What leaves its object behind its end may come back; what is accessed there
 * is a fault of the program. What leaves it before its beginning may be anywhere in it. What leaves an element that
 * stands for all of an array is in the next one, or the one before. */
static uint32_t moved(Points *p, uint32_t target, int64_t bytes, bool anywhere) {
  const CTarget t = p->targets.at[target];
  const int64_t stride = (int64_t)p->objects.at[t.object].stride;
  int64_t offset = (int64_t)t.offset + bytes;
  if (stride) offset = (offset % stride + stride) % stride;
  const bool inside = offset >= 0 && offset < OFFSET_ANY;
  if (anywhere || t.offset == OFFSET_ANY || !inside) return target_of(p, t.object, OFFSET_ANY);
  return target_of(p, t.object, (uint32_t)offset);
}

/* ---- sets of targets ---- */

/* More places of one object are all of it. */
enum { MOST_OFFSETS = 16 };

static bool set_has(const U32Vec *set, uint32_t target) {
  for (uint32_t i = 0; i < set->n; i++)
    if (set->at[i] == target) return true;
  return false;
}

static uint32_t count_of(const Points *p, const U32Vec *set, uint32_t object) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < set->n; i++) n += p->targets.at[set->at[i]].object == object;
  return n;
}

static void remove_object(const Points *p, U32Vec *set, uint32_t object) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < set->n; i++)
    if (p->targets.at[set->at[i]].object != object) set->at[n++] = set->at[i];
  set->n = n;
}

static void set_add(Points *p, U32Vec *set, uint32_t target) {
  const uint32_t object = p->targets.at[target].object;
  if (set_has(set, target)) return;
  const uint32_t any = target_of(p, object, OFFSET_ANY);
  if (set_has(set, any)) return;
  if (target == any || count_of(p, set, object) >= MOST_OFFSETS) {
    remove_object(p, set, object);
    target = any;
  }
  vec_push(p->heap, set, target);
  p->changed = true;
}

/* The set that a node, or the contents of a target, has: these vectors grow, so it is looked up for each element. */
static void node_add(Points *p, uint32_t node, uint32_t target) {
  U32Vec set = p->nodes.at[node];
  set_add(p, &set, target);
  p->nodes.at[node] = set;
}

static void content_add(Points *p, uint32_t where, uint32_t target) {
  U32Vec set = p->contents.at[where];
  target_of(p, p->targets.at[target].object, OFFSET_ANY); /* contents may grow here, not while the set is away */
  set_add(p, &set, target);
  p->contents.at[where] = set;
}

static void node_add_all(Points *p, uint32_t node, const U32Vec *from) {
  for (uint32_t i = 0; i < from->n; i++) node_add(p, node, from->at[i]);
}

static uint32_t unknown_target(Points *p) {
  return target_of(p, object_of(p, OBJECT_UNKNOWN, 0, C_NONE, 0), OFFSET_ANY);
}

/* ---- operands ---- */

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static uint32_t global_target(Points *p, uint32_t context, const COperand *operand) {
  const CGlobal *g = &p->module->globals.at[operand->n];
  const uint32_t thread = g->is_local ? p->contexts.at[context].thread : C_NONE;
  const uint32_t object = object_of(p, OBJECT_GLOBAL, operand->n, thread, g->size);
  return moved(p, target_of(p, object, 0), operand->number, false);
}

U32Vec points_operand(Points *p, uint32_t context, const COperand *operand) {
  vec_clear(&p->scratch);
  switch (operand->kind) {
  case C_VALUE: return p->nodes.at[node_of(p, context, operand->n)];
  case C_GLOBAL: vec_push(p->heap, &p->scratch, global_target(p, context, operand)); break;
  case C_FUNCTION:
    vec_push(p->heap, &p->scratch, target_of(p, object_of(p, OBJECT_CODE, operand->n, C_NONE, 1), 0));
    break;
  case C_INTEGER:
  case C_ANYTHING: break;
  }
  return p->scratch;
}

U32Vec points_of(Points *p, uint32_t context, const CInstruction *i, uint32_t n) {
  return n < i->n_operands ? points_operand(p, context, cmodule_operand(p->module, i, n)) : (U32Vec){0};
}

/* A copy that stays while other sets grow; to be released. */
static U32Vec copy_of(Points *p, uint32_t context, const CInstruction *i, uint32_t n) {
  const U32Vec set = points_of(p, context, i, n);
  U32Vec copy = {0};
  vec_reserve(p->heap, &copy, set.n);
  if (set.n) memcpy(copy.at, set.at, set.n * sizeof *set.at);
  copy.n = set.n;
  return copy;
}

/* ---- what is stored where ---- */

/* Where something of that size at the target may overlap what is stored: calls back for each such target. Addresses
 * have 8 bytes. */
typedef void Overlap(Points *p, uint32_t where, bool exact, uint32_t node);

static void each_overlap(Points *p, uint32_t target, uint64_t size, Overlap *overlap, uint32_t node) {
  const CTarget t = p->targets.at[target];
  const uint32_t n = p->objects.at[t.object].targets.n;
  const uint64_t stride = p->objects.at[t.object].stride;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t where = p->objects.at[t.object].targets.at[i];
    const uint64_t at = p->targets.at[where].offset;
    const bool spans = stride && (!size || t.offset + size > stride || at + 8 > stride);
    const bool any = at == OFFSET_ANY || t.offset == OFFSET_ANY || spans;
    if (!any && (at + 8 <= t.offset || (size && t.offset + size <= at))) continue;
    overlap(p, where, size >= 8 || !size, node);
  }
}

static void load_from(Points *p, uint32_t where, bool exact, uint32_t node) {
  const U32Vec contents = p->contents.at[where];
  if (exact) node_add_all(p, node, &contents);
  else if (contents.n) node_add(p, node, unknown_target(p));
}

/* An address is loaded and stored as a whole, or byte by byte (C17 6.5p7); what takes several bytes of it, but not all,
 * is no address. */
static bool may_be_address(uint64_t size) { return size == 1 || size >= 8; }

static void store_at(Points *p, uint32_t where, uint64_t size, const U32Vec *values) {
  const uint32_t unknown = unknown_target(p);
  if (!may_be_address(size)) return;
  for (uint32_t i = 0; i < values->n; i++) content_add(p, where, size < 8 ? unknown : values->at[i]);
}

/* A value of several words may have an address in each. */
static void store_to(Points *p, uint32_t target, uint64_t size, const U32Vec *values) {
  store_at(p, target, size, values);
  for (uint64_t at = 8; at + 8 <= size && at < 256; at += 8)
    store_at(p, moved(p, target, (int64_t)at, false), 8, values);
}

static void solve_load(Points *p, uint32_t context, const CInstruction *i, uint32_t node, uint32_t address) {
  U32Vec from = copy_of(p, context, i, address);
  for (uint32_t k = 0; k < from.n; k++) {
    const CObjectKind kind = p->objects.at[p->targets.at[from.at[k]].object].kind;
    if (!may_be_address(i->size)) continue;
    if (kind == OBJECT_UNKNOWN || kind == OBJECT_LIBRARY) node_add(p, node, from.at[k]);
    else each_overlap(p, from.at[k], i->size, load_from, node);
  }
  vec_fini(p->heap, &from);
}

static void solve_store(Points *p, uint32_t context, const CInstruction *i, uint32_t value, uint32_t address) {
  U32Vec to = copy_of(p, context, i, address), values = copy_of(p, context, i, value);
  for (uint32_t k = 0; k < to.n && values.n; k++) store_to(p, to.at[k], i->size, &values);
  vec_fini(p->heap, &to);
  vec_fini(p->heap, &values);
}

static void store_unknown(Points *p, uint32_t target) { content_add(p, target, unknown_target(p)); }

/* What lies behind one target comes behind another one. */
static void copy_contents(Points *p, uint32_t from, uint32_t to) {
  const CTarget a = p->targets.at[from], b = p->targets.at[to];
  const CObjectKind kind = p->objects.at[a.object].kind;
  if (kind == OBJECT_UNKNOWN || kind == OBJECT_LIBRARY) store_unknown(p, moved(p, to, 0, true));
  const uint32_t n = p->objects.at[a.object].targets.n;
  const bool folded = p->objects.at[a.object].stride || p->objects.at[b.object].stride;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t where = p->objects.at[a.object].targets.at[i];
    const CTarget w = p->targets.at[where];
    const bool any = folded || w.offset == OFFSET_ANY || a.offset == OFFSET_ANY || b.offset == OFFSET_ANY;
    if (!p->contents.at[where].n || (!any && w.offset < a.offset)) continue;
    const uint32_t there = moved(p, to, any ? 0 : (int64_t)w.offset - a.offset, any);
    U32Vec values = {0};
    for (uint32_t k = 0; k < p->contents.at[where].n; k++) vec_push(p->heap, &values, p->contents.at[where].at[k]);
    store_at(p, there, 8, &values);
    vec_fini(p->heap, &values);
  }
}

static void solve_copy(Points *p, uint32_t context, const CInstruction *i) {
  U32Vec to = copy_of(p, context, i, 0), from = copy_of(p, context, i, 1);
  for (uint32_t a = 0; a < from.n; a++)
    for (uint32_t b = 0; b < to.n; b++) copy_contents(p, from.at[a], to.at[b]);
  vec_fini(p->heap, &to);
  vec_fini(p->heap, &from);
}

/* ---- contexts and threads ---- */

static uint32_t add_context(Points *p, uint32_t function, uint32_t thread, uint32_t parent, uint32_t call) {
  const CFunction *f = &p->module->functions.at[function];
  vec_push(p->heap, &p->contexts, ((CContext){function, thread, parent, call, p->nodes.n, false, p->reached.n}));
  vec_resize_zeroed(p->heap, &p->nodes, p->nodes.n + (f->end - f->start));
  vec_resize_zeroed(p->heap, &p->numbers, p->nodes.n);
  vec_resize_zeroed(p->heap, &p->reached, p->reached.n + (f->blocks_end - f->blocks));
  p->changed = true;
  return p->contexts.n - 1;
}

static uint32_t ancestor(const Points *p, uint32_t context, uint32_t function) {
  for (uint32_t c = context; c != C_NONE; c = p->contexts.at[c].parent)
    if (p->contexts.at[c].function == function) return c;
  return C_NONE;
}

static uint32_t edge_to(Points *p, uint32_t context, uint32_t call, uint32_t function) {
  for (uint32_t e = 0; e < p->edges.n; e++) {
    const CEdge *edge = &p->edges.at[e];
    if (edge->context == context && edge->call == call && p->contexts.at[edge->callee].function == function)
      return edge->callee;
  }
  uint32_t callee = ancestor(p, context, function);
  if (callee == C_NONE) callee = add_context(p, function, p->contexts.at[context].thread, context, call);
  else p->contexts.at[callee].repeats = true;
  vec_push(p->heap, &p->edges, ((CEdge){context, call, callee}));
  return callee;
}

/* Each thread stands for one that is created. */
bool points_once(const Points *p, uint32_t context, uint32_t i) {
  while (context != C_NONE) {
    const CContext *c = &p->contexts.at[context];
    if (c->repeats || p->module->blocks.at[instruction(p, i)->block].repeats) return false;
    i = c->call;
    context = c->parent;
  }
  return true;
}

/* More threads of a loop are not made one by one. */
enum { MOST_TRIPS = 16 };

uint32_t points_threads(const Points *p, uint32_t context, uint32_t number, bool *all) {
  const CContext *c = &p->contexts.at[context];
  const uint64_t trips = cmodule_trips(p->module, instruction(p, number)->block);
  const bool once = !c->repeats && (c->parent == C_NONE || points_once(p, c->parent, c->call));
  *all = once && trips && trips <= MOST_TRIPS;
  return *all ? (uint32_t)trips : p->copies ? p->copies : OPEN_COPIES;
}

bool points_alike(const Points *p, uint32_t a, uint32_t b) {
  for (; a != b; a = p->contexts.at[a].parent, b = p->contexts.at[b].parent) {
    const CContext *x = &p->contexts.at[a], *y = &p->contexts.at[b];
    if (x->function != y->function || x->call != y->call) return false;
    if (x->parent != C_NONE && y->parent != C_NONE) continue;
    const CThread *t = &p->threads.at[x->thread], *u = &p->threads.at[y->thread];
    return x->parent == y->parent && t->is_open && u->is_open && t->from == u->from && t->call == u->call;
  }
  return true;
}

uint32_t points_first(const Points *p, uint32_t thread) {
  for (uint32_t t = 0; t < thread; t++)
    if (points_alike(p, p->threads.at[t].root, p->threads.at[thread].root)) return t;
  return thread;
}

static uint32_t thread_of(Points *p, uint32_t context, uint32_t call, uint32_t function, uint32_t copy, bool is_open) {
  for (uint32_t t = 0; t < p->threads.n; t++) {
    const CThread *it = &p->threads.at[t];
    if (it->from == context && it->call == call && it->copy == copy && p->contexts.at[it->root].function == function)
      return t;
  }
  vec_push(p->heap, &p->threads, ((CThread){C_NONE, context, call, copy, is_open}));
  const uint32_t thread = p->threads.n - 1;
  const uint32_t root = add_context(p, function, thread, C_NONE, C_NONE);
  p->threads.at[thread].root = root;
  return thread;
}

/* ---- calls ---- */

static void pass(Points *p, uint32_t context, const CInstruction *i, uint32_t operand, uint32_t callee,
                 uint32_t number) {
  const CFunction *f = &p->module->functions.at[p->contexts.at[callee].function];
  if (number >= f->n_parameters) return;
  U32Vec from = copy_of(p, context, i, operand);
  node_add_all(p, p->contexts.at[callee].base + number, &from);
  number_add(p, p->contexts.at[callee].base + number, number_of(p, context, cmodule_operand(p->module, i, operand)));
  vec_fini(p->heap, &from);
}

/* What the function returns becomes the node's. */
static void take_result(Points *p, uint32_t callee, uint32_t node) {
  const CFunction *f = &p->module->functions.at[p->contexts.at[callee].function];
  for (uint32_t i = f->start; i < f->end; i++) {
    if (instruction(p, i)->kind != C_RETURN) continue;
    U32Vec from = copy_of(p, callee, instruction(p, i), 0);
    node_add_all(p, node, &from);
    if (instruction(p, i)->n_operands)
      number_add(p, node, number_of(p, callee, cmodule_operand(p->module, instruction(p, i), 0)));
    vec_fini(p->heap, &from);
  }
}

static void solve_defined(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CInstruction *i = instruction(p, number);
  const uint32_t callee = edge_to(p, context, number, function);
  for (uint32_t a = 1; a < i->n_operands; a++) pass(p, context, i, a, callee, a - 1);
  take_result(p, callee, node_of(p, context, number));
}

/* Calls back for each function that operand n may be. */
typedef void EachFunction(Points *p, uint32_t context, uint32_t number, uint32_t function);

static void each_function(Points *p, uint32_t context, uint32_t number, uint32_t n, EachFunction *each) {
  U32Vec set = copy_of(p, context, instruction(p, number), n);
  for (uint32_t k = 0; k < set.n; k++) {
    const CObject o = p->objects.at[p->targets.at[set.at[k]].object];
    if (o.kind == OBJECT_CODE) each(p, context, number, o.n);
    else if (o.kind == OBJECT_UNKNOWN || o.kind == OBJECT_LIBRARY)
      points_gap(p, context, number, "calls a function that is not known");
  }
  vec_fini(p->heap, &set);
}

static void solve_thread(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CInstruction *i = instruction(p, number);
  if (!p->module->functions.at[function].is_defined) {
    points_gap(p, context, number, "creates a thread whose function is not known");
    return;
  }
  bool all;
  const uint32_t copies = points_threads(p, context, number, &all);
  for (uint32_t copy = 0; copy < copies; copy++) {
    const uint32_t thread = thread_of(p, context, number, function, copy, !all && !p->copies);
    pass(p, context, i, 4, p->threads.at[thread].root, 0);
    const uint32_t handle = target_of(p, object_of(p, OBJECT_HANDLE, thread, C_NONE, 8), 0);
    U32Vec to = copy_of(p, context, i, 1), values = {0};
    vec_push(p->heap, &values, handle);
    for (uint32_t k = 0; k < to.n; k++) store_to(p, to.at[k], 8, &values);
    vec_fini(p->heap, &to);
    vec_fini(p->heap, &values);
  }
}

static void solve_callback(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CFunction *f = &p->module->functions.at[function];
  if (f->is_defined) {
    const uint32_t callee = edge_to(p, context, number, function);
    for (uint32_t a = 0; a < f->n_parameters; a++) number_add(p, p->contexts.at[callee].base + a, number_any());
  } else points_gap(p, context, number, "calls a function that is not known");
}

/* What the joined thread has returned is stored. */
static void solve_join(Points *p, uint32_t context, uint32_t number) {
  const CInstruction *i = instruction(p, number);
  U32Vec handles = copy_of(p, context, i, 1), to = copy_of(p, context, i, 2);
  for (uint32_t k = 0; k < to.n; k++)
    if (handles.n) store_unknown(p, to.at[k]);
  vec_fini(p->heap, &handles);
  vec_fini(p->heap, &to);
}

static void add_first(Points *p, uint32_t context, const CInstruction *i, uint32_t node) {
  U32Vec first = copy_of(p, context, i, 1);
  for (uint32_t k = 0; k < first.n; k++) node_add(p, node, moved(p, first.at[k], 0, true));
  vec_fini(p->heap, &first);
}

/* What the first argument points to, perhaps moved to that object. */
static void add_again(Points *p, uint32_t context, const CInstruction *i, uint32_t node, uint32_t object) {
  const uint32_t fresh = target_of(p, object, 0);
  U32Vec first = copy_of(p, context, i, 1);
  node_add(p, node, fresh);
  node_add_all(p, node, &first);
  for (uint32_t k = 0; k < first.n; k++) copy_contents(p, first.at[k], fresh);
  vec_fini(p->heap, &first);
}

static void solve_result(Points *p, uint32_t context, uint32_t number, const Effect *effect) {
  const CInstruction *i = instruction(p, number);
  const uint32_t node = node_of(p, context, number), thread = p->contexts.at[context].thread;
  switch (effect->result) {
  case RESULT_NUMBER:
  case RESULT_ZERO: break;
  case RESULT_FRESH: {
    const uint32_t object = object_of(p, OBJECT_HEAP, number, context, 0);
    node_add(p, node, target_of(p, object, 0));
    break;
  }
  case RESULT_AGAIN: add_again(p, context, i, node, object_of(p, OBJECT_HEAP, number, context, 0)); break;
  case RESULT_FIRST: add_first(p, context, i, node); break;
  case RESULT_LIBRARY: node_add(p, node, target_of(p, object_of(p, OBJECT_LIBRARY, 0, C_NONE, 0), OFFSET_ANY)); break;
  case RESULT_OWN: node_add(p, node, target_of(p, object_of(p, OBJECT_OWN, thread, C_NONE, 8), 0)); break;
  }
}

/* An argument into which an address is written that leads into what the first one points to. */
static void solve_ends(Points *p, uint32_t context, uint32_t number, const Effect *effect) {
  const CInstruction *i = instruction(p, number);
  for (uint32_t a = 1; a < i->n_operands; a++) {
    if (effect_on(effect, a - 1) != 'e') continue;
    U32Vec to = copy_of(p, context, i, a), first = copy_of(p, context, i, 1), values = {0};
    for (uint32_t k = 0; k < first.n; k++) vec_push(p->heap, &values, moved(p, first.at[k], 0, true));
    for (uint32_t k = 0; k < to.n; k++) store_to(p, to.at[k], 8, &values);
    vec_fini(p->heap, &to);
    vec_fini(p->heap, &first);
    vec_fini(p->heap, &values);
  }
}

/* What a string function writes may be addresses that it has read: such text is none of ours. */
static void solve_foreign(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const char *name = p->module->functions.at[function].name;
  const Effect *effect = effect_of(name);
  number_add(p, node_of(p, context, number), effect->result == RESULT_ZERO ? (CNumber){NUMBER_ONE, 0} : number_any());
  if (effect->kind == CALL_CREATE) each_function(p, context, number, 3, solve_thread);
  else if (effect->kind == CALL_ONCE) each_function(p, context, number, 2, solve_callback);
  else if (effect->kind == CALL_JOIN) solve_join(p, context, number);
  else if (effect->kind == CALL_UNKNOWN) {
    points_gap(p, context, number,
               arena_format(&p->arena, "calls '%.60s', which is not known", p->module->functions.at[function].shown));
    node_add(p, node_of(p, context, number), unknown_target(p));
  }
  solve_ends(p, context, number, effect);
  solve_result(p, context, number, effect);
}

static void solve_call_of(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  if (p->module->functions.at[function].is_defined) solve_defined(p, context, number, function);
  else solve_foreign(p, context, number, function);
}

const char *points_library(Points *p, uint32_t context, const CInstruction *i) {
  const U32Vec set = points_of(p, context, i, 0);
  if (set.n != 1) return NULL;
  const CObject *o = &p->objects.at[p->targets.at[set.at[0]].object];
  if (o->kind != OBJECT_CODE || p->module->functions.at[o->n].is_defined) return NULL;
  return p->module->functions.at[o->n].name;
}

/* ---- the rounds ---- */

static void solve_union(Points *p, uint32_t context, const CInstruction *i, uint32_t node, uint32_t first,
                        bool anywhere) {
  for (uint32_t n = first; n < i->n_operands; n++) {
    U32Vec from = copy_of(p, context, i, n);
    for (uint32_t k = 0; k < from.n; k++) node_add(p, node, anywhere ? moved(p, from.at[k], 0, true) : from.at[k]);
    vec_fini(p->heap, &from);
  }
}

/* How many bytes an address goes on, if that is one number. */
static CNumber bytes_of(const Points *p, uint32_t context, const CInstruction *i) {
  int64_t bytes = i->number;
  for (uint32_t n = 1; n + 1 < i->n_operands; n += 2) {
    const CNumber index = number_of(p, context, cmodule_operand(p->module, i, n));
    if (index.kind != NUMBER_ONE) return index;
    bytes += index.value * cmodule_operand(p->module, i, n + 1)->number;
  }
  return (CNumber){NUMBER_ONE, bytes};
}

/* Does it lead from element to element, whatever the numbers are? */
static bool keeps_place(const Points *p, const CInstruction *i, uint32_t target) {
  const uint64_t stride = p->objects.at[p->targets.at[target].object].stride;
  for (uint32_t n = 2; n < i->n_operands; n += 2)
    if (!stride || cmodule_operand(p->module, i, n)->number % (int64_t)stride) return false;
  return true;
}

static void solve_offset(Points *p, uint32_t context, const CInstruction *i, uint32_t node) {
  const CNumber bytes = bytes_of(p, context, i);
  if (bytes.kind == NUMBER_NONE) return; /* an index is not computed yet */
  U32Vec from = copy_of(p, context, i, 0);
  for (uint32_t k = 0; k < from.n; k++) {
    const bool any = bytes.kind == NUMBER_ANY && !keeps_place(p, i, from.at[k]);
    node_add(p, node, moved(p, from.at[k], bytes.kind == NUMBER_ANY ? i->number : bytes.value, any));
  }
  vec_fini(p->heap, &from);
}

static void solve_instruction(Points *p, uint32_t context, uint32_t number) {
  const CInstruction *i = instruction(p, number);
  const uint32_t node = node_of(p, context, number);
  number_solve(p, context, i, node);
  switch (i->kind) {
  case C_ALLOCATE: node_add(p, node, target_of(p, object_of(p, OBJECT_STACK, number, context, i->size), 0)); break;
  case C_LOAD: solve_load(p, context, i, node, 0); break;
  case C_STORE: solve_store(p, context, i, 0, 1); break;
  case C_UPDATE:
    solve_load(p, context, i, node, 0);
    solve_store(p, context, i, 1, 0);
    break;
  case C_SWAP:
    solve_load(p, context, i, node, 0);
    solve_store(p, context, i, 2, 0);
    break;
  case C_OFFSET: solve_offset(p, context, i, node); break;
  case C_MIX: solve_union(p, context, i, node, 0, true); break;
  case C_SAME:
  case C_PICK:
  case C_MERGE: solve_union(p, context, i, node, 0, false); break;
  case C_SELECT: solve_union(p, context, i, node, 1, false); break;
  case C_CALL: each_function(p, context, number, 0, solve_call_of); break;
  case C_COPY: solve_copy(p, context, i); break;
  case C_STRANGE:
    points_gap(p, context, number, i->text);
    node_add(p, node, unknown_target(p));
    break;
  case C_PARAMETER:
  case C_COMPARE:
  case C_FILL:
  case C_GOTO:
  case C_BRANCH:
  case C_SWITCH:
  case C_RETURN:
  case C_STOP: break;
  }
}

/* Addresses that globals have at the start. */
static void store_initials(Points *p) {
  for (uint32_t g = 0; g < p->module->globals.n; g++) {
    const CGlobal *global = &p->module->globals.at[g];
    for (uint32_t t = 0; t < (global->is_local ? p->threads.n : 1); t++) {
      const uint32_t object = object_of(p, OBJECT_GLOBAL, g, global->is_local ? t : C_NONE, global->size);
      for (uint32_t k = 0; k < global->n_initials; k++) {
        const CInitial *initial = &p->module->initials.at[global->initials + k];
        U32Vec values = {0};
        const U32Vec set = points_operand(p, 0, &initial->value);
        for (uint32_t v = 0; v < set.n; v++) vec_push(p->heap, &values, set.at[v]);
        store_at(p, moved(p, target_of(p, object, 0), (int64_t)initial->offset, false), initial->size, &values);
        vec_fini(p->heap, &values);
      }
    }
  }
}

/* What is declared alone lies somewhere else, with whatever in it. */
static void store_foreign(Points *p) {
  const uint32_t unknown = unknown_target(p);
  for (uint32_t g = 0; g < p->module->globals.n; g++)
    if (!p->module->globals.at[g].is_defined)
      content_add(p, target_of(p, object_of(p, OBJECT_GLOBAL, g, C_NONE, p->module->globals.at[g].size), OFFSET_ANY),
                  unknown);
}

static void solve_block(Points *p, uint32_t context, uint32_t block) {
  const uint32_t start = p->module->blocks.at[block].start, end = p->module->blocks.at[block].end;
  if (!points_reaches(p, context, block)) return;
  for (uint32_t i = start; i < end; i++) solve_instruction(p, context, i);
  reach_on(p, context, block);
}

static bool solve_round(Points *p, Err *err) {
  store_initials(p);
  for (uint32_t c = 0; c < p->contexts.n; c++) {
    const CFunction *f = &p->module->functions.at[p->contexts.at[c].function];
    heap_poll(p->heap);
    reach_enter(p, c);
    for (uint32_t b = f->blocks; b < f->blocks_end; b++) solve_block(p, c, b);
    if (p->nodes.n > POINTS_MOST)
      return err_set(err, ERR_INPUT, "the program is too large: more than %d instructions in all its calls",
                     POINTS_MOST);
  }
  return true;
}

uint32_t points_owner(const Points *p, const CObject *o) {
  switch (o->kind) {
  case OBJECT_STACK:
  case OBJECT_HEAP: return p->contexts.at[o->context].thread;
  case OBJECT_GLOBAL: return o->context;
  case OBJECT_OWN: return o->n;
  case OBJECT_CODE:
  case OBJECT_HANDLE:
  case OBJECT_LIBRARY:
  case OBJECT_UNKNOWN: break;
  }
  return C_NONE;
}

static void find_single(Points *p) {
  for (uint32_t i = 0; i < p->objects.n; i++) {
    CObject *o = &p->objects.at[i];
    const bool made = o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP;
    o->is_single = made ? points_once(p, o->context, o->n) : o->kind == OBJECT_GLOBAL || o->kind == OBJECT_OWN;
    o->is_single &= !o->stride;
    o->is_copied = points_owner(p, o) != C_NONE && p->threads.at[points_owner(p, o)].is_open;
  }
}

static void start(Points *p, uint32_t main) {
  vec_push(p->heap, &p->threads, ((CThread){.from = C_NONE, .call = C_NONE}));
  add_context(p, main, 0, C_NONE, C_NONE);
  const CFunction *f = &p->module->functions.at[main];
  const uint32_t library = target_of(p, object_of(p, OBJECT_LIBRARY, 0, C_NONE, 0), OFFSET_ANY);
  for (uint32_t i = 0; i < f->n_parameters; i++) {
    node_add(p, i, library);
    number_add(p, i, number_any());
  }
  store_foreign(p);
}

bool points_solve(Points *p, const CModule *module, uint32_t copies, const CFoldVec *folds, Err *err) {
  const uint32_t main = cmodule_function(module, "main");
  *p = (Points){.module = module, .heap = module->heap, .copies = copies, .folds = folds};
  arena_init(&p->arena, p->heap);
  if (main == C_NONE || !module->functions.at[main].is_defined)
    return err_set(err, ERR_INPUT, "%.300s: there is no function 'main'", module->files.at[0]);
  start(p, main);
  do {
    p->changed = false;
    if (!solve_round(p, err)) return false;
  } while (p->changed);
  find_single(p);
  return true;
}

void points_fini(Points *p) {
  for (uint32_t i = 0; i < p->objects.n; i++) vec_fini(p->heap, &p->objects.at[i].targets);
  for (uint32_t i = 0; i < p->nodes.n; i++) vec_fini(p->heap, &p->nodes.at[i]);
  for (uint32_t i = 0; i < p->contents.n; i++) vec_fini(p->heap, &p->contents.at[i]);
  vec_fini(p->heap, &p->contexts);
  vec_fini(p->heap, &p->threads);
  vec_fini(p->heap, &p->objects);
  vec_fini(p->heap, &p->targets);
  vec_fini(p->heap, &p->nodes);
  vec_fini(p->heap, &p->numbers);
  vec_fini(p->heap, &p->reached);
  vec_fini(p->heap, &p->contents);
  vec_fini(p->heap, &p->edges);
  vec_fini(p->heap, &p->gaps);
  vec_fini(p->heap, &p->scratch);
  arena_fini(&p->arena);
}

void points_gap(Points *p, uint32_t context, uint32_t number, const char *what) {
  const CPlace place = instruction(p, number)->place;
  for (uint32_t i = 0; i < p->gaps.n; i++) {
    const CPlace other = instruction(p, p->gaps.at[i].instruction)->place;
    if (strcmp(p->gaps.at[i].what, what) == 0 && memcmp(&other, &place, sizeof place) == 0) return;
  }
  vec_push(p->heap, &p->gaps, ((CGap){context, number, what}));
}
