/* distil.c: the two passes. */
#include "distil/distil.h"

#include "base/intern.h"
#include "base/keys.h"
#include "base/vec.h"
#include "distil/atoms.h"
#include "distil/blocks.h"
#include "distil/faults.h"
#include "distil/log_writer.h"
#include "distil/loops.h"
#include "distil/naming.h"
#include "distil/places.h"
#include "distil/source.h"
#include "distil/space.h"
#include "distil/stacks.h"
#include "distil/syncs.h"
#include "distil/wanted.h"

#include <assert.h>
#include <string.h>

enum { RECENT = 1024, SHOWN = 256, SETTLED = 256 };

/* What is left by a return, or by a jump over it. */
typedef struct {
  uint64_t frame; /* the stack pointer */
  uint64_t code;
  uint32_t label; /* of a transaction; 0: it is none */
  bool block;     /* ATOMIC_BEGIN, not a function */
  bool written;   /* its begin is; that comes only before the first event in it */
  bool jumped;    /* back into its call, so that a block may have been left */
} Frame;

typedef struct {
  VEC(Frame) frames;
  uint32_t unwritten; /* transactions among them whose begin is not written */
} Stack;

/* A lock that a thread shares, and how often. */
typedef struct {
  uint32_t lock, depth;
} Share;

typedef VEC(Share) ShareVec;

/* Of a program counter: its place in the log, and the transaction that a call of its function is. */
typedef struct {
  uint32_t location, label; /* label: 0 is none */
  uint32_t ops;             /* of its events: a bit for each TraceOp with which it is in the log */
  bool has_label;
} Code;

typedef struct {
  uint64_t code;
  uint32_t location, ops;
} Located;

/* What the log says last of the call stack at a location. */
typedef struct {
  uint32_t location, stack;
  uint32_t n; /* how often it was another one, here */
} Shown;

/* In this run the log has all that is to be said of the place of such an event, which is there. */
typedef struct {
  uint64_t run, code;
  uint32_t op, location;
} Settled;

typedef struct {
  Heap *heap;
  FILE *out;
  const DistilOptions *options;
  Source *source;
  Space *space;
  void *views[SIEVE_THREADS]; /* of the space */
  Places *places;
  Log *log;
  const RawHeader *header;
  uint32_t n_threads;
  Stack *frames;    /* by thread */
  ShareVec *shares; /* by thread */
  Atoms *atoms;
  Syncs *syncs;
  Keys keys;              /* program counters */
  VEC(Code) codes;        /* by their numbers */
  Keys asked;             /* those of which it was asked whether they are the program's own; */
  VEC(bool) own;          /* by their numbers */
  uint32_t n_modules;     /* that are in the log */
  Located recent[RECENT]; /* asked for last, by their low bits */
  Blocks *blocks;
  Naming *naming;
  Stacks *stacks;
  Shown **shown; /* by thread, SHOWN by the low bits of their locations; NULL: nothing yet */
  Intern locations, labels;
  VEC(uint64_t) entries; /* functions that threads start with */
  Wanted *wanted;
  uint64_t n_transactions;
  Fault left, open, surplus; /* of the program's marks: blocks that were left, and that are open at an end; ATOMIC_END
                                without a block */
  CharVec warnings;
  char *missing;
  uint32_t *marks; /* space_marks, in the second pass */
  uint64_t run;    /* of known accesses, for as long as all that the log says of their places stands */
  Settled settled[SETTLED];
} Distil;

/* --- names of places and transactions --- */

static uint32_t name_location(Distil *d, uint64_t code) {
  char text[8192];
  bool is_new;
  places_line(d->places, code, text, sizeof text);
  if (!*text) return 0;
  const uint32_t number = intern_add(&d->locations, text, strlen(text), &is_new);
  if (is_new) log_name(d->log, TRACE_LOCATION_NAME, text, strlen(text));
  return number + 1;
}

/* A return address is after its call. */
static Code *code_of(Distil *d, uint64_t code) {
  bool is_new;
  const uint32_t number = keys_add(d->heap, &d->keys, code, &is_new);
  const Code named = {.location = is_new ? name_location(d, code - 1) : 0};
  if (is_new) vec_push(d->heap, &d->codes, named);
  return &d->codes.at[number];
}

