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

/* From an event on a number stands for a thing. */
typedef struct {
  uint32_t number, event, thing;
} Change;

typedef VEC(Change) Changes;

/* Which things the recorded numbers stand for. */
typedef struct {
  Things things;
  Meanings now;    /* by number, while the events are gone through */
  Changes changes; /* in the order of events; then by numbers: */
  U32Vec first;    /* those of number k are first[k] .. first[k + 1] - 1 */
} Numbering;

struct PlayMaker {
  Heap *heap;
  Recorded recorded;
  TraceNames *names;
  Numbering threads, objects;
  HashSlots thread_slots; /* of things, by their number and count */
  U32Vec begin;           /* of each thread, a thing: its first event */
  uint32_t *next;         /* of each event: the next one of its thread, or NONE */
  uint32_t now;           /* the event that is gone through */
};

static Meaning *meaning(Heap *heap, Meanings *meanings, uint32_t number) {
  while (meanings->n <= number) vec_push(heap, meanings, ((Meaning){NONE, 0, NONE, 0, false, false, false}));
  return &meanings->at[number];
}

/* Threads with the same number and count in several runs are one thing: only one of them is in a play. */
static uint32_t thread_thing(PlayMaker *m, uint32_t number, uint32_t count) {
  const uint32_t hash = (uint32_t)hash_join(number, count);
  Things *things = &m->threads.things;
  if (things->n >= m->thread_slots.n / 2) slots_grow(m->heap, &m->thread_slots);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&m->thread_slots, i);
    if (slot->number) {
      const Thing *thing = &things->at[slot->number - 1];
      if (thing->number == number && thing->count == count) return slot->number - 1;
      continue;
    }
    vec_push(m->heap, things, ((Thing){number, count, NONE}));
    *slot = (HashSlot){hash, things->n};
    return things->n - 1;
  }
}

static void note_change(PlayMaker *m, Numbering *numbering, uint32_t number, uint32_t thing) {
  numbering->now.at[number].thing = thing;
  vec_push(m->heap, &numbering->changes, ((Change){number, m->now, thing}));
}

static Meaning *thread_of(PlayMaker *m, uint32_t number) {
  Meaning *it = meaning(m->heap, &m->threads.now, number);
  if (it->thing == NONE) note_change(m, &m->threads, number, thread_thing(m, number, it->count));
  return it;
}

static Meaning *object_of(PlayMaker *m, uint32_t number) {
  Meaning *it = meaning(m->heap, &m->objects.now, number);
  Things *things = &m->objects.things;
  if (it->thing != NONE) return it;
  if (!it->is_renewed && it->first != NONE) {
    note_change(m, &m->objects, number, it->first);
    return it;
  }
  note_change(m, &m->objects, number, things->n);
  if (!it->is_renewed) it->first = it->thing;
  vec_push(m->heap, things, ((Thing){number, it->count, NONE}));
  return it;
}

static void change(Meaning *it) {
  it->thing = NONE;
  it->count++;
  it->is_renewed = true;
}

/* In each run the numbers of threads start over, objects are what they were before they were freed, and hand-overs are
 * others. */
static void begin_run(PlayMaker *m) {
  vec_clear(&m->threads.now);
  for (uint32_t i = 0; i < m->objects.now.n; i++) {
    Meaning *it = &m->objects.now.at[i];
    it->thing = NONE;
    it->waited = false;
    it->is_renewed = it->is_handover;
    it->count += it->is_handover;
  }
}

static void meet_thread(PlayMaker *m, const TraceEvent *event) {
  Meaning *other = thread_of(m, event->object);
  if (event->op == TRACE_JOIN && other->depth == 0 && event->object != event->thread) change(other);
}

static void meet_handover(PlayMaker *m, const TraceEvent *event) {
  Meaning *it = object_of(m, event->object);
  it->is_handover = true;
  if (event->op == TRACE_SIGNAL && it->waited) change(it);
  it->waited = event->op == TRACE_WAIT;
  object_of(m, event->object);
}

