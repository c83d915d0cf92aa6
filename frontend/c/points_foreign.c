/* Calls of what the program does not define: what addresses they give, keep, and leave behind. */
#include "frontend/c/points_inside.h"

#include <string.h>

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static uint32_t library_target(Points *p) {
  return points_target(p, points_object(p, OBJECT_LIBRARY, 0, C_NONE, 0), OFFSET_ANY);
}

/* One address is written to wherever operand n leads. */
static void store_target(Points *p, uint32_t context, const CInstruction *i, uint32_t n, uint32_t target) {
  U32Vec to = points_copy(p, context, i, n), values = {0};
  vec_push(p->heap, &values, target);
  for (uint32_t k = 0; k < to.n; k++) points_store(p, to.at[k], 8, &values);
  vec_fini(p->heap, &to);
  vec_fini(p->heap, &values);
}

/* ---- threads, and functions that are called back ---- */

/* How many of the threads that the context is of, and that created it, were created by that instruction? */
static uint32_t depth_of(const Points *p, uint32_t context, uint32_t number) {
  uint32_t depth = 0;
  for (const CThread *t; context != C_NONE; context = t->from) {
    t = &p->threads.at[p->contexts.at[context].thread];
    depth += t->from != C_NONE && t->call == number;
  }
  return depth;
}

/* Threads that create threads like themselves: so many, one created by the other, are there. */
static uint32_t most_depth(const Points *p) { return p->copies ? p->copies : 2; }

static void solve_thread(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CInstruction *i = instruction(p, number);
  if (!p->module->functions.at[function].is_defined) {
    points_gap(p, context, number, "creates a thread whose function is not known");
    return;
  }
  if (depth_of(p, context, number) >= most_depth(p)) {
    points_gap(p, context, number,
               arena_format(&p->arena,
                            "creates threads that create threads here, of which %u are there, one by the other",
                            most_depth(p)));
    return;
  }
  bool all;
  const uint32_t copies = points_threads(p, context, number, &all);
  for (uint32_t copy = 0; copy < copies; copy++) {
    const uint32_t thread = points_thread(p, context, number, function, copy, !all && !p->copies);
    points_pass(p, context, i, 4, p->threads.at[thread].root, 0);
    store_target(p, context, i, 1, points_target(p, points_object(p, OBJECT_HANDLE, thread, C_NONE, 8), 0));
  }
}

/* What it is called with may be any number, or lead wherever an argument of the call that calls it leads, or to memory
 * of the library. */
static void solve_callback(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CInstruction *i = instruction(p, number);
  const CFunction *f = &p->module->functions.at[function];
  if (!f->is_defined) {
    points_gap(p, context, number, "calls a function that is not known");
    return;
  }
  const uint32_t base = p->contexts.at[points_call(p, context, number, function)].base;
  for (uint32_t a = 0; a < f->n_parameters; a++) {
    number_add(p, base + a, number_any());
    points_add(p, base + a, library_target(p));
    for (uint32_t n = 1; n < i->n_operands; n++) {
      U32Vec set = points_copy(p, context, i, n);
      for (uint32_t k = 0; k < set.n; k++) points_add(p, base + a, points_move(p, set.at[k], 0, true));
      vec_fini(p->heap, &set);
    }
  }
}

/* pthread_once calls it with nothing. */
static void solve_once(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CFunction *f = &p->module->functions.at[function];
  if (f->is_defined) {
    const uint32_t callee = points_call(p, context, number, function);
    for (uint32_t a = 0; a < f->n_parameters; a++) number_add(p, p->contexts.at[callee].base + a, number_any());
  } else points_gap(p, context, number, "calls a function that is not known");
}

/* Where what pthread_exit is given is kept; main's is not asked for. */
static uint32_t handle_target(Points *p, uint32_t thread) {
  return points_target(p, points_object(p, OBJECT_HANDLE, thread, C_NONE, 8), 0);
}

static void solve_last_step(Points *p, uint32_t context, uint32_t number) {
  U32Vec values = points_copy(p, context, instruction(p, number), 1);
  for (uint32_t k = 0; k < values.n; k++)
    points_content_add(p, handle_target(p, p->contexts.at[context].thread), values.at[k]);
  vec_fini(p->heap, &values);
}

/* Adds what the thread's function may return, or what it has ended with. */
static void add_results(Points *p, uint32_t thread, U32Vec *values) {
  const uint32_t root = p->threads.at[thread].root;
  const CFunction *f = &p->module->functions.at[p->contexts.at[root].function];
  const U32Vec *ends = &p->contents.at[handle_target(p, thread)];
  for (uint32_t k = 0; k < ends->n; k++) vec_push(p->heap, values, ends->at[k]);
  for (uint32_t i = f->start; i < f->end; i++) {
    if (instruction(p, i)->kind != C_RETURN) continue;
    U32Vec from = points_copy(p, root, instruction(p, i), 0);
    for (uint32_t k = 0; k < from.n; k++) vec_push(p->heap, values, from.at[k]);
    vec_fini(p->heap, &from);
  }
}

