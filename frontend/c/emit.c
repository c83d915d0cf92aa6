/* The control of a C program: basic blocks, calls, returns, marked blocks, threads. All contexts of a thread become one
 * proc; a call is a jump to the entry of what it calls, and a return one to the places that the calls come from. */
#include "frontend/c/emit_inside.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const CInstruction *instruction(const Emitter *e, uint32_t i) { return &e->module->instructions.at[i]; }

static const CFunction *function_of(const Emitter *e, uint32_t context) {
  return &e->module->functions.at[e->points->contexts.at[context].function];
}

static void gap(Emitter *e, const char *what) { points_gap(e->points, e->context, e->number, what); }

/* ---- marked blocks ---- */

/* The block that begins at that instruction; or, of a function that is one, where it is called. */
static uint32_t block_at(Emitter *e, const char *name, ProgramPlace place) {
  for (uint32_t b = 0; b < e->program->blocks.n; b++) {
    const ProgramBlock *block = &e->program->blocks.at[b];
    const bool same_name = block->name == name || (block->name && name && strcmp(block->name, name) == 0);
    if (same_name && memcmp(&block->begin, &place, sizeof place) == 0) return b;
  }
  vec_push(e->heap, &e->program->blocks, ((ProgramBlock){name, place, place}));
  return e->program->blocks.n - 1;
}

static void open_block(Emitter *e, uint32_t block, uint32_t *open) {
  const char *name = e->program->blocks.at[block].name;
  const uint32_t op = emit_op(e, OP_BEGIN, arena_format(&e->program->arena, "begin:%s", name ? name : ""));
  emit_at(e, op)->number = block;
  vec_push(e->heap, &e->opens, ((COpen){block, *open}));
  for (uint32_t i = 0; i < e->opens.n; i++) /* the same as elsewhere */
    if (e->opens.at[i].block == block && e->opens.at[i].below == *open) {
      *open = i + 1;
      return;
    }
}

void emit_begin(Emitter *e, const char *name) {
  const ProgramPlace place = emit_place(e, e->context, e->number);
  open_block(e, block_at(e, name ? arena_copy(&e->program->arena, name, strlen(name)) : NULL, place), &e->open);
}

static void close_block(Emitter *e, uint32_t *open) {
  const COpen last = e->opens.at[*open - 1];
  const uint32_t op = emit_op(e, OP_END, "end");
  emit_at(e, op)->number = last.block;
  e->program->blocks.at[last.block].end = emit_at(e, op)->place;
  *open = last.below;
}

void emit_close(Emitter *e) {
  if (e->open && e->open != e->entry_open[e->context]) close_block(e, &e->open);
  else gap(e, "ends a marked block that this call has not begun");
}

static bool is_named(const EmitOptions *options, const char *name) {
  for (uint32_t i = 0; i < options->n_atomic; i++)
    if (strcmp(options->atomic[i], name) == 0) return true;
  return false;
}

static bool is_root(const Emitter *e, uint32_t function) {
  for (uint32_t t = 0; t < e->points->threads.n; t++)
    if (e->points->contexts.at[e->points->threads.at[t].root].function == function) return true;
  return false;
}

/* Is it in a header of the system? */
static bool is_of_system(const Emitter *e, uint32_t file) {
  static const char system[] = "/usr/";
  return strncmp(e->module->files.at[file], system, strlen(system)) == 0;
}

/* Is each call of the function a block? */
static bool is_block(const Emitter *e, uint32_t function) {
  const CFunction *f = &e->module->functions.at[function];
  return is_named(e->options, f->shown) ||
         (e->options->functions && !is_root(e, function) && !is_of_system(e, f->place.file));
}

static ProgramPlace start_of(const Emitter *e, uint32_t function) {
  const CPlace place = e->module->functions.at[function].place;
  return (ProgramPlace){place.file, function, place.line, place.column};
}

static uint32_t block_of_function(Emitter *e, uint32_t function) {
  const char *name = e->module->functions.at[function].shown;
  return block_at(e, arena_copy(&e->program->arena, name, strlen(name)), start_of(e, function));
}