/* The module of the address, from 1, which is in the log from now on, and where it was loaded; 0: it is in none. */
static uint32_t module_of(Distil *d, uint64_t address, uint64_t *base) {
  const uint8_t *id;
  uint32_t number, n;
  if (!places_module(d->places, address, &number, base, &id, &n) || n > LOG_ID) return 0;
  if (number == d->n_modules) log_module(d->log, id, n), d->n_modules++;
  return number + 1;
}

/* Events of this operation have the code. */
static __attribute__((noinline)) void tell_code(Distil *d, uint64_t code, TraceOp op) {
  Code *c = code_of(d, code);
  uint64_t base;
  const uint32_t bit = UINT32_C(1) << op, module = c->ops & bit || !c->location ? 0 : module_of(d, code - 1, &base);
  c->ops |= bit;
  if (module) log_code(d->log, c->location, op, module, code - base);
  d->recent[code % RECENT] = (Located){code, c->location, c->ops};
}

static uint32_t location_of(Distil *d, uint64_t code) {
  Located *recent = &d->recent[code % RECENT];
  if (recent->code != code) { /* 0 has none, from the start */
    const Code *c = code_of(d, code);
    *recent = (Located){code, c->location, c->ops};
  }
  return recent->location;
}

/* Of an event of this operation, which is to be logged. */
static inline uint32_t location_for(Distil *d, uint64_t code, TraceOp op) {
  const uint32_t location = location_of(d, code);
  if (!(d->recent[code % RECENT].ops >> op & 1)) tell_code(d, code, op);
  return location;
}

/* The name lives as long as the raw log, or the options. */
static uint32_t name_label(Distil *d, const char *name, size_t length) {
  bool is_new;
  const uint32_t number = intern_add(&d->labels, name, length, &is_new);
  if (is_new) log_name(d->log, TRACE_LABEL_NAME, name, length);
  return number + 1;
}

static bool is_entry(const Distil *d, uint64_t start) {
  for (uint32_t i = 0; i < d->entries.n; i++)
    if (d->entries.at[i] == start) return true;
  return false;
}

/* The label of the transaction that a call of this function is, or 0. */
static uint32_t transaction_of(Distil *d, uint64_t code) {
  Code *c = code_of(d, code);
  if (c->has_label) return c->label;
  uint32_t length;
  uint64_t start;
  const char *name = places_symbol(d->places, code - 1, &length, &start);
  c->has_label = true;
  if (!name) return 0;
  const bool starts = is_entry(d, start) || (length == 4 && memcmp(name, "main", 4) == 0);
  if (wanted_has(d->wanted, name, length, starts)) c->label = name_label(d, name, length);
  return c->label;
}

static bool is_own(void *data, uint64_t code) {
  Distil *d = data;
  bool is_new;
  const uint32_t number = keys_add(d->heap, &d->asked, code, &is_new);
  if (is_new) vec_push(d->heap, &d->own, places_is_own(d->places, code));
  return d->own.at[number];
}

/* --- first pass --- */

static void note(Distil *d, const RawEvent *e, uint64_t *functions) {
  switch (e->kind) {
  case RAW_READ:
  case RAW_WRITE:
  case RAW_UPDATE: space_note(d->space, e->thread, e->address, e->size); break;
  case RAW_ATOMIC_READ:
  case RAW_ATOMIC_WRITE:
  case RAW_ATOMIC_UPDATE:
    space_note(d->space, e->thread, e->address, e->size);
    atoms_note(d->atoms, e);
    break;
  case RAW_SYNC: syncs_note(d->syncs, e); break;
  case RAW_FREE: space_note_free(d->space, e->address, e->size); break;
  case RAW_START:
    functions[e->thread] = e->address;
    if (e->address) vec_push(d->heap, &d->entries, e->address);
    break;
  case RAW_FIRST_CALL:
    if (!is_own(d, functions[e->thread]) && is_own(d, e->code)) functions[e->thread] = e->code;
    break;
  default: break;
  }
}

static bool is_stopped(const Distil *d) { return d->log->error || heap_asked(d->heap) != STOP_NOT; }

