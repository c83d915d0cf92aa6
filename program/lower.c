#include "program/lower.h"

#include "program/known.h"
#include "program/labels.h"

#include <stdio.h>
#include <string.h>

/* An object, and its places in the net. */
typedef struct {
  uint64_t n_users, n_writers, n_readers; /* threads that use it, that write it, that have an event only reading it */
  uint32_t user, writer, reader;          /* 1 + the written thread that was counted for each last */
  uint32_t n_copies;                      /* places, or families of places of a tracked variable; 0: none */
  PlaceId first;                          /* copy c with value v: first + c * values + v; a lock: its place */
  uint32_t next_copy;                     /* the first copy that belongs to no thread so far */
  uint32_t own_copy;                      /* the copy of the first copy of the thread under way */
  PlaceId held;                           /* of a lock: the held place of the thread under way, or PLACE_NONE */
} Object;

typedef struct {
  const Program *program;
  const Share *share;
  const ThreadCode *codes;
  Encoding encoding;
  Heap *heap;
  Arena arena; /* of names */
  NetBuilder *net;
  NotesBuilder *notes;
  Object *objects;
  uint64_t n_threads;
  uint32_t thread; /* number of the thread under way */
  PlaceId control; /* its state 0 */
} Lowering;

/* A thread as it is written, which its copies are made of. */
typedef struct {
  const ThreadCode *code;
  Labels labels;
  uint32_t *known;      /* per state: what is noted of its values; NULL: nothing is */
  ControlPoint *points; /* per state */
} Written;

/* Function number 0 of the notes stands for no function. */
static SrcPos position(ProgramPlace place) {
  const uint32_t function = place.function == PROGRAM_NONE ? 0 : place.function + 1;
  return (SrcPos){.line = place.line, .column = place.column, .file = place.file, .function = function};
}

/* ---- which copies a variable has ---- */

static void count_touch(Lowering *l, uint32_t thread, const Touch *touch) {
  Object *o = &l->objects[touch->object];
  const uint64_t count = l->program->threads.at[thread].count;
  if (o->user != thread + 1) o->n_users += count;
  o->user = thread + 1;
  if (touch->written && o->writer != thread + 1) {
    o->n_writers += count;
    o->writer = thread + 1;
  }
  if (!touch->written && o->reader != thread + 1) {
    o->n_readers += count;
    o->reader = thread + 1;
  }
}

static void decide_copies(Lowering *l, uint32_t object) {
  Object *o = &l->objects[object];
  const Share share = l->share[object];
  if (share != SHARE_ABSTRACT && share != SHARE_TRACKED) return;
  const uint64_t readers = o->n_readers ? o->n_readers : 1;
  if (l->encoding == ENCODING_PAPER) o->n_copies = (uint32_t)l->n_threads;
  else if (share == SHARE_TRACKED || (o->n_users > 1 && o->n_writers)) o->n_copies = (uint32_t)readers;
}

static void find_copies(Lowering *l) {
  for (uint32_t t = 0; t < l->program->threads.n; t++) {
    l->n_threads += l->program->threads.at[t].count;
    const Automaton *a = &l->codes[t].automaton;
    for (uint32_t i = 0; i < a->touches.n; i++) count_touch(l, t, &a->touches.at[i]);
  }
  for (uint32_t i = 0; i < l->program->objects.n; i++) decide_copies(l, i);
}

/* ---- how large the net will be ---- */

typedef struct {
  uint64_t places, transitions, arcs;
} Size;

static bool has_held(const ThreadCode *code, uint32_t lock) {
  for (uint32_t i = 0; i < code->held.n; i++)
    if (code->held.at[i] == lock) return true;
  return false;
}

static uint64_t edge_arcs(const Lowering *l, const ThreadCode *code, const Edge *edge) {
  uint64_t arcs = 2;
  for (uint32_t i = 0; i < edge->n_touches; i++) {
    const Touch *touch = &code->automaton.touches.at[edge->touches + i];
    const uint32_t n_copies = l->objects[touch->object].n_copies;
    arcs += touch->written ? 2 * (uint64_t)n_copies : n_copies ? 2 : 0;
  }
  const OpKind kind = code->flow->ops.at[edge->op].kind;
  if (kind == OP_ACQUIRE || kind == OP_RELEASE)
    arcs += 1 + has_held(code, code->automaton.accesses.at[edge->accesses].object);
  return arcs;
}

static uint64_t object_places(const Lowering *l, uint32_t number) {
  const ProgramObject *object = &l->program->objects.at[number];
  if (object->kind == PROGRAM_LOCK) return 1;
  return (uint64_t)l->objects[number].n_copies * (object->kind == PROGRAM_TRACKED ? object->n_values : 1);
}

