#include "frontend/c/points_inside.h"

#include "base/hash.h"
#include "frontend/c/causes.h"

#include <assert.h>
#include <string.h>

/* ---- operands ---- */

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static uint32_t global_target(Points *p, uint32_t context, const COperand *operand) {
  const CGlobal *g = &p->module->globals.at[operand->n];
  if (cglobal_is_text(g) && !p->tells_texts) return points_anywhere(p, points_object(p, OBJECT_TEXT, 0, C_NONE, 0));
  const uint32_t thread = g->is_local ? p->contexts.at[context].thread : C_NONE;
  const uint32_t object = points_object(p, OBJECT_GLOBAL, operand->n, thread, g->size);
  return points_at(p, object, operand->number);
}

U32Vec points_operand(Points *p, uint32_t context, const COperand *operand) {
  vec_clear(&p->scratch);
  switch (operand->kind) {
  case C_VALUE: return p->nodes.at[node_of(p, context, operand->n)];
  case C_GLOBAL: vec_push(p->heap, &p->scratch, global_target(p, context, operand)); break;
  case C_FUNCTION:
    vec_push(p->heap, &p->scratch, points_target(p, points_object(p, OBJECT_CODE, operand->n, C_NONE, 1), 0));
    break;
  case C_INTEGER:
  case C_ANYTHING: break;
  }
  return p->scratch;
}

U32Vec points_of(Points *p, uint32_t context, const CInstruction *i, uint32_t n) {
  return n < i->n_operands ? points_operand(p, context, cmodule_operand(p->module, i, n)) : (U32Vec){0};
}

U32Vec points_copy(Points *p, uint32_t context, const CInstruction *i, uint32_t n) {
  const U32Vec set = points_of(p, context, i, n);
  U32Vec copy = {0};
  vec_reserve(p->heap, &copy, set.n);
  if (set.n) memcpy(copy.at, set.at, set.n * sizeof *set.at);
  copy.n = set.n;
  return copy;
}

/* ---- contexts and threads ---- */

/* The context of that call of a context, or of a thread that it creates, in what was solved before. */
static uint32_t callee_before(const Points *before, uint32_t context, const CContext *callee) {
  for (uint32_t e = points_edges(before, context, callee->call); e != C_NONE; e = before->edges.at[e].next) {
    const CContext *it = &before->contexts.at[before->edges.at[e].callee];
    if (it->function == callee->function && it->parent == context && it->call == callee->call)
      return before->edges.at[e].callee;
  }
  return C_NONE;
}

static uint32_t root_before(const Points *p, const CThread *thread, uint32_t function) {
  const Points *before = p->known_loads->points;
  const uint32_t from = thread->from == C_NONE ? C_NONE : p->contexts.at[thread->from].before;
  if (from == C_NONE && thread->from != C_NONE) return C_NONE;
  for (uint32_t t = 0; t < before->threads.n; t++) {
    const CThread *it = &before->threads.at[t];
    if (it->from == from && it->call == thread->call && it->copy == thread->copy && it->is_open == thread->is_open &&
        before->contexts.at[it->root].function == function)
      return it->root;
  }
  return C_NONE;
}

static uint32_t context_before(const Points *p, const CContext *context) {
  if (!p->known_loads || context->is_shared) return C_NONE;
  if (context->parent == C_NONE) return root_before(p, &p->threads.at[context->thread], context->function);
  const uint32_t parent = p->contexts.at[context->parent].before;
  return parent == C_NONE ? C_NONE : callee_before(p->known_loads->points, parent, context);
}

static uint32_t add_context(Points *p, CContext context) {
  const CFunction *f = &p->module->functions.at[context.function];
  context.before = context_before(p, &context);
  context.base = p->nodes.n;
  context.reached = p->reached.n;
  context.callers = C_NONE;
  vec_push(p->heap, &p->contexts, context);
  vec_resize_zeroed(p->heap, &p->nodes, p->nodes.n + (f->end - f->start));
  vec_resize_zeroed(p->heap, &p->numbers, p->nodes.n);
  vec_resize_zeroed(p->heap, &p->are_done, p->nodes.n);
  vec_resize_zeroed(p->heap, &p->reached, p->reached.n + (f->blocks_end - f->blocks));
  for (uint32_t n = p->owners.n; n < p->nodes.n; n++) {
    vec_push(p->heap, &p->owners, p->contexts.n - 1);
    vec_push(p->heap, &p->first_edges, C_NONE);
  }
  p->threads.at[context.thread].size += f->end - f->start;
  p->changed = true;
  return p->contexts.n - 1;
}