static void first_pass(Distil *d) {
  RawEvent e;
  uint64_t *functions = heap_zeroed(d->heap, heap_product(d->heap, d->n_threads + (size_t)1, sizeof *functions));
  RawWords words;
  source_begin(d->source, space_pick_new, d->views);
  while (source_words(d->source, &words) && !is_stopped(d)) {
    source_take(d->source, space_note_words(d->space, &words));
    if (source_next(d->source, &e)) note(d, &e, functions);
  }
  space_number(d->space, d->options->keep_local);
  d->marks = space_marks(d->space);
  for (uint32_t t = 0; t < d->n_threads; t++) naming_thread(d->naming, t, functions[t]);
  heap_release(d->heap, functions);
}

/* --- transactions --- */

/* Begins what is open around the next event. */
static void write_begins(Distil *d, uint32_t thread) {
  Stack *stack = &d->frames[thread];
  for (uint32_t i = 0; stack->unwritten; i++) {
    Frame *f = &stack->frames.at[i];
    if (!f->label || f->written) continue;
    log_event(d->log, thread, TRACE_BEGIN, f->label, location_for(d, f->code, TRACE_BEGIN));
    d->n_transactions++;
    f->written = true;
    stack->unwritten--;
  }
}

/* From now on it is the stack at this location; of others that it stands for in `shown` none is known. */
static void show_stack(Distil *d, uint32_t thread, uint32_t location, uint32_t stack) {
  uint32_t callers[LOG_CALLERS], n;
  if (!d->shown[thread]) d->shown[thread] = heap_zeroed(d->heap, SHOWN * sizeof **d->shown);
  Shown *shown = &d->shown[thread][location % SHOWN];
  d->run++;
  if (shown->n > RAW_TELLS) return;
  if (++shown->n > RAW_TELLS) stack = 0;
  if (shown->stack && shown->location != location) log_calls(d->log, thread, shown->location, NULL, 0);
  shown->location = location;
  shown->stack = stack;
  const uint64_t *codes = stacks_callers(d->stacks, stack, &n);
  if (n > LOG_CALLERS) n = LOG_CALLERS;
  while (n && !is_own(d, codes[n - 1] - 1)) n--; /* who starts threads, and main */
  for (uint32_t i = 0; i < n; i++) callers[i] = location_of(d, codes[i]);
  log_calls(d->log, thread, location, callers, n);
}

/* Does the log say of the location that its stack is this one? */
static inline bool is_shown(const Shown *shown, uint32_t location, uint32_t stack) {
  if (!shown) return !stack;
  return shown[location % SHOWN].location == location && shown[location % SHOWN].stack == stack;
}

/* The location of the next event, which has this code. */
static inline uint32_t place_event(Distil *d, uint32_t thread, uint64_t code, TraceOp op) {
  const uint32_t location = location_for(d, code, op), stack = stacks_at(d->stacks, thread, code);
  if (location && !is_shown(d->shown[thread], location, stack)) show_stack(d, thread, location, stack);
  return location;
}

static void write_event(Distil *d, uint32_t thread, TraceOp op, uint32_t object, uint64_t code) {
  if (d->frames[thread].unwritten) write_begins(d, thread);
  log_event(d->log, thread, op, object, place_event(d, thread, code, op));
}

static void push_frame(Distil *d, const RawEvent *e, uint32_t label, bool block) {
  Stack *stack = &d->frames[e->thread];
  const Frame frame = {e->address, e->code, label, block, false, false};
  vec_push(d->heap, &stack->frames, frame);
  if (label) stack->unwritten++;
}

static void pop_frame(Distil *d, uint32_t thread, uint64_t code) {
  Stack *stack = &d->frames[thread];
  const Frame frame = stack->frames.at[--stack->frames.n];
  if (frame.label && !frame.written) stack->unwritten--;
  if (frame.label && frame.written) log_event(d->log, thread, TRACE_END, 0, location_for(d, code, TRACE_END));
}

/* Ends what a jump to this stack pointer has left: frames strictly below it. */
static void unwind(Distil *d, const RawEvent *e, uint64_t to) {
  Stack *stack = &d->frames[e->thread];
  while (stack->frames.n && vec_last(&stack->frames).frame < to) pop_frame(d, e->thread, e->code);
}

