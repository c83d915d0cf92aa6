#include "predict/lock_runs_inside.h"

LockReader *lock_reader_new(Heap *heap) {
  LockReader *reader = heap_zeroed(heap, sizeof *reader);
  reader->heap = heap;
  return reader;
}

void lock_reader_free(LockReader *reader) {
  if (!reader) return;
  Heap *heap = reader->heap;
  for (uint32_t i = 0; i < reader->lives.n; i++) {
    vec_fini(heap, &reader->lives.at[i].forks);
    vec_fini(heap, &reader->lives.at[i].steps);
    vec_fini(heap, &reader->lives.at[i].labels);
  }
  vec_fini(heap, &reader->lives);
  vec_fini(heap, &reader->threads);
  vec_fini(heap, &reader->variables);
  vec_fini(heap, &reader->objects);
  vec_fini(heap, &reader->locks);
  pairs_fini(heap, &reader->holds);
  vec_fini(heap, &reader->counts);
  vec_fini(heap, &reader->edges);
  heap_release(heap, reader);
}

/* ---- threads, objects, locks ---- */

static uint32_t life_of(LockReader *reader, uint32_t thread) {
  Heap *heap = reader->heap;
  if (thread >= reader->threads.n) vec_resize_zeroed(heap, &reader->threads, thread + 1);
  if (!reader->threads.at[thread]) {
    vec_push(heap, &reader->lives, (Life){.number = thread});
    reader->threads.at[thread] = reader->lives.n;
  }
  return reader->threads.at[thread] - 1;
}

static void touch(Shared *shared, uint32_t life) {
  if (shared->life == TRACE_NONE) shared->life = life;
  else if (shared->life != life) shared->shared = true;
}

static uint32_t object_of(LockReader *reader, uint32_t variable) {
  Heap *heap = reader->heap;
  if (variable >= reader->variables.n) vec_resize_zeroed(heap, &reader->variables, variable + 1);
  if (!reader->variables.at[variable]) {
    vec_push(heap, &reader->objects, (Shared){.life = TRACE_NONE});
    reader->variables.at[variable] = reader->objects.n;
  }
  return reader->variables.at[variable] - 1;
}

static Shared *lock_of(LockReader *reader, uint32_t number) {
  while (number >= reader->locks.n) vec_push(reader->heap, &reader->locks, (Shared){.life = TRACE_NONE});
  return &reader->locks.at[number];
}

static uint32_t *count_of(LockReader *reader, uint32_t life, uint32_t lock) {
  const uint32_t hold = pairs_add(reader->heap, &reader->holds, life, lock);
  if (hold >= reader->counts.n) vec_resize_zeroed(reader->heap, &reader->counts, hold + 1);
  return &reader->counts.at[hold];
}

/* ---- events ---- */

typedef struct {
  const TraceEvent *event;
  uint64_t index;
  uint32_t life;
  uint32_t object; /* of the step; TRACE_NONE for a point */
  StepOp op;
} Look;

static void add_step(LockReader *reader, const Look *look) {
  Life *life = &reader->lives.at[look->life];
  const LockStep step = {look->index, look->object, look->event->location, life->transaction, (uint8_t)look->op, false};
  vec_push(reader->heap, &life->steps, step);
}

/* An access that only repeats the step before it has nothing to say. */
static bool repeats(const Life *life, const Look *look) {
  if (life->steps.n == 0 || life->forks.n > 0 || vec_last(&life->steps).stop) return false;
  const LockStep *last = &vec_last(&life->steps);
  return last->op == look->op && last->object == look->object && last->location == look->event->location &&
         (last->transaction == life->transaction || life->depth == 0);
}

static void access(LockReader *reader, Look *look) {
  look->object = object_of(reader, look->event->object);
  look->op = look->event->op == TRACE_READ ? STEP_READ : STEP_WRITE;
  Shared *object = &reader->objects.at[look->object];
  touch(object, look->life);
  object->written |= look->op == STEP_WRITE;
  if (!repeats(&reader->lives.at[look->life], look)) add_step(reader, look);
}

static bool acquire(LockReader *reader, Look *look) {
  Shared *lock = lock_of(reader, look->event->object);
  uint32_t *count = count_of(reader, look->life, look->event->object);
  if ((*count)++ > 0) return false;
  touch(lock, look->life);
  if (lock->holders++ > 0) reader->invalid = true;
  look->object = look->event->object;
  look->op = STEP_ACQUIRE;
  add_step(reader, look);
  return true;
}

