#include "predict/analysis/shapes.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

enum { KIND_BITS = 2, READS_KEPT = 2, WRITES_KEPT = 2, FIRST_RECORDS = 16 };

/* What the open transaction has done to a variable since its last step that is no access. */
typedef struct {
  uint64_t transaction; /* else the record is free */
  uint32_t variable, segment;
  uint8_t reads, writes, later_reads; /* kept; later: after a write */
  uint32_t last_write;                /* item */
} Record;

struct ShapeThread {
  uint32_t depth;
  uint32_t ordinal; /* of its transactions and single accesses */
  HeldLocks held;
  /* of the open transaction */
  uint64_t transaction; /* number of it */
  uint32_t row, segment;
  uint64_t begin;
  StageId first_stage, stage;
  U32Vec first_held;
  VEC(Step) items;
  bool moved; /* items are not in the order of their events */
  Record *records;
  uint32_t n_records, n_used;
};

void shapes_init(Shapes *shapes, Heap *heap, Sync sync) {
  *shapes = (Shapes){.heap = heap, .sync = sync};
  arena_init(&shapes->arena, heap);
  locksets_init(&shapes->locksets, heap);
  fork_order_init(&shapes->stages, heap);
  goodlock_init(&shapes->goodlock, heap);
  intern_init(&shapes->keys, heap);
  intern_init(&shapes->row_keys, heap);
}

static void fini_thread(Heap *heap, ShapeThread *thread) {
  vec_fini(heap, &thread->held);
  vec_fini(heap, &thread->first_held);
  vec_fini(heap, &thread->items);
  heap_release(heap, thread->records);
}

void shapes_fini(Shapes *shapes) {
  Heap *heap = shapes->heap;
  for (uint32_t t = 0; t < shapes->threads.n; t++) fini_thread(heap, &shapes->threads.at[t]);
  for (uint32_t l = 0; l < shapes->programs.n; l++) vec_fini(heap, &shapes->programs.at[l]);
  vec_fini(heap, &shapes->threads);
  vec_fini(heap, &shapes->programs);
  vec_fini(heap, &shapes->unnested);
  vec_fini(heap, &shapes->rows);
  vec_fini(heap, &shapes->key);
  vec_fini(heap, &shapes->shapes);
  vec_fini(heap, &shapes->accesses);
  vec_fini(heap, &shapes->variables);
  vec_fini(heap, &shapes->of_object);
  vec_fini(heap, &shapes->lock_users);
  vec_fini(heap, &shapes->excludes);
  slots_fini(heap, &shapes->access_slots);
  intern_fini(&shapes->keys);
  intern_fini(&shapes->row_keys);
  goodlock_fini(&shapes->goodlock);
  fork_order_fini(&shapes->stages);
  locksets_fini(&shapes->locksets);
  arena_fini(&shapes->arena);
}

/* ---- variables and accesses ---- */

static uint32_t variable_of(Shapes *shapes, uint32_t object) {
  uint32_t *number = &shapes->of_object.at[object];
  if (*number == 0) {
    const Variable fresh = {object, NONE};
    vec_push(shapes->heap, &shapes->variables, fresh);
    *number = shapes->variables.n;
  }
  return *number - 1;
}

static HashSlot *find_access(const Shapes *shapes, const ShapeAccess *access, uint32_t hash) {
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&shapes->access_slots, i);
    if (!slot->number) return slot;
    const ShapeAccess *other = &shapes->accesses.at[slot->number - 1];
    if (slot->hash == hash && other->variable == access->variable && other->held.v == access->held.v &&
        other->stage.v == access->stage.v && other->write == access->write)
      return slot;
  }
}

static AccessId access_id(Shapes *shapes, uint32_t variable, bool write, LockSetId held, StageId stage) {
  const Sight none = {NO_EVENT, TRACE_NONE, SHAPE_NONE};
  ShapeAccess access = {variable, write, held, stage, NONE, 0, 0, {none, none, none}};
  const uint32_t hash =
      (uint32_t)hash_join(hash_word((uint64_t)variable << 32 | held.v), 2 * (uint64_t)stage.v + write);
  if (shapes->accesses.n >= shapes->access_slots.n / 2) slots_grow(shapes->heap, &shapes->access_slots);
  HashSlot *slot = find_access(shapes, &access, hash);
  if (!slot->number) {
    access.next = shapes->variables.at[variable].accesses;
    vec_push(shapes->heap, &shapes->accesses, access);
    shapes->variables.at[variable].accesses = shapes->accesses.n - 1;
    *slot = (HashSlot){hash, shapes->accesses.n};
  }
  return (AccessId){slot->number - 1};
}