static void jump(Distil *d, const RawEvent *e) {
  Stack *stack = &d->frames[e->thread];
  unwind(d, e, e->address);
  for (uint32_t i = stack->frames.n; i-- > 0 && stack->frames.at[i].block;) stack->frames.at[i].jumped = true;
}

/* The frame, if it is a block, is left, or is open at an end. */
static void note_open(Distil *d, Fault *fault, uint32_t thread, const Frame *frame, const char *how) {
  if (frame->block && !frame->jumped)
    fault_note(fault, d->places, frame->code, thread, d->labels.strings.at[frame->label - 1], how);
}

static void note_all_open(Distil *d, uint32_t thread, const char *how) {
  const Stack *stack = &d->frames[thread];
  for (uint32_t i = 0; i < stack->frames.n; i++) note_open(d, &d->open, thread, &stack->frames.at[i], how);
}

/* Leaves the last frame, which something else should have left. */
static void drop_frame(Distil *d, const RawEvent *e, const char *how) {
  note_open(d, &d->left, e->thread, &vec_last(&d->frames[e->thread].frames), how);
  pop_frame(d, e->thread, e->code);
}

static bool has_frame(const Stack *stack, bool block) {
  for (uint32_t i = stack->frames.n; i-- > 0;) {
    if (stack->frames.at[i].block == block) return true;
    if (block) return false; /* a block ends in the call that began it */
  }
  return false;
}

static void leave(Distil *d, const RawEvent *e, bool block) {
  Stack *stack = &d->frames[e->thread];
  if (!has_frame(stack, block)) {
    if (block && !source_lost(d->source)) fault_note(&d->surplus, d->places, e->code, e->thread, NULL, "");
    return;
  }
  while (vec_last(&stack->frames).block != block) drop_frame(d, e, ", its function returned");
  pop_frame(d, e->thread, e->code);
}

static void begin_block(Distil *d, const RawEvent *e) {
  const char *name = e->size <= RAW_NAMES ? d->header->names + d->header->name_at[e->size - 1] : "?";
  const Stack *stack = &d->frames[e->thread];
  /* the same one again in the same call: it was left in between */
  for (uint32_t i = stack->frames.n; i-- > 0 && stack->frames.at[i].block;)
    if (stack->frames.at[i].code == e->code && stack->frames.at[i].frame == e->address) {
      while (stack->frames.n > i) drop_frame(d, e, ", it began again");
      break;
    }
  push_frame(d, e, name_label(d, name, strlen(name)), true);
}

/* --- second pass --- */

/* Of a new object, where it is, unless that is in a block of the heap. */
static void tell_object(Distil *d, uint32_t number, uint64_t address, uint64_t size) {
  uint64_t base;
  const bool block = blocks_find(d->blocks, address).number != BLOCKS_NONE;
  const uint32_t module = block ? 0 : module_of(d, address, &base);
  if (module) log_object(d->log, number, module, address - base, size);
}

/* Where an object ends another one begins. */
static uint32_t name_object(Distil *d, uint32_t object) {
  const uint64_t address = space_address(d->space, object), size = space_address(d->space, object + 1) - address;
  const uint32_t known = naming_count(d->naming), number = naming_object(d->naming, address, size);
  if (naming_count(d->naming) > known) tell_object(d, number, address, size);
  return number;
}

/* The number in the log of an object that is kept, which is accessed now. */
static inline uint32_t number_of(Distil *d, uint32_t object) {
  uint32_t *mark = &d->marks[object];
  if (!*mark) *mark = name_object(d, object);
  if (!(*mark & SPACE_ALIVE)) *mark |= SPACE_ALIVE;
  return *mark & ~SPACE_ALIVE;
}

static void write_object(Distil *d, uint32_t thread, uint32_t kind, uint32_t object, uint64_t code) {
  if (d->marks[object] == SPACE_LOCAL) return;
  const uint32_t number = number_of(d, object);
  if (kind == RAW_ATOMIC_UPDATE) write_event(d, thread, TRACE_UPDATE, number, code);
  if (kind == RAW_READ || kind == RAW_UPDATE || kind == RAW_ATOMIC_READ)
    write_event(d, thread, TRACE_READ, number, code);
  if (kind == RAW_WRITE || kind == RAW_UPDATE || kind == RAW_ATOMIC_WRITE)
    write_event(d, thread, TRACE_WRITE, number, code);
}