static void meet(PlayMaker *m, const TraceEvent *event) {
  thread_of(m, event->thread);
  switch ((TraceOp)event->op) {
  case TRACE_READ:
  case TRACE_WRITE:
  case TRACE_ACQUIRE:
  case TRACE_RELEASE:
  case TRACE_UPDATE:
  case TRACE_SHARED_ACQUIRE:
  case TRACE_SHARED_RELEASE:
  case TRACE_TRY:
  case TRACE_SHARED_TRY: object_of(m, event->object); break;
  case TRACE_SIGNAL:
  case TRACE_WAIT: meet_handover(m, event); break;
  case TRACE_FREE: change(object_of(m, event->object)); break;
  case TRACE_FORK:
  case TRACE_JOIN: meet_thread(m, event); break;
  case TRACE_BEGIN: thread_of(m, event->thread)->depth++; break;
  case TRACE_END: thread_of(m, event->thread)->depth -= thread_of(m, event->thread)->depth > 0; break;
  case TRACE_EXIT: thread_of(m, event->thread)->depth = 0; break;
  case TRACE_START: break;
  }
}

/* The event is the last one so far of its thread; last[t]: that before. */
static void list_event(PlayMaker *m, U32Vec *last, uint32_t event, uint32_t thread) {
  while (last->n <= thread) {
    vec_push(m->heap, last, NONE);
    vec_push(m->heap, &m->begin, NONE);
  }
  if (last->at[thread] == NONE) m->begin.at[thread] = event;
  else m->next[last->at[thread]] = event;
  last->at[thread] = event;
  m->next[event] = NONE;
}

static void meet_all(PlayMaker *m) {
  const Recorded *recorded = &m->recorded;
  U32Vec last = {0};
  uint32_t run = 0;
  m->next = heap_alloc(m->heap, heap_product(m->heap, (uint64_t)recorded->n + 1, sizeof *m->next));
  for (uint32_t i = 0; i < recorded->n; i++) {
    for (; run + 1 < recorded->n_runs && i == recorded->runs[run]; run++) begin_run(m);
    m->now = i;
    const uint32_t thread = thread_of(m, recorded->events[i].thread)->thing;
    meet(m, &recorded->events[i]);
    list_event(m, &last, i, thread);
  }
  vec_fini(m->heap, &last);
}

/* Sorts the changes by numbers, each one's in the order of events. */
static void sort_changes(Heap *heap, Numbering *numbering) {
  const uint32_t n = numbering->now.n;
  Changes sorted = {0};
  U32Vec *first = &numbering->first;
  vec_resize_zeroed(heap, first, n + 2);
  vec_resize_zeroed(heap, &sorted, numbering->changes.n);
  for (uint32_t i = 0; i < numbering->changes.n; i++) first->at[numbering->changes.at[i].number + 2]++;
  for (uint32_t k = 2; k < n + 2; k++) first->at[k] += first->at[k - 1];
  for (uint32_t i = 0; i < numbering->changes.n; i++) {
    const Change *change = &numbering->changes.at[i];
    sorted.at[first->at[change->number + 1]++] = *change;
  }
  vec_fini(heap, &numbering->changes);
  vec_fini(heap, &numbering->now);
  numbering->changes = sorted;
}

/* The thing that the number stands for in the event: that of the last change up to there. */
static Thing *thing_at(const Numbering *numbering, uint32_t number, uint32_t event) {
  uint32_t from = numbering->first.at[number], to = numbering->first.at[number + 1];
  while (to - from > 1) {
    const uint32_t middle = from + (to - from) / 2;
    if (numbering->changes.at[middle].event <= event) from = middle;
    else to = middle;
  }
  return &numbering->things.at[numbering->changes.at[from].thing];
}

/* ---- the run ---- */