/* Saturating: no sum of the products below overflows. */
static uint64_t times(uint64_t n, uint64_t count) {
  return n > UINT32_MAX || count > UINT32_MAX ? UINT64_MAX / 4 : n * count;
}

static Size measure(const Lowering *l) {
  Size size = {0};
  for (uint32_t i = 0; i < l->program->objects.n; i++) size.places += object_places(l, i);
  for (uint32_t t = 0; t < l->program->threads.n; t++) {
    const ThreadCode *code = &l->codes[t];
    const uint64_t count = l->program->threads.at[t].count;
    uint64_t arcs = 0;
    for (uint32_t i = 0; i < code->automaton.edges.n; i++) arcs += edge_arcs(l, code, &code->automaton.edges.at[i]);
    size.places += times((uint64_t)code->automaton.states.n + code->held.n, count);
    size.transitions += times(code->automaton.edges.n, count);
    size.arcs += times(arcs, count);
  }
  return size;
}

static bool fits(uint64_t n, uint64_t limit, const char *what, Err *err) {
  if (n <= limit) return true;
  return err_set(err, ERR_INPUT, "the net of this program would have %llu %s; the limit is %llu", (unsigned long long)n,
                 what, (unsigned long long)limit);
}

/* ---- places ---- */

/* "T1" of the thread under way, and `suffix` after it; valid until the next call. */
static const char *join(Lowering *l, CharVec *name, const char *suffix) {
  const size_t length = strlen(suffix);
  vec_clear(name);
  vec_reserve(l->heap, name, length + 16);
  snprintf(name->at, name->cap, "T%u%s", l->thread + 1, suffix);
  return name->at;
}

static void note_place(Lowering *l, PlaceId place, PlaceRole role, uint32_t object, uint32_t copy, uint32_t value) {
  const uint32_t thread = role == ROLE_HELD ? l->thread : NOTE_NONE;
  notes_set_place(l->notes, place.v, (PlaceNote){role, thread, object, copy, value, NOTE_NONE, POINT_OTHER});
}

static void note_control(Lowering *l, PlaceId place, uint32_t state, ControlPoint point) {
  notes_set_place(l->notes, place.v, (PlaceNote){ROLE_CONTROL, l->thread, NOTE_NONE, 0, 0, state, point});
}

static const char *object_name(Lowering *l, uint32_t object) {
  return program_short_name(l->program->objects.at[object].name, &l->arena);
}

/* "Y", "Y@2" and, with a value, "Y=1", "Y@2=1". */
static void add_copies(Lowering *l, uint32_t number) {
  Object *o = &l->objects[number];
  const ProgramObject *object = &l->program->objects.at[number];
  const bool tracked = object->kind == PROGRAM_TRACKED;
  const uint32_t n_values = tracked ? object->n_values : 1;
  const char *name = object_name(l, number);
  for (uint32_t copy = 0; copy < o->n_copies; copy++)
    for (uint32_t value = 0; value < n_values; value++) {
      char at[16] = "", equals[16] = "", text[128];
      if (o->n_copies > 1) snprintf(at, sizeof at, "@%u", copy + 1);
      if (tracked) snprintf(equals, sizeof equals, "=%u", value);
      snprintf(text, sizeof text, "%s%s%s", name, at, equals);
      const PlaceId place = net_add_place(l->net, text, value == (tracked ? object->initial : 0));
      if (!copy && !value) o->first = place;
      note_place(l, place, ROLE_COPY, number, copy, value);
    }
}

static void add_objects(Lowering *l) {
  for (uint32_t i = 0; i < l->program->objects.n; i++) {
    const ProgramObject *object = &l->program->objects.at[i];
    const ObjectKind kind = object->kind == PROGRAM_LOCK ? OBJECT_LOCK : OBJECT_VARIABLE;
    notes_add_object(l->notes, object->name, kind, object->n_values);
    if (object->is_bool) notes_set_bool(l->notes, i);
    notes_set_initial(l->notes, i, object->initial);
    l->objects[i].held = PLACE_NONE;
    if (object->kind == PROGRAM_LOCK) {
      l->objects[i].first = net_add_place(l->net, object_name(l, i), true);
      note_place(l, l->objects[i].first, ROLE_LOCK, i, 0, 0);
    } else {
      add_copies(l, i);
    }
  }
}

static void add_blocks(Lowering *l) {
  for (uint32_t i = 0; i < l->program->blocks.n; i++) {
    const ProgramBlock *block = &l->program->blocks.at[i];
    notes_add_block(l->notes, block->name, position(block->begin), position(block->end));
  }
}

static void add_gaps(Lowering *l) {
  for (uint32_t i = 0; i < l->program->gaps.n; i++)
    notes_add_gap(l->notes, l->program->gaps.at[i].what, position(l->program->gaps.at[i].place));
}