/* ---- calls ---- */

/* Does the context under way come from that one, or is it that one? */
static bool comes_from(const Emitter *e, uint32_t context) {
  uint32_t c = e->context;
  while (c != C_NONE && c != context) c = e->points->contexts.at[c].parent;
  return c == context;
}

/* Enters a context; false if something else is open where it is entered elsewhere. */
static bool enter(Emitter *e, uint32_t op, uint32_t context) {
  if (e->entry_open[context] == C_NONE) e->entry_open[context] = e->open, e->n_entered++;
  const CFunction *f = function_of(e, context);
  return e->entry_open[context] == e->open && emit_go_to(e, op, context, e->module->blocks.at[f->blocks].start, false);
}

static void emit_call(Emitter *e, uint32_t edge) {
  const uint32_t callee = e->points->edges.at[edge].callee;
  const uint32_t function = e->points->contexts.at[callee].function, open = e->open;
  const bool again = comes_from(e, callee), block = is_block(e, function) && !again;
  CFactVec facts = {0};
  emit_copy_facts(e, &e->facts, &facts);
  emit_forget_dead(e, e->number);
  if (block) open_block(e, block_of_function(e, function), &e->open);
  if (!again) emit_tokens_of_call(e, callee);
  const bool circles = again || e->points->contexts.at[callee].is_shared;
  const uint32_t op = emit_op(e, circles ? OP_SKIP : OP_JUMP, "on");
  if (!enter(e, op, callee)) {
    gap(e, "calls itself in a marked block that it begins");
    vec_push(e->heap, &e->refused, edge);
    emit_at(e, op)->next = emit_here(e);
    emit_stuck(e);
  }
  e->open = open;
  emit_copy_facts(e, &facts, &e->facts);
  vec_fini(e->heap, &facts);
}

bool emit_calls(Emitter *e) {
  uint32_t edge = points_edges(e->points, e->context, e->number);
  if (edge == C_NONE) return false;
  while (edge != C_NONE) {
    const uint32_t next = e->points->edges.at[edge].next;
    const uint32_t test = next != C_NONE ? emit_maybe(e) : C_NONE;
    emit_call(e, edge);
    if (test != C_NONE) emit_at(e, test)->otherwise = emit_here(e);
    edge = next;
  }
  return true;
}

static CallKind kind_of_call(Emitter *e) {
  const Effect *effect = points_library(e->points, e->context, instruction(e, e->number));
  return effect ? effect->kind : CALL_UNKNOWN;
}

/* False: control does not go on there. */
static bool emit_any_call(Emitter *e) {
  const Effect *effect = points_library(e->points, e->context, instruction(e, e->number));
  if (effect) return emit_sync(e, effect);
  cells_accesses(e->cells, e->context, e->number, &e->accesses); /* for its gaps */
  return !emit_calls(e);
}

/* ---- returns ---- */

/* Where a call of the context under way has been, with what is returned. */
static void emit_return_to(Emitter *e, const CEdge *edge, const int64_t *value) {
  const uint32_t context = e->context, number = e->number, open = e->open;
  const uint32_t function = e->points->contexts.at[edge->callee].function;
  CFactVec facts = {0};
  emit_copy_facts(e, &e->facts, &facts);
  emit_forget_call(e);
  e->context = edge->context;
  e->number = edge->call;
  if (is_block(e, function) && !comes_from(e, edge->callee)) close_block(e, &e->open);
  emit_forget(e, e->number);
  if (value) emit_learn(e, e->context, e->number, *value);
  emit_forget_dead(e, e->number + 1);
  const uint32_t op = emit_op(e, OP_JUMP, "on");
  if (!emit_go_to(e, op, e->context, e->number, true)) { /* a call has been a gap */
    emit_at(e, op)->next = emit_here(e);
    emit_stuck(e);
  }
  e->context = context;
  e->number = number;
  e->open = open;
  emit_copy_facts(e, &facts, &e->facts);
  vec_fini(e->heap, &facts);
}