static bool release(LockReader *reader, Look *look) {
  uint32_t *count = count_of(reader, look->life, look->event->object);
  if (*count == 0 || --*count > 0) return false;
  reader->locks.at[look->event->object].holders--;
  look->object = look->event->object;
  look->op = STEP_RELEASE;
  add_step(reader, look);
  return true;
}

static void add_edge(LockReader *reader, LifeEvent from, LifeEvent to) {
  const LifeEdge edge = {from, to};
  if (from.life != to.life) vec_push(reader->heap, &reader->edges, edge);
}

/* The last event of a thread that is joined becomes a step, if it is none. */
static void mark_last(LockReader *reader, Life *life) {
  const LockStep step = {life->last, TRACE_NONE, TRACE_NONE, life->transaction, STEP_POINT, true};
  if (life->steps.n == 0 || vec_last(&life->steps).event != life->last) vec_push(reader->heap, &life->steps, step);
  vec_last(&life->steps).stop = true;
}

static void join(LockReader *reader, const Look *look) {
  const uint32_t number = life_of(reader, look->event->object);
  const LifeEvent here = {look->life, look->index};
  Life *other = &reader->lives.at[number];
  for (uint32_t i = 0; i < other->forks.n; i++) add_edge(reader, other->forks.at[i], here);
  if (other->transaction) {
    mark_last(reader, other);
    add_edge(reader, (LifeEvent){number, other->last}, here);
  }
  if (other->depth == 0) reader->threads.at[look->event->object] = 0;
}

/* A thread that forks or joins itself does nothing. */
static bool relate(LockReader *reader, const Look *look) {
  if (look->event->object == look->event->thread) return false;
  add_step(reader, look);
  vec_last(&reader->lives.at[look->life].steps).stop = true;
  if (look->event->op == TRACE_JOIN) {
    join(reader, look);
  } else {
    const LifeEvent here = {look->life, look->index};
    const uint32_t number = life_of(reader, look->event->object);
    vec_push(reader->heap, &reader->lives.at[number].forks, here);
  }
  return true;
}

static void enter(LockReader *reader, const TraceEvent *event, uint32_t number) {
  Life *life = &reader->lives.at[number];
  const bool begins = event->op == TRACE_BEGIN;
  if (life->depth == 0) {
    if (life->transaction == UINT32_MAX) heap_give_up(reader->heap);
    life->transaction++;
    const TransactionLabel label = {life->transaction, event->object};
    if (begins) vec_push(reader->heap, &life->labels, label);
  }
  if (begins) life->depth++;
}

static void leave(LockReader *reader, const TraceEvent *event, uint32_t number) {
  Life *life = &reader->lives.at[number];
  if (event->op == TRACE_END && life->depth > 0) life->depth--;
  if (event->op == TRACE_EXIT) life->depth = 0;
  if (event->op == TRACE_FREE && event->object < reader->variables.n) reader->variables.at[event->object] = 0;
}

/* Is there a step of the event? */
static bool make_step(LockReader *reader, Look *look) {
  switch ((TraceOp)look->event->op) {
  case TRACE_READ:
  case TRACE_WRITE: return access(reader, look), true;
  case TRACE_ACQUIRE: return acquire(reader, look);
  case TRACE_RELEASE: return release(reader, look);
  case TRACE_FORK:
  case TRACE_JOIN: return relate(reader, look);
  case TRACE_BEGIN:
  case TRACE_END:
  case TRACE_START:
  case TRACE_EXIT:
  case TRACE_FREE: break;
  }
  return false;
}

static void look_at(LockReader *reader, const TraceEvent *event) {
  const uint32_t number = life_of(reader, event->thread);
  const LifeEvent here = {number, reader->n_events};
  Look look = {event, here.event, number, TRACE_NONE, STEP_POINT};
  enter(reader, event, number);
  const bool has_step = make_step(reader, &look);
  Life *life = &reader->lives.at[number];
  if (life->forks.n > 0) {
    look.object = TRACE_NONE;
    look.op = STEP_POINT;
    if (!has_step) add_step(reader, &look);
    vec_last(&life->steps).stop = true;
    for (uint32_t i = 0; i < life->forks.n; i++) add_edge(reader, life->forks.at[i], here);
    vec_clear(&life->forks);
  }
  life->last = here.event;
  leave(reader, event, number);
  reader->n_events++;
}

void lock_reader_feed(LockReader *reader, const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) look_at(reader, &events[i]);
}
