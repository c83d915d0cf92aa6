/* Vector clocks. The idea is that of AeroDrome (U. Mathur and M. Viswanathan, "Atomicity checking in linear time using
 * vector clocks", ASPLOS 2020): a clock says of each thread up to which of its transactions what has it must come
 * after. If a transaction gets a clock that has its own number, it is on a cycle. What a transaction learns when others
 * already depend on it, they are reported at its end.
 *
 * For causal atomicity the clocks are of single events, which nothing that happens later can change: so nothing is
 * reported at the end. */
#include "base/vec.h"
#include "serial/engine.h"

#include <assert.h>

#define NONE UINT32_MAX

/* Per thread; what is after the end is 0. */
typedef U32Vec Clock;

typedef struct {
  uint32_t reader; /* its life */
  Clock clock;
} ReadClock;

typedef struct {
  Clock write;           /* of the last write */
  uint32_t writer;       /* whose life it was; NONE: there is none */
  VEC(ReadClock) reads;  /* since then, one per life */
  uint32_t older, newer; /* in the order of the last accesses; NONE at the ends */
  uint64_t touched;      /* the last access; 0: not in that order */
} Object;

typedef struct {
  Clock clock;
  uint32_t life; /* no other thread has it, and none that had the number before */
  Clock forked;  /* of its forks, until it does something */
  uint32_t joins;
  bool open;
  bool learned;    /* something since its begin */
  uint32_t forker; /* who forked it last, or NONE, and when */
  uint64_t forked_at;
  MonitorTransaction it; /* the open transaction */
} VcThread;

typedef struct {
  Heap *heap;
  Findings *findings;
  bool causal;
  VEC(Object) objects;
  VEC(VcThread) threads;
  uint32_t newest;
  uint32_t n_lives;
} Vc;

/* ---- clocks ---- */

static uint32_t clock_get(const Clock *clock, uint32_t thread) { return thread < clock->n ? clock->at[thread] : 0; }

static void clock_set(Vc *g, Clock *clock, uint32_t thread, uint32_t number) {
  if (thread >= clock->n) vec_resize_zeroed(g->heap, clock, thread + 1);
  clock->at[thread] = number;
}

/* The larger of the two, everywhere. Did that change anything? */
static bool clock_raise(Vc *g, Clock *clock, const Clock *by) {
  bool changed = false;
  if (by->n > clock->n) vec_resize_zeroed(g->heap, clock, by->n);
  for (uint32_t i = 0; i < by->n; i++)
    if (by->at[i] > clock->at[i]) clock->at[i] = by->at[i], changed = true;
  return changed;
}

static void clock_copy(Vc *g, Clock *clock, const Clock *from) {
  vec_clear(clock);
  clock_raise(g, clock, from);
}

static uint32_t begin_of(const Vc *g, uint32_t thread) { return g->threads.at[thread].clock.at[thread]; }

/* The thread comes after what has the clock: is its open transaction before that? */
static void learn(Vc *g, uint32_t number, const Clock *clock, uint64_t now, bool own) {
  VcThread *thread = &g->threads.at[number];
  if (thread->open && !own && clock_get(clock, number) >= begin_of(g, number)) {
    MonitorTransaction transaction = thread->it;
    if (now > transaction.last) transaction.last = now;
    findings_add_one(g->findings, now, &transaction);
  }
  const uint32_t self = clock_get(&thread->clock, number);
  if (clock_raise(g, &thread->clock, clock)) thread->learned = true;
  clock_set(g, &thread->clock, number, self);
}

/* ---- the objects in the order of their last accesses ---- */

static void unlink_object(Vc *g, Object *object) {
  if (!object->touched) return;
  if (object->older != NONE) g->objects.at[object->older].newer = object->newer;
  if (object->newer != NONE) g->objects.at[object->newer].older = object->older;
  else g->newest = object->older;
  object->touched = 0;
}

