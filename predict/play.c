#include "predict/play.h"

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
  uint32_t depth; /* of a thread: open transactions */
} Meaning;

typedef VEC(Meaning) Meanings;

typedef struct {
  Heap *heap;
  const Recorded *recorded;
  Things threads, objects;
  Meanings thread_of, object_of; /* by recorded number */
  TraceEvent *events;            /* the recorded ones, with things for threads and objects */
} Renumbering;

static Meaning *meaning(Heap *heap, Meanings *meanings, Things *things, uint32_t number) {
  while (meanings->n <= number) vec_push(heap, meanings, ((Meaning){NONE, 0, 0}));
  Meaning *it = &meanings->at[number];
  if (it->thing == NONE) {
    it->thing = things->n;
    vec_push(heap, things, ((Thing){number, it->count, NONE}));
  }
  return it;
}

static Meaning *thread_of(Renumbering *r, uint32_t number) { return meaning(r->heap, &r->thread_of, &r->threads, number); }
static Meaning *object_of(Renumbering *r, uint32_t number) { return meaning(r->heap, &r->object_of, &r->objects, number); }

static void change(Meaning *it) {
  it->thing = NONE;
  it->count++;
}

static void renumber_join(Renumbering *r, TraceEvent *event) {
  Meaning *other = thread_of(r, event->object);
  event->object = other->thing;
  if (event->op == TRACE_JOIN && other->depth == 0 && event->object != event->thread) change(other);
}

static void renumber(Renumbering *r, TraceEvent *event) {
  Meaning *thread = thread_of(r, event->thread);
  event->thread = thread->thing;
  switch ((TraceOp)event->op) {
  case TRACE_READ:
  case TRACE_WRITE:
  case TRACE_ACQUIRE:
  case TRACE_RELEASE: event->object = object_of(r, event->object)->thing; break;
  case TRACE_FREE: change(object_of(r, event->object)); break;
  case TRACE_FORK:
  case TRACE_JOIN: renumber_join(r, event); break;
  case TRACE_BEGIN: thread->depth++; break;
  case TRACE_END: thread->depth -= thread->depth > 0; break;
  case TRACE_EXIT: thread->depth = 0; break;
  case TRACE_START: break;
  }
}

/* Each run has threads of its own. */
static void renumber_all(Renumbering *r) {
  const Recorded *recorded = r->recorded;
  r->events = heap_alloc(r->heap, heap_product(r->heap, recorded->n + 1, sizeof *r->events));
  if (recorded->n) memcpy(r->events, recorded->events, recorded->n * sizeof *r->events);
  uint32_t run = 0;
  for (uint64_t i = 0; i < recorded->n; i++) {
    for (; run + 1 < recorded->n_runs && i == recorded->runs[run]; run++) vec_clear(&r->thread_of);
    renumber(r, &r->events[i]);
  }
}

/* ---- the run ---- */

typedef struct {
  uint64_t *list, *next; /* the events of thing t: list[next[t] .. next[t + 1] - 1] at first; next moves on */
} Sequences;

static Sequences sequences_of(const Renumbering *r) {
  Sequences s = {heap_alloc(r->heap, heap_product(r->heap, r->recorded->n + 1, sizeof *s.list)),
                 heap_zeroed(r->heap, heap_product(r->heap, (size_t)r->threads.n + 2, sizeof *s.next))};
  for (uint64_t i = 0; i < r->recorded->n; i++) s.next[r->events[i].thread + 2]++;
  for (uint32_t t = 2; t < r->threads.n + 2; t++) s.next[t] += s.next[t - 1];
  for (uint64_t i = 0; i < r->recorded->n; i++) s.list[s.next[r->events[i].thread + 1]++] = i;
  return s;
}

/* The number in the play, which the thing gets now if it has none. */
static uint32_t played(Play *play, Thing *thing, TraceNameKind kind, const TraceNames *names) {
  if (thing->played != NONE) return thing->played;
  Arena arena;
  arena_init(&arena, play->heap);
  const char *name = names && thing->number < trace_name_count(names, kind) ? trace_name(names, kind, thing->number) : "";
  if (!*name) name = arena_format(&arena, "%c%u", kind == TRACE_THREAD_NAME ? 'T' : 'V', thing->number);
  if (thing->count) name = arena_format(&arena, "%s#%u", name, thing->count + 1);
  thing->played = trace_names_add(play->names, kind, name);
  arena_fini(&arena);
  return thing->played;
}