static bool is_assertion(const Lowering *l, const ThreadCode *code, const Edge *edge) {
  const ProgramOp *op = flow_source(code->flow, l->program, edge->op);
  return edge->kind != EDGE_READ && op->kind == OP_TEST && l->program->ops.at[op->otherwise].kind == OP_FAIL;
}

/* Per state of the thread. */
static ControlPoint *find_points(const Lowering *l, const ThreadCode *code, bool is_forked) {
  const Automaton *a = &code->automaton;
  ControlPoint *points = heap_zeroed(l->heap, heap_product(l->heap, a->states.n, sizeof *points));
  for (uint32_t i = 0; i < a->states.n; i++) {
    const OpKind kind = code->flow->ops.at[a->states.at[i].op].kind;
    if (kind == OP_FAIL) points[i] = POINT_FAILED;
    if (kind == OP_RETURN) points[i] = POINT_END;
  }
  for (uint32_t i = 0; i < a->edges.n; i++)
    if (is_assertion(l, code, &a->edges.at[i])) points[a->edges.at[i].from] = POINT_ASSERTION;
  if (is_forked) points[0] = POINT_START;
  return points;
}

static void add_control(Lowering *l, const Written *written, CharVec *name) {
  const uint32_t unit = net_add_unit(l->net, join(l, name, ""));
  for (uint32_t i = 0; i < written->code->automaton.states.n; i++) {
    const PlaceId place = net_add_place(l->net, join(l, name, written->labels.state[i]), i == 0);
    if (i == 0) l->control = place;
    net_set_unit(l->net, place, unit);
    note_control(l, place, written->known ? written->known[i] : NOTE_NONE, written->points[i]);
  }
}

/* "l@T1" */
static void add_held(Lowering *l, const ThreadCode *code) {
  for (uint32_t i = 0; i < code->held.n; i++) {
    const uint32_t lock = code->held.at[i];
    char name[128];
    snprintf(name, sizeof name, "%s@T%u", object_name(l, lock), l->thread + 1);
    l->objects[lock].held = net_add_place(l->net, name, false);
    note_place(l, l->objects[lock].held, ROLE_HELD, lock, 0, 0);
  }
}

/* ---- transitions ---- */

static void add_loop(Lowering *l, TransId t, PlaceId taken, PlaceId put) {
  net_add_input(l->net, taken, t);
  net_add_output(l->net, t, put);
}

static PlaceId copy_place(const Lowering *l, uint32_t number, uint32_t copy, uint32_t value) {
  const ProgramObject *object = &l->program->objects.at[number];
  const uint32_t n_values = object->kind == PROGRAM_TRACKED ? object->n_values : 1;
  return (PlaceId){l->objects[number].first.v + copy * n_values + value};
}

/* A read takes and returns the thread's own copy, everything else all copies. */
static void connect_touch(Lowering *l, TransId t, const Touch *touch, uint32_t number) {
  const Object *o = &l->objects[touch->object];
  const bool all = touch->written;
  const uint32_t own = l->encoding == ENCODING_PAPER ? l->thread : o->own_copy + number;
  const uint32_t from = all || !o->n_copies ? 0 : own, to = all || !o->n_copies ? o->n_copies : own + 1;
  for (uint32_t copy = from; copy < to; copy++)
    add_loop(l, t, copy_place(l, touch->object, copy, touch->before), copy_place(l, touch->object, copy, touch->after));
}

static void connect_lock(Lowering *l, TransId t, const Access *access) {
  const Object *o = &l->objects[access->object];
  const bool acquires = access->mode == ACCESS_ACQUIRE, held = o->held.v != PLACE_NONE.v;
  if (acquires) net_add_input(l->net, o->first, t);
  if (acquires && held) net_add_output(l->net, t, o->held);
  if (!acquires) net_add_output(l->net, t, o->first);
  if (!acquires && held) net_add_input(l->net, o->held, t);
}

static void note_edge(Lowering *l, TransId t, const ThreadCode *code, const Edge *edge, const char *text) {
  const ProgramOp *op = flow_source(code->flow, l->program, edge->op);
  const ProgramPlace place = edge->kind == EDGE_READ ? l->program->items.at[edge->item].place : op->place;
  TransNote note = {l->thread, position(place), text, NOTE_NONE, NOTE_NONE, op->kind == OP_ATOMIC || op->sync};
  if (op->kind == OP_BEGIN) note.begin = op->number;
  if (op->kind == OP_END) note.end = op->number;
  notes_set_trans(l->notes, t.v, note);
  for (uint32_t i = 0; i < edge->n_accesses; i++)
    notes_add_access(l->notes, t.v, code->automaton.accesses.at[edge->accesses + i]);
}

