/* The control of a C program: basic blocks, calls, returns, marked blocks, threads. All contexts of a thread become one
 * proc; a call is a jump to the entry of what it calls, and a return one to the places that the calls come from. */
#include "frontend/c/emit_inside.h"

#include <assert.h>
#include <string.h>

static const CInstruction *instruction(const Emitter *e, uint32_t i) { return &e->module->instructions.at[i]; }

static const CFunction *function_of(const Emitter *e, uint32_t context) {
  return &e->module->functions.at[e->points->contexts.at[context].function];
}

static void gap(Emitter *e, const char *what) { points_gap(e->points, e->context, e->number, what); }

/* ---- labels ---- */

static uint32_t label_at(const Emitter *e, uint32_t context, uint32_t block) {
  return e->label_of[context] + (block - function_of(e, context)->blocks);
}

/* The open blocks as they are now, in the instruction under way. */
static uint32_t *open_now(Emitter *e) {
  return &e->labels.at[label_at(e, e->context, instruction(e, e->number)->block)].open;
}

/* The operation goes on there, where so much is open. False: something else is open there. */
static bool go_to(Emitter *e, uint32_t op, bool otherwise, uint32_t context, uint32_t block, uint32_t open) {
  const uint32_t number = label_at(e, context, block);
  CLabel *label = &e->labels.at[number];
  if (!label->is_due) {
    label->is_due = true;
    label->open = open;
    vec_push(e->heap, &e->due, ((CDue){context, block}));
  }
  if (e->entry_open[number] == C_NONE) e->entry_open[number] = open;
  if (e->entry_open[number] != open) return false;
  vec_push(e->heap, &e->patches, ((CPatch){op, number, otherwise}));
  return true;
}

/* Control that comes with other blocks open than it does elsewhere is not followed. */
static void go_or_stop(Emitter *e, uint32_t op, bool otherwise, uint32_t context, uint32_t block) {
  if (go_to(e, op, otherwise, context, block, *open_now(e))) return;
  gap(e, "a marked block is open on some ways here, and not on others");
  if (otherwise) emit_at(e, op)->otherwise = emit_here(e);
  else emit_at(e, op)->next = emit_here(e);
  emit_stuck(e);
}

/* A jump; where a loop may close, an event, so that no circle is made of jumps. */
static void jump_along(Emitter *e, uint32_t from, uint32_t block) {
  const bool back = e->module->blocks.at[block].repeats;
  if (!points_reaches(e->points, e->context, block)) { /* what comes before never ends */
    emit_stuck(e);
    return;
  }
  emit_tokens_on_way(e, from, block);
  go_or_stop(e, emit_op(e, back ? OP_SKIP : OP_JUMP, "on"), false, e->context, block);
}

/* Likewise, from the block of the instruction under way. */
static void jump_to_block(Emitter *e, uint32_t block) { jump_along(e, instruction(e, e->number)->block, block); }

/* ---- what is known on a way ---- */

bool emit_can_follow(Emitter *e) {
  const CBlock *b = &e->module->blocks.at[instruction(e, e->number)->block];
  if (emit_has_tokens(e, e->context, e->number)) return false;
  for (uint32_t i = e->number + 1; i < b->end; i++)
    if (!emit_is_silent(e, e->context, i)) return false;
  return true;
}

static bool is_silent_block(Emitter *e, uint32_t block) {
  const CBlock *b = &e->module->blocks.at[block];
  for (uint32_t i = b->start; i < b->end; i++)
    if (!emit_is_silent(e, e->context, i)) return false;
  return true;
}

/* The block that comes after that one, if it is known; else C_NONE. */
static uint32_t next_known(Emitter *e, uint32_t block, const CKnownVec *known) {
  const CBlock *b = &e->module->blocks.at[block];
  const CInstruction *last = instruction(e, b->end - 1);
  int64_t value;
  if (last->kind == C_GOTO) return e->module->successors.at[b->successors];
  if (last->kind != C_BRANCH || !emit_known(e, cmodule_operand(e->module, last, 0), known, &value)) return C_NONE;
  return e->module->successors.at[b->successors + !value];
}

/* What is merged where control comes from a block to another one: all at once, by what was known before. */
static void learn(Emitter *e, uint32_t from, uint32_t to, CKnownVec *known) {
  const CBlock *b = &e->module->blocks.at[to];
  const uint32_t n = known->n;
  for (uint32_t i = b->start; i < b->end && instruction(e, i)->kind == C_MERGE; i++)
    for (uint32_t k = 0; k < instruction(e, i)->n_operands; k++) {
      CKnownVec before = {known->at, n, known->cap};
      CKnown next = {i, 0, true};
      if (e->module->sources.at[instruction(e, i)->operands + k] != from) continue;
      next.is_open = !emit_known(e, cmodule_operand(e->module, instruction(e, i), k), &before, &next.value);
      vec_push(e->heap, known, next);
    }
}