static void note_sight(ShapeAccess *access, Use use, Sight sight) {
  if (access->sights[use].event == NO_EVENT) access->sights[use] = sight;
}

static void note_transaction(ShapeAccess *access, uint32_t ordinal) {
  assert(ordinal >= access->last_in);
  if (access->first_in == 0) access->first_in = ordinal;
  access->last_in = ordinal;
}

/* ---- programs ---- */

static void note_program(Shapes *shapes, uint32_t life, uint32_t id, ElementKind kind) {
  if (shapes->n_program > PROGRAM_MOST) return;
  if (id >= NONE / ELEMENTS) heap_give_up(shapes->heap);
  const uint32_t element = ELEMENTS * id + (uint32_t)kind;
  if (shapes->programs.n <= life) vec_resize_zeroed(shapes->heap, &shapes->programs, life + 1);
  vec_push(shapes->heap, &shapes->programs.at[life], element);
  shapes->n_program++;
}

static void note_unnested(Shapes *shapes, uint32_t life) {
  if (shapes->unnested.n <= life) vec_resize_zeroed(shapes->heap, &shapes->unnested, life + 1);
  shapes->unnested.at[life] = true;
}

/* ---- records of the open transaction ---- */

static Record *find_record(const ShapeThread *thread, uint32_t variable) {
  assert(thread->n_used < thread->n_records); /* so that the search ends */
  for (uint32_t i = (uint32_t)hash_word(variable);; i++) {
    Record *record = &thread->records[i & (thread->n_records - 1)];
    if (record->transaction != thread->transaction || record->variable == variable) return record;
  }
}

static void more_records(Heap *heap, ShapeThread *thread) {
  Record *old = thread->records;
  const uint32_t n = thread->n_records;
  if (n > NONE / 2) heap_give_up(heap);
  Record *fresh = heap_zeroed(heap, heap_product(heap, n ? 2 * (size_t)n : FIRST_RECORDS, sizeof *fresh));
  thread->records = fresh;
  thread->n_records = n ? 2 * n : FIRST_RECORDS;
  for (uint32_t i = 0; i < n; i++)
    if (old[i].transaction == thread->transaction) *find_record(thread, old[i].variable) = old[i];
  heap_release(heap, old);
}

static Record *record_of(Shapes *shapes, ShapeThread *thread, uint32_t variable) {
  if (thread->n_used >= thread->n_records / 2) more_records(shapes->heap, thread);
  Record *record = find_record(thread, variable);
  if (record->transaction != thread->transaction) {
    *record = (Record){.transaction = thread->transaction, .variable = variable, .segment = thread->segment};
    thread->n_used++;
  }
  if (record->segment != thread->segment) {
    record->segment = thread->segment;
    record->reads = record->writes = record->later_reads = 0;
  }
  return record;
}

/* ---- transactions ---- */

static void push_item(Shapes *shapes, ShapeThread *thread, StepKind kind, uint32_t id, const TraceEvent *event) {
  assert(thread->depth > 0);
  const bool write = kind == STEP_ACCESS && shapes->accesses.at[id].write;
  const Step item = {kind, id, shapes->n_events, event->location, write};
  vec_push(shapes->heap, &thread->items, item);
  if (kind != STEP_ACCESS) thread->segment++;
}

static uint32_t row_of(Shapes *shapes, const TraceEvent *event) {
  const uint32_t key[2] = {event->object, event->location};
  bool is_new;
  const uint32_t row = intern_add(&shapes->row_keys, (const char *)key, sizeof key, &is_new);
  const ShapeRow fresh = {event->object, event->location, 0};
  if (is_new) vec_push(shapes->heap, &shapes->rows, fresh);
  return row;
}

static void begin(Shapes *shapes, ShapeThread *thread, const TraceEvent *event, StageId stage) {
  thread->transaction++;
  thread->segment = thread->n_used = 0;
  thread->moved = false;
  thread->row = row_of(shapes, event);
  thread->begin = shapes->n_events;
  thread->first_stage = thread->stage = stage;
  vec_clear(&thread->items);
  vec_clear(&thread->first_held);
  for (uint32_t i = 0; i < thread->held.n; i++) vec_push(shapes->heap, &thread->first_held, thread->held.at[i].lock);
}

/* Where an event has several steps, its stage comes first, and what it writes last. */
static int by_event(const void *a, const void *b) {
  const Step *x = a, *y = b;
  if (x->event != y->event) return x->event < y->event ? -1 : 1;
  const int first = 2 * (x->kind == STEP_ACCESS) + x->write, second = 2 * (y->kind == STEP_ACCESS) + y->write;
  return first - second;
}