static void touch(Vc *g, uint32_t number, uint64_t now) {
  Object *object = &g->objects.at[number];
  unlink_object(g, object);
  object->older = g->newest;
  object->newer = NONE;
  object->touched = now + 1;
  if (g->newest != NONE) g->objects.at[g->newest].newer = number;
  g->newest = number;
}

/* ---- events ---- */

static ReadClock *read_clock(Vc *g, Object *object, uint32_t life) {
  for (uint32_t i = 0; i < object->reads.n; i++)
    if (object->reads.at[i].reader == life) return &object->reads.at[i];
  const ReadClock fresh = {.reader = life};
  vec_push(g->heap, &object->reads, fresh);
  return &vec_last(&object->reads);
}

static void forget_reads(Vc *g, Object *object) {
  for (uint32_t i = 0; i < object->reads.n; i++) vec_fini(g->heap, &object->reads.at[i].clock);
  vec_clear(&object->reads);
}

static void vc_access(void *state, const TraceEvent *event, uint64_t index, EngineAccess how) {
  Vc *g = state;
  Object *object = &g->objects.at[event->object];
  const uint32_t t = event->thread, life = g->threads.at[t].life;
  if (object->writer != NONE && object->writer != life) learn(g, t, &object->write, index, false);
  for (uint32_t i = 0; i < object->reads.n && how != ENGINE_READS; i++)
    if (object->reads.at[i].reader != life) learn(g, t, &object->reads.at[i].clock, index, false);
  if (how == ENGINE_WAITS) return;
  touch(g, event->object, index);
  if (how == ENGINE_READS) {
    clock_copy(g, &read_clock(g, object, life)->clock, &g->threads.at[t].clock);
    return;
  }
  forget_reads(g, object);
  clock_copy(g, &object->write, &g->threads.at[t].clock);
  object->writer = life;
}

static void vc_begin(void *state, const TraceEvent *event, uint64_t index, uint32_t ordinal) {
  Vc *g = state;
  VcThread *thread = &g->threads.at[event->thread];
  assert(!thread->open);
  clock_set(g, &thread->clock, event->thread, clock_get(&thread->clock, event->thread) + 1);
  thread->open = true;
  thread->learned = false;
  thread->it =
      (MonitorTransaction){event->thread, thread->joins, ordinal, event->object, event->location, index, index, true};
}

/* What the transaction has learned goes to all that comes after it. */
static void tell(Vc *g, uint32_t t, uint64_t now) {
  const Clock *clock = &g->threads.at[t].clock;
  const uint32_t begin = begin_of(g, t);
  for (uint32_t u = 0; u < g->threads.n; u++) {
    if (u != t && clock_get(&g->threads.at[u].clock, t) >= begin) learn(g, u, clock, now, false);
    if (clock_get(&g->threads.at[u].forked, t) >= begin) clock_raise(g, &g->threads.at[u].forked, clock);
  }
  for (uint32_t x = g->newest; x != NONE && g->objects.at[x].touched > g->threads.at[t].it.first;
       x = g->objects.at[x].older) {
    Object *object = &g->objects.at[x];
    if (clock_get(&object->write, t) >= begin) clock_raise(g, &object->write, clock);
    for (uint32_t i = 0; i < object->reads.n; i++)
      if (clock_get(&object->reads.at[i].clock, t) >= begin) clock_raise(g, &object->reads.at[i].clock, clock);
  }
}

static void vc_end(void *state, const TraceEvent *event, uint64_t index) {
  Vc *g = state;
  VcThread *thread = &g->threads.at[event->thread];
  assert(thread->open && index >= thread->it.first);
  if (thread->learned && !g->causal) tell(g, event->thread, index);
  thread->open = false;
}

static void vc_start(void *state, const TraceEvent *event, uint64_t index) {
  Vc *g = state;
  Clock *forked = &g->threads.at[event->thread].forked;
  learn(g, event->thread, forked, index, false);
  vec_clear(forked);
}