static void write_access(Distil *d, const RawEvent *e) {
  uint32_t first, last;
  if (!e->size) first = last = (uint32_t)e->address;
  else if (!space_find(d->space, e->address, e->size, &first, &last)) return;
  for (uint32_t object = first; object <= last; object++) write_object(d, e->thread, e->kind, object, e->code);
}

/* --- synchronisation --- */

static void write_lock(Distil *d, const RawEvent *e, TraceOp op) {
  const uint32_t known = naming_count(d->naming), number = naming_lock(d->naming, e->address);
  if (naming_count(d->naming) > known) tell_object(d, number, e->address, 1);
  write_event(d, e->thread, op, number, e->code);
}

static void write_handover(Distil *d, const RawEvent *e, TraceOp op, uint64_t address, uint32_t part) {
  write_event(d, e->thread, op, naming_handover(d->naming, address, part), e->code);
}

static void write_sync(Distil *d, const RawEvent *e) {
  TraceOp op;
  uint32_t part;
  if (!syncs_step(d->syncs, e, &op, &part)) return;
  if (op == TRACE_SIGNAL || op == TRACE_WAIT) write_handover(d, e, op, e->address, part);
  else write_lock(d, e, op);
}

static void write_atomic(Distil *d, const RawEvent *e) {
  if (syncs_is_done(d->syncs, e->address)) {
    RawEvent passed = *e;
    passed.kind = RAW_SYNC;
    passed.size = SYNC_PASSED;
    write_sync(d, &passed);
    return;
  }
  const AtomStep step = atoms_step(d->atoms, e);
  if (step.role == ATOM_ACQUIRE) write_lock(d, e, TRACE_ACQUIRE);
  if (step.role == ATOM_RELEASE) write_lock(d, e, TRACE_RELEASE);
  if (step.waits) write_handover(d, e, TRACE_WAIT, step.variable, 0);
  if (step.role == ATOM_ACCESS) write_access(d, e);
  if (step.signals) write_handover(d, e, TRACE_SIGNAL, e->address, 0);
}

/* Is this the outermost of the thread's shares of the lock? It shares it once more, or once less. */
static bool is_outermost(Distil *d, uint32_t thread, uint32_t lock, bool acquires) {
  ShareVec *shares = &d->shares[thread];
  const Share first = {lock, 1};
  uint32_t i = 0;
  while (i < shares->n && shares->at[i].lock != lock) i++;
  if (i == shares->n) {
    if (acquires) vec_push(d->heap, shares, first);
    return acquires;
  }
  if (acquires) shares->at[i].depth++;
  if (acquires || --shares->at[i].depth) return false;
  shares->at[i] = vec_last(shares);
  shares->n--;
  return true;
}

static void write_share(Distil *d, const RawEvent *e, TraceOp op) {
  if (is_outermost(d, e->thread, naming_lock(d->naming, e->address), op != TRACE_SHARED_RELEASE)) write_lock(d, e, op);
}

/* --- all events --- */

/* Who comes to the memory of a block later has another name. */
static void write_free(Distil *d, const RawEvent *e) {
  uint64_t page = 0;
  uint32_t first, last;
  const bool block = blocks_find(d->blocks, e->address).number != BLOCKS_NONE;
  while (space_find_free(d->space, e->address, e->size, &page, &first, &last))
    for (uint32_t object = first; object <= last; object++) {
      uint32_t *mark = &d->marks[object];
      if (*mark == SPACE_LOCAL || !(*mark & SPACE_ALIVE)) continue;
      *mark &= ~SPACE_ALIVE;
      write_event(d, e->thread, TRACE_FREE, *mark, e->code);
      if (block) *mark = 0;
    }
  blocks_end(d->blocks, e->address);
}

