/* Vector clocks of single events, whatever the calls are. A clock says of each thread which of its events is the last
 * one that something comes after: its number in the run, + 1. Where an access of thread t comes after event f of
 * another thread, and that after event e of t, f comes between two events of each call of t that is open and had begun
 * before e.
 *
 * A thread has a slot in the clocks. When it has been joined, the slot is that of a thread that is forked after the
 * join: who comes after an event of the later one comes after all of the earlier one. So clocks are as long as threads
 * live at a time.
 *
 * What a thread has done is stamped with its clock, which changes only where it learns of another thread; so clocks are
 * shared, and an access that learns nothing takes constant time. What is known already is not looked at again: who has
 * been split by it was told then. */
#include "serial/calls.h"

#include "serial/engine.h"

#include <assert.h>

#define NONE UINT32_MAX

/* By slot; what is after the end is 0. It never changes once it is shared. */
typedef struct {
  uint32_t users, n;
  uint64_t at[];
} CallsClock;

/* Something that a thread has done. */
typedef struct {
  uint32_t slot, life; /* slot: NONE as long as the life has done nothing, and was not forked */
  uint64_t at;         /* the event's number + 1; 0: nothing was done */
  CallsClock *clock;   /* of other threads; NULL: all 0 */
} Stamp;

typedef VEC(Stamp) Stamps;

typedef struct {
  Stamp write;
  Stamps reads; /* since then, one per life */
} CallsObject;

/* A call that is open. */
typedef struct {
  uint32_t row;
  uint64_t first; /* its begin */
  uint32_t ordinal;
  bool split, inherits;
  bool related; /* its thread has forked or joined in it, so that it is not asked about any more */
  bool threads; /* something has come between since */
} OpenCall;

typedef struct {
  Stamp now;    /* its last event */
  Stamps forks; /* of it, until it does something */
  VEC(OpenCall) open;
} CallsThread;

/* What a thread number stands for until it is joined. */
typedef struct {
  uint64_t forked;     /* the fork, */
  uint32_t forker;     /* a life; NONE: not known */
  uint32_t free, last; /* slots of lives that it has joined, the oldest first; NONE: there is none */
} CallsLife;

/* Of a slot in a life's list. */
typedef struct {
  uint32_t next;
  uint64_t since; /* when the life had it */
} FreeSlot;

typedef struct {
  Heap *heap;
  Calls *calls;
  VEC(CallsThread) threads;
  VEC(CallsObject) objects;
  VEC(CallsLife) lives;
  VEC(FreeSlot) slots;
} Graph;

void calls_fini(Calls *calls) {
  vec_fini(calls->heap, &calls->rows);
  vec_fini(calls->heap, &calls->of_label);
}

/* ---- functions ---- */

static uint32_t row_of(Calls *calls, uint32_t label, uint64_t index, uint32_t ordinal) {
  const uint32_t place = label == TRACE_NONE ? 0 : label + 1;
  if (place >= calls->of_label.n) vec_resize_zeroed(calls->heap, &calls->of_label, place + 1);
  if (!calls->of_label.at[place]) {
    const CallsRow row = {.label = label, .first = index, .ordinal = ordinal, .callee = TRACE_NONE};
    vec_push(calls->heap, &calls->rows, row);
    calls->of_label.at[place] = calls->rows.n;
  }
  return calls->of_label.at[place] - 1;
}

/* The function is of this kind, because of the call. */
static void set_kind(CallsRow *row, CallsKind kind, const OpenCall *call) {
  row->kind = kind;
  row->first = call->first;
  row->ordinal = call->ordinal;
}

/* Something comes between these two events of the call. */
static void mark_split(Calls *calls, OpenCall *call, uint64_t before, uint64_t at) {
  CallsRow *row = &calls->rows.at[call->row];
  if (call->split) return;
  if (call->inherits) row->inherit--;
  call->split = true;
  row->split++;
  if (row->kind == CALLS_SPLIT) return;
  set_kind(row, CALLS_SPLIT, call);
  row->callee = TRACE_NONE;
  row->before = before;
  row->at = at;
}

