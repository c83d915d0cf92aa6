#include "predict/play.h"

#include "base/hash.h"
#include "base/slots.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

/* ---- numbers that stand for several things ---- */

/* A thread, variable or lock: the `count`-th that the number stands for. */
typedef struct {
  uint32_t number, count;
  uint32_t played; /* its number in the play; NONE before it is there */
} Thing;

typedef VEC(Thing) Things;

/* What a recorded number stands for now. */
typedef struct {
  uint32_t thing, count;
  uint32_t first;  /* of an object: what it stands for in each run before it is freed there; NONE: not known yet */
  uint32_t depth;  /* of a thread: open transactions */
  bool waited;     /* of a hand-over: there was a wait, so the next signal begins another one */
  bool is_renewed; /* of an object: it was freed in this run; of a hand-over: it is none of an earlier run */
  bool is_handover;
} Meaning;

typedef VEC(Meaning) Meanings;

struct PlayMaker {
  Heap *heap;
  const Recorded *recorded;
  TraceNames *names;
  Things threads, objects;
  HashSlots thread_slots;        /* of things, by their number and count */
  Meanings thread_of, object_of; /* by recorded number */
  TraceEvent *events;            /* the recorded ones, with things for threads and objects */
  uint64_t *list, *first;        /* the events of thread t: list[first[t] .. first[t + 1] - 1] */
};

static Meaning *meaning(Heap *heap, Meanings *meanings, uint32_t number) {
  while (meanings->n <= number) vec_push(heap, meanings, ((Meaning){NONE, 0, NONE, 0, false, false, false}));
  return &meanings->at[number];
}

/* Threads with the same number and count in several runs are one thing: only one of them is in a play. */
static uint32_t thread_thing(PlayMaker *r, uint32_t number, uint32_t count) {
  const uint32_t hash = (uint32_t)hash_join(number, count);
  if (r->threads.n >= r->thread_slots.n / 2) slots_grow(r->heap, &r->thread_slots);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&r->thread_slots, i);
    if (slot->number) {
      const Thing *thing = &r->threads.at[slot->number - 1];
      if (thing->number == number && thing->count == count) return slot->number - 1;
      continue;
    }
    vec_push(r->heap, &r->threads, ((Thing){number, count, NONE}));
    *slot = (HashSlot){hash, r->threads.n};
    return r->threads.n - 1;
  }
}

static Meaning *thread_of(PlayMaker *r, uint32_t number) {
  Meaning *it = meaning(r->heap, &r->thread_of, number);
  if (it->thing == NONE) it->thing = thread_thing(r, number, it->count);
  return it;
}

static Meaning *object_of(PlayMaker *r, uint32_t number) {
  Meaning *it = meaning(r->heap, &r->object_of, number);
  if (it->thing != NONE) return it;
  it->thing = it->is_renewed ? NONE : it->first;
  if (it->thing != NONE) return it;
  it->thing = r->objects.n;
  if (!it->is_renewed) it->first = it->thing;
  vec_push(r->heap, &r->objects, ((Thing){number, it->count, NONE}));
  return it;
}

static void change(Meaning *it) {
  it->thing = NONE;
  it->count++;
  it->is_renewed = true;
}

/* In each run the numbers of threads start over, objects are what they were before they were freed, and hand-overs are
 * others. */
static void begin_run(PlayMaker *r) {
  vec_clear(&r->thread_of);
  for (uint32_t i = 0; i < r->object_of.n; i++) {
    Meaning *it = &r->object_of.at[i];
    it->thing = NONE;
    it->waited = false;
    it->is_renewed = it->is_handover;
    it->count += it->is_handover;
  }
}

static void renumber_join(PlayMaker *r, TraceEvent *event) {
  Meaning *other = thread_of(r, event->object);
  event->object = other->thing;
  if (event->op == TRACE_JOIN && other->depth == 0 && event->object != event->thread) change(other);
}

static void renumber_handover(PlayMaker *r, TraceEvent *event) {
  Meaning *it = object_of(r, event->object);
  it->is_handover = true;
  if (event->op == TRACE_SIGNAL && it->waited) change(it);
  it->waited = event->op == TRACE_WAIT;
  event->object = object_of(r, event->object)->thing;
}