/* It is called after the innermost of the program's own functions that it was called from. */
static void write_alloc(Distil *d, const RawEvent *e) {
  const uint64_t code = stacks_own_code(d->stacks, e->thread, e->code, is_own, d);
  blocks_begin(d->blocks, e->thread, e->address, e->size, code, e->code);
}

static void write_exit(Distil *d, const RawEvent *e) {
  note_all_open(d, e->thread, ", its thread ended");
  unwind(d, e, UINT64_MAX);
  log_event(d->log, e->thread, TRACE_EXIT, 0, 0);
  stacks_end(d->stacks, e->thread);
  vec_fini(d->heap, &d->frames[e->thread].frames);
  vec_fini(d->heap, &d->shares[e->thread]);
  heap_release(d->heap, d->shown[e->thread]);
  d->shown[e->thread] = NULL;
}

static void write_raw(Distil *d, const RawEvent *e) {
  switch (e->kind) {
  case RAW_READ:
  case RAW_WRITE:
  case RAW_UPDATE: write_access(d, e); break;
  case RAW_FREE: write_free(d, e); break;
  case RAW_CALLER:
  case RAW_STACK: stacks_note(d->stacks, e); break;
  case RAW_ALLOC: write_alloc(d, e); break;
  case RAW_ATOMIC_READ:
  case RAW_ATOMIC_WRITE:
  case RAW_ATOMIC_UPDATE: write_atomic(d, e); break;
  case RAW_SYNC: write_sync(d, e); break;
  case RAW_ACQUIRE: write_lock(d, e, TRACE_ACQUIRE); break;
  case RAW_TRY: write_lock(d, e, TRACE_TRY); break;
  case RAW_RELEASE: write_lock(d, e, TRACE_RELEASE); break;
  case RAW_SHARED_ACQUIRE: write_share(d, e, TRACE_SHARED_ACQUIRE); break;
  case RAW_SHARED_TRY: write_share(d, e, TRACE_SHARED_TRY); break;
  case RAW_SHARED_RELEASE: write_share(d, e, TRACE_SHARED_RELEASE); break;
  case RAW_FORK: write_event(d, e->thread, TRACE_FORK, (uint32_t)e->size, e->code); break;
  case RAW_JOIN: write_event(d, e->thread, TRACE_JOIN, (uint32_t)e->size, e->code); break;
  case RAW_START: log_event(d->log, e->thread, TRACE_START, 0, 0); break;
  case RAW_EXIT: write_exit(d, e); break;
  case RAW_BEGIN: begin_block(d, e); break;
  case RAW_END: leave(d, e, true); break;
  case RAW_ENTRY:
    unwind(d, e, e->address);
    push_frame(d, e, transaction_of(d, e->code), false);
    break;
  case RAW_RETURN: leave(d, e, false); break;
  case RAW_UNWIND: jump(d, e); break;
  default: break;
  }
}

/* place_event, of many events in a row. */
static inline uint32_t settle(Distil *d, uint32_t thread, uint64_t code, TraceOp op) {
  Settled *settled = &d->settled[(code + op) % SETTLED];
  if (settled->run == d->run && settled->code == code && settled->op == op) return settled->location;
  const uint32_t location = place_event(d, thread, code, op);
  *settled = (Settled){d->run, code, op, location};
  return location;
}

static inline void write_known_one(Distil *d, const RawWords *words, uint64_t word) {
  const uint32_t kind = raw_plain_kind(word), object = number_of(d, raw_known_object(word)),
                 op = kind == RAW_WRITE ? TRACE_WRITE : TRACE_READ;
  const uint64_t code = raw_code(words->code, word);
  const uint32_t location = settle(d, words->thread, code, op);
  log_event(d->log, words->thread, op, object, location);
  if (kind == RAW_UPDATE) log_event(d->log, words->thread, TRACE_WRITE, object, location_for(d, code, TRACE_WRITE));
}

/* Are all places of the loop known to the log, with their operations and call stacks, so that of its events nothing
 * more is to be said? */