/* The number in plays, which the thing gets now if it has none. */
static uint32_t play_thing(PlayMaker *m, Thing *thing, TraceNameKind kind) {
  const TraceNames *names = m->recorded.names;
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

/* What is nothing that a thread does. */
static bool is_nothing(const PlayMaker *m, const TraceEvent *event) {
  return event->op == TRACE_FREE || (!m->recorded.handovers && TRACE_SORT[event->op] == TRACE_ON_HANDOVER);
}

static bool has_object(const TraceEvent *event) {
  return TRACE_SORT[event->op] <= TRACE_ON_HANDOVER && event->object != TRACE_NONE;
}

static bool has_thread(const TraceEvent *event) { return TRACE_SORT[event->op] == TRACE_ON_THREAD; }

static void add_event(Play *play, PlayMaker *m, uint32_t origin, const Cycle *cycle) {
  const TraceEvent *event = &m->recorded.events[origin];
  const bool nothing = is_nothing(m, event);
  if (nothing && !is_visited(cycle, origin)) return;
  play_thing(m, thing_at(&m->threads, event->thread, origin), TRACE_THREAD_NAME);
  if (has_thread(event)) play_thing(m, thing_at(&m->threads, event->object, origin), TRACE_THREAD_NAME);
  else if (!nothing && has_object(event))
    play_thing(m, thing_at(&m->objects, event->object, origin), TRACE_OBJECT_NAME);
  vec_push(play->heap, &play->origin, origin);
}

/* The event; but its object is as it was recorded. */
static TraceEvent event_at(const Play *play, uint32_t index) {
  const PlayMaker *m = play->maker;
  if (!m) return play->events.at[index];
  const uint32_t origin = play->origin.at[index];
  TraceEvent event = m->recorded.events[origin];
  if (is_nothing(m, &event)) event.op = TRACE_START, event.object = TRACE_NONE;
  event.thread = thing_at(&m->threads, event.thread, origin)->played;
  return event;
}

uint32_t play_thread(const Play *play, uint32_t index) { return event_at(play, index).thread; }

TraceEvent play_event(const Play *play, uint32_t index) {
  const PlayMaker *m = play->maker;
  const uint32_t origin = play->origin.at[index];
  TraceEvent event = event_at(play, index);
  if (!m) return event;
  if (has_thread(&event)) event.object = thing_at(&m->threads, event.object, origin)->played;
  else if (has_object(&event)) event.object = thing_at(&m->objects, event.object, origin)->played;
  return event;
}

uint32_t play_events(const Play *play, uint32_t index, TraceEvent *events, uint32_t n) {
  uint32_t k = 0;
  for (; k < n && index + k < play->origin.n; k++) events[k] = play_event(play, index + k);
  return k;
}

static void copy_names(TraceNames *to, const TraceNames *names, TraceNameKind kind) {
  for (uint32_t i = 0; names && i < trace_name_count(names, kind); i++)
    trace_names_add(to, kind, trace_name(names, kind, i));
}

PlayMaker *play_maker_new(Heap *heap, const Recorded *recorded) {
  PlayMaker *m = heap_zeroed(heap, sizeof *m);
  m->heap = heap;
  m->recorded = *recorded;
  m->names = trace_names_new(heap);
  copy_names(m->names, recorded->names, TRACE_LABEL_NAME);
  copy_names(m->names, recorded->names, TRACE_LOCATION_NAME);
  meet_all(m);
  sort_changes(heap, &m->threads);
  sort_changes(heap, &m->objects);
  return m;
}

static void numbering_fini(Heap *heap, Numbering *numbering) {
  vec_fini(heap, &numbering->things);
  vec_fini(heap, &numbering->changes);
  vec_fini(heap, &numbering->first);
}

void play_maker_free(PlayMaker *m) {
  if (!m) return;
  trace_names_free(m->names);
  numbering_fini(m->heap, &m->threads);
  numbering_fini(m->heap, &m->objects);
  slots_fini(m->heap, &m->thread_slots);
  vec_fini(m->heap, &m->begin);
  heap_release(m->heap, m->next);
  heap_release(m->heap, m);
}

/* The thread's first event in the run that the event is of. */
static uint32_t first_of_run(const PlayMaker *m, uint32_t thread, uint64_t event) {
  const Recorded *recorded = &m->recorded;
  uint64_t begin = 0;
  uint32_t at = m->begin.at[thread];
  for (uint32_t run = 0; run + 1 < recorded->n_runs && recorded->runs[run] <= event; run++) begin = recorded->runs[run];
  while (at < begin) at = m->next[at];
  return at;
}

/* Adds the events of the schedule in its order; or counts them alone, where there is no play. */
static uint64_t follow(PlayMaker *m, const Schedule *schedule, const Cycle *cycle, Play *play) {
  const uint32_t n_threads = m->threads.things.n;
  uint32_t *at = heap_alloc(m->heap, heap_product(m->heap, (uint64_t)n_threads + 1, sizeof *at));
  bool *begun = heap_zeroed(m->heap, (size_t)n_threads + 1);
  uint64_t n = 0;
  for (uint32_t i = 0; i < schedule->n; i++) {
    const uint32_t until = (uint32_t)schedule->at[i].until;
    assert(schedule->at[i].until < m->recorded.n);
    const uint32_t thread =
        (uint32_t)(thing_at(&m->threads, m->recorded.events[until].thread, until) - m->threads.things.at);
    if (!begun[thread]) begun[thread] = true, at[thread] = first_of_run(m, thread, until);
    for (; at[thread] != NONE && at[thread] <= until; at[thread] = m->next[at[thread]], n++)
      if (play) add_event(play, m, at[thread], cycle);
  }
  heap_release(m->heap, at);
  heap_release(m->heap, begun);
  return n;
}

void play_init(Play *play, PlayMaker *m, const Schedule *schedule, const Cycle *cycle) {
  *play = (Play){.heap = m->heap, .names = m->names, .maker = m};
  const uint64_t n = follow(m, schedule, cycle, NULL);
  if (n > UINT32_MAX) heap_give_up(m->heap);
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
  const uint32_t thread = play_thread(play, index);
  uint32_t depth = 0;
  for (uint32_t i = 0; i <= index; i++) {
    const TraceEvent event = event_at(play, i);
    if (event.thread != thread) continue;
    if (!depth && event.op == TRACE_BEGIN) *begin = i, ++*ordinal;
    if (i < index || event.op == TRACE_BEGIN) depth = depth_after(&event, depth);
  }
  return depth > 0;
}

/* Where the block that begins with it->first ends, if it does. */
static void find_end(const Play *play, MonitorTransaction *it) {
  uint32_t depth = 0;
  it->open = true;
  for (uint32_t i = (uint32_t)it->first; i < play->origin.n && it->open; i++) {
    const TraceEvent event = event_at(play, i);
    if (event.thread != it->thread) continue;
    depth = depth_after(&event, depth);
    it->last = i;
    it->open = depth > 0;
  }
}

/* The outermost block that the event is in, or the event alone. */
static MonitorTransaction transaction_of(const Play *play, uint32_t index) {
  const TraceEvent event = play_event(play, index);
  MonitorTransaction it = {
      .thread = event.thread, .label = TRACE_NONE, .location = event.location, .first = index, .last = index};
  uint32_t begin = index;
  if (!find_begin(play, index, &begin, &it.ordinal)) return it;
  it.first = begin;
  it.label = play_event(play, begin).object;
  it.location = play_event(play, begin).location;
  find_end(play, &it);
  return it;
}

static MonitorAccess access_of(const Play *play, uint32_t index) {
  const TraceEvent event = play_event(play, index);
  return (MonitorAccess){index, event.object, event.location, event.op};
}

static MonitorEdge edge_of(const Play *play, uint32_t from, uint32_t to) {
  const TraceEvent a = play_event(play, from), b = play_event(play, to);
  MonitorEdge edge = {MONITOR_CONFLICT, access_of(play, from), access_of(play, to)};
  if (a.thread == b.thread) edge.kind = MONITOR_ORDER, edge.from.object = edge.to.object = TRACE_NONE;
  else if (a.op == TRACE_FORK && a.object == b.thread) edge.kind = MONITOR_FORK, edge.to.object = TRACE_NONE;
  else if (a.op == TRACE_SIGNAL && b.op == TRACE_WAIT) edge.kind = MONITOR_HANDOVER;
  else if (b.op == TRACE_JOIN && a.op == TRACE_FORK && a.object == b.object) edge.kind = MONITOR_JOIN;
  else if (b.op == TRACE_JOIN && b.object == a.thread) edge.kind = MONITOR_JOIN, edge.from.object = TRACE_NONE;
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