/* What makes two transactions of one shape. */
static void put_key(Shapes *shapes, const ShapeThread *thread) {
  U32Vec *key = &shapes->key;
  vec_clear(key);
  vec_reserve(shapes->heap, key, 3 + (size_t)thread->first_held.n + 2 * (size_t)thread->items.n);
  key->at[key->n++] = thread->row;
  key->at[key->n++] = thread->first_stage.v;
  key->at[key->n++] = thread->first_held.n;
  for (uint32_t i = 0; i < thread->first_held.n; i++) key->at[key->n++] = thread->first_held.at[i];
  for (uint32_t i = 0; i < thread->items.n; i++) {
    const Step *item = &thread->items.at[i];
    if (item->id >= NONE >> KIND_BITS) heap_give_up(shapes->heap);
    if (i && shapes_are_one(thread->items.at, i - 1, i)) key->at[key->n++] = NONE; /* no step is that */
    key->at[key->n++] = item->id << KIND_BITS | (uint32_t)item->kind;
  }
}

/* Which accesses of a new shape are first reads and final writes. */
static void note_uses(Shapes *shapes, ShapeThread *thread, ShapeId id) {
  thread->transaction++, thread->n_used = 0; /* fresh records, for what was written */
  for (uint32_t i = 0; i < thread->items.n; i++) {
    const Step *item = &thread->items.at[i];
    if (item->kind != STEP_ACCESS) continue;
    ShapeAccess *access = &shapes->accesses.at[item->id];
    const Sight sight = {item->event, item->location, id};
    note_sight(access, USE_ANY, sight);
    Record *record = record_of(shapes, thread, access->variable);
    if (access->write) record->writes = 1, record->last_write = i;
    else if (record->writes == 0) note_sight(access, USE_FIRST, sight);
  }
  for (uint32_t i = 0; i < thread->items.n; i++) {
    const Step *item = &thread->items.at[i];
    if (item->kind != STEP_ACCESS || !shapes->accesses.at[item->id].write) continue;
    ShapeAccess *access = &shapes->accesses.at[item->id];
    if (record_of(shapes, thread, access->variable)->last_write == i)
      note_sight(access, USE_FINAL, (Sight){item->event, item->location, id});
  }
}

static void add_shape(Shapes *shapes, ShapeThread *thread, ShapeId id) {
  assert(id.v == shapes->shapes.n); /* it is new */
  const uint32_t n = thread->items.n, n_held = thread->first_held.n;
  Step *steps = arena_alloc(&shapes->arena, heap_product(shapes->heap, n, sizeof *steps));
  uint32_t *held = arena_alloc(&shapes->arena, heap_product(shapes->heap, n_held, sizeof *held));
  if (n) memcpy(steps, thread->items.at, n * sizeof *steps);
  if (n_held) memcpy(held, thread->first_held.at, n_held * sizeof *held);
  const Shape shape = {thread->row, thread->first_stage, n_held, held, n, steps, thread->begin};
  vec_push(shapes->heap, &shapes->shapes, shape);
  note_uses(shapes, thread, id);
}

static void end(Shapes *shapes, ShapeThread *thread) {
  bool is_new;
  assert(thread->depth > 0 && thread->row < shapes->rows.n);
  thread->depth = 0;
  thread->ordinal++;
  shapes->rows.at[thread->row].transactions++;
  if (thread->moved) qsort(thread->items.at, thread->items.n, sizeof *thread->items.at, by_event);
  put_key(shapes, thread);
  const U32Vec *key = &shapes->key;
  const ShapeId id = {intern_add(&shapes->keys, (const char *)key->at, key->n * sizeof *key->at, &is_new)};
  for (uint32_t i = 0; i < thread->items.n; i++) {
    const Step *item = &thread->items.at[i];
    if (item->kind == STEP_ACCESS) note_transaction(&shapes->accesses.at[item->id], thread->ordinal);
  }
  if (is_new) add_shape(shapes, thread, id);
  note_program(shapes, fork_order_life(&shapes->stages, thread->first_stage), id.v, ELEMENT_SHAPE);
}

/* ---- events ---- */

/* An access outside of transactions. */
static void single_access(Shapes *shapes, const ShapeThread *thread, const TraceEvent *event, StageId stage, bool write,
                          ElementKind kind) {
  const uint32_t variable = variable_of(shapes, event->object);
  const AccessId id = access_id(shapes, variable, write, locksets_held_now(&thread->held), stage);
  ShapeAccess *access = &shapes->accesses.at[id.v];
  const Sight sight = {shapes->n_events, event->location, SHAPE_NONE};
  note_sight(access, USE_ANY, sight);
  note_sight(access, write ? USE_FINAL : USE_FIRST, sight);
  note_transaction(access, thread->ordinal);
  note_program(shapes, fork_order_life(&shapes->stages, stage), id.v, kind);
}