static bool find_places(Distil *d, const RawWords *words, const Loop *loop, LoopPlace *places) {
  const Shown *shown = d->shown[words->thread];
  if (d->frames[words->thread].unwritten) return false;
  for (uint32_t i = 0; i < loop->period; i++) {
    const uint32_t kind = raw_plain_kind(loop->first[i]), op = kind == RAW_WRITE ? TRACE_WRITE : TRACE_READ;
    const uint64_t code = raw_code(words->code, loop->first[i]);
    places[i] = (LoopPlace){op, location_of(d, code)};
    if (kind == RAW_UPDATE || !(d->recent[code % RECENT].ops >> op & 1)) return false;
    if (places[i].location && !is_shown(shown, places[i].location, stacks_at(d->stacks, words->thread, code)))
      return false;
  }
  return true;
}

/* Each access that begins something, as where an object has no name so far, is written by itself. */
static void write_loop(Distil *d, const RawWords *words, const Loop *loop) {
  LoopPlace places[RAW_PERIODS];
  bool known = false;
  for (uint32_t i = 0; i < loop->n; i++) {
    known = known || find_places(d, words, loop, places);
    if (known) i = loop_write(loop, i, words, d->space, d->log, places);
    if (i == loop->n) return;
    const uint64_t word = loop_word(loop, i);
    const RawEvent e = {.address = raw_address(words->region, word),
                        .code = raw_code(words->code, word),
                        .size = raw_plain_size(word),
                        .thread = words->thread,
                        .kind = raw_plain_kind(word)};
    write_access(d, &e);
  }
}

/* Writes what the known accesses and the loops in front of the words are; how many words that is. */
static uint32_t write_known(Distil *d, const RawWords *words) {
  uint32_t i = 0;
  Loop loop;
  if (!words->picked) return 0;
  d->run++;
  while (i < words->n)
    if (raw_is_known(words->at[i])) {
      if (d->frames[words->thread].unwritten) write_begins(d, words->thread);
      write_known_one(d, words, words->at[i++]);
    } else if (loop_is_put(words->at[i])) {
      i += loop_get(&loop, words->at + i);
      write_loop(d, words, &loop);
    } else {
      break;
    }
  return i;
}

static void second_pass(Distil *d) {
  RawEvent e;
  RawWords words;
  source_begin(d->source, d->options->keep_local ? NULL : space_pick_kept, d->views);
  while (source_words(d->source, &words) && !is_stopped(d)) {
    source_take(d->source, write_known(d, &words));
    if (source_next(d->source, &e)) write_raw(d, &e);
  }
  for (uint32_t t = 0; t < d->n_threads; t++) note_all_open(d, t, ", the program ended");
}

/* --- all of it --- */

static void init(Distil *d) {
  d->space = space_new(d->heap, d->source);
  for (uint32_t i = 0; i < SIEVE_THREADS; i++) d->views[i] = space_view_new(d->space);
  d->places = places_open(d->heap, d->header->modules);
  d->blocks = blocks_open(d->heap, d->places);
  d->naming = naming_new(d->heap, d->places, d->blocks, d->log);
  d->frames = heap_zeroed(d->heap, heap_product(d->heap, d->n_threads + (size_t)1, sizeof *d->frames));
  d->stacks = stacks_open(d->heap, d->n_threads);
  d->shown = heap_zeroed(d->heap, heap_product(d->heap, d->n_threads + (size_t)1, sizeof *d->shown));
  d->shares = heap_zeroed(d->heap, heap_product(d->heap, d->n_threads + (size_t)1, sizeof *d->shares));
  d->atoms = atoms_new(d->heap, d->places, d->n_threads);
  if (source_lost(d->source)) atoms_begin_late(d->atoms);
  d->syncs = syncs_new(d->heap, d->n_threads);
  intern_init(&d->locations, d->heap);
  intern_init(&d->labels, d->heap);
  d->wanted = wanted_new(d->heap, &d->options->atomic, &d->options->except);
}