/* Does it lead from a context, or from what it calls, to that context? What is called through a shared one may. */
static bool leads_back(const Emitter *e, const CEdge *edge) {
  uint32_t c = edge->context;
  if (e->points->contexts.at[edge->callee].is_shared) return true;
  while (c != C_NONE && c != edge->callee) c = e->points->contexts.at[c].parent;
  return c != C_NONE;
}

static void put_off(Emitter *e, uint32_t edge) {
  const CLater later = {emit_op(e, OP_JUMP, "on"), e->context, emit_known_now(e), edge};
  vec_push(e->heap, &e->later, later);
}

/* To each call of the context; to the end of the thread. */
static void emit_returns(Emitter *e, const int64_t *value) {
  const bool ends = e->points->threads.at[e->thread].root == e->context;
  for (uint32_t k = 0; k < e->points->edges.n; k++) {
    const CEdge edge = e->points->edges.at[k];
    if (edge.callee != e->context) continue;
    uint32_t next = k + 1;
    while (next < e->points->edges.n && e->points->edges.at[next].callee != e->context) next++;
    const bool last = next == e->points->edges.n && !ends;
    const uint32_t test = last ? C_NONE : emit_maybe(e);
    if (leads_back(e, &edge)) put_off(e, k);
    else emit_return_to(e, &edge, value);
    if (!last) emit_at(e, test)->otherwise = emit_here(e);
  }
  if (ends) vec_push(e->heap, &e->ends, emit_op(e, OP_JUMP, ""));
}

static void emit_return(Emitter *e) {
  const CInstruction *i = instruction(e, e->number);
  int64_t value;
  if (e->open == e->entry_open[e->context]) {
    const bool known = i->n_operands && emit_known(e, cmodule_operand(e->module, i, 0), &value);
    emit_returns(e, known ? &value : NULL);
  } else {
    gap(e, "returns from a marked block");
    emit_stuck(e);
  }
}

void emit_last_step(Emitter *e) {
  const uint32_t root = e->points->threads.at[e->thread].root;
  if (e->open == e->entry_open[root]) {
    vec_push(e->heap, &e->ends, emit_op(e, OP_JUMP, ""));
  } else {
    gap(e, "ends the thread in a marked block");
    emit_stuck(e);
  }
}

/* ---- basic blocks ---- */

/* What is known of operand 0 on the way to the one that a switch goes to as its case n. */
static void emit_case(Emitter *e, const CBlock *b, uint32_t n) {
  const CInstruction *i = instruction(e, e->number);
  const COperand *operand = i->n_operands ? cmodule_operand(e->module, i, 0) : NULL;
  CFactVec facts = {0};
  emit_copy_facts(e, &e->facts, &facts);
  if (i->kind == C_SWITCH && n && emit_has_cases(e, i) && operand->kind == C_VALUE)
    emit_learn(e, e->context, operand->n, cmodule_operand(e->module, i, n)->number);
  emit_jump_to(e, e->module->successors.at[b->successors + n]);
  emit_copy_facts(e, &facts, &e->facts);
  vec_fini(e->heap, &facts);
}

static void emit_switch(Emitter *e, const CBlock *b) {
  const uint32_t known = emit_next_known(e, e->number);
  if (known != C_NONE) {
    emit_jump_to(e, known);
    return;
  }
  for (uint32_t n = 0; n + 1 < b->n_successors; n++) {
    const uint32_t test = emit_maybe(e);
    emit_case(e, b, n);
    emit_at(e, test)->otherwise = emit_here(e);
  }
  if (b->n_successors) emit_case(e, b, b->n_successors - 1);
  else emit_stuck(e);
}

/* Where the branch under way is true, or false. */
static void emit_way(Emitter *e, const uint32_t *to, bool holds) {
  uint32_t load;
  int64_t value;
  CFactVec facts = {0};
  emit_copy_facts(e, &e->facts, &facts);
  if (emit_tested_value(e, holds, &load, &value)) emit_learn(e, e->context, load, value);
  emit_learn_condition(e, cmodule_operand(e->module, instruction(e, e->number), 0), holds);
  emit_jump_to(e, to[!holds]);
  emit_copy_facts(e, &facts, &e->facts);
  vec_fini(e->heap, &facts);
}