static void vc_fork(void *state, const TraceEvent *event, uint64_t index) {
  Vc *g = state;
  VcThread *other = &g->threads.at[event->object];
  clock_raise(g, &other->forked, &g->threads.at[event->thread].clock);
  other->forker = event->thread;
  other->forked_at = index;
}

static void vc_join(void *state, const TraceEvent *event, uint64_t index) {
  Vc *g = state;
  VcThread *other = &g->threads.at[event->object];
  const bool own = other->forker == event->thread && other->forked_at >= g->threads.at[event->thread].it.first;
  learn(g, event->thread, &other->clock, index, false);
  learn(g, event->thread, &other->forked, index, own);
  if (other->open) return;
  const uint32_t self = clock_get(&other->clock, event->object);
  vec_clear(&other->clock);
  vec_clear(&other->forked);
  clock_set(g, &other->clock, event->object, self);
  other->forker = NONE;
  other->life = g->n_lives++;
  other->joins++;
}

static void vc_free_object(void *state, uint32_t number) {
  Vc *g = state;
  Object *object = &g->objects.at[number];
  unlink_object(g, object);
  forget_reads(g, object);
  vec_clear(&object->write);
  object->writer = NONE;
}

/* As if all transactions had ended here. */
static void vc_finish(void *state, uint64_t index) {
  Vc *g = state;
  for (uint32_t t = 0; t < g->threads.n; t++)
    if (g->threads.at[t].open) vc_end(g, &(TraceEvent){.thread = t}, index > 0 ? index - 1 : 0);
}

/* ---- the engine ---- */

static void *vc_new(Heap *heap, const MonitorOptions *options, Findings *findings) {
  Vc *g = heap_zeroed(heap, sizeof *g);
  g->heap = heap;
  g->findings = findings;
  g->causal = options->notion == MONITOR_CAUSAL;
  g->newest = NONE;
  return g;
}

static void vc_free(void *state) {
  Vc *g = state;
  for (uint32_t x = 0; x < g->objects.n; x++) {
    forget_reads(g, &g->objects.at[x]);
    vec_fini(g->heap, &g->objects.at[x].reads);
    vec_fini(g->heap, &g->objects.at[x].write);
  }
  for (uint32_t t = 0; t < g->threads.n; t++)
    vec_fini(g->heap, &g->threads.at[t].clock), vec_fini(g->heap, &g->threads.at[t].forked);
  vec_fini(g->heap, &g->objects);
  vec_fini(g->heap, &g->threads);
  heap_release(g->heap, g);
}

static void vc_room(void *state, uint32_t n_threads, uint32_t n_objects) {
  Vc *g = state;
  for (uint32_t t = g->threads.n; t < n_threads; t++) {
    const VcThread fresh = {.forker = NONE, .life = g->n_lives++};
    vec_push(g->heap, &g->threads, fresh);
    clock_set(g, &vec_last(&g->threads).clock, t, 0);
  }
  for (uint32_t x = g->objects.n; x < n_objects; x++) {
    const Object fresh = {.writer = NONE, .older = NONE, .newer = NONE};
    vec_push(g->heap, &g->objects, fresh);
  }
}

const Engine engine_vc = {vc_new,  vc_free,        vc_start,  vc_begin, vc_end, vc_access, vc_fork,
                          vc_join, vc_free_object, vc_finish, NULL,     NULL,   vc_room,   NULL,
                          NULL,    NULL,           NULL,      NULL,     NULL,   NULL};
const Engine engine_vc_causal = {vc_new,  vc_free,        vc_start,  vc_begin, vc_end, vc_access, vc_fork,
                                 vc_join, vc_free_object, vc_finish, NULL,     NULL,   vc_room,   NULL,
                                 NULL,    NULL,           NULL,      NULL,     NULL,   NULL};
