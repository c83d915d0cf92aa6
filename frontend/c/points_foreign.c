/* Calls of what the program does not define: what addresses they give, keep, and leave behind. */
#include "frontend/c/points_inside.h"

#include <string.h>

static const CInstruction *instruction(const Points *p, uint32_t i) { return &p->module->instructions.at[i]; }

static uint32_t library_target(Points *p) {
  return points_target(p, points_object(p, OBJECT_LIBRARY, 0, C_NONE, 0), OFFSET_ANY);
}

static uint32_t handle_target(Points *p, uint32_t thread) {
  return points_target(p, points_object(p, OBJECT_HANDLE, thread, C_NONE, 8), 0);
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
    store_target(p, context, i, 1, handle_target(p, thread));
  }
}

/* Does a call give an address that it is not said of what is done to it? */
static bool hides_address(Points *p, uint32_t context, const CInstruction *i, const Effect *effect) {
  bool hides = false;
  for (uint32_t n = 1; n < i->n_operands; n++) {
    U32Vec set = points_copy(p, context, i, n);
    hides |= effect_on(effect, n - 1) == '-' && set.n;
    vec_fini(p->heap, &set);
  }
  return hides;
}

/* Is it a function of the library that does no more than to read what it is given, which its caller does anyway: strcmp
 * for qsort? What scandir gives to alphasort leads to nothing but what is the library's own. */
static bool only_reads(Points *p, uint32_t context, const CInstruction *i, const CFunction *f) {
  const Effect *caller = points_library(p, context, i), *effect = f->effect;
  if (f->is_defined || !caller || effect->kind != CALL_MEMORY || effect->result != RESULT_NUMBER || effect->family ||
      hides_address(p, context, i, caller))
    return false;
  const char *letters = strchr(caller->arguments, 'l') ? "-rR" : "-r";
  return effect->arguments[strspn(effect->arguments, letters)] == '\0';
}

/* It is called any number of times. What it is called with may be any number, or lead wherever an argument of the call
 * that calls it leads, or to memory of the library. */