static void renumber(PlayMaker *r, TraceEvent *event) {
  Meaning *thread = thread_of(r, event->thread);
  event->thread = thread->thing;
  switch ((TraceOp)event->op) {
  case TRACE_READ:
  case TRACE_WRITE:
  case TRACE_ACQUIRE:
  case TRACE_RELEASE:
  case TRACE_UPDATE:
  case TRACE_SHARED_ACQUIRE:
  case TRACE_SHARED_RELEASE:
  case TRACE_TRY:
  case TRACE_SHARED_TRY: event->object = object_of(r, event->object)->thing; break;
  case TRACE_SIGNAL:
  case TRACE_WAIT: renumber_handover(r, event); break;
  case TRACE_FREE: change(object_of(r, event->object)); break;
  case TRACE_FORK:
  case TRACE_JOIN: renumber_join(r, event); break;
  case TRACE_BEGIN: thread->depth++; break;
  case TRACE_END: thread->depth -= thread->depth > 0; break;
  case TRACE_EXIT: thread->depth = 0; break;
  case TRACE_START: break;
  }
}

static void renumber_all(PlayMaker *r) {
  const Recorded *recorded = r->recorded;
  r->events = heap_alloc(r->heap, heap_product(r->heap, recorded->n + 1, sizeof *r->events));
  if (recorded->n) memcpy(r->events, recorded->events, heap_product(r->heap, recorded->n, sizeof *r->events));
  uint32_t run = 0;
  for (uint64_t i = 0; i < recorded->n; i++) {
    for (; run + 1 < recorded->n_runs && i == recorded->runs[run]; run++) begin_run(r);
    renumber(r, &r->events[i]);
  }
}

/* ---- the run ---- */

/* Sorts the events by threads. */
static void list_events(PlayMaker *m) {
  m->list = heap_alloc(m->heap, heap_product(m->heap, m->recorded->n + 1, sizeof *m->list));
  m->first = heap_zeroed(m->heap, heap_product(m->heap, (size_t)m->threads.n + 2, sizeof *m->first));
  for (uint64_t i = 0; i < m->recorded->n; i++) m->first[m->events[i].thread + 2]++;
  for (uint32_t t = 2; t < m->threads.n + 2; t++) m->first[t] += m->first[t - 1];
  for (uint64_t i = 0; i < m->recorded->n; i++) m->list[m->first[m->events[i].thread + 1]++] = i;
}

/* The number in plays, which the thing gets now if it has none. */
static uint32_t played(PlayMaker *m, Thing *thing, TraceNameKind kind) {
  const TraceNames *names = m->recorded->names;
  if (thing->played != NONE) return thing->played;
  Arena arena;
  arena_init(&arena, m->heap);
  const char *name =
      names && thing->number < trace_name_count(names, kind) ? trace_name(names, kind, thing->number) : "";
  if (!*name) name = arena_format(&arena, "%c%u", kind == TRACE_THREAD_NAME ? 'T' : 'V', thing->number);
  if (thing->count) name = arena_format(&arena, "%s#%u", name, thing->count + 1);
  thing->played = trace_names_add(m->names, kind, name);
  arena_fini(&arena);
  return thing->played;
}

static bool is_visited(const Cycle *cycle, uint64_t origin) {
  for (uint32_t i = 0; i < cycle->n; i++)
    if (cycle->visits[i].in == origin || cycle->visits[i].out == origin) return true;
  return false;
}

static void add_event(Play *play, PlayMaker *m, uint64_t origin, const Cycle *cycle) {
  TraceEvent event = m->events[origin];
  if (event.op == TRACE_FREE || (!m->recorded->handovers && TRACE_SORT[event.op] == TRACE_ON_HANDOVER)) {
    if (!is_visited(cycle, origin)) return;
    event.op = TRACE_START;
    event.object = TRACE_NONE;
  }
  event.thread = played(m, &m->threads.at[event.thread], TRACE_THREAD_NAME);
  if (event.op == TRACE_FORK || event.op == TRACE_JOIN) {
    event.object = played(m, &m->threads.at[event.object], TRACE_THREAD_NAME);
  } else if (TRACE_SORT[event.op] <= TRACE_ON_HANDOVER && event.object != TRACE_NONE) {
    event.object = played(m, &m->objects.at[event.object], TRACE_OBJECT_NAME);
  }
  vec_push(play->heap, &play->events, event);
  vec_push(play->heap, &play->origin, origin);
}