static void emit_terminator(Emitter *e) {
  const CInstruction *i = instruction(e, e->number);
  const CBlock *b = &e->module->blocks.at[i->block];
  const uint32_t *to = e->module->successors.at + b->successors;
  switch ((int)i->kind) {
  case C_GOTO: emit_jump_to(e, to[0]); break;
  case C_BRANCH: {
    bool known;
    if (emit_known_condition(e, cmodule_operand(e->module, i, 0), &known)) {
      emit_jump_to(e, to[!known]);
      break;
    }
    if (emit_wait_for_ticket(e, to)) break;
    const uint32_t test = emit_branch(e);
    emit_way(e, to, true);
    emit_at(e, test)->otherwise = emit_here(e);
    emit_way(e, to, false);
    break;
  }
  case C_RETURN: emit_return(e); break;
  default: emit_switch(e, b); break; /* a strange one as well: it has a gap */
  }
}

/* False: control does not go on there, or what comes after it has been written. */
static bool emit_instruction(Emitter *e) {
  const CInstruction *i = instruction(e, e->number);
  switch ((int)i->kind) {
  case C_CALL: return emit_any_call(e);
  case C_SWAP:
    if (emit_swap(e)) return false;
    emit_accesses(e);
    return true;
  case C_UPDATE:
    if (emit_ticket(e)) return true;
    if (emit_count(e) || emit_exchange(e)) return false;
    emit_accesses(e);
    return true;
  case C_STORE:
    if (!emit_ticket(e)) emit_accesses(e);
    return true;
  case C_LOAD:
    if (emit_is_tested(e) || emit_is_waited(e)) return true;
    if (emit_load(e)) return false;
    emit_accesses(e);
    return true;
  default: emit_accesses(e); return true;
  }
}

static void emit_from(Emitter *e, uint32_t number) {
  const CLabel label = e->labels.at[number];
  const CBlock *b = &e->module->blocks.at[instruction(e, label.number)->block];
  e->context = label.context;
  e->number = label.number;
  e->open = label.open;
  emit_know(e, label.known);
  e->labels.at[number].op = emit_here(e);
  if (label.is_after) {
    emit_after_call(e, kind_of_call(e));
    emit_on(e);
    return;
  }
  for (; e->number + 1 < b->end; e->number++) {
    emit_learn_here(e);
    emit_watch_tickets(e);
    if (!emit_instruction(e)) return;
    emit_tokens(e);
  }
  if (instruction(e, e->number)->kind == C_STOP) emit_stuck(e);
  else emit_terminator(e);
}

/* Which calls lead back with the same blocks open is known once all have been written. What is returned to them is not
 * kept. */
static void emit_later(Emitter *e, const CLater *later, bool comes) {
  const CEdge edge = e->points->edges.at[later->edge];
  for (uint32_t k = 0; k < e->refused.n; k++) comes &= e->refused.at[k] != later->edge;
  e->context = later->context;
  e->number = function_of(e, e->context)->end - 1;
  e->open = e->entry_open[e->context];
  emit_know(e, later->known);
  emit_at(e, later->op)->next = emit_here(e);
  if (comes) emit_return_to(e, &edge, NULL);
  else emit_stuck(e);
}

static bool is_entered(const Emitter *e, const CLater *later) {
  return e->entry_open[e->points->edges.at[later->edge].context] != C_NONE;
}

/* The next return that was put off, of those to calls in a context that is entered. False: there is none. */
static bool emit_next_later(Emitter *e) {
  while (e->later.n) {
    const CLater later = e->later.at[--e->later.n];
    if (is_entered(e, &later)) {
      emit_later(e, &later, true);
      return true;
    }
    vec_push(e->heap, &e->absent, later);
  }
  return false;
}

