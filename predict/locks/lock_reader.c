#include "predict/locks/lock_repeats.h"

LockReader *lock_reader_new(Heap *heap, LockSurvey *survey) {
  LockReader *reader = heap_zeroed(heap, sizeof *reader);
  reader->heap = heap;
  reader->known = survey;
  reader->handovers = survey && lock_survey_has_handovers(survey);
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
  vec_fini(heap, &reader->earlier);
  vec_fini(heap, &reader->locks);
  near_pairs_fini(heap, &reader->pairs);
  vec_fini(heap, &reader->holds);
  vec_fini(heap, &reader->edges);
  for (uint32_t i = 0; i < reader->groups.n; i++) vec_fini(heap, &reader->groups.at[i].signals);
  vec_fini(heap, &reader->groups);
  pairs_fini(heap, &reader->signallers);
  vec_fini(heap, &reader->signalled);
  for (uint32_t i = 0; i < reader->relays.n; i++) vec_fini(heap, &reader->relays.at[i].events);
  vec_fini(heap, &reader->relays);
  heap_release(heap, reader);
}

/* ---- threads, objects, locks ---- */

static uint32_t life_of(LockReader *reader, uint32_t thread) {
  Heap *heap = reader->heap;
  if (thread >= reader->numbers.n) vec_resize_zeroed(heap, &reader->numbers, thread + 1);
  if (!reader->numbers.at[thread].life) {
    if (reader->lives.n == LIFE_RELAY) heap_give_up(heap);
    vec_push(heap, &reader->lives, (Life){.number = thread});
    reader->numbers.at[thread].life = reader->lives.n;
  }
  return reader->numbers.at[thread].life - 1;
}

/* After a cut a variable is another object. */
static uint32_t object_of(LockReader *reader, uint32_t variable) {
  Heap *heap = reader->heap;
  if (variable >= reader->variables.n) vec_resize_zeroed(heap, &reader->variables, variable + 1);
  uint32_t *object = &reader->variables.at[variable];
  const uint32_t first = reader->noting ? lock_cuts_first(lock_survey_cuts(reader->noting)) : reader->first;
  if (*object <= first) {
    if (reader->n_objects == UINT32_MAX) heap_give_up(heap);
    if (reader->noting) vec_push(heap, &reader->earlier, *object);
    *object = ++reader->n_objects;
  }
  return *object - 1;
}

static SharedLock *lock_of(LockReader *reader, uint32_t number) {
  if (number >= reader->locks.n) vec_resize_zeroed(reader->heap, &reader->locks, number + 1);
  return &reader->locks.at[number];
}

static Hold *hold_of(LockReader *reader, uint32_t life, uint32_t lock) {
  const uint32_t hold = near_pairs_add(reader->heap, &reader->pairs, lock, life);
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
  if (reader->noting) lock_cuts_touch(lock_survey_cuts(reader->noting), look->life, look->index);
  look->object = object_of(reader, look->event->object);
  look->op = look->event->op == TRACE_READ ? STEP_READ : STEP_WRITE;
  const bool write = look->op == STEP_WRITE;
  if (reader->noting) return lock_survey_note_access(reader->noting, look->object, look->life, write), false;
  if (!lock_survey_keeps_access(reader->known, look->object, look->life, stage_of(reader, look->life), write))
    return false;
  if (!repeats(reader, &reader->lives.at[look->life], look)) add_step(reader, look);
  return true;
}

/* The part of the lock that the event is about. */
static uint32_t part_of(const LockReader *reader, const TraceEvent *event, bool shared) {
  if (event->object > UINT32_MAX / 2 - 1) heap_give_up(reader->heap);
  return 2 * event->object + shared;
}

/* Does another life than the one that acquires it now hold what excludes it? */
static bool is_held(LockReader *reader, uint32_t life, uint32_t lock) {
  const SharedLock *it = lock_of(reader, lock / 2);
  for (uint32_t part = 0; part < 2; part++) {
    const uint32_t other = lock / 2 * 2 + part;
    uint32_t hold;
    if (!it->holders[part] || !lock_excludes(lock, other)) continue;
    if (it->holders[part] > 1 || !near_pairs_find(&reader->pairs, other, life, &hold) || !reader->holds.at[hold].count)
      return true;
  }
  return false;
}