static void fini(Distil *d) {
  for (uint32_t t = 0; t < d->n_threads; t++) vec_fini(d->heap, &d->frames[t].frames);
  heap_release(d->heap, d->frames);
  stacks_close(d->stacks);
  for (uint32_t t = 0; t < d->n_threads; t++) heap_release(d->heap, d->shown[t]);
  heap_release(d->heap, d->shown);
  for (uint32_t t = 0; t < d->n_threads; t++) vec_fini(d->heap, &d->shares[t]);
  heap_release(d->heap, d->shares);
  atoms_free(d->atoms);
  syncs_free(d->syncs);
  keys_fini(d->heap, &d->keys);
  keys_fini(d->heap, &d->asked);
  vec_fini(d->heap, &d->own);
  vec_fini(d->heap, &d->codes);
  vec_fini(d->heap, &d->entries);
  intern_fini(&d->locations);
  intern_fini(&d->labels);
  wanted_free(d->wanted);
  naming_free(d->naming);
  blocks_close(d->blocks);
  places_close(d->places);
  for (uint32_t i = 0; i < SIEVE_THREADS; i++) space_view_free(d->space, d->views[i]);
  space_free(d->space);
}

/* What of the run is not in the log. */
static void note_parts(Distil *d) {
  char words[LOG_PART_MOST];
  const uint32_t signals = d->header->lost[RAW_LOST_SIGNAL], guesses = d->header->lost[RAW_LOST_ORDER];
  if (source_lost(d->source)) log_late(d->log);
  if (*d->header->choice.words) log_part(d->log, d->header->choice.words);
  snprintf(words, sizeof words, "all but %u event%s of signal handlers", signals, &"s"[signals == 1]);
  if (signals) log_part(d->log, words);
  snprintf(words, sizeof words, "in %u place%s not the order of two accesses", guesses, &"s"[guesses == 1]);
  if (guesses) log_part(d->log, words);
}

/* What is to be said of the run. */
static void list_warnings(Distil *d) {
  places_warn(d->places, &d->warnings);
  fault_report(d->heap, &d->left, "transaction left without its ATOMIC_END; it was ended there", &d->warnings);
  fault_report(d->heap, &d->open, "transaction still open at the end", &d->warnings);
  fault_report(d->heap, &d->surplus, "ATOMIC_END without an ATOMIC_BEGIN in the same call", &d->warnings);
  if (source_silent(d->source) && !d->header->lost[RAW_LOST_FULL])
    fault_warn(d->heap, &d->warnings, "threads that left no events, so the raw log may be truncated: %u",
               source_silent(d->source));
}

static void distil_it(void *argument) {
  Distil *d = argument;
  d->log = log_new(d->heap, d->out, d->n_threads);
  init(d);
  note_parts(d);
  first_pass(d);
  second_pass(d);
  if (!source_lost(d->source)) d->missing = wanted_missing(d->wanted);
  list_warnings(d);
}

static bool is_whole(const Distil *d, Err *err) {
  if (d->log->error) return err_set(err, ERR_IO, "the log cannot be written: %s", strerror(d->log->error));
  if (is_stopped(d)) return err_set(err, ERR_LIMIT, "interrupted");
  return source_is_sound(d->source, err);
}

/* False: not all of it. Where the raw log could not grow the log has no end, so that nobody takes it for all of the
 * run. Closes the source, whose threads must not outlive what they work on. */
static bool distil_source(Distil *d, DistilResult *result, Err *err) {
  const bool done = heap_try(d->heap, distil_it, d), whole = done && is_whole(d, err);
  source_close(d->source);
  if (!done) {
    if (d->places) places_close(d->places);
    heap_pass_on(d->heap);
  }
  result->objects = naming_count(d->naming);
  result->transactions = d->n_transactions;
  result->missing = d->missing;
  result->warnings = d->warnings.at;
  result->events = log_end(d->log, whole && !result->lost[RAW_LOST_FULL]);
  fini(d);
  return whole;
}

bool distil(Heap *heap, const char *raw, FILE *out, const DistilOptions *options, DistilResult *result, Err *err) {
  Distil d = {.heap = heap, .out = out, .options = options};
  d.source = source_open(heap, raw, options->scratch, err);
  if (!d.source) return false;
  d.header = source_header(d.source);
  d.n_threads = d.header->threads;
  *result = (DistilResult){.pid = d.header->pid, .threads = d.n_threads, .full = d.header->full};
  for (uint32_t i = 0; i < RAW_LOST; i++) result->lost[i] = d.header->lost[i];
  const bool good = source_is_sound(d.source, err);
  if (good && result->pid) return distil_source(&d, result, err);
  source_close(d.source);
  return good;
}