/* `number`: of this copy of the written thread, from 0. */
static void add_edge(Lowering *l, const ThreadCode *code, const Edge *edge, uint32_t number, const char *name,
                     const char *text) {
  const Automaton *a = &code->automaton;
  const OpKind kind = code->flow->ops.at[edge->op].kind;
  const TransId t = net_add_trans(l->net, name);
  add_loop(l, t, (PlaceId){l->control.v + edge->from}, (PlaceId){l->control.v + edge->to});
  for (uint32_t i = 0; i < edge->n_touches; i++) connect_touch(l, t, &a->touches.at[edge->touches + i], number);
  if (kind == OP_ACQUIRE || kind == OP_RELEASE) connect_lock(l, t, &a->accesses.at[edge->accesses]);
  note_edge(l, t, code, edge, text);
}

/* ---- threads ---- */

/* Gives each variable that a thread has a read of its own of the next copies, one per copy of the thread. */
static void claim_copies(Lowering *l, const ThreadCode *code, uint32_t written_thread, uint32_t count) {
  const Automaton *a = &code->automaton;
  for (uint32_t i = 0; i < a->touches.n; i++) {
    Object *o = &l->objects[a->touches.at[i].object];
    if (a->touches.at[i].written || o->reader == written_thread + 1) continue;
    o->reader = written_thread + 1;
    o->own_copy = o->next_copy;
    o->next_copy += count;
  }
}

static void add_thread(Lowering *l, const Written *written, uint32_t number, CharVec *name) {
  const ThreadCode *code = written->code;
  add_control(l, written, name);
  add_held(l, code);
  for (uint32_t i = 0; i < code->automaton.edges.n; i++)
    add_edge(l, code, &code->automaton.edges.at[i], number, join(l, name, written->labels.edge[i]),
             written->labels.text[i]);
  for (uint32_t i = 0; i < code->held.n; i++) l->objects[code->held.at[i]].held = PLACE_NONE;
}

static void add_copies_of_thread(Lowering *l, uint32_t t, CharVec *name) {
  const ProgramThread *thread = &l->program->threads.at[t];
  Written written = {.code = &l->codes[t]};
  claim_copies(l, written.code, t, thread->count);
  labels_init(&written.labels, l->program, written.code);
  written.known = thread->count ? known_note(l->notes, &written.code->automaton) : NULL;
  written.points = find_points(l, written.code, thread->is_forked);
  for (uint32_t number = 0; number < thread->count; number++, l->thread++) {
    const uint32_t noted = notes_add_thread(l->notes, join(l, name, ""), t, position(thread->place));
    if (thread->open) notes_set_count(l->notes, noted, thread->open - 1);
    add_thread(l, &written, number, name);
  }
  heap_release(l->heap, written.points);
  heap_release(l->heap, written.known);
  labels_fini(&written.labels);
}

static void add_threads(Lowering *l) {
  CharVec name = {0};
  for (uint32_t i = 0; i < l->program->objects.n; i++) l->objects[i].reader = 0;
  for (uint32_t t = 0; t < l->program->threads.n; t++) add_copies_of_thread(l, t, &name);
  vec_fini(l->heap, &name);
}

static void add_sources(Lowering *l) {
  notes_set_file(l->notes, l->program->files.at[0]);
  for (uint32_t i = 1; i < l->program->files.n; i++) notes_add_file(l->notes, l->program->files.at[i]);
  for (uint32_t i = 0; i < l->program->functions.n; i++) notes_add_function(l->notes, l->program->functions.at[i]);
  for (uint32_t i = 0; i < l->program->counts.n; i++) notes_add_count(l->notes, l->program->counts.at[i]);
}

static Net *build(Lowering *l, Err *err) {
  l->net = net_builder_new(l->heap);
  l->notes = net_builder_notes(l->net);
  net_set_name(l->net, l->program->files.at[0]);
  net_set_units_safe(l->net, true);
  add_sources(l);
  add_objects(l);
  add_blocks(l);
  add_gaps(l);
  add_threads(l);
  return net_freeze(l->net, err);
}

Net *lower_program(const Program *program, const Share *share, const ThreadCode *codes, Encoding encoding, Err *err) {
  Lowering lowering = {.program = program, .share = share, .codes = codes, .encoding = encoding}, *l = &lowering;
  l->heap = program->heap;
  arena_init(&l->arena, l->heap);
  l->objects = heap_zeroed(l->heap, heap_product(l->heap, program->objects.n, sizeof *l->objects));
  find_copies(l);
  const Size size = measure(l);
  const bool good = fits(size.places, LOWER_MAX_PLACES, "places", err) &&
                    fits(size.transitions, LOWER_MAX_TRANSITIONS, "transitions", err) &&
                    fits(size.arcs, LOWER_MAX_ARCS, "arcs", err);
  Net *net = good ? build(l, err) : NULL;
  heap_release(l->heap, l->objects);
  arena_fini(&l->arena);
  return net;
}