/* A way that is followed is no longer than this. */
enum { MOST_FOLLOWED = 64 };

void emit_follow(Emitter *e, int64_t value) {
  CKnownVec known = {0};
  uint32_t from = instruction(e, e->number)->block;
  vec_push(e->heap, &known, ((CKnown){e->number, value, false}));
  uint32_t to = next_known(e, from, &known);
  if (to == C_NONE) { /* both ways, where it ends */
    const CBlock *b = &e->module->blocks.at[from];
    const uint32_t test = emit_maybe(e);
    jump_to_block(e, e->module->successors.at[b->successors]);
    emit_at(e, test)->otherwise = emit_here(e);
    to = b->n_successors > 1 ? e->module->successors.at[b->successors + 1] : e->module->successors.at[b->successors];
    jump_to_block(e, to);
    vec_fini(e->heap, &known);
    return;
  }
  for (int i = 0; i < MOST_FOLLOWED; i++) {
    learn(e, from, to, &known);
    const uint32_t next = is_silent_block(e, to) ? next_known(e, to, &known) : C_NONE;
    if (next == C_NONE) break;
    from = to;
    to = next;
  }
  jump_along(e, from, to);
  vec_fini(e->heap, &known);
}

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
  open_block(e, block_at(e, name ? arena_copy(&e->program->arena, name, strlen(name)) : NULL, place), open_now(e));
}

static void close_block(Emitter *e, uint32_t *open) {
  const COpen last = e->opens.at[*open - 1];
  const uint32_t op = emit_op(e, OP_END, "end");
  emit_at(e, op)->number = last.block;
  e->program->blocks.at[last.block].end = emit_at(e, op)->place;
  *open = last.below;
}

/* What is open where the context under way is entered. */
static uint32_t entry_of(const Emitter *e, uint32_t context) {
  return e->entry_open[label_at(e, context, function_of(e, context)->blocks)];
}