/* A call inside of this one is split. */
static void mark_inherits(Calls *calls, OpenCall *call, uint32_t callee) {
  CallsRow *row = &calls->rows.at[call->row];
  call->inherits = true;
  if (call->split) return;
  row->inherit++;
  if (row->kind >= CALLS_INHERIT) return;
  set_kind(row, CALLS_INHERIT, call);
  row->callee = callee;
}

static void mark_threads(Calls *calls, OpenCall *call) {
  CallsRow *row = &calls->rows.at[call->row];
  assert(!call->threads);
  if (call->split || call->inherits) return;
  call->threads = true;
  row->threads++;
  if (row->kind == CALLS_ATOMIC) set_kind(row, CALLS_THREADS, call);
}

/* Something comes between two events of the calls open[0 .. n - 1]. If one inherits, so do those around it; and if a
 * thread was forked or joined in one, it was so in those. */
static void mark_open(Calls *calls, OpenCall *open, uint32_t n, uint64_t before, uint64_t at) {
  const uint32_t callee = calls->rows.at[open[n - 1].row].label;
  uint32_t i = n - 1;
  if (!open[i].related) mark_split(calls, &open[i--], before, at);
  for (; i < n && !open[i].related && !open[i].inherits; i--) mark_inherits(calls, &open[i], callee);
  while (i < n && !open[i].related) i--;
  for (; i < n && !open[i].threads; i--) mark_threads(calls, &open[i]);
}

static void relate(CallsThread *thread) {
  for (uint32_t i = thread->open.n; i-- > 0 && !thread->open.at[i].related;) thread->open.at[i].related = true;
}

