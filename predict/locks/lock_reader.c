#include "predict/locks/lock_runs_inside.h"

LockReader *lock_reader_new(Heap *heap, LockSurvey *survey) {
  LockReader *reader = heap_zeroed(heap, sizeof *reader);
  reader->heap = heap;
  reader->known = survey;
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
  vec_fini(heap, &reader->numbers);
  vec_fini(heap, &reader->variables);
  vec_fini(heap, &reader->locks);
  pairs_fini(heap, &reader->pairs);
  vec_fini(heap, &reader->holds);
  vec_fini(heap, &reader->edges);
  heap_release(heap, reader);
}

/* ---- threads, objects, locks ---- */

static uint32_t life_of(LockReader *reader, uint32_t thread) {
  Heap *heap = reader->heap;
  if (thread >= reader->numbers.n) vec_resize_zeroed(heap, &reader->numbers, thread + 1);
  if (!reader->numbers.at[thread].life) {
    vec_push(heap, &reader->lives, (Life){.number = thread});
    reader->numbers.at[thread].life = reader->lives.n;
  }
  return reader->numbers.at[thread].life - 1;
}

static uint32_t object_of(LockReader *reader, uint32_t variable) {
  Heap *heap = reader->heap;
  if (variable >= reader->variables.n) vec_resize_zeroed(heap, &reader->variables, variable + 1);
  if (!reader->variables.at[variable]) {
    if (reader->n_objects == UINT32_MAX) heap_give_up(heap);
    reader->variables.at[variable] = ++reader->n_objects;
  }
  return reader->variables.at[variable] - 1;
}

/* How many hold it. */
static uint32_t *lock_of(LockReader *reader, uint32_t number) {
  if (number >= reader->locks.n) vec_resize_zeroed(reader->heap, &reader->locks, number + 1);
  return &reader->locks.at[number];
}

static Hold *hold_of(LockReader *reader, uint32_t life, uint32_t lock) {
  const uint32_t hold = pairs_add(reader->heap, &reader->pairs, life, lock);
  if (hold >= reader->holds.n) vec_resize_zeroed(reader->heap, &reader->holds, hold + 1);
  return &reader->holds.at[hold];
}

/* The stage of the life's present event. In a survey it is not yet known whether the event is a stop: as if it were
 * none. */