static bool acquire(LockReader *reader, Look *look, bool shared) {
  const uint32_t lock = look->object = part_of(reader, look->event, shared);
  Hold *hold = hold_of(reader, look->life, lock);
  if (hold->count > 0) return hold->count++, false;
  if (is_held(reader, look->life, lock)) reader->invalid = true;
  hold->count = 1;
  hold->stage = stage_of(reader, look->life);
  lock_of(reader, lock / 2)->holders[shared]++;
  hold->kept = !reader->noting && lock_survey_keeps_lock(reader->known, lock, look->life, hold->stage);
  look->op = STEP_ACQUIRE;
  reader->lives.at[look->life].n_kept += hold->kept;
  if (hold->kept) add_step(reader, look);
  return hold->kept;
}

static bool release(LockReader *reader, Look *look, bool shared) {
  const uint32_t lock = look->object = part_of(reader, look->event, shared);
  Hold *hold = hold_of(reader, look->life, lock);
  if (hold->count == 0 || --hold->count > 0) return false;
  reader->locks.at[lock / 2].holders[shared]--;
  if (reader->noting)
    lock_survey_note_section(reader->noting, lock, look->life, hold->stage, stage_of(reader, look->life));
  reader->lives.at[look->life].n_kept -= hold->kept;
  look->op = STEP_RELEASE;
  if (hold->kept) add_step(reader, look);
  return hold->kept;
}

static void add_stop(LockReader *reader, const Look *look) {
  add_step(reader, look);
  vec_last(&reader->lives.at[look->life].steps).stop = true;
}

static void add_edge(LockReader *reader, LifeEvent from, LifeEvent to, bool conflict) {
  const LifeEdge edge = {from, to, conflict};
  if (from.life != to.life && (conflict || !reader->noting)) vec_push(reader->heap, &reader->edges, edge);
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
  const bool ends = reader->lives.at[number].depth == 0;
  if (reader->noting) lock_cuts_join(lock_survey_cuts(reader->noting), here.life, number, here.event, ends);
  if (ends) reader->numbers.at[reader->lives.at[number].number].life = 0;
}

static void fork(LockReader *reader, uint32_t number, LifeEvent here) {
  LifeEvent last;
  if (find_last(reader, number, &last)) add_edge(reader, last, here, false);
  if (reader->noting) lock_cuts_fork(lock_survey_cuts(reader->noting), here.life, number, here.event);
  vec_push(reader->heap, &reader->lives.at[number].forks, here);
}