void emit_close(Emitter *e) {
  if (*open_now(e) != entry_of(e, e->context)) close_block(e, open_now(e));
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

/* Is each call of the function a block? */
static bool is_block(const Emitter *e, uint32_t function) {
  const char *name = e->module->functions.at[function].shown;
  return is_named(e->options, name) || (e->options->functions && !is_root(e, function));
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

/* To a context, and back to what is added next. */
static void emit_call(Emitter *e, uint32_t callee) {
  const uint32_t function = e->points->contexts.at[callee].function;
  const bool again = comes_from(e, callee), block = is_block(e, function) && !again;
  if (block) open_block(e, block_of_function(e, function), open_now(e));
  if (!again) emit_tokens_of_call(e, callee);
  const uint32_t op = emit_op(e, again ? OP_SKIP : OP_JUMP, "on");
  if (!go_to(e, op, false, callee, function_of(e, callee)->blocks, *open_now(e))) {
    gap(e, "calls itself in a marked block that it begins");
    emit_at(e, op)->next = emit_here(e);
    emit_stuck(e);
  } else {
    vec_push(e->heap, &e->landings, ((CLanding){callee, emit_op(e, OP_JUMP, "")}));
  }
  if (block) close_block(e, open_now(e));
}

static uint32_t next_edge(const Emitter *e, uint32_t from) {
  while (from < e->points->edges.n &&
         (e->points->edges.at[from].context != e->context || e->points->edges.at[from].call != e->number))
    from++;
  return from;
}

void emit_calls(Emitter *e) {
  U32Vec jumps = {0};
  for (uint32_t edge = next_edge(e, 0); edge < e->points->edges.n;) {
    const uint32_t next = next_edge(e, edge + 1);
    const uint32_t test = next < e->points->edges.n ? emit_maybe(e) : C_NONE;
    emit_call(e, e->points->edges.at[edge].callee);
    if (test != C_NONE) vec_push(e->heap, &jumps, emit_else(e, test));
    edge = next;
  }
  for (uint32_t i = 0; i < jumps.n; i++) emit_end(e, jumps.at[i]);
  vec_fini(e->heap, &jumps);
}

/* False: control does not go on. */
static bool emit_any_call(Emitter *e) {
  const char *name = points_library(e->points, e->context, instruction(e, e->number));
  if (name) return emit_sync(e, effect_of(name)->kind);
  cells_accesses(e->cells, e->context, e->number, &e->accesses); /* for its gaps */
  emit_calls(e);
  return true;
}

/* ---- basic blocks ---- */

void emit_last_step(Emitter *e) {
  const uint32_t root = e->points->threads.at[e->thread].root;
  if (*open_now(e) == entry_of(e, root)) {
    vec_push(e->heap, &e->ends, emit_op(e, OP_JUMP, ""));
  } else {
    gap(e, "ends the thread in a marked block");
    emit_stuck(e);
  }
}

static void emit_return(Emitter *e) {
  if (*open_now(e) == entry_of(e, e->context)) {
    vec_push(e->heap, &e->returns, ((CLanding){e->context, emit_op(e, OP_JUMP, "")}));
  } else {
    gap(e, "returns from a marked block");
    emit_stuck(e);
  }
}

static void emit_switch(Emitter *e, const CBlock *b) {
  for (uint32_t i = 0; i + 1 < b->n_successors; i++) {
    const uint32_t test = emit_maybe(e);
    jump_to_block(e, e->module->successors.at[b->successors + i]);
    emit_at(e, test)->otherwise = emit_here(e);
  }
  if (b->n_successors) jump_to_block(e, e->module->successors.at[b->successors + b->n_successors - 1]);
  else emit_stuck(e);
}

static void emit_terminator(Emitter *e) {
  const CInstruction *i = instruction(e, e->number);
  const CBlock *b = &e->module->blocks.at[i->block];
  const uint32_t *to = e->module->successors.at + b->successors;
  switch ((int)i->kind) {
  case C_GOTO: jump_to_block(e, to[0]); break;
  case C_BRANCH: {
    int64_t known;
    if (points_number(e->points, e->context, i, 0, &known)) {
      jump_to_block(e, to[!known]);
      break;
    }
    const uint32_t test = emit_branch(e);
    jump_to_block(e, to[0]);
    emit_at(e, test)->otherwise = emit_here(e);
    jump_to_block(e, to[1]);
    break;
  }
  case C_RETURN: emit_return(e); break;
  default: emit_switch(e, b); break; /* a strange one as well: it has a gap */
  }
}

/* False: control does not go on, or has been followed to where it goes. */
static bool emit_instruction(Emitter *e) {
  const CInstruction *i = instruction(e, e->number);
  switch ((int)i->kind) {
  case C_CALL: return emit_any_call(e);
  case C_SWAP:
    if (emit_swap(e)) return false;
    emit_accesses(e);
    return true;
  case C_UPDATE:
    if (!emit_count(e)) emit_accesses(e);
    return true;
  case C_LOAD:
    if (!emit_is_tested(e)) emit_accesses(e);
    return true;
  default: emit_accesses(e); return true;
  }
}

static void emit_block(Emitter *e, const CDue *due) {
  const CBlock *b = &e->module->blocks.at[due->block];
  e->context = due->context;
  e->number = b->start;
  e->labels.at[label_at(e, due->context, due->block)].op = emit_here(e);
  for (; e->number + 1 < b->end; e->number++) {
    if (!emit_instruction(e)) return;
    emit_tokens(e);
  }
  if (instruction(e, e->number)->kind == C_STOP) emit_stuck(e);
  else emit_terminator(e);
}

/* ---- threads ---- */

static void patch(Emitter *e) {
  for (uint32_t i = 0; i < e->patches.n; i++) {
    const CPatch *p = &e->patches.at[i];
    const uint32_t to = e->labels.at[p->label].op;
    assert(to != C_NONE);
    if (p->otherwise) emit_at(e, p->op)->otherwise = to;
    else emit_at(e, p->op)->next = to;
  }
  vec_clear(&e->patches);
}

/* From where the context returns to where it was called, by a chain of choices. */
static uint32_t emit_return_point(Emitter *e, uint32_t context, uint32_t end) {
  uint32_t first = C_NONE, before = C_NONE;
  for (uint32_t i = 0; i < e->landings.n; i++) {
    if (e->landings.at[i].context != context) continue;
    const uint32_t test = emit_maybe(e);
    emit_at(e, test)->next = e->landings.at[i].op;
    emit_at(e, test)->otherwise = e->landings.at[i].op;
    if (before != C_NONE) emit_at(e, before)->otherwise = test;
    if (first == C_NONE) first = test;
    before = test;
  }
  if (e->points->threads.at[e->thread].root != context) return first;
  if (before != C_NONE) emit_at(e, before)->otherwise = end;
  return first == C_NONE ? end : first;
}

/* A context that is not called returns nowhere: that cannot be. */
static void patch_returns(Emitter *e, uint32_t end) {
  for (uint32_t c = 0; c < e->points->contexts.n; c++) {
    uint32_t point = C_NONE;
    if (e->points->contexts.at[c].thread != e->thread) continue;
    for (uint32_t i = 0; i < e->returns.n; i++) {
      if (e->returns.at[i].context != c) continue;
      if (point == C_NONE) point = emit_return_point(e, c, end);
      emit_at(e, e->returns.at[i].op)->next = point;
    }
  }
  for (uint32_t i = 0; i < e->ends.n; i++) emit_at(e, e->ends.at[i])->next = end;
  vec_clear(&e->returns);
  vec_clear(&e->landings);
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
  if (thread->from != C_NONE) emit_ended(e);
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
  uint32_t open = 0, block = C_NONE;
  e->thread = number;
  e->context = thread->root;
  e->number = function_of(e, thread->root)->start;
  emit_start(e, thread);
  if (is_named(e->options, e->module->functions.at[function].shown)) {
    block = block_of_function(e, function);
    open_block(e, block, &open);
  }
  emit_tokens_of_call(e, thread->root);
  go_to(e, emit_op(e, OP_SKIP, "on"), false, thread->root, function_of(e, thread->root)->blocks, open);
  while (e->due.n) {
    const CDue due = e->due.at[--e->due.n];
    heap_poll(e->heap);
    emit_block(e, &due);
  }
  patch(e);
  e->context = thread->root;
  e->number = function_of(e, thread->root)->end - 1;
  const uint32_t jump = emit_op(e, OP_JUMP, ""); /* not come to */
  const uint32_t end = emit_finish(e, thread, block);
  const uint32_t last = emit_op(e, OP_JUMP, "");
  emit_at(e, jump)->next = end;
  patch_returns(e, end);
  if (e->options->plain) emit_forget_tokens(e, start);
  emit_at(e, last)->next = emit_here(e);
  emit_op(e, OP_RETURN, "");
  emit_simplify(e, start);
  add_thread(e, thread, start);
}

/* ---- the whole ---- */

static void name_threads(Emitter *e) {
  Arena *arena = &e->program->arena;
  uint32_t number = 1;
  e->started = heap_zeroed(e->heap, ((size_t)e->points->threads.n + 1) * sizeof *e->started);
  e->ended = heap_zeroed(e->heap, ((size_t)e->points->threads.n + 1) * sizeof *e->ended);
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
  uint32_t n = 0;
  e->label_of = heap_zeroed(e->heap, ((size_t)e->points->contexts.n + 1) * sizeof *e->label_of);
  for (uint32_t c = 0; c < e->points->contexts.n; c++) {
    e->label_of[c] = n;
    n += function_of(e, c)->blocks_end - function_of(e, c)->blocks;
  }
  for (uint32_t i = 0; i < n; i++) vec_push(e->heap, &e->labels, ((CLabel){.op = C_NONE}));
  e->entry_open = heap_alloc(e->heap, ((size_t)n + 1) * sizeof *e->entry_open);
  for (uint32_t i = 0; i < n; i++) e->entry_open[i] = C_NONE;
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

static void take_gaps(Emitter *e) {
  for (uint32_t i = 0; i < e->points->gaps.n; i++) {
    const CGap *g = &e->points->gaps.at[i];
    const char *what = arena_copy(&e->program->arena, g->what, strlen(g->what));
    vec_push(e->heap, &e->program->gaps, ((ProgramGap){what, emit_place(e, g->context, g->instruction)}));
  }
}

static void fini(Emitter *e) {
  for (uint32_t c = 0; c < e->cells->cells.n; c++) vec_fini(e->heap, &e->extras[c]);
  heap_release(e->heap, e->extras);
  heap_release(e->heap, e->label_of);
  heap_release(e->heap, e->entry_open);
  heap_release(e->heap, e->started);
  heap_release(e->heap, e->ended);
  vec_fini(e->heap, &e->labels);
  vec_fini(e->heap, &e->opens);
  vec_fini(e->heap, &e->due);
  vec_fini(e->heap, &e->patches);
  vec_fini(e->heap, &e->landings);
  vec_fini(e->heap, &e->returns);
  vec_fini(e->heap, &e->ends);
  vec_fini(e->heap, &e->tracked);
  vec_fini(e->heap, &e->accesses);
}

void emit_program(Cells *cells, Foci *foci, const EmitOptions *options, Program *program) {
  Emitter emitter = {.cells = cells,
                     .points = cells->points,
                     .foci = foci,
                     .module = cells->points->module,
                     .options = options,
                     .program = program,
                     .heap = program->heap},
          *e = &emitter;
  for (uint32_t c = 0; c < cells->cells.n; c++) cells->cells.at[c].number = C_NONE;
  e->extras = heap_zeroed(e->heap, ((size_t)cells->cells.n + 1) * sizeof *e->extras);
  name_sources(e);
  emit_find_tokens(e);
  name_threads(e);
  make_labels(e);
  e->value = emit_new_local(e, "value", 0);
  for (uint32_t t = 0; t < e->points->threads.n; t++)
    if (!e->points->threads.at[t].copy || !e->points->threads.at[t].is_open) emit_thread(e, t);
  take_gaps(e);
  fini(e);
}