/* What the joined thread has returned is stored. */
static void solve_join(Points *p, uint32_t context, uint32_t number) {
  const CInstruction *i = instruction(p, number);
  U32Vec handles = points_copy(p, context, i, 1), to = points_copy(p, context, i, 2), values = {0};
  for (uint32_t k = 0; k < handles.n; k++) {
    const CObject *o = &p->objects.at[p->targets.at[handles.at[k]].object];
    if (o->kind == OBJECT_HANDLE) add_results(p, o->n, &values);
    else vec_push(p->heap, &values, points_unknown(p));
  }
  for (uint32_t k = 0; k < to.n; k++) points_store(p, to.at[k], 8, &values);
  vec_fini(p->heap, &handles);
  vec_fini(p->heap, &to);
  vec_fini(p->heap, &values);
}

/* ---- signals, variable arguments ---- */

static void refuse_handler(Points *p, uint32_t context, uint32_t number, uint32_t target) {
  const CObject *o = &p->objects.at[p->targets.at[target].object];
  if (o->kind == OBJECT_CODE)
    points_gap(p, context, number,
               arena_format(&p->arena, "may run '%.60s' at any time, when a signal comes",
                            p->module->functions.at[o->n].shown));
  else if (o->kind == OBJECT_UNKNOWN || o->kind == OBJECT_LIBRARY)
    points_gap(p, context, number, "may run a function that is not known when a signal comes");
}

/* The handler, or what is in a structure that has one. */
static void solve_handler(Points *p, uint32_t context, uint32_t number) {
  const CInstruction *i = instruction(p, number);
  U32Vec set = points_copy(p, context, i, 2);
  for (uint32_t k = 0; k < set.n; k++) {
    refuse_handler(p, context, number, set.at[k]);
    const CObject *o = &p->objects.at[p->targets.at[set.at[k]].object];
    for (uint32_t t = 0; t < o->targets.n; t++) {
      const U32Vec *contents = &p->contents.at[o->targets.at[t]];
      for (uint32_t c = 0; c < contents->n; c++) refuse_handler(p, context, number, contents->at[c]);
    }
  }
  vec_fini(p->heap, &set);
}

uint32_t points_extra(Points *p, uint32_t context) {
  return points_target(p, points_object(p, OBJECT_EXTRA, 0, context, 0), OFFSET_ANY);
}

/* ---- what is written where an argument points ---- */

static void add_fresh(Points *p, uint32_t context, uint32_t number, uint32_t n) {
  const uint32_t object = points_object(p, OBJECT_HEAP, number, context, 0);
  store_target(p, context, instruction(p, number), n, points_target(p, object, 0));
}

/* Addresses in what the first argument points into. */
static void store_ends(Points *p, uint32_t context, uint32_t number, uint32_t n) {
  const CInstruction *i = instruction(p, number);
  U32Vec first = points_copy(p, context, i, 1);
  for (uint32_t k = 0; k < first.n; k++) store_target(p, context, i, n, points_move(p, first.at[k], 0, true));
  vec_fini(p->heap, &first);
}

/* Calls back for each target that may be found where operand n leads, or behind that. */
typedef void Found(Points *p, uint32_t context, uint32_t number, uint32_t n, uint32_t target);

static void each_content(Points *p, uint32_t context, uint32_t number, uint32_t n, Found *found) {
  U32Vec set = points_copy(p, context, instruction(p, number), n);
  for (uint32_t k = 0; k < set.n; k++) {
    const uint32_t object = p->targets.at[set.at[k]].object;
    const CObjectKind kind = p->objects.at[object].kind;
    if (kind == OBJECT_UNKNOWN || kind == OBJECT_LIBRARY) found(p, context, number, n, set.at[k]);
    for (uint32_t t = 0; t < p->objects.at[object].targets.n; t++) {
      const uint32_t where = p->objects.at[object].targets.at[t];
      for (uint32_t c = 0; c < p->contents.at[where].n; c++) found(p, context, number, n, p->contents.at[where].at[c]);
    }
  }
  vec_fini(p->heap, &set);
}

static void move_on(Points *p, uint32_t context, uint32_t number, uint32_t n, uint32_t target) {
  store_target(p, context, instruction(p, number), n, points_move(p, target, 0, true));
}