/* How many of the open calls had begun before the thread's event with number `at` - 1. */
static uint32_t count_around(const CallsThread *thread, uint64_t at) {
  uint32_t low = 0, high = thread->open.n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (thread->open.at[middle].first + 1 < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* ---- slots ---- */

static uint32_t new_life(Graph *g) {
  const CallsLife life = {.forker = NONE, .free = NONE};
  vec_push(g->heap, &g->lives, life);
  return g->lives.n - 1;
}

static void give_slot(Graph *g, uint32_t life, uint32_t slot, uint64_t since) {
  CallsLife *to = &g->lives.at[life];
  g->slots.at[slot] = (FreeSlot){NONE, since};
  if (to->free == NONE) to->free = slot;
  else g->slots.at[to->last].next = slot;
  to->last = slot;
}

/* The slots of a life that ended at `index`, and of those that it had joined. */
static void give_slots(Graph *g, uint32_t to, const Stamp *ended, uint64_t index) {
  CallsLife *from = &g->lives.at[ended->life];
  for (uint32_t slot = from->free, next; slot != NONE; slot = next) {
    next = g->slots.at[slot].next;
    give_slot(g, to, slot, index);
  }
  from->free = NONE;
  if (ended->slot != NONE) give_slot(g, to, ended->slot, index);
}

/* So far up a slot is looked for: at who has forked the forker, and so on. */
enum { GENERATIONS = 8 };

/* A slot for what the life forks at `index`. */
static uint32_t take_slot(Graph *g, uint32_t life, uint64_t index) {
  const FreeSlot none = {NONE, 0};
  for (uint32_t i = 0; i < GENERATIONS && life != NONE; i++) {
    CallsLife *it = &g->lives.at[life];
    const uint32_t slot = it->free;
    if (slot != NONE && g->slots.at[slot].since <= index) {
      it->free = g->slots.at[slot].next;
      return slot;
    }
    index = it->forked;
    life = it->forker;
  }
  vec_push(g->heap, &g->slots, none);
  return g->slots.n - 1;
}

/* The thread that has an event now. */
static CallsThread *thread_at(Graph *g, uint32_t number) {
  CallsThread *thread = &g->threads.at[number];
  if (thread->now.slot == NONE) thread->now.slot = take_slot(g, NONE, 0);
  return thread;
}

/* ---- clocks ---- */

static uint64_t clock_get(const CallsClock *clock, uint32_t slot) {
  return clock && slot < clock->n ? clock->at[slot] : 0;
}

static void clock_drop(Graph *g, CallsClock *clock) {
  if (clock && --clock->users == 0) heap_release(g->heap, clock);
}

/* A stamp as a copy; what was in its place is dropped. */
static void stamp_set(Graph *g, Stamp *to, const Stamp *from) {
  if (from->clock) from->clock->users++;
  clock_drop(g, to->clock);
  *to = *from;
}

static void stamps_clear(Graph *g, Stamps *stamps) {
  for (uint32_t i = 0; i < stamps->n; i++) clock_drop(g, stamps->at[i].clock);
  vec_clear(stamps);
}

static void stamps_add(Graph *g, Stamps *stamps, const Stamp *stamp) {
  const Stamp none = {0};
  vec_push(g->heap, stamps, none);
  stamp_set(g, &vec_last(stamps), stamp);
}

/* The clock, with room for n slots, to be changed: nobody else uses it. */
static CallsClock *clock_own(Graph *g, CallsClock *clock, uint32_t n) {
  const uint32_t had = clock ? clock->n : 0;
  if (clock && clock->users == 1 && had >= n) return clock;
  if (n < had) n = had;
  CallsClock *own = heap_zeroed(g->heap, sizeof *own + heap_product(g->heap, n, sizeof *own->at));
  own->users = 1;
  own->n = n;
  for (uint32_t i = 0; i < had; i++) own->at[i] = clock->at[i];
  clock_drop(g, clock);
  return own;
}

/* Does the thread come after the event? */
static bool is_known(const CallsThread *thread, const Stamp *stamp) {
  if (!stamp->at || stamp->life == thread->now.life) return true;
  const uint64_t at = clock_get(thread->now.clock, stamp->slot);
  return stamp->at <= at;
}

/* The next event of the thread comes after what is stamped: that comes between events of which calls? */
static void notice(Graph *g, uint32_t number, const Stamp *stamp, uint64_t now) {
  CallsThread *thread = &g->threads.at[number];
  if (is_known(thread, stamp)) return;
  const uint64_t at = clock_get(stamp->clock, thread->now.slot);
  const uint32_t around = count_around(thread, at);
  if (around) mark_open(g->calls, thread->open.at, around, at - 1, now);
}

/* Thereafter the thread knows it. */
static void learn(Graph *g, uint32_t number, const Stamp *stamp) {
  CallsThread *thread = &g->threads.at[number];
  if (is_known(thread, stamp)) return;
  const uint32_t n = stamp->clock ? stamp->clock->n : 0;
  CallsClock *own = clock_own(g, thread->now.clock, stamp->slot < n ? n : stamp->slot + 1);
  for (uint32_t i = 0; i < n; i++)
    if (stamp->clock->at[i] > own->at[i]) own->at[i] = stamp->clock->at[i];
  if (stamp->at > own->at[stamp->slot]) own->at[stamp->slot] = stamp->at;
  thread->now.clock = own;
}

/* The event at `now` comes after all that: all of it is noticed before anything is known. */
static void follow(Graph *g, uint32_t number, const Stamp *stamp, const Stamps *others, uint64_t now) {
  const uint32_t n = others ? others->n : 0;
  if (stamp) notice(g, number, stamp, now);
  for (uint32_t i = 0; i < n; i++) notice(g, number, &others->at[i], now);
  if (stamp) learn(g, number, stamp);
  for (uint32_t i = 0; i < n; i++) learn(g, number, &others->at[i]);
  g->threads.at[number].now.at = now + 1;
}

/* ---- events ---- */

static void calls_begin(void *state, const TraceEvent *event, uint64_t index, uint32_t ordinal) {
  Graph *g = state;
  const OpenCall call = {row_of(g->calls, event->object, index, ordinal), index, ordinal, false, false, false, false};
  g->calls->rows.at[call.row].calls++;
  vec_push(g->heap, &g->threads.at[event->thread].open, call);
}

static void calls_end(void *state, const TraceEvent *event, uint64_t index) {
  Graph *g = state;
  CallsThread *thread = &g->threads.at[event->thread];
  (void)index;
  if (event->op == TRACE_EXIT) vec_clear(&thread->open);
  else if (thread->open.n) thread->open.n--;
}

static Stamp *read_stamp(Graph *g, CallsObject *object, uint32_t life) {
  const Stamp none = {0};
  for (uint32_t i = 0; i < object->reads.n; i++)
    if (object->reads.at[i].life == life) return &object->reads.at[i];
  vec_push(g->heap, &object->reads, none);
  return &vec_last(&object->reads);
}

static void calls_access(void *state, const TraceEvent *event, uint64_t index, EngineAccess how) {
  Graph *g = state;
  CallsObject *object = &g->objects.at[event->object];
  Stamp *now = &thread_at(g, event->thread)->now;
  follow(g, event->thread, &object->write, how == ENGINE_READS ? NULL : &object->reads, index);
  if (how == ENGINE_WAITS) return;
  if (how == ENGINE_READS) {
    stamp_set(g, read_stamp(g, object, now->life), now);
    return;
  }
  stamps_clear(g, &object->reads);
  stamp_set(g, &object->write, now);
}

static void calls_start(void *state, const TraceEvent *event, uint64_t index) {
  Graph *g = state;
  CallsThread *thread = thread_at(g, event->thread);
  follow(g, event->thread, NULL, &thread->forks, index);
  stamps_clear(g, &thread->forks);
}

static void calls_fork(void *state, const TraceEvent *event, uint64_t index) {
  Graph *g = state;
  CallsThread *thread = thread_at(g, event->thread), *other = &g->threads.at[event->object];
  relate(thread);
  thread->now.at = index + 1;
  if (other->now.slot == NONE) {
    other->now.slot = take_slot(g, thread->now.life, index);
    g->lives.at[other->now.life].forker = thread->now.life;
    g->lives.at[other->now.life].forked = index;
  }
  stamps_add(g, &other->forks, &thread->now);
}

static void calls_join(void *state, const TraceEvent *event, uint64_t index) {
  Graph *g = state;
  CallsThread *thread = thread_at(g, event->thread), *other = &g->threads.at[event->object];
  relate(thread);
  follow(g, event->thread, &other->now, &other->forks, index);
  stamps_clear(g, &other->forks);
  clock_drop(g, other->now.clock);
  vec_clear(&other->open);
  give_slots(g, thread->now.life, &other->now, index);
  other->now = (Stamp){.slot = NONE, .life = new_life(g)};
}

static void calls_free_object(void *state, uint32_t number) {
  Graph *g = state;
  CallsObject *object = &g->objects.at[number];
  stamps_clear(g, &object->reads);
  clock_drop(g, object->write.clock);
  object->write = (Stamp){0};
}

/* ---- the engine ---- */

void *calls_new(Heap *heap, Calls *calls) {
  Graph *g = heap_zeroed(heap, sizeof *g);
  g->heap = heap;
  g->calls = calls;
  return g;
}

static void calls_free(void *state) {
  Graph *g = state;
  for (uint32_t x = 0; x < g->objects.n; x++) {
    calls_free_object(g, x);
    vec_fini(g->heap, &g->objects.at[x].reads);
  }
  for (uint32_t t = 0; t < g->threads.n; t++) {
    CallsThread *thread = &g->threads.at[t];
    clock_drop(g, thread->now.clock);
    stamps_clear(g, &thread->forks);
    vec_fini(g->heap, &thread->forks);
    vec_fini(g->heap, &thread->open);
  }
  vec_fini(g->heap, &g->threads);
  vec_fini(g->heap, &g->objects);
  vec_fini(g->heap, &g->lives);
  vec_fini(g->heap, &g->slots);
  heap_release(g->heap, g);
}

static void calls_room(void *state, uint32_t n_threads, uint32_t n_objects) {
  Graph *g = state;
  for (uint32_t t = g->threads.n; t < n_threads; t++) {
    const CallsThread fresh = {.now = {.slot = NONE, .life = new_life(g)}};
    vec_push(g->heap, &g->threads, fresh);
  }
  if (n_objects > g->objects.n) vec_resize_zeroed(g->heap, &g->objects, n_objects);
}

const Engine engine_calls = {.free = calls_free,
                             .start = calls_start,
                             .begin = calls_begin,
                             .end = calls_end,
                             .access = calls_access,
                             .fork = calls_fork,
                             .join = calls_join,
                             .free_object = calls_free_object,
                             .room = calls_room};