/* A context that several calls share returns to none that is in a context to which the thread never comes. */
static void emit_all_due(Emitter *e) {
  uint32_t n_entered = e->n_entered;
  while (!e->is_full) {
    heap_poll(e->heap);
    if (e->n_entered != n_entered)
      while (e->absent.n) vec_push(e->heap, &e->later, e->absent.at[--e->absent.n]);
    n_entered = e->n_entered;
    if (e->due.n) emit_from(e, e->due.at[--e->due.n]);
    else if (!emit_next_later(e)) break;
  }
  for (; e->absent.n && !e->is_full; e->absent.n--) emit_later(e, &e->absent.at[e->absent.n - 1], false);
}

/* ---- threads ---- */

static void patch(Emitter *e) {
  for (uint32_t i = 0; i < e->patches.n; i++) {
    const CPatch *p = &e->patches.at[i];
    const uint32_t to = e->labels.at[p->label].op;
    assert(to != C_NONE);
    emit_at(e, p->op)->next = to;
  }
  vec_clear(&e->patches);
}

static void patch_ends(Emitter *e, uint32_t end) {
  for (uint32_t i = 0; i < e->ends.n; i++) emit_at(e, e->ends.at[i])->next = end;
  vec_clear(&e->ends);
}

static void emit_start(Emitter *e, const CThread *thread) {
  if (thread->from == C_NONE) return;
  const uint32_t op = emit_test(e, OP_AWAIT, e->started[e->thread], VALUE_EQ, 1);
  emit_at(e, op)->text = "start";
}

/* The last event of a thread, and its end: an operation for the first, to go to. */
static uint32_t emit_finish(Emitter *e, const CThread *thread, uint32_t block) {
  const uint32_t end = emit_here(e);
  if (block != C_NONE) emit_at(e, emit_op(e, OP_END, "end"))->number = block;
  if (thread->from != C_NONE || e->joins_main) emit_ended(e);
  return end;
}

static void add_thread(Emitter *e, const CThread *thread, uint32_t start) {
  const CFunction *f = function_of(e, thread->root);
  const uint32_t tracked = e->program->tracked.n;
  for (uint32_t i = 0; i < e->tracked.n; i++) vec_push(e->heap, &e->program->tracked, e->tracked.at[i]);
  const char *name = arena_copy(&e->program->arena, f->shown, strlen(f->shown));
  vec_push(e->heap, &e->program->procs, ((ProgramProc){start, emit_here(e), name}));
  vec_push(e->heap, &e->program->threads,
           ((ProgramThread){.proc = e->program->procs.n - 1,
                            .count = thread->is_open ? e->options->copies : 1,
                            .tracked = tracked,
                            .n_tracked = e->tracked.n,
                            .is_forked = thread->from != C_NONE,
                            .place = start_of(e, e->points->contexts.at[thread->root].function)}));
  vec_clear(&e->tracked);
}

static void emit_thread(Emitter *e, uint32_t number) {
  const CThread *thread = &e->points->threads.at[number];
  const uint32_t start = emit_here(e), function = e->points->contexts.at[thread->root].function;
  uint32_t block = C_NONE;
  e->thread = number;
  e->open = 0;
  vec_clear(&e->facts);
  e->context = thread->root;
  e->number = function_of(e, thread->root)->start;
  emit_start(e, thread);
  emit_start_tickets(e);
  if (!number) emit_owners(e);
  if (is_named(e->options, e->module->functions.at[function].shown)) {
    block = block_of_function(e, function);
    open_block(e, block, &e->open);
  }
  emit_tokens_of_call(e, thread->root);
  enter(e, emit_op(e, OP_SKIP, "on"), thread->root);
  emit_all_due(e);
  if (e->is_full) return;
  patch(e);
  e->context = thread->root;
  e->number = function_of(e, thread->root)->end - 1;
  const uint32_t jump = emit_op(e, OP_JUMP, ""); /* not come to */
  const uint32_t end = emit_finish(e, thread, block);
  const uint32_t last = emit_op(e, OP_JUMP, "");
  emit_at(e, jump)->next = end;
  patch_ends(e, end);
  if (e->options->plain) emit_forget_tokens(e, start);
  emit_leave_rounds_out(e, start);
  emit_at(e, last)->next = emit_here(e);
  emit_op(e, OP_RETURN, "");
  emit_simplify(e, start);
  add_thread(e, thread, start);
}