static void copy_names(TraceNames *to, const TraceNames *names, TraceNameKind kind) {
  for (uint32_t i = 0; names && i < trace_name_count(names, kind); i++)
    trace_names_add(to, kind, trace_name(names, kind, i));
}

PlayMaker *play_maker_new(Heap *heap, const Recorded *recorded) {
  PlayMaker *m = heap_zeroed(heap, sizeof *m);
  m->heap = heap;
  m->recorded = recorded;
  m->names = trace_names_new(heap);
  copy_names(m->names, recorded->names, TRACE_LABEL_NAME);
  copy_names(m->names, recorded->names, TRACE_LOCATION_NAME);
  renumber_all(m);
  list_events(m);
  return m;
}

void play_maker_free(PlayMaker *m) {
  if (!m) return;
  trace_names_free(m->names);
  vec_fini(m->heap, &m->threads);
  vec_fini(m->heap, &m->objects);
  slots_fini(m->heap, &m->thread_slots);
  vec_fini(m->heap, &m->thread_of);
  vec_fini(m->heap, &m->object_of);
  heap_release(m->heap, m->events);
  heap_release(m->heap, m->list);
  heap_release(m->heap, m->first);
  heap_release(m->heap, m);
}

/* The events of one run are next to each other in the list, in the order of the runs: where threads of several runs are
 * one thing, those of the run of `until` are meant. */
static uint64_t first_of_run(const PlayMaker *m, uint32_t thread, uint64_t until) {
  const Recorded *recorded = m->recorded;
  uint64_t begin = 0, at = m->first[thread];
  for (uint32_t run = 0; run + 1 < recorded->n_runs && recorded->runs[run] <= until; run++) begin = recorded->runs[run];
  while (at < m->first[thread + 1] && m->list[at] < begin) at++;
  return at;
}

/* Adds the events of the schedule in its order; or counts them alone, where there is no play. */
static uint64_t follow(PlayMaker *m, const Schedule *schedule, const Cycle *cycle, Play *play) {
  uint64_t *at = heap_alloc(m->heap, heap_product(m->heap, (size_t)m->threads.n + 1, sizeof *at)), n = 0;
  for (uint32_t t = 0; t < m->threads.n; t++) at[t] = UINT64_MAX;
  for (uint32_t i = 0; i < schedule->n; i++) {
    const uint64_t until = schedule->at[i].until;
    assert(until < m->recorded->n);
    const uint32_t thread = m->events[until].thread;
    if (at[thread] == UINT64_MAX) at[thread] = first_of_run(m, thread, until);
    for (; at[thread] < m->first[thread + 1] && m->list[at[thread]] <= until; at[thread]++, n++)
      if (play) add_event(play, m, m->list[at[thread]], cycle);
  }
  heap_release(m->heap, at);
  return n;
}

void play_init(Play *play, PlayMaker *m, const Schedule *schedule, const Cycle *cycle) {
  *play = (Play){.heap = m->heap, .names = m->names};
  const uint64_t n = follow(m, schedule, cycle, NULL);
  if (n > UINT32_MAX) heap_give_up(m->heap);
  vec_reserve(m->heap, &play->events, (uint32_t)n);
  vec_reserve(m->heap, &play->origin, (uint32_t)n);
  follow(m, schedule, cycle, play);
}

void play_fini(Play *play) {
  trace_names_free(play->own_names);
  vec_fini(play->heap, &play->events);
  vec_fini(play->heap, &play->origin);
}

uint32_t play_find(const Play *play, uint64_t origin) {
  uint32_t i = 0;
  while (i < play->origin.n && play->origin.at[i] != origin) i++;
  return i;
}

/* ---- the cycle ---- */

/* The blocks that its thread is in after the event, where it was in `depth` before. */
static uint32_t depth_after(const TraceEvent *event, uint32_t depth) {
  if (event->op == TRACE_BEGIN) return depth + 1;
  if (event->op == TRACE_EXIT) return 0;
  return event->op == TRACE_END && depth ? depth - 1 : depth;
}