/* A thread that forks or joins itself does nothing. */
static bool relate(LockReader *reader, const Look *look) {
  if (look->event->object == look->event->thread) return false;
  add_stop(reader, look);
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

static Handover *group_of(LockReader *reader, uint32_t number) {
  if (number >= reader->groups.n) vec_resize_zeroed(reader->heap, &reader->groups, number + 1);
  return &reader->groups.at[number];
}

/* Of the signals of a thread the last is enough: the others come before it. */
static void add_signal(LockReader *reader, const Look *look) {
  Handover *group = group_of(reader, look->event->object);
  const Signal signal = {{look->life, look->index}, reader->lives.at[look->life].heard};
  const uint32_t pair = pairs_add(reader->heap, &reader->signallers, look->life, look->event->object);
  if (pair == reader->signalled.n) vec_push(reader->heap, &reader->signalled, (Signalled){0});
  Signalled *own = &reader->signalled.at[pair];
  if (group->waited) vec_clear(&group->signals), group->round++;
  group->waited = group->relayed = false;
  if (own->round == group->round + 1) {
    group->signals.at[own->signal] = signal;
  } else {
    *own = (Signalled){group->round + 1, group->signals.n};
    vec_push(reader->heap, &group->signals, signal);
  }
}

static bool hand_over(LockReader *reader, const Look *look) {
  if (reader->noting) lock_cuts_signal(lock_survey_cuts(reader->noting), look->life, look->event->object);
  else add_signal(reader, look);
  return add_stop(reader, look), true;
}

enum { FEW = 2 }; /* signals that need no relay */

/* A relay to whose last step the new one comes after all by itself: one of those who signal has waited for it. */
static uint32_t pick_relay(LockReader *reader, const Handover *group) {
  for (uint32_t i = 0; i < group->signals.n; i++) {
    const LifeEvent heard = group->signals.at[i].heard;
    if (heard.life && reader->relays.at[heard.life - LIFE_RELAY].events.n == heard.event + 1)
      return heard.life - LIFE_RELAY;
  }
  vec_push(reader->heap, &reader->relays, (Relay){0});
  return reader->relays.n - 1;
}

static void relay_group(LockReader *reader, Handover *group, uint64_t event) {
  const uint32_t number = pick_relay(reader, group);
  Relay *relay = &reader->relays.at[number];
  group->relayed = true;
  group->relay = (LifeEvent){LIFE_RELAY + number, relay->events.n};
  vec_push(reader->heap, &relay->events, event);
  for (uint32_t i = 0; i < group->signals.n; i++) add_edge(reader, group->signals.at[i].at, group->relay, false);
}

/* The first one that waits comes after all the signals, the others after a step that does. */
static void add_wait(LockReader *reader, const Look *look) {
  Handover *group = group_of(reader, look->event->object);
  const LifeEvent here = {look->life, look->index};
  if (group->waited && !group->relayed && group->signals.n > FEW) relay_group(reader, group, look->index);
  group->waited = true;
  if (group->relayed) {
    add_edge(reader, group->relay, here, false);
    reader->lives.at[look->life].heard = group->relay;
    return;
  }
  for (uint32_t i = 0; i < group->signals.n; i++) add_edge(reader, group->signals.at[i].at, here, false);
}

static bool take_over(LockReader *reader, const Look *look) {
  const LockCut cut = {look->index, reader->n_objects};
  if (reader->noting)
    lock_cuts_wait(lock_survey_cuts(reader->noting), look->life, look->event->object, cut, reader->n_open > 0);
  else add_wait(reader, look);
  return add_stop(reader, look), true;
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
  if (begins && life->depth++ == 0) reader->n_open++;
}

static void leave(LockReader *reader, const TraceEvent *event, uint32_t number) {
  Life *life = &reader->lives.at[number];
  const bool was_open = life->depth > 0;
  if (event->op == TRACE_END && life->depth > 0) life->depth--;
  if (event->op == TRACE_EXIT) life->depth = 0;
  if (was_open && life->depth == 0) reader->n_open--;
  if (event->op == TRACE_FREE && event->object < reader->variables.n) reader->variables.at[event->object] = 0;
}

/* Is there a step of the event? */
static bool make_step(LockReader *reader, Look *look) {
  switch ((TraceOp)look->event->op) {
  case TRACE_READ:
  case TRACE_WRITE:
  case TRACE_UPDATE: return access(reader, look);
  case TRACE_ACQUIRE:
  case TRACE_TRY: return acquire(reader, look, false);
  case TRACE_RELEASE: return release(reader, look, false);
  case TRACE_SHARED_ACQUIRE:
  case TRACE_SHARED_TRY: return acquire(reader, look, true);
  case TRACE_SHARED_RELEASE: return release(reader, look, true);
  case TRACE_FORK:
  case TRACE_JOIN: return relate(reader, look);
  case TRACE_SIGNAL: return hand_over(reader, look);
  case TRACE_WAIT: return take_over(reader, look);
  case TRACE_BEGIN:
  case TRACE_END:
  case TRACE_START:
  case TRACE_EXIT:
  case TRACE_FREE: break;
  }
  return false;
}

/* Is there a cut before this event? */
static void pass_cut(LockReader *reader) {
  if (!reader->known) return;
  const LockCuts *cuts = lock_survey_cuts(reader->known);
  if (reader->n_cuts == cuts->cuts.n || cuts->cuts.at[reader->n_cuts].event > reader->n_events) return;
  reader->first = reader->n_objects;
  reader->n_cuts++;
}

static void look_at(LockReader *reader, const TraceEvent *event) {
  pass_cut(reader);
  if (TRACE_SORT[event->op] == TRACE_ON_HANDOVER && !reader->handovers) return;
  const uint32_t number = life_of(reader, event->thread);
  Look look = {event, reader->n_events, number, TRACE_NONE, STEP_POINT};
  enter(reader, event, number);
  follow_relations(reader, &look, make_step(reader, &look));
  reader->lives.at[number].last = reader->n_events;
  leave(reader, event, number);
  Life *life = &reader->lives.at[number];
  if (!reader->noting && life->depth == 0 && life->n_kept == 0) lock_repeats_end_block(life);
}

void lock_reader_feed(LockReader *reader, const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n; i++, reader->n_events++) {
    const TraceEvent *event = &events[i];
    const uint64_t word = (uint64_t)event->thread << 32 | event->object;
    reader->hash = (reader->hash ^ word) * 0x9e3779b97f4a7c15u + event->op;
    look_at(reader, event);
  }
}