/* ---- the whole ---- */

/* Is the thread that a call joins perhaps main, which may end by pthread_exit? */
static bool joins_main(const Emitter *e, uint32_t context, uint32_t number) {
  Points *p = e->points;
  const CInstruction *i = &e->module->instructions.at[number];
  const Effect *effect = i->kind == C_CALL ? points_library(p, context, i) : NULL;
  if (!effect || effect->kind != CALL_JOIN) return false;
  const U32Vec set = points_of(p, context, i, 1);
  for (uint32_t k = 0; k < set.n; k++) {
    const CObject *o = &p->objects.at[p->targets.at[set.at[k]].object];
    if (o->kind == OBJECT_HANDLE && p->threads.at[o->n].from == C_NONE) return true;
  }
  return false;
}

static void name_threads(Emitter *e) {
  Arena *arena = &e->program->arena;
  uint32_t number = 1;
  e->started = heap_zeroed(e->heap, ((size_t)e->points->threads.n + 1) * sizeof *e->started);
  e->ended = heap_zeroed(e->heap, ((size_t)e->points->threads.n + 1) * sizeof *e->ended);
  for (PointsWalk at = {0}; points_next(e->points, &at);) e->joins_main |= joins_main(e, at.context, at.number);
  if (e->joins_main) e->ended[0] = emit_new_object(e, "T1:main ended", PROGRAM_TRACKED, 2, 0);
  for (uint32_t t = 1; t < e->points->threads.n; t++) {
    const char *name = function_of(e, e->points->threads.at[t].root)->shown;
    const bool is_open = e->points->threads.at[t].is_open;
    if (is_open && e->points->threads.at[t].copy) continue;
    e->started[t] = emit_new_object(e, arena_format(arena, "T%u:%s started", number + 1, name), PROGRAM_TRACKED, 2, 0);
    e->ended[t] = emit_new_object(e, arena_format(arena, "T%u:%s ended", number + 1, name),
                                  is_open ? PROGRAM_DATA : PROGRAM_TRACKED, is_open ? 0 : 2, 0);
    number += is_open ? e->options->copies : 1;
  }
}

static void make_labels(Emitter *e) {
  intern_init(&e->places, e->heap);
  intern_init(&e->known, e->heap);
  intern_init(&e->keys, e->heap);
  e->entry_open = heap_alloc(e->heap, ((size_t)e->points->contexts.n + 1) * sizeof *e->entry_open);
  for (uint32_t c = 0; c < e->points->contexts.n; c++) e->entry_open[c] = C_NONE;
}

static void name_sources(Emitter *e) {
  Program *program = e->program;
  for (uint32_t i = 0; i < e->module->files.n; i++)
    vec_push(e->heap, &program->files,
             arena_copy(&program->arena, e->module->files.at[i], strlen(e->module->files.at[i])));
  for (uint32_t i = 0; i < e->module->functions.n; i++) {
    const char *name = e->module->functions.at[i].shown;
    vec_push(e->heap, &program->functions, arena_copy(&program->arena, name, strlen(name)));
  }
}

/* Or in what was compiled without lines? */
static bool is_foreign(const Emitter *e, const ProgramPlace *place) {
  return !place->line || is_of_system(e, place->file);
}

/* A call that leads to the context from another one; C_NONE: there is none. */
static uint32_t edge_from_another(const Emitter *e, uint32_t context) {
  uint32_t edge = e->points->contexts.at[context].callers;
  while (edge != C_NONE && e->points->edges.at[edge].context == context) edge = e->points->edges.at[edge].next_caller;
  return edge;
}