static uint32_t kept_target(Points *p, uint32_t thread) {
  return points_target(p, points_object(p, OBJECT_OWN, thread, C_NONE, 0), 8);
}

static void keep_for_all(Points *p, uint32_t context, uint32_t number, uint32_t n, uint32_t target) {
  (void)context, (void)number, (void)n;
  points_content_add(p, kept_target(p, C_NONE), target);
}

static void give_kept(Points *p, uint32_t context, uint32_t number, uint32_t n) {
  const uint32_t kept = kept_target(p, C_NONE);
  for (uint32_t c = 0; c < p->contents.at[kept].n; c++) {
    U32Vec to = points_copy(p, context, instruction(p, number), n);
    const uint32_t value = p->contents.at[kept].at[c];
    for (uint32_t k = 0; k < to.n; k++) points_content_add(p, points_move(p, to.at[k], 0, true), value);
    vec_fini(p->heap, &to);
  }
}

static void keep_for_thread(Points *p, uint32_t context, uint32_t number, uint32_t n) {
  U32Vec set = points_copy(p, context, instruction(p, number), n);
  for (uint32_t k = 0; k < set.n; k++) points_content_add(p, kept_target(p, p->contexts.at[context].thread), set.at[k]);
  vec_fini(p->heap, &set);
}

/* Only NULL is kept by nobody. */
static void need_null(Points *p, uint32_t context, uint32_t number, uint32_t n) {
  const COperand *operand = cmodule_operand(p->module, instruction(p, number), n);
  if (operand->kind == C_INTEGER && !operand->number) return;
  points_gap(p, context, number, "gives the library an address that it keeps");
}

static void solve_argument(Points *p, uint32_t context, uint32_t number, uint32_t n, char letter) {
  const CInstruction *i = instruction(p, number);
  switch (letter) {
  case 'e': store_ends(p, context, number, n); break;
  case 'E':
    each_content(p, context, number, n, move_on);
    if (n > 1) store_ends(p, context, number, n);
    break;
  case 'n':
  case 'm': add_fresh(p, context, number, n); break;
  case 'l': store_target(p, context, i, n, library_target(p)); break;
  case 'u': store_target(p, context, i, n, points_unknown(p)); break;
  case 'k': each_content(p, context, number, n, keep_for_all); break;
  case 'K': give_kept(p, context, number, n); break;
  case 'p': keep_for_thread(p, context, number, n); break;
  case 'z': need_null(p, context, number, n); break;
  case 'c': points_each_function(p, context, number, n, solve_callback); break;
  default: break;
  }
}

/* ---- what is returned ---- */

/* An address in what argument n points into; fresh memory, if it is NULL. */
static void add_argument(Points *p, uint32_t context, uint32_t number, uint32_t n) {
  const CInstruction *i = instruction(p, number);
  const uint32_t node = node_of(p, context, number);
  if (n >= i->n_operands) return;
  U32Vec set = points_copy(p, context, i, n);
  for (uint32_t k = 0; k < set.n; k++) points_add(p, node, points_move(p, set.at[k], 0, true));
  const COperand *operand = cmodule_operand(p->module, i, n);
  if (operand->kind == C_INTEGER && !operand->number)
    points_add(p, node, points_target(p, points_object(p, OBJECT_HEAP, number, context, 0), 0));
  vec_fini(p->heap, &set);
}

static void add_found(Points *p, uint32_t context, uint32_t number, uint32_t n, uint32_t target) {
  (void)n;
  points_add(p, node_of(p, context, number), points_move(p, target, 0, true));
}

static void add_any(Points *p, uint32_t context, uint32_t number, bool walks) {
  const CInstruction *i = instruction(p, number);
  points_add(p, node_of(p, context, number), library_target(p));
  for (uint32_t n = 1; n < i->n_operands; n++) {
    add_argument(p, context, number, n);
    if (walks) each_content(p, context, number, n, add_found);
  }
}

/* What the first argument points to, perhaps moved to that object. */
static void add_again(Points *p, uint32_t context, const CInstruction *i, uint32_t node, uint32_t object) {
  const uint32_t fresh = points_target(p, object, 0);
  U32Vec first = points_copy(p, context, i, 1);
  points_add(p, node, fresh);
  points_add_all(p, node, &first);
  for (uint32_t k = 0; k < first.n; k++) points_copy_contents(p, first.at[k], fresh);
  vec_fini(p->heap, &first);
}

/* mmap: others may map the same file, or what is there already; a child of fork() has what is shared, too. */
static bool maps_own_memory(const Points *p, uint32_t number) {
  enum { PRIVATE = 2, TYPE = 3, FIXED = 16 };
  const CInstruction *i = instruction(p, number);
  const COperand *flags = i->n_operands > 4 ? cmodule_operand(p->module, i, 4) : NULL;
  return flags && flags->kind == C_INTEGER && (flags->number & TYPE) == PRIVATE && !(flags->number & FIXED);
}