static void solve_callback(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CInstruction *i = instruction(p, number);
  const CFunction *f = &p->module->functions.at[function];
  if (only_reads(p, context, i, f)) return;
  if (!f->is_defined) {
    points_gap(p, context, number, "calls a function that is not known");
    return;
  }
  const uint32_t callee = points_call(p, context, number, function); /* there may be more contexts, elsewhere */
  const uint32_t base = p->contexts.at[callee].base;
  p->contexts.at[callee].repeats = true;
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

/* What a thread returns lies in its handle. */
void points_leave(Points *p, uint32_t context, const CInstruction *i, uint32_t n) {
  U32Vec set = points_copy(p, context, i, n);
  points_store_one(p, handle_target(p, p->contexts.at[context].thread), 8, &set);
  vec_fini(p->heap, &set);
}

/* What the joined thread has returned is stored. */
static void solve_join(Points *p, uint32_t context, uint32_t number) {
  U32Vec handles = points_copy(p, context, instruction(p, number), 1);
  for (uint32_t k = 0; k < handles.n; k++) {
    const CTarget t = p->targets.at[handles.at[k]];
    if (p->objects.at[t.object].kind != OBJECT_HANDLE) {
      store_target(p, context, instruction(p, number), 2, points_unknown(p));
      continue;
    }
    const uint32_t left = handle_target(p, p->objects.at[t.object].n);
    for (uint32_t c = 0; c < p->contents.at[left].n; c++)
      store_target(p, context, instruction(p, number), 2, p->contents.at[left].at[c]);
  }
  vec_fini(p->heap, &handles);
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

/* ---- streams ---- */

/* A function that the stream has is called by the library. */
static void move_field(Points *p, uint32_t context, uint32_t number, uint32_t where, uint32_t target) {
  if (p->objects.at[p->targets.at[target].object].kind == OBJECT_CODE)
    points_gap(p, context, number, "gives a stream a function, which the library calls");
  points_content_add(p, where, points_move(p, target, 0, true));
}

/* Each address in the object stays in its field, and moves on. */
static void move_fields(Points *p, uint32_t context, uint32_t number, uint32_t object) {
  for (uint32_t t = 0; t < p->objects.at[object].targets.n; t++) {
    const uint32_t where = p->objects.at[object].targets.at[t];
    for (uint32_t c = 0; c < p->contents.at[where].n; c++)
      move_field(p, context, number, where, p->contents.at[where].at[c]);
  }
}

/* Functions behind an address in the stream, as those of an allocator. */
static void refuse_functions(Points *p, uint32_t context, uint32_t number, uint32_t object) {
  U32Vec objects = {0};
  bool *seen = heap_zeroed(p->heap, (size_t)p->objects.n + 1);
  vec_push(p->heap, &objects, object);
  for (uint32_t i = 0; i < objects.n; i++)
    for (uint32_t t = 0; t < p->objects.at[objects.at[i]].targets.n; t++) {
      const U32Vec *contents = &p->contents.at[p->objects.at[objects.at[i]].targets.at[t]];
      for (uint32_t c = 0; c < contents->n; c++) {
        const uint32_t next = p->targets.at[contents->at[c]].object;
        if (p->objects.at[next].kind == OBJECT_CODE)
          points_gap(p, context, number, "gives a stream a function, which the library calls");
        if (!seen[next]) vec_push(p->heap, &objects, next);
        seen[next] = true;
      }
    }
  heap_release(p->heap, seen);
  vec_fini(p->heap, &objects);
}

/* The library's text is in front of the state: zlib's `msg`. */
static void make_state(Points *p, uint32_t context, uint32_t number, uint32_t target, int64_t at) {
  const uint32_t state = points_object(p, OBJECT_HEAP, number, context, 0);
  points_content_add(p, points_move(p, target, at, false), points_target(p, state, 0));
  points_content_add(p, points_move(p, target, at - 8, false), library_target(p));
}

static void solve_stream(Points *p, uint32_t context, uint32_t number, uint32_t n, const Effect *effect) {
  const int64_t at = (int64_t)effect_size(effect, n - 1);
  U32Vec set = points_copy(p, context, instruction(p, number), n);
  for (uint32_t k = 0; k < set.n; k++) {
    const uint32_t object = p->targets.at[set.at[k]].object;
    const CObjectKind kind = p->objects.at[object].kind;
    if (kind == OBJECT_UNKNOWN || kind == OBJECT_LIBRARY) continue; /* to write there is a gap */
    make_state(p, context, number, set.at[k], at);
    move_fields(p, context, number, object);
    refuse_functions(p, context, number, object);
  }
  vec_fini(p->heap, &set);
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

/* What does nothing that anybody sees when it is called: free. */
static bool is_harmless(const CFunction *f) {
  return !f->is_defined && f->effect->kind == CALL_MEMORY && !f->effect->family &&
         strcmp(f->effect->arguments, "-") == 0;
}

static bool is_constant(const Points *p, uint32_t object) {
  const CObject *o = &p->objects.at[object];
  return points_is_constant(p, object) || (o->kind == OBJECT_CODE && is_harmless(&p->module->functions.at[o->n]));
}

/* It does not matter that constant text is kept. */
static void need_constant(Points *p, uint32_t context, uint32_t number, uint32_t n) {
  const COperand *operand = cmodule_operand(p->module, instruction(p, number), n);
  if (operand->kind == C_INTEGER && !operand->number) return;
  U32Vec set = points_copy(p, context, instruction(p, number), n);
  bool constant = set.n != 0;
  for (uint32_t k = 0; k < set.n; k++) constant &= is_constant(p, p->targets.at[set.at[k]].object);
  vec_fini(p->heap, &set);
  if (!constant) points_gap(p, context, number, "gives the library an address that it keeps");
}

/* ---- what goes out, through a pipe, say, and comes back ---- */

static bool number_at(const Points *p, uint32_t context, const CInstruction *i, uint32_t n, uint64_t *number) {
  const CNumber it = n < i->n_operands ? number_of(p, context, cmodule_operand(p->module, i, n)) : number_any();
  *number = it.kind == NUMBER_ONE ? (uint64_t)it.value : 0;
  return *number && *number < OFFSET_ANY;
}

uint64_t points_bytes(const Points *p, uint32_t context, const CInstruction *i, uint32_t n, char letter) {
  uint64_t bytes, times = 1;
  const bool known = number_at(p, context, i, n + 1, &bytes) &&
                     (letter == 'o' || letter == 'i' || number_at(p, context, i, n + 2, &times));
  return known && bytes * times < OFFSET_ANY ? bytes * times : 0;
}

static uint32_t sent_target(Points *p) { return points_target(p, points_object(p, OBJECT_OWN, C_NONE, C_NONE, 0), 16); }

static void send_from(Points *p, uint32_t target, uint64_t bytes) {
  const CTarget t = p->targets.at[target];
  const uint32_t sent = sent_target(p);
  for (uint32_t k = 0; k < p->objects.at[t.object].targets.n; k++) {
    const uint32_t where = p->objects.at[t.object].targets.at[k], at = p->targets.at[where].offset;
    const bool any = t.offset == OFFSET_ANY || at == OFFSET_ANY;
    if (!any && (at < t.offset || at + 8 > t.offset + bytes)) continue;
    for (uint32_t c = 0; c < p->contents.at[where].n; c++) points_content_add(p, sent, p->contents.at[where].at[c]);
  }
}

/* Addresses are sent in pieces whose size is known. */
static void send(Points *p, uint32_t context, uint32_t number, uint32_t n, char letter) {
  const uint64_t bytes = points_bytes(p, context, instruction(p, number), n, letter);
  U32Vec from = points_copy(p, context, instruction(p, number), n);
  for (uint32_t k = 0; k < from.n && bytes >= 8; k++) send_from(p, from.at[k], bytes);
  vec_fini(p->heap, &from);
}

static void receive(Points *p, uint32_t context, uint32_t number, uint32_t n, char letter) {
  enum { MOST = 256 };
  const uint64_t bytes = points_bytes(p, context, instruction(p, number), n, letter);
  const uint32_t sent = sent_target(p);
  U32Vec to = points_copy(p, context, instruction(p, number), n);
  for (uint32_t k = 0; k < to.n; k++)
    for (uint32_t c = 0; c < p->contents.at[sent].n; c++) {
      const uint32_t value = p->contents.at[sent].at[c];
      if (!bytes || bytes > MOST) points_content_add(p, points_move(p, to.at[k], 0, true), value);
      for (uint64_t at = 0; at + 8 <= bytes && bytes <= MOST; at += 8)
        points_content_add(p, points_move(p, to.at[k], (int64_t)at, false), value);
    }
  vec_fini(p->heap, &to);
}

/* ---- what a family keeps ---- */

static void keep_for_family(Points *p, uint32_t context, uint32_t number, uint32_t n, const Effect *effect) {
  const uint32_t hidden = points_family(p, effect_family(effect));
  U32Vec set = points_copy(p, context, instruction(p, number), n);
  for (uint32_t k = 0; k < set.n; k++) points_content_add(p, hidden, points_move(p, set.at[k], 0, true));
  vec_fini(p->heap, &set);
}

/* getopt leaves an address in optarg. */
static void keep_for_variables(Points *p, uint32_t context, uint32_t number, uint32_t n, uint32_t target) {
  const char *name;
  (void)context, (void)number, (void)n;
  for (uint32_t v = 0; (name = effect_variable("getopt", v)); v++)
    for (uint32_t g = 0; g < p->module->globals.n; g++)
      if (!p->module->globals.at[g].is_defined && strcmp(p->module->globals.at[g].name, name) == 0)
        points_content_add(
            p, points_anywhere(p, points_object(p, OBJECT_GLOBAL, g, C_NONE, p->module->globals.at[g].size)),
            points_move(p, target, 0, true));
}

static void solve_argument(Points *p, uint32_t context, uint32_t number, uint32_t n, const Effect *effect) {
  const CInstruction *i = instruction(p, number);
  const char letter = effect_on(effect, n - 1);
  switch (letter) {
  case 'a': each_content(p, context, number, n, keep_for_variables); break;
  case 'o':
  case 'O': send(p, context, number, n, letter); break;
  case 'i':
  case 'I': receive(p, context, number, n, letter); break;
  case 'T': keep_for_family(p, context, number, n, effect); break;
  case 'e': store_ends(p, context, number, n); break;
  case 'M': each_content(p, context, number, n, move_on); break;
  case 'S': solve_stream(p, context, number, n, effect); break;
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
  case 'z': need_constant(p, context, number, n); break;
  case 'c': points_each_function(p, context, number, n, solve_callback); break;
  default: break;
  }
}

/* ---- what is returned ---- */

/* An address in what argument n points into; fresh memory, if it is NULL, or may be and would be written. */
static void add_argument(Points *p, uint32_t context, uint32_t number, uint32_t n, const Effect *effect) {
  const CInstruction *i = instruction(p, number);
  const uint32_t node = node_of(p, context, number);
  if (n >= i->n_operands) return;
  U32Vec set = points_copy(p, context, i, n);
  for (uint32_t k = 0; k < set.n; k++) points_add(p, node, points_move(p, set.at[k], 0, true));
  const COperand *operand = cmodule_operand(p->module, i, n);
  if ((operand->kind == C_INTEGER && !operand->number) ||
      (n > 1 && effect_on(effect, n - 1) == 'w' && !cmodule_is_object(p->module, operand)))
    points_add(p, node, points_target(p, points_object(p, OBJECT_HEAP, number, context, 0), 0));
  vec_fini(p->heap, &set);
}

static void add_found(Points *p, uint32_t context, uint32_t number, uint32_t n, uint32_t target) {
  (void)n;
  points_add(p, node_of(p, context, number), points_move(p, target, 0, true));
}

static void add_any(Points *p, uint32_t context, uint32_t number, const Effect *effect) {
  const CInstruction *i = instruction(p, number);
  points_add(p, node_of(p, context, number), library_target(p));
  for (uint32_t n = 1; n < i->n_operands; n++) {
    add_argument(p, context, number, n, effect);
    if (effect->result == RESULT_WALK) each_content(p, context, number, n, add_found);
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

uint32_t points_family(Points *p, const char *family) {
  for (uint32_t f = 0; f < p->module->functions.n; f++) {
    const char *other = effect_family(p->module->functions.at[f].effect);
    if (other && strcmp(other, family) == 0)
      return points_target(p, points_object(p, OBJECT_STATIC, f, C_NONE, 0), OFFSET_ANY);
  }
  return C_NONE;
}

/* There are addresses in it that lead to it. */
static uint32_t points_static(Points *p, const Effect *effect) {
  const uint32_t target = points_family(p, effect_family(effect));
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
  case RESULT_BUSY:
  case RESULT_LATE:
  case RESULT_FAILED:
  case RESULT_ZERO: break;
  case RESULT_MAP:
    if (!maps_own_memory(p, number)) points_gap(p, context, number, "maps memory that may be mapped elsewhere, too");
    points_add(p, node, points_target(p, fresh, 0));
    break;
  case RESULT_FRESH: points_add(p, node, points_target(p, fresh, 0)); break;
  case RESULT_AGAIN: add_again(p, context, i, node, fresh); break;
  case RESULT_FIRST: add_argument(p, context, number, 1, effect); break;
  case RESULT_SECOND: add_argument(p, context, number, 2, effect); break;
  case RESULT_THIRD: add_argument(p, context, number, 3, effect); break;
  case RESULT_ANY:
  case RESULT_WALK: add_any(p, context, number, effect); break;
  case RESULT_LIBRARY: points_add(p, node, library_target(p)); break;
  case RESULT_STATIC: points_add(p, node, points_static(p, effect)); break;
  case RESULT_HIDDEN: points_load_target(p, points_family(p, effect_family(effect)), 8, node); break;
  case RESULT_OWN: points_add(p, node, points_target(p, points_object(p, OBJECT_OWN, thread, C_NONE, 8), 0)); break;
  case RESULT_SELF: points_add(p, node, handle_target(p, thread)); break;
  case RESULT_KEPT: points_load_target(p, kept_target(p, thread), 8, node); break;
  }
}

uint32_t points_hidden(Points *p, uint32_t context, const CInstruction *i) {
  return points_family(p, effect_family(points_library(p, context, i)));
}

/* ---- the whole ---- */

/* qsort: addresses in an array change places. */
static void mix_arguments(Points *p, uint32_t context, uint32_t number, const Effect *effect) {
  const CInstruction *i = instruction(p, number);
  for (uint32_t n = 1; n < i->n_operands; n++) {
    if (!strchr("wbWB", effect_on(effect, n - 1))) continue;
    U32Vec set = points_copy(p, context, i, n);
    for (uint32_t k = 0; k < set.n; k++) points_copy_contents(p, set.at[k], points_move(p, set.at[k], 0, true));
    vec_fini(p->heap, &set);
  }
}

static void solve_kind(Points *p, uint32_t context, uint32_t number, uint32_t function) {
  const CInstruction *i = instruction(p, number);
  switch ((int)p->module->functions.at[function].effect->kind) {
  case CALL_CREATE: points_each_function(p, context, number, 3, solve_thread); break;
  case CALL_ONCE: points_each_function(p, context, number, 2, solve_once); break;
  case CALL_JOIN: solve_join(p, context, number); break;
  case CALL_LAST_STEP: points_leave(p, context, i, 1); break;
  case CALL_HANDLER: solve_handler(p, context, number); break;
  case CALL_BACK: mix_arguments(p, context, number, p->module->functions.at[function].effect); break;
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
  for (uint32_t n = 1; n < i->n_operands; n++) solve_argument(p, context, number, n, effect);
  solve_result(p, context, number, effect);
}