/* Where the program comes to it: out of functions of headers, the call in its own files. If there is none, the place
 * itself. */
static ProgramPlace place_outside(Emitter *e, uint32_t context, uint32_t instruction) {
  enum { MOST = 64 };
  const ProgramPlace innermost = emit_place(e, context, instruction);
  ProgramPlace place = innermost;
  for (uint32_t n = 0; is_foreign(e, &place); n++) {
    const uint32_t edge = edge_from_another(e, context);
    if (edge == C_NONE || n == MOST) return innermost;
    context = e->points->edges.at[edge].context;
    place = emit_place(e, context, e->points->edges.at[edge].call);
  }
  return place;
}

/* One place of the program may lead to several of a header: it is told once. */
static void take_gaps(Emitter *e) {
  Intern told;
  intern_init(&told, e->heap);
  for (uint32_t i = 0; i < e->points->gaps.n; i++) {
    const CGap *g = &e->points->gaps.at[i];
    const ProgramPlace place = place_outside(e, g->context, g->instruction);
    char key[512];
    bool is_new;
    snprintf(key, sizeof key, "%u:%u:%u:%u: %s", place.file, place.line, place.column, place.function, g->what);
    intern_add(&told, key, strlen(key), &is_new);
    const char *what = arena_copy(&e->program->arena, g->what, strlen(g->what));
    ProgramGap gap = {what, place, NULL, {0}};
    if (is_new && g->from != C_NONE) {
      gap.cause = arena_copy(&e->program->arena, g->cause, strlen(g->cause));
      gap.from = place_outside(e, g->from_context, g->from);
    }
    if (is_new) vec_push(e->heap, &e->program->gaps, gap);
  }
  intern_fini(&told);
}

static void fini(Emitter *e) {
  for (uint32_t c = 0; c < e->cells->cells.n; c++) vec_fini(e->heap, &e->extras[c]);
  heap_release(e->heap, e->extras);
  intern_fini(&e->places);
  intern_fini(&e->known);
  intern_fini(&e->keys);
  vec_fini(e->heap, &e->versions);
  vec_fini(e->heap, &e->facts);
  vec_fini(e->heap, &e->later);
  vec_fini(e->heap, &e->absent);
  vec_fini(e->heap, &e->refused);
  heap_release(e->heap, e->entry_open);
  heap_release(e->heap, e->started);
  heap_release(e->heap, e->ended);
  vec_fini(e->heap, &e->labels);
  vec_fini(e->heap, &e->opens);
  vec_fini(e->heap, &e->due);
  vec_fini(e->heap, &e->patches);
  vec_fini(e->heap, &e->ends);
  vec_fini(e->heap, &e->tracked);
  vec_fini(e->heap, &e->accesses);
}

bool emit_program(Cells *cells, Foci *foci, CTicketVec *tickets, const EmitOptions *options, Program *program) {
  Asked asked;
  asked_find(&asked, cells, tickets->n);
  Emitter emitter = {.cells = cells,
                     .asked = &asked,
                     .points = cells->points,
                     .foci = foci,
                     .tickets = tickets,
                     .module = cells->points->module,
                     .options = options,
                     .program = program,
                     .heap = program->heap},
          *e = &emitter;
  for (uint32_t c = 0; c < cells->cells.n; c++) cells->cells.at[c].number = C_NONE;
  for (uint32_t p = 0; p < cells->parts.n; p++) cells->parts.at[p].number = C_NONE;
  e->extras = heap_zeroed(e->heap, ((size_t)cells->cells.n + 1) * sizeof *e->extras);
  name_sources(e);
  emit_find_tokens(e);
  name_threads(e);
  make_labels(e);
  e->value = emit_new_local(e, "value", 0);
  for (uint32_t t = 0; t < e->points->threads.n && !e->is_full; t++)
    if (!e->points->threads.at[t].copy || !e->points->threads.at[t].is_open) emit_thread(e, t);
  take_gaps(e);
  fini(e);
  asked_fini(&asked);
  return !emitter.is_full;
}