static uint32_t static_object(Points *p, const Effect *effect) {
  uint32_t f = 0;
  while (!p->module->functions.at[f].effect->family ||
         strcmp(p->module->functions.at[f].effect->family, effect->family) != 0)
    f++;
  return points_object(p, OBJECT_STATIC, f, C_NONE, 0);
}

/* There are addresses in it that lead to it. */
static uint32_t points_static(Points *p, const Effect *effect) {
  const uint32_t target = points_target(p, static_object(p, effect), OFFSET_ANY);
  points_content_add(p, target, target);
  return target;
}

static void solve_result(Points *p, uint32_t context, uint32_t number, const Effect *effect) {
  const CInstruction *i = instruction(p, number);
  const uint32_t node = node_of(p, context, number), thread = p->contexts.at[context].thread;
  const uint32_t fresh =
      effect->result == RESULT_FRESH || effect->result == RESULT_AGAIN || effect->result == RESULT_MAP
          ? points_object(p, OBJECT_HEAP, number, context, 0)
          : C_NONE;
  switch (effect->result) {
  case RESULT_NUMBER:
  case RESULT_ZERO: break;
  case RESULT_MAP:
    if (!maps_own_memory(p, number)) points_gap(p, context, number, "maps memory that may be mapped elsewhere, too");
    points_add(p, node, points_target(p, fresh, 0));
    break;
  case RESULT_FRESH: points_add(p, node, points_target(p, fresh, 0)); break;
  case RESULT_AGAIN: add_again(p, context, i, node, fresh); break;
  case RESULT_FIRST: add_argument(p, context, number, 1); break;
  case RESULT_SECOND: add_argument(p, context, number, 2); break;
  case RESULT_THIRD: add_argument(p, context, number, 3); break;
  case RESULT_ANY: add_any(p, context, number, false); break;
  case RESULT_WALK: add_any(p, context, number, true); break;
  case RESULT_LIBRARY: points_add(p, node, library_target(p)); break;
  case RESULT_STATIC: points_add(p, node, points_static(p, effect)); break;
  case RESULT_OWN: points_add(p, node, points_target(p, points_object(p, OBJECT_OWN, thread, C_NONE, 8), 0)); break;
  case RESULT_KEPT: points_load_target(p, kept_target(p, thread), 8, node); break;
  }
}

uint32_t points_hidden(Points *p, uint32_t context, const CInstruction *i) {
  return points_static(p, points_library(p, context, i));
}

/* ---- the whole ---- */

static void solve_kind(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CInstruction *i = instruction(p, number);
  switch ((int)p->module->functions.at[function].effect->kind) {
  case CALL_CREATE: points_each_function(p, context, number, 3, solve_thread); break;
  case CALL_ONCE: points_each_function(p, context, number, 2, solve_once); break;
  case CALL_JOIN: solve_join(p, context, number); break;
  case CALL_LAST_STEP: solve_last_step(p, context, number); break;
  case CALL_HANDLER: solve_handler(p, context, number); break;
  case CALL_ARGUMENTS: {
    U32Vec to = points_copy(p, context, i, 1);
    for (uint32_t k = 0; k < to.n; k++)
      points_content_add(p, points_move(p, to.at[k], 0, true), points_extra(p, context));
    vec_fini(p->heap, &to);
    break;
  }
  case CALL_COPY: {
    U32Vec to = points_copy(p, context, i, 1), from = points_copy(p, context, i, 2);
    for (uint32_t a = 0; a < from.n; a++)
      for (uint32_t b = 0; b < to.n; b++) points_copy_contents(p, from.at[a], to.at[b]);
    vec_fini(p->heap, &to);
    vec_fini(p->heap, &from);
    break;
  }
  case CALL_UNKNOWN:
    points_gap(p, context, number,
               arena_format(&p->arena, "calls '%.60s', which is not known", p->module->functions.at[function].shown));
    points_add(p, node_of(p, context, number), points_unknown(p));
    break;
  default: break;
  }
}

/* What a string function writes may be addresses that it has read: such text is none of ours. */
void points_solve_foreign(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CInstruction *i = instruction(p, number);
  const Effect *effect = p->module->functions.at[function].effect;
  number_add(p, node_of(p, context, number), effect->result == RESULT_ZERO ? (CNumber){NUMBER_ONE, 0} : number_any());
  solve_kind(p, context, number, function);
  for (uint32_t n = 1; n < i->n_operands; n++) solve_argument(p, context, number, n, effect_on(effect, n - 1));
  solve_result(p, context, number, effect);
}