/* All calls of a function in a scope share a context, once its thread has enough instructions in its contexts, or all
 * threads together have. A small function, as those that allocate, shares later. */
enum { SMALL = 40, MORE_IF_SMALL = 4 };

static bool is_to_share(const Points *p, uint32_t thread, uint32_t function) {
  const CFunction *f = &p->module->functions.at[function];
  const uint32_t size = f->end - f->start, more = size <= SMALL ? MORE_IF_SMALL : 1;
  return p->threads.at[thread].size + size > more * p->precision->own ||
         p->nodes.n + size > more * p->precision->of_all;
}

/* What a call in a context is in the scope of. */
static uint32_t scope_of(const Points *p, uint32_t context, uint32_t call) {
  const CContext *c = &p->contexts.at[context];
  return p->module->functions.at[c->function].is_scope ? node_of(p, context, call) : c->scope;
}

static uint32_t shared_context(Points *p, uint32_t thread, uint32_t scope, uint32_t function) {
  for (uint32_t c = 0; c < p->contexts.n; c++) {
    const CContext *it = &p->contexts.at[c];
    if (it->is_shared && it->thread == thread && it->scope == scope && it->function == function) return c;
  }
  const CContext shared = {.function = function,
                           .thread = thread,
                           .parent = C_NONE,
                           .call = C_NONE,
                           .scope = scope,
                           .repeats = true,
                           .is_shared = true};
  return add_context(p, shared);
}

static uint32_t ancestor(const Points *p, uint32_t context, uint32_t function) {
  for (uint32_t c = context; c != C_NONE; c = p->contexts.at[c].parent)
    if (p->contexts.at[c].function == function) return c;
  return C_NONE;
}

static uint32_t context_for(Points *p, uint32_t context, uint32_t call, uint32_t function) {
  const uint32_t above = ancestor(p, context, function), thread = p->contexts.at[context].thread;
  const uint32_t scope = scope_of(p, context, call);
  if (above != C_NONE) {
    p->contexts.at[above].repeats = true;
    return above;
  }
  if (is_to_share(p, thread, function)) return shared_context(p, thread, scope, function);
  return add_context(
      p, (CContext){.function = function, .thread = thread, .parent = context, .call = call, .scope = scope});
}

uint32_t points_edges(const Points *p, uint32_t context, uint32_t call) {
  return p->first_edges.at[node_of(p, context, call)];
}