static uint32_t stage_of(LockReader *reader, uint32_t number) {
  Life *life = &reader->lives.at[number];
  if (reader->noting) return 2 * life->steps.n;
  uint32_t n;
  const LockStep *stops = lock_survey_stops(reader->known, number, &n);
  while (life->passed < n && stops[life->passed].event < reader->n_events) life->passed++;
  return 2 * life->passed + (life->passed < n && stops[life->passed].event == reader->n_events);
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

static bool is_same(const LockStep *step, const Look *look) {
  return step->op == look->op && step->object == look->object && step->location == look->event->location && !step->stop;
}

/* Of accesses that follow each other two are enough in a transaction, with which it can be left and entered; one
 * outside. */
static bool repeats(const LockReader *reader, const Life *life, const Look *look) {
  const uint32_t n = life->steps.n;
  if (n == 0 || reader->numbers.at[life->number].since || !is_same(&life->steps.at[n - 1], look)) return false;
  if (life->depth == 0) return true;
  return n > 1 && life->steps.at[n - 2].transaction == life->transaction && is_same(&life->steps.at[n - 2], look);
}

/* Is there a step of the access? */
static bool access(LockReader *reader, Look *look) {
  look->object = object_of(reader, look->event->object);
  look->op = look->event->op == TRACE_READ ? STEP_READ : STEP_WRITE;
  const bool write = look->op == STEP_WRITE;
  if (reader->noting) return lock_survey_note_access(reader->noting, look->object, look->life, write), false;
  if (!lock_survey_keeps_access(reader->known, look->object, look->life, stage_of(reader, look->life), write))
    return false;
  if (!repeats(reader, &reader->lives.at[look->life], look)) add_step(reader, look);
  return true;
}

static bool acquire(LockReader *reader, Look *look) {
  const uint32_t lock = look->object = look->event->object;
  Hold *hold = hold_of(reader, look->life, lock);
  if (hold->count++ > 0) return false;
  hold->stage = stage_of(reader, look->life);
  if ((*lock_of(reader, lock))++ > 0) reader->invalid = true;
  hold->kept = !reader->noting && lock_survey_keeps_lock(reader->known, lock, look->life, hold->stage);
  look->op = STEP_ACQUIRE;
  if (hold->kept) add_step(reader, look);
  return hold->kept;
}

static bool release(LockReader *reader, Look *look) {
  const uint32_t lock = look->object = look->event->object;
  Hold *hold = hold_of(reader, look->life, lock);
  if (hold->count == 0 || --hold->count > 0) return false;
  reader->locks.at[lock]--;
  if (reader->noting)
    lock_survey_note_section(reader->noting, lock, look->life, hold->stage, stage_of(reader, look->life));
  look->op = STEP_RELEASE;
  if (hold->kept) add_step(reader, look);
  return hold->kept;
}

static void add_edge(LockReader *reader, LifeEvent from, LifeEvent to, bool conflict) {
  const LifeEdge edge = {from, to, conflict};
  if (from.life != to.life) vec_push(reader->heap, &reader->edges, edge);
}

/* The last event of a thread that is forked or joined, if there is one; it becomes a step, if it is none. */
static bool find_last(LockReader *reader, uint32_t number, LifeEvent *last) {
  Life *life = &reader->lives.at[number];
  if (!life->transaction) return false;
  const LockStep step = {life->last, TRACE_NONE, TRACE_NONE, life->transaction, STEP_POINT, true};
  if (life->steps.n == 0 || vec_last(&life->steps).event != life->last) vec_push(reader->heap, &life->steps, step);
  vec_last(&life->steps).stop = true;
  return *last = (LifeEvent){number, life->last}, true;
}

static void join(LockReader *reader, uint32_t number, LifeEvent here) {
  const LifeEvents *forks = &reader->lives.at[number].forks;
  LifeEvent last;
  for (uint32_t i = 0; i < forks->n; i++) add_edge(reader, forks->at[i], here, true);
  if (find_last(reader, number, &last)) add_edge(reader, last, here, true);
  if (reader->lives.at[number].depth == 0) reader->numbers.at[reader->lives.at[number].number].life = 0;
}

static void fork(LockReader *reader, uint32_t number, LifeEvent here) {
  LifeEvent last;
  if (find_last(reader, number, &last)) add_edge(reader, last, here, false);
  vec_push(reader->heap, &reader->lives.at[number].forks, here);
}

/* A thread that forks or joins itself does nothing. */
static bool relate(LockReader *reader, const Look *look) {
  if (look->event->object == look->event->thread) return false;
  add_step(reader, look);
  vec_last(&reader->lives.at[look->life].steps).stop = true;
  const LifeEvent here = {look->life, look->index};
  const uint32_t life = life_of(reader, look->event->object);
  Number *number = &reader->numbers.at[look->event->object];
  if (number->related) add_edge(reader, number->relation, here, false);
  number->related = number->since = true;
  number->relation = here;
  if (look->event->op == TRACE_JOIN) join(reader, life, here);
  else fork(reader, life, here);
  return true;
}

/* The forks of the thread since its last event, and the last fork or join of its number, come before this one. */
static void follow_relations(LockReader *reader, const Look *look, bool has_step) {
  Life *life = &reader->lives.at[look->life];
  Number *number = &reader->numbers.at[life->number];
  const LifeEvent here = {look->life, look->index};
  if (!number->since) return;
  if (!has_step) add_step(reader, &(Look){look->event, look->index, look->life, TRACE_NONE, STEP_POINT});
  vec_last(&life->steps).stop = true;
  for (uint32_t i = 0; i < life->forks.n; i++) add_edge(reader, life->forks.at[i], here, true);
  add_edge(reader, number->relation, here, false);
  vec_clear(&life->forks);
  number->since = false;
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
  case TRACE_WRITE: return access(reader, look);
  case TRACE_ACQUIRE: return acquire(reader, look);
  case TRACE_RELEASE: return release(reader, look);
  case TRACE_FORK:
  case TRACE_JOIN: return relate(reader, look);
  case TRACE_BEGIN:
  case TRACE_END:
  case TRACE_START:
  case TRACE_EXIT:
  case TRACE_FREE:
  case TRACE_UPDATE:
  case TRACE_SHARED_ACQUIRE:
  case TRACE_SHARED_RELEASE:
  case TRACE_TRY:
  case TRACE_SHARED_TRY:
  case TRACE_SIGNAL:
  case TRACE_WAIT: break;
  }
  return false;
}

static void look_at(LockReader *reader, const TraceEvent *event) {
  const uint32_t number = life_of(reader, event->thread);
  Look look = {event, reader->n_events, number, TRACE_NONE, STEP_POINT};
  enter(reader, event, number);
  follow_relations(reader, &look, make_step(reader, &look));
  reader->lives.at[number].last = reader->n_events++;
  reader->hash = (reader->hash ^ ((uint64_t)event->thread << 32 | event->object)) * 0x9e3779b97f4a7c15u + event->op;
  leave(reader, event, number);
}

void lock_reader_feed(LockReader *reader, const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) look_at(reader, &events[i]);
}