static void single(Shapes *shapes, ShapeThread *thread, const TraceEvent *event, StageId stage) {
  const bool update = event->op == TRACE_UPDATE;
  thread->ordinal++;
  shapes->n_singles++;
  if (event->op != TRACE_WRITE) single_access(shapes, thread, event, stage, false, ELEMENT_ACCESS);
  if (event->op != TRACE_READ)
    single_access(shapes, thread, event, stage, true, update ? ELEMENT_UPDATE : ELEMENT_ACCESS);
}

/* An access of the open transaction. */
static void inside_access(Shapes *shapes, ShapeThread *thread, const TraceEvent *event, StageId stage, bool write) {
  const uint32_t variable = variable_of(shapes, event->object);
  Record *record = record_of(shapes, thread, variable);
  if (write && record->writes == WRITES_KEPT) {
    Step *item = &thread->items.at[record->last_write];
    assert(item->kind == STEP_ACCESS && item->event < shapes->n_events);
    item->event = shapes->n_events;
    item->location = event->location;
    thread->moved = true;
    return;
  }
  uint8_t *kept = write ? &record->writes : record->writes ? &record->later_reads : &record->reads;
  if (!write && *kept == (record->writes ? 1 : READS_KEPT)) return;
  ++*kept;
  if (write) record->last_write = thread->items.n;
  push_item(shapes, thread, STEP_ACCESS, access_id(shapes, variable, write, locksets_held_now(&thread->held), stage).v,
            event);
}

static void inside(Shapes *shapes, ShapeThread *thread, const TraceEvent *event, StageId stage) {
  if (event->op != TRACE_WRITE) inside_access(shapes, thread, event, stage, false);
  if (event->op != TRACE_READ) inside_access(shapes, thread, event, stage, true);
}

/* In the transaction, another stage has begun. */
static void catch_up(Shapes *shapes, ShapeThread *thread, const TraceEvent *event, StageId stage) {
  if (thread->depth == 0 || thread->stage.v == stage.v) return;
  thread->stage = stage;
  push_item(shapes, thread, STEP_STAGE, stage.v, event);
}

static void see_acquire(Shapes *shapes, ShapeThread *thread, const TraceEvent *event, StageId stage, bool shared) {
  const uint32_t lock = locksets_number(event->object, shared);
  const bool tries = event->op == TRACE_TRY || event->op == TRACE_SHARED_TRY;
  HeldLocks *held = &thread->held;
  const uint32_t n = held->n;
  if (!shared) shapes->excludes.at[event->object] = true;
  if (thread->depth == 0) shapes->locks_outside = true;
  if (!locksets_held_acquire(&shapes->locksets, held, lock, shapes->n_events, event->location)) return;
  if (n) {
    held->n--;
    const uint32_t life = fork_order_life(&shapes->stages, stage);
    goodlock_see(&shapes->goodlock, held, &(LockAcquire){lock, event->location, life, shapes->n_events, stage, tries});
    held->n++;
  }
  if (thread->depth) push_item(shapes, thread, STEP_ACQUIRE, lock, event);
}

static void see_release(Shapes *shapes, ShapeThread *thread, const TraceEvent *event, uint32_t life, bool shared) {
  const uint32_t lock = locksets_number(event->object, shared);
  bool nested = true;
  const bool changed = locksets_held_release(&shapes->locksets, &thread->held, lock, &nested);
  if (!nested) note_unnested(shapes, life);
  if (changed && thread->depth) push_item(shapes, thread, STEP_RELEASE, lock, event);
}

static void see_lock(Shapes *shapes, ShapeThread *thread, const TraceEvent *event, StageId stage) {
  const uint32_t life = fork_order_life(&shapes->stages, stage);
  uint32_t *user = &shapes->lock_users.at[event->object];
  *user = *user == 0 || *user == life + 1 ? life + 1 : NONE;
  if (event->op == TRACE_RELEASE || event->op == TRACE_SHARED_RELEASE)
    see_release(shapes, thread, event, life, event->op == TRACE_SHARED_RELEASE);
  else see_acquire(shapes, thread, event, stage, event->op == TRACE_SHARED_ACQUIRE || event->op == TRACE_SHARED_TRY);
}

static void hand_over(Shapes *shapes, ShapeThread *thread, const TraceEvent *event) {
  shapes->waits_locked |= thread->held.n > 0;
  if (event->op == TRACE_SIGNAL) fork_order_signal(&shapes->stages, event->thread, event->object);
  else fork_order_wait(&shapes->stages, event->thread, event->object);
  catch_up(shapes, thread, event, fork_order_of(&shapes->stages, event->thread));
}