static void add_event(Play *play, Renumbering *r, uint64_t origin) {
  const TraceNames *names = r->recorded->names;
  TraceEvent event = r->events[origin];
  if (event.op == TRACE_FREE) return;
  event.thread = played(play, &r->threads.at[event.thread], TRACE_THREAD_NAME, names);
  if (event.op == TRACE_FORK || event.op == TRACE_JOIN) {
    event.object = played(play, &r->threads.at[event.object], TRACE_THREAD_NAME, names);
  } else if (event.op <= TRACE_RELEASE) {
    event.object = played(play, &r->objects.at[event.object], TRACE_OBJECT_NAME, names);
  }
  vec_push(play->heap, &play->events, event);
  vec_push(play->heap, &play->origin, origin);
}

static void copy_names(Play *play, const TraceNames *names, TraceNameKind kind) {
  for (uint32_t i = 0; names && i < trace_name_count(names, kind); i++) trace_names_add(play->names, kind, trace_name(names, kind, i));
}

static void play_steps(Play *play, Renumbering *r, const Schedule *schedule) {
  Sequences s = sequences_of(r);
  const uint64_t *end = s.next + 1;
  uint64_t *at = heap_alloc(r->heap, heap_product(r->heap, (size_t)r->threads.n + 1, sizeof *at));
  for (uint32_t t = 0; t < r->threads.n; t++) at[t] = s.next[t];
  for (uint32_t i = 0; i < schedule->n; i++) {
    const uint64_t until = schedule->at[i].until;
    assert(until < r->recorded->n);
    const uint32_t thread = r->events[until].thread;
    for (; at[thread] < end[thread] && s.list[at[thread]] <= until; at[thread]++) add_event(play, r, s.list[at[thread]]);
  }
  heap_release(r->heap, at);
  heap_release(r->heap, s.list);
  heap_release(r->heap, s.next);
}

void play_init(Play *play, Heap *heap, const Recorded *recorded, const Schedule *schedule) {
  Renumbering r = {.heap = heap, .recorded = recorded};
  *play = (Play){.heap = heap, .names = trace_names_new(heap)};
  copy_names(play, recorded->names, TRACE_LABEL_NAME);
  copy_names(play, recorded->names, TRACE_LOCATION_NAME);
  renumber_all(&r);
  play_steps(play, &r, schedule);
  vec_fini(heap, &r.threads);
  vec_fini(heap, &r.objects);
  vec_fini(heap, &r.thread_of);
  vec_fini(heap, &r.object_of);
  heap_release(heap, r.events);
}

void play_fini(Play *play) {
  trace_names_free(play->names);
  vec_fini(play->heap, &play->events);
  vec_fini(play->heap, &play->origin);
}

uint32_t play_find(const Play *play, uint64_t origin) {
  uint32_t i = 0;
  while (i < play->origin.n && play->origin.at[i] != origin) i++;
  return i;
}

/* ---- the cycle ---- */

/* The transaction of an event: found by going over the events of its thread. */
static MonitorTransaction transaction_of(const Play *play, uint32_t index) {
  const TraceEvent *event = &play->events.at[index];
  MonitorTransaction it = {.thread = event->thread, .label = TRACE_NONE};
  uint32_t depth = 0, ordinal = 0;
  bool inside = false;
  for (uint32_t i = 0; i < play->events.n; i++) {
    const TraceEvent *other = &play->events.at[i];
    if (other->thread != event->thread) continue;
    if (other->op == TRACE_BEGIN && depth++ == 0) {
      if (i > index) break;
      it.first = i;
      it.label = other->object;
      it.location = other->location;
      it.open = true;
      ordinal++;
    }
    if (i == index) inside = depth > 0;
    if (depth) it.last = i;
    const bool ends = (other->op == TRACE_END && depth == 1) || other->op == TRACE_EXIT;
    if (other->op == TRACE_END && depth) depth--;
    if (ends && i >= index) {
      it.open = false;
      break;
    }
    if (ends) depth = 0;
    if (i >= index && !inside) break;
  }
  it.ordinal = ordinal;
  return inside ? it : (MonitorTransaction){event->thread, 0, 0, TRACE_NONE, event->location, index, index, false};
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
    if (transaction_of(play, out).first != finding.transactions[finding.n - 1].first) add_transaction(play, &finding, in, out);
  }
  finding.edges[finding.n - 1] = edge_of(play, (uint32_t)cycle->visits[cycle->n - 1].out, (uint32_t)cycle->visits[0].in);
  finding.event = cycle->visits[0].in;
  return finding;
}