uint32_t points_call(Points *p, uint32_t context, uint32_t call, uint32_t function) {
  for (uint32_t e = points_edges(p, context, call); e != C_NONE; e = p->edges.at[e].next)
    if (p->contexts.at[p->edges.at[e].callee].function == function) return p->edges.at[e].callee;
  const uint32_t callee = context_for(p, context, call, function), node = node_of(p, context, call);
  const CEdge edge = {context, call, callee, p->first_edges.at[node], p->contexts.at[callee].callers};
  vec_push(p->heap, &p->edges, edge);
  p->first_edges.at[node] = p->contexts.at[callee].callers = p->edges.n - 1;
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

/* The root context of the last thread. */
static void add_root(Points *p, uint32_t function) {
  const CContext root = {
      .function = function, .thread = p->threads.n - 1, .parent = C_NONE, .call = C_NONE, .scope = p->nodes.n};
  const uint32_t context = add_context(p, root);
  vec_last(&p->threads).root = context;
}

bool points_alike(const Points *p, uint32_t a, uint32_t b) {
  for (; a != b; a = p->contexts.at[a].parent, b = p->contexts.at[b].parent) {
    const CContext *x = &p->contexts.at[a], *y = &p->contexts.at[b];
    if (x->function != y->function || x->call != y->call || x->is_shared || y->is_shared) return false;
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

uint32_t points_thread(Points *p, uint32_t context, uint32_t call, uint32_t function, uint32_t copy, bool is_open) {
  for (uint32_t t = 0; t < p->threads.n; t++) {
    const CThread *it = &p->threads.at[t];
    if (it->from == context && it->call == call && it->copy == copy && p->contexts.at[it->root].function == function)
      return t;
  }
  vec_push(p->heap, &p->threads,
           ((CThread){.root = C_NONE, .from = context, .call = call, .copy = copy, .is_open = is_open}));
  add_root(p, function);
  return p->threads.n - 1;
}

/* ---- calls ---- */

void points_pass(Points *p, uint32_t context, const CInstruction *i, uint32_t operand, uint32_t callee,
                 uint32_t number) {
  const CFunction *f = &p->module->functions.at[p->contexts.at[callee].function];
  U32Vec from = points_copy(p, context, i, operand);
  if (number >= f->n_parameters) {
    if (f->is_variadic && from.n) points_store_one(p, points_extra(p, callee), 8, &from);
    vec_fini(p->heap, &from);
    return;
  }
  points_add_all(p, p->contexts.at[callee].base + number, &from);
  number_add(p, p->contexts.at[callee].base + number, number_of(p, context, cmodule_operand(p->module, i, operand)));
  vec_fini(p->heap, &from);
}

/* What a function returns has changed. */
static void wake_callers(Points *p, uint32_t context) {
  for (uint32_t e = p->contexts.at[context].callers; e != C_NONE; e = p->edges.at[e].next_caller)
    p->are_done.at[node_of(p, p->edges.at[e].context, p->edges.at[e].call)] = 0;
  p->changed = true;
}

void points_wake_users(Points *p, uint32_t node) {
  const CContext *c = &p->contexts.at[p->owners.at[node]];
  const uint32_t i = p->module->functions.at[c->function].start + (node - c->base);
  for (uint32_t u = p->n_users.at[i]; u < p->n_users.at[i + 1]; u++)
    p->are_done.at[c->base + (p->users.at[u] - p->module->functions.at[c->function].start)] = 0;
  p->changed = true;
}

/* What the function returns becomes the node's. */
static void take_result(Points *p, uint32_t callee, uint32_t node) {
  const CFunction *f = &p->module->functions.at[p->contexts.at[callee].function];
  for (uint32_t i = f->start; i < f->end; i++) {
    if (instruction(p, i)->kind != C_RETURN) continue;
    U32Vec from = points_copy(p, callee, instruction(p, i), 0);
    points_add_all(p, node, &from);
    if (instruction(p, i)->n_operands)
      number_add(p, node, number_of(p, callee, cmodule_operand(p->module, instruction(p, i), 0)));
    vec_fini(p->heap, &from);
  }
}

static void solve_defined(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CInstruction *i = instruction(p, number);
  const uint32_t callee = points_call(p, context, number, function);
  for (uint32_t a = 1; a < i->n_operands; a++) points_pass(p, context, i, a, callee, a - 1);
  take_result(p, callee, node_of(p, context, number));
}

void points_each_function(Points *p, uint32_t context, uint32_t number, uint32_t n, EachFunction *each) {
  U32Vec set = points_copy(p, context, instruction(p, number), n);
  for (uint32_t k = 0; k < set.n; k++) {
    const CObject o = p->objects.at[p->targets.at[set.at[k]].object];
    if (o.kind == OBJECT_CODE) each(p, context, number, o.n);
    else if (o.kind == OBJECT_UNKNOWN || o.kind == OBJECT_LIBRARY)
      points_gap(p, context, number, "calls a function that is not known");
  }
  vec_fini(p->heap, &set);
}

static void solve_call_of(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  if (p->module->functions.at[function].is_defined) solve_defined(p, context, number, function);
  else points_solve_foreign(p, context, number, function);
}

const Effect *points_library(Points *p, uint32_t context, const CInstruction *i) {
  const U32Vec set = points_of(p, context, i, 0);
  if (set.n != 1) return NULL;
  const CObject *o = &p->objects.at[p->targets.at[set.at[0]].object];
  if (o->kind != OBJECT_CODE || p->module->functions.at[o->n].is_defined) return NULL;
  return p->module->functions.at[o->n].effect;
}

/* ---- the rounds ---- */

static void solve_union(Points *p, uint32_t context, const CInstruction *i, uint32_t node, bool anywhere) {
  const bool chooses = i->kind == C_MERGE || i->kind == C_SELECT;
  for (uint32_t n = 0; n < i->n_operands; n++) {
    if (chooses && !points_takes(p, context, i, n)) continue;
    U32Vec from = points_copy(p, context, i, n);
    for (uint32_t k = 0; k < from.n; k++)
      points_add(p, node, anywhere ? points_move(p, from.at[k], 0, true) : from.at[k]);
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

int64_t points_elements(const Points *p, const CInstruction *i, uint32_t object) {
  const CObjectKind kind = p->objects.at[object].kind;
  const int64_t elements = i->n_operands == 3 ? cmodule_operand(p->module, i, 1)->number : 0;
  if (elements >= 0) return elements;
  return kind == OBJECT_GLOBAL || kind == OBJECT_STACK ? -elements : INT64_MAX;
}

uint64_t points_made(const Points *p, const CObject *o) {
  enum { MOST = 1 << 30 };
  const CInstruction *i = o->kind == OBJECT_HEAP ? instruction(p, o->n) : NULL;
  const COperand *callee = i && i->kind == C_CALL ? cmodule_operand(p->module, i, 0) : NULL;
  if (!callee || callee->kind != C_FUNCTION || p->module->functions.at[callee->n].is_defined) return 0;
  const char *name = p->module->functions.at[callee->n].name;
  const bool many = strcmp(name, "calloc") == 0;
  uint64_t bytes = 1;
  if (!many && strcmp(name, "malloc") != 0 && strcmp(name, "_Znwm") != 0) return 0;
  for (uint32_t n = 1; n <= (many ? 2U : 1U); n++) {
    const COperand *size = n < i->n_operands ? cmodule_operand(p->module, i, n) : NULL;
    if (!size || size->kind != C_INTEGER || size->number <= 0 || size->number > MOST) return 0;
    bytes *= (uint64_t)size->number;
  }
  return bytes <= MOST ? bytes : 0;
}

/* The last place that an index leads to of an array that begins there; 0: that is not known. */
static uint64_t last_place(const Points *p, const CObject *o, int64_t first, uint64_t step, int64_t elements) {
  if (elements != INT64_MAX) return (uint64_t)first + (uint64_t)(elements - 1) * step;
  const uint64_t bytes = points_made(p, o);
  if (!step || bytes < (uint64_t)first + step) return 0;
  return (uint64_t)first + ((bytes - (uint64_t)first) / step - 1) * step;
}

uint64_t points_array_end(const Points *p, const CInstruction *i, uint32_t object, uint64_t first) {
  const int64_t elements = points_elements(p, i, object), step = cmodule_operand(p->module, i, 2)->number;
  if (!elements || step <= 0) return 0;
  const uint64_t last = last_place(p, &p->objects.at[object], (int64_t)first, (uint64_t)step, elements);
  return last < first ? 0 : last + (uint64_t)step;
}

/* Where an address goes by indices that are not known. (Arithmetic on it does not wrap then.) */
static uint32_t stepped(Points *p, const CInstruction *i, uint32_t target) {
  const CTarget t = p->targets.at[target];
  const CObject *o = &p->objects.at[t.object];
  const int64_t elements = points_elements(p, i, t.object);
  if (o->stride || o->kind == OBJECT_UNKNOWN || !i->is_signed)
    return points_move(p, target, i->number, !keeps_place(p, i, target));
  const int64_t first = (int64_t)t.offset + i->number;
  if (t.offset != OFFSET_ANY && first >= 0 && elements) {
    const uint64_t step = (uint64_t)cmodule_operand(p->module, i, 2)->number;
    const uint64_t last = last_place(p, o, first, step, elements);
    if (last || elements == 1) return points_go(p, target, place_in_steps(t.object, first, step, last));
  }
  CTarget place = place_moved(&t, i->number);
  for (uint32_t n = 2; n < i->n_operands; n += 2)
    place = place_stepped(&place, (uint64_t)cmodule_operand(p->module, i, n)->number);
  return points_go(p, target, place);
}

uint32_t points_go_on(Points *p, uint32_t context, const CInstruction *i, uint32_t target) {
  const CNumber bytes = bytes_of(p, context, i);
  target = points_structure(p, target, i->structure);
  return bytes.kind == NUMBER_ONE ? points_move(p, target, bytes.value, false) : stepped(p, i, target);
}

static void solve_offset(Points *p, uint32_t context, const CInstruction *i, uint32_t node) {
  if (bytes_of(p, context, i).kind == NUMBER_NONE) return; /* an index is not computed yet */
  U32Vec from = points_copy(p, context, i, 0);
  for (uint32_t k = 0; k < from.n; k++) points_add(p, node, points_go_on(p, context, i, from.at[k]));
  vec_fini(p->heap, &from);
}

static void solve_instruction(Points *p, uint32_t context, uint32_t number) {
  const CInstruction *i = instruction(p, number);
  const uint32_t node = node_of(p, context, number);
  p->steps++;
  p->at = node;
  number_solve(p, context, i, node);
  switch (i->kind) {
  case C_ALLOCATE:
    points_add(p, node, points_target(p, points_object(p, OBJECT_STACK, number, context, i->size), 0));
    break;
  case C_LOAD: points_load(p, context, i, node, 0); break;
  case C_STORE: points_store_value(p, context, i, 0, 1); break;
  case C_UPDATE: points_update(p, context, i, node); break;
  case C_SWAP:
    points_load(p, context, i, node, 0);
    points_store_value(p, context, i, 2, 0);
    break;
  case C_OFFSET: solve_offset(p, context, i, node); break;
  case C_MIX:
    if (i->is_unknown) points_add(p, node, points_unknown(p));
    solve_union(p, context, i, node, true);
    break;
  case C_SAME:
  case C_PICK:
  case C_MERGE:
  case C_SELECT: solve_union(p, context, i, node, false); break;
  case C_CALL: points_each_function(p, context, number, 0, solve_call_of); break;
  case C_COPY: points_solve_copy(p, context, i, node); break;
  case C_STRANGE:
    points_gap(p, context, number, i->text);
    points_add(p, node, points_unknown(p));
    break;
  case C_RETURN:
    wake_callers(p, context);
    if (p->contexts.at[context].parent == C_NONE) points_leave(p, context, i, 0);
    break;
  case C_PARAMETER:
  case C_COMPARE:
  case C_FILL:
  case C_GOTO:
  case C_BRANCH:
  case C_SWITCH:
  case C_STOP: break;
  }
}

/* Addresses that globals have at the start. */
static void store_initials(Points *p) {
  for (uint32_t g = 0; g < p->module->globals.n; g++) {
    const CGlobal *global = &p->module->globals.at[g];
    for (uint32_t t = 0; t < (global->is_local ? p->threads.n : 1); t++) {
      const uint32_t object = points_object(p, OBJECT_GLOBAL, g, global->is_local ? t : C_NONE, global->size);
      for (uint32_t k = 0; k < global->n_initials; k++) {
        const CInitial *initial = &p->module->initials.at[global->initials + k];
        U32Vec values = {0};
        const U32Vec set = points_operand(p, 0, &initial->value);
        for (uint32_t v = 0; v < set.n; v++) vec_push(p->heap, &values, set.at[v]);
        points_store_one(p, points_at(p, object, (int64_t)initial->offset), initial->size, &values);
        vec_fini(p->heap, &values);
      }
    }
  }
}

/* Variables of the C library that are addresses of its own memory. */
static bool is_of_library(const char *name) {
  static const char *const NAMES[] = {
      "optarg",    "stdin", "stdout", "stderr", "tzname", "program_invocation_name", "program_invocation_short_name",
      "__progname"};
  for (uint32_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (strcmp(NAMES[i], name) == 0) return true;
  return false;
}

/* What is hidden with the environment, if the program calls what changes it. */
static uint32_t found_in(Points *p, const char *name) {
  const uint32_t library = points_target(p, points_object(p, OBJECT_LIBRARY, 0, C_NONE, 0), OFFSET_ANY);
  const bool environ = strcmp(name, "environ") == 0 || strcmp(name, "__environ") == 0;
  const uint32_t hidden = environ ? points_family(p, "environment") : C_NONE;
  if (hidden != C_NONE) points_content_add(p, hidden, hidden);
  return hidden != C_NONE ? hidden : environ || is_of_library(name) ? library : points_unknown(p);
}

/* What is declared alone lies somewhere else, with whatever in it. */
static void store_foreign(Points *p) {
  for (uint32_t g = 0; g < p->module->globals.n; g++) {
    const CGlobal *global = &p->module->globals.at[g];
    if (global->is_defined) continue;
    const uint32_t object = points_object(p, OBJECT_GLOBAL, g, C_NONE, global->size);
    points_content_add(p, points_target(p, object, OFFSET_ANY), found_in(p, global->name));
  }
}

/* Does it hang on more than its operands, what it loads or copies, and what its callees return? */
static bool hangs_on_more(Points *p, uint32_t context, uint32_t number) {
  const CInstruction *i = instruction(p, number);
  if (i->kind == C_MERGE) return true; /* on where control comes from */
  return i->kind == C_CALL && (points_edges(p, context, number) == C_NONE || points_library(p, context, i));
}

static void solve_block(Points *p, uint32_t context, uint32_t block) {
  const uint32_t start = p->module->blocks.at[block].start, end = p->module->blocks.at[block].end;
  if (!points_reaches(p, context, block)) return;
  for (uint32_t i = start; i < end; i++) {
    char *is_done = &p->are_done.at[node_of(p, context, i)];
    if (*is_done && !hangs_on_more(p, context, i)) continue;
    *is_done = 1;
    solve_instruction(p, context, i);
  }
  reach_on(p, context, block);
}

static bool solve_round(Points *p, Err *err) {
  p->at = C_NONE;
  if (p->known_threads < p->threads.n) store_initials(p);
  p->known_threads = p->threads.n;
  for (uint32_t c = 0; c < p->contexts.n; c++) {
    const CFunction *f = &p->module->functions.at[p->contexts.at[c].function];
    heap_poll(p->heap);
    reach_enter(p, c);
    for (uint32_t b = f->blocks; b < f->blocks_end; b++) solve_block(p, c, b);
    if (p->steps > p->precision->steps) return err_set(err, ERR_LIMIT, "the program takes too many steps to read");
    if (p->nodes.n > POINTS_MOST)
      return err_set(err, ERR_INPUT, "the program is too large: more than %d instructions in all its calls",
                     POINTS_MOST);
  }
  return true;
}

uint32_t points_owner(const Points *p, const CObject *o) {
  switch (o->kind) {
  case OBJECT_STACK:
  case OBJECT_EXTRA:
  case OBJECT_HEAP: return p->contexts.at[o->context].thread;
  case OBJECT_GLOBAL: return o->context;
  case OBJECT_OWN: return o->n;
  case OBJECT_CODE:
  case OBJECT_TEXT:
  case OBJECT_HANDLE:
  case OBJECT_LIBRARY:
  case OBJECT_STATIC:
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

/* Counts them, then lists them. */
static void list_users(Points *p) {
  const CModule *m = p->module;
  vec_resize_zeroed(p->heap, &p->n_users, m->instructions.n + 2);
  for (uint32_t i = 0; i < m->instructions.n; i++)
    for (uint32_t n = 0; n < m->instructions.at[i].n_operands; n++) {
      const COperand *operand = cmodule_operand(m, &m->instructions.at[i], n);
      if (operand->kind == C_VALUE) p->n_users.at[operand->n + 2]++;
    }
  for (uint32_t i = 2; i < p->n_users.n; i++) p->n_users.at[i] += p->n_users.at[i - 1];
  vec_resize_zeroed(p->heap, &p->users, vec_last(&p->n_users));
  for (uint32_t i = 0; i < m->instructions.n; i++)
    for (uint32_t n = 0; n < m->instructions.at[i].n_operands; n++) {
      const COperand *operand = cmodule_operand(m, &m->instructions.at[i], n);
      if (operand->kind == C_VALUE) p->users.at[p->n_users.at[operand->n + 1]++] = i;
    }
}

static void start(Points *p, uint32_t main) {
  list_users(p);
  p->given_up = points_target(p, points_object(p, OBJECT_UNKNOWN, 0, C_NONE, 0), 0);
  vec_push(p->heap, &p->threads, ((CThread){.from = C_NONE, .call = C_NONE}));
  add_root(p, main);
  const CFunction *f = &p->module->functions.at[main];
  const uint32_t library = points_target(p, points_object(p, OBJECT_LIBRARY, 0, C_NONE, 0), OFFSET_ANY);
  for (uint32_t i = 0; i < f->n_parameters; i++) {
    points_add(p, i, library);
    number_add(p, i, number_any());
  }
  store_foreign(p);
}

/* Has a block a name that is computed? Then the name is one of the texts that it leads to. */
static bool computes_names(const CModule *m) {
  for (uint32_t i = 0; i < m->instructions.n; i++) {
    const CInstruction *it = &m->instructions.at[i];
    const COperand *callee = it->kind == C_CALL ? cmodule_operand(m, it, 0) : NULL;
    if (callee && callee->kind == C_FUNCTION && m->functions.at[callee->n].effect->kind == CALL_BEGIN &&
        it->n_operands > 1 && cmodule_operand(m, it, 1)->kind != C_GLOBAL)
      return true;
  }
  return false;
}

/* What is led to by constants alone that nothing is done with is an object, too: none is to be made any more. */
static void make_rest(Points *p) {
  const uint32_t n = p->objects.n;
  for (PointsWalk at = {0}; points_next(p, &at);) {
    const CInstruction *i = &p->module->instructions.at[at.number];
    for (uint32_t k = 0; k < i->n_operands; k++)
      if (cmodule_operand(p->module, i, k)->kind != C_VALUE) points_of(p, at.context, i, k);
  }
  for (uint32_t o = 0; o < n; o++) {
    const CGlobal *g = p->objects.at[o].kind == OBJECT_GLOBAL ? &p->module->globals.at[p->objects.at[o].n] : NULL;
    for (uint32_t i = 0; g && i < g->n_initials; i++)
      points_operand(p, 0, &p->module->initials.at[g->initials + i].value);
  }
}

bool points_solve(Points *p, const CModule *module, const Precision *precision, uint32_t copies, const CFoldVec *folds,
                  const CSplitVec *splits, const CLoads *loads, Err *err) {
  const uint32_t main = cmodule_function(module, "main");
  *p = (Points){.module = module,
                .heap = module->heap,
                .precision = precision,
                .copies = copies,
                .folds = folds,
                .splits = splits,
                .left = C_NONE,
                .known_loads = loads,
                .tells_texts = computes_names(module),
                .at = C_NONE};
  arena_init(&p->arena, p->heap);
  if (main == C_NONE || !module->functions.at[main].is_defined)
    return err_set(err, ERR_INPUT, "%.300s: there is no function 'main'", module->files.at[0]);
  start(p, main);
  do {
    p->changed = false;
    if (!solve_round(p, err)) return false;
  } while (p->changed);
  p->known_loads = NULL;
  find_single(p);
  make_rest(p);
  return true;
}

void points_fini(Points *p) {
  for (uint32_t i = 0; i < p->objects.n; i++) {
    vec_fini(p->heap, &p->objects.at[i].targets);
    vec_fini(p->heap, &p->objects.at[i].loaders);
  }
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
  vec_fini(p->heap, &p->owners);
  vec_fini(p->heap, &p->first_edges);
  vec_fini(p->heap, &p->are_done);
  vec_fini(p->heap, &p->users);
  vec_fini(p->heap, &p->n_users);
  vec_fini(p->heap, &p->loads.all);
  vec_fini(p->heap, &p->copied.all);
  slots_fini(p->heap, &p->object_slots);
  slots_fini(p->heap, &p->target_slots);
  slots_fini(p->heap, &p->loads.slots);
  slots_fini(p->heap, &p->copied.slots);
  slots_fini(p->heap, &p->gap_slots);
  vec_fini(p->heap, &p->edges);
  vec_fini(p->heap, &p->gaps);
  vec_fini(p->heap, &p->scratch);
  vec_fini(p->heap, &p->moved);
  vec_fini(p->heap, &p->arrivals);
  vec_fini(p->heap, &p->came);
  vec_fini(p->heap, &p->put);
  arena_fini(&p->arena);
}

void points_gap_at(Points *p, uint32_t context, uint32_t number, uint32_t n, const char *what) {
  const uint32_t before = p->gaps.n;
  points_gap(p, context, number, what);
  if (p->gaps.n == before) return;
  const CCause cause = cause_of(p, context, instruction(p, number), n);
  CGap *gap = &vec_last(&p->gaps);
  gap->from_context = cause.context;
  gap->from = cause.instruction;
  gap->cause = cause.what;
}

static bool is_gap(const Points *p, const CGap *gap, CPlace place, const char *what) {
  const CPlace other = instruction(p, gap->instruction)->place;
  return memcmp(&other, &place, sizeof place) == 0 && strcmp(gap->what, what) == 0;
}

void points_gap(Points *p, uint32_t context, uint32_t number, const char *what) {
  const CPlace place = instruction(p, number)->place;
  const uint32_t hash = (uint32_t)hash_join(hash_bytes(&place, sizeof place), hash_bytes(what, strlen(what)));
  if (p->gap_slots.n < 2 * (p->gaps.n + 1)) slots_grow(p->heap, &p->gap_slots);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&p->gap_slots, i);
    if (slot->number && slot->hash == hash && is_gap(p, &p->gaps.at[slot->number - 1], place, what)) return;
    if (slot->number) continue;
    vec_push(p->heap, &p->gaps, ((CGap){context, number, what, C_NONE, C_NONE, ""}));
    *slot = (HashSlot){hash, p->gaps.n};
    return;
  }
}