static void relate(Shapes *shapes, ShapeThread *thread, const TraceEvent *event) {
  if (event->object == event->thread) return;
  ShapeThread *other = &shapes->threads.at[event->object];
  shapes->waits_locked |= thread->held.n || (event->op == TRACE_JOIN && other->held.n);
  if (event->op == TRACE_FORK) {
    fork_order_fork(&shapes->stages, event->thread, event->object);
  } else {
    const bool ends = other->depth == 0;
    if (!fork_order_join(&shapes->stages, event->thread, event->object, ends)) return;
    if (ends) vec_clear(&other->held);
  }
  catch_up(shapes, thread, event, fork_order_of(&shapes->stages, event->thread));
}

static bool is_ignored(const Shapes *shapes, const TraceEvent *event) {
  const TraceSort sort = TRACE_SORT[event->op];
  return (sort == TRACE_ON_LOCK && !sync_has_locks(shapes->sync)) ||
         (sort == TRACE_ON_HANDOVER && !sync_has_handovers(shapes->sync));
}

static void look(Shapes *shapes, const TraceEvent *event) {
  if (is_ignored(shapes, event)) return;
  ShapeThread *thread = &shapes->threads.at[event->thread];
  const StageId stage = fork_order_of(&shapes->stages, event->thread);
  catch_up(shapes, thread, event, stage);
  switch ((TraceOp)event->op) {
  case TRACE_READ:
  case TRACE_WRITE:
  case TRACE_UPDATE: (thread->depth ? inside : single)(shapes, thread, event, stage); break;
  case TRACE_ACQUIRE:
  case TRACE_RELEASE:
  case TRACE_SHARED_ACQUIRE:
  case TRACE_SHARED_RELEASE:
  case TRACE_TRY:
  case TRACE_SHARED_TRY: see_lock(shapes, thread, event, stage); break;
  case TRACE_SIGNAL:
  case TRACE_WAIT: hand_over(shapes, thread, event); break;
  case TRACE_FORK:
  case TRACE_JOIN: relate(shapes, thread, event); break;
  case TRACE_BEGIN:
    if (thread->depth++ == 0) begin(shapes, thread, event, stage);
    break;
  case TRACE_END:
    if (thread->depth > 1) thread->depth--;
    else if (thread->depth == 1) end(shapes, thread);
    break;
  case TRACE_EXIT:
    shapes->waits_locked |= thread->held.n > 0;
    if (thread->depth > 0) end(shapes, thread);
    break;
  case TRACE_FREE: shapes->of_object.at[event->object] = 0; break;
  case TRACE_START: break;
  }
}

static bool names_object(const TraceEvent *event) { return TRACE_SORT[event->op] <= TRACE_ON_HANDOVER; }
static bool names_thread(const TraceEvent *event) { return event->op == TRACE_FORK || event->op == TRACE_JOIN; }

static void make_room(Shapes *shapes, const TraceEvent *events, uint32_t n) {
  uint32_t threads = shapes->threads.n, objects = shapes->of_object.n;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t thread = events[i].thread, other = names_thread(&events[i]) ? events[i].object : 0;
    const uint32_t most = other > thread ? other : thread;
    if (most == NONE || (names_object(&events[i]) && events[i].object >= NONE / 2)) heap_give_up(shapes->heap);
    if (most >= threads) threads = most + 1;
    if (names_object(&events[i]) && events[i].object >= objects) objects = events[i].object + 1;
  }
  if (threads > shapes->threads.n) vec_resize_zeroed(shapes->heap, &shapes->threads, threads);
  if (objects > shapes->of_object.n) {
    vec_resize_zeroed(shapes->heap, &shapes->of_object, objects);
    vec_resize_zeroed(shapes->heap, &shapes->lock_users, objects);
    vec_resize_zeroed(shapes->heap, &shapes->excludes, objects);
  }
}

void shapes_see(Shapes *shapes, const TraceEvent *events, uint32_t n) {
  make_room(shapes, events, n);
  for (uint32_t i = 0; i < n; i++, shapes->n_events++) look(shapes, &events[i]);
}

void shapes_finish(Shapes *shapes) {
  for (uint32_t t = 0; t < shapes->threads.n; t++) {
    if (shapes->threads.at[t].depth) end(shapes, &shapes->threads.at[t]);
    shapes->waits_locked |= shapes->threads.at[t].held.n > 0;
  }
  fork_order_close(&shapes->stages);
}