/* The begin of the outermost block that the event is in, and its number among those of the thread, from 1. False if the
 * event is outside of blocks. */
static bool find_begin(const Play *play, uint32_t index, uint32_t *begin, uint32_t *ordinal) {
  const TraceEvent *events = play->events.at;
  uint32_t depth = 0;
  for (uint32_t i = 0; i <= index; i++) {
    if (events[i].thread != events[index].thread) continue;
    if (!depth && events[i].op == TRACE_BEGIN) *begin = i, ++*ordinal;
    if (i < index || events[i].op == TRACE_BEGIN) depth = depth_after(&events[i], depth);
  }
  return depth > 0;
}

/* Where the block that begins with it->first ends, if it does. */
static void find_end(const Play *play, MonitorTransaction *it) {
  uint32_t depth = 0;
  it->open = true;
  for (uint32_t i = (uint32_t)it->first; i < play->events.n && it->open; i++) {
    const TraceEvent *event = &play->events.at[i];
    if (event->thread != it->thread) continue;
    depth = depth_after(event, depth);
    it->last = i;
    it->open = depth > 0;
  }
}

/* The outermost block that the event is in, or the event alone. */
static MonitorTransaction transaction_of(const Play *play, uint32_t index) {
  const TraceEvent *event = &play->events.at[index];
  MonitorTransaction it = {
      .thread = event->thread, .label = TRACE_NONE, .location = event->location, .first = index, .last = index};
  uint32_t begin = index;
  if (!find_begin(play, index, &begin, &it.ordinal)) return it;
  it.first = begin;
  it.label = play->events.at[begin].object;
  it.location = play->events.at[begin].location;
  find_end(play, &it);
  return it;
}

static MonitorAccess access_of(const Play *play, uint32_t index) {
  const TraceEvent *event = &play->events.at[index];
  return (MonitorAccess){index, event->object, event->location, event->op};
}

static MonitorEdge edge_of(const Play *play, uint32_t from, uint32_t to) {
  const TraceEvent *a = &play->events.at[from], *b = &play->events.at[to];
  MonitorEdge edge = {MONITOR_CONFLICT, access_of(play, from), access_of(play, to)};
  if (a->thread == b->thread) edge.kind = MONITOR_ORDER, edge.from.object = edge.to.object = TRACE_NONE;
  else if (a->op == TRACE_FORK && a->object == b->thread) edge.kind = MONITOR_FORK, edge.to.object = TRACE_NONE;
  else if (a->op == TRACE_SIGNAL && b->op == TRACE_WAIT) edge.kind = MONITOR_HANDOVER;
  else if (b->op == TRACE_JOIN && a->op == TRACE_FORK && a->object == b->object) edge.kind = MONITOR_JOIN;
  else if (b->op == TRACE_JOIN && b->object == a->thread) edge.kind = MONITOR_JOIN, edge.from.object = TRACE_NONE;
  return edge;
}

/* Adds the transaction of an event; the edge into it, if it is not the first, leads from event `from`. */
static void add_transaction(const Play *play, MonitorFinding *finding, uint32_t from, uint32_t event) {
  if (finding->n) finding->edges[finding->n - 1] = edge_of(play, from, event);
  finding->transactions[finding->n++] = transaction_of(play, event);
}

MonitorFinding play_finding(const Play *play, Arena *arena, const Cycle *cycle) {
  MonitorFinding finding = {.transactions = arena_zeroed(arena, (size_t)cycle->n * 2, sizeof *finding.transactions),
                            .edges = arena_zeroed(arena, (size_t)cycle->n * 2, sizeof *finding.edges)};
  for (uint32_t i = 0; i < cycle->n; i++) {
    const uint32_t in = (uint32_t)cycle->visits[i].in, out = (uint32_t)cycle->visits[i].out;
    add_transaction(play, &finding, i ? (uint32_t)cycle->visits[i - 1].out : 0, in);
    if (transaction_of(play, out).first != finding.transactions[finding.n - 1].first)
      add_transaction(play, &finding, in, out);
  }
  finding.edges[finding.n - 1] =
      edge_of(play, (uint32_t)cycle->visits[cycle->n - 1].out, (uint32_t)cycle->visits[0].in);
  finding.event = cycle->visits[0].in;
  return finding;
}
