#include "predict/locks/lock_merge.h"

#include "base/hash.h"
#include "predict/locks/lock_found.h"
#include "serial/hashes.h"

#define NONE UINT32_MAX

/* Of an event: which life of its thread; of a fork or join, which of the other one, as a number in `lives`; of a signal
 * or wait, its group. */
typedef struct {
  uint32_t life, other;
} MergeFact;

/* A thread number, in the run that is studied. */
typedef struct {
  uint32_t life, depth;
} MergeThread;

/* An object in the run that is studied: how often it was freed, or how many groups of signals it has had. */
typedef struct {
  uint32_t count;
  bool waited;
} MergeObject;

/* A group of signals: those of it that are chosen, and put down. */
typedef struct {
  uint32_t signals, chosen, done;
} MergeGroup;

/* A life of a thread number: chosen forks and joins of it, and those that were put down. */
typedef struct {
  uint32_t thread, life;
  uint32_t forks, joins, forks_done, joins_done;
} MergeLife;

/* What a thread number does in a run: events. */
typedef struct {
  U32Vec events;
  uint64_t hash;
} Lane;

struct LockMerge {
  Heap *heap;
  PredictOptions options;
  VEC(TraceEvent) events; /* of all runs; from the study on freed objects and hand-overs have numbers of their own */
  U32Vec starts;          /* of the runs */
  VEC(MergeFact) facts;   /* of the events */
  uint32_t n_threads, n_objects;
  VEC(MergeThread) threads;
  VEC(MergeObject) objects;
  Pairs renamed;          /* (object, hash of run and count) */
  VEC(MergeGroup) groups; /* of these, where they are groups */
  Pairs lives;            /* (thread number, life) */
  VEC(MergeLife) counts;  /* of these */
  Pairs forked;           /* (of these, run): it is forked there */
  Lane *lanes;            /* of run and thread number: run * n_threads + number */
  U32Vec *choices;        /* of each thread number: runs in which it does something different */
  U32Vec chosen;          /* of each thread number: an index of its choices */
  U32Vec next;            /* likewise: how many of its events were put down, */
  U32Vec joined;          /* and how often it was joined there */
  U32Vec origin;          /* the events of the run that is put together */
  CycleList cycles;
  ScheduleList schedules;
  Hashes places; /* of the cycles */
  LockPredictCount count;
  bool many;    /* choices: not all were tried */
  bool several; /* forks or joins of a thread, or others than those of its own run */
};

LockMerge *lock_merge_new(Heap *heap, const PredictOptions *options) {
  LockMerge *merge = heap_zeroed(heap, sizeof *merge);
  merge->heap = heap;
  merge->options = *options;
  return merge;
}

void lock_merge_free(LockMerge *merge) {
  if (!merge) return;
  Heap *heap = merge->heap;
  for (uint32_t i = 0; i < merge->cycles.n; i++) {
    heap_release(heap, merge->cycles.at[i].visits);
    vec_fini(heap, &merge->schedules.at[i]);
  }
  for (uint32_t i = 0; merge->lanes && i < merge->starts.n * merge->n_threads; i++)
    vec_fini(heap, &merge->lanes[i].events);
  for (uint32_t t = 0; merge->choices && t < merge->n_threads; t++) vec_fini(heap, &merge->choices[t]);
  heap_release(heap, merge->lanes);
  heap_release(heap, merge->choices);
  vec_fini(heap, &merge->events);
  vec_fini(heap, &merge->facts);
  vec_fini(heap, &merge->threads);
  vec_fini(heap, &merge->objects);
  vec_fini(heap, &merge->groups);
  vec_fini(heap, &merge->counts);
  vec_fini(heap, &merge->chosen);
  vec_fini(heap, &merge->next);
  vec_fini(heap, &merge->joined);
  vec_fini(heap, &merge->starts);
  vec_fini(heap, &merge->origin);
  vec_fini(heap, &merge->cycles);
  vec_fini(heap, &merge->schedules);
  pairs_fini(heap, &merge->renamed);
  pairs_fini(heap, &merge->lives);
  pairs_fini(heap, &merge->forked);
  hashes_fini(heap, &merge->places);
  heap_release(heap, merge);
}

/* ---- reading ---- */

void lock_merge_feed(LockMerge *merge, uint32_t run, const TraceEvent *events, uint32_t n) {
  while (merge->starts.n <= run) vec_push(merge->heap, &merge->starts, merge->events.n);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t thread = TRACE_SORT[events[i].op] == TRACE_ON_THREAD ? events[i].object : 0;
    vec_push(merge->heap, &merge->events, events[i]);
    if (events[i].thread >= merge->n_threads) merge->n_threads = events[i].thread + 1;
    if (thread >= merge->n_threads) merge->n_threads = thread + 1;
    if (TRACE_SORT[events[i].op] <= TRACE_ON_HANDOVER && events[i].object >= merge->n_objects)
      merge->n_objects = events[i].object + 1;
  }
}

/* ---- what the runs do ---- */

static bool is_relation(const TraceEvent *event) {
  return TRACE_SORT[event->op] == TRACE_ON_THREAD && event->object != event->thread;
}

static bool is_handover(const TraceEvent *event) { return TRACE_SORT[event->op] == TRACE_ON_HANDOVER; }

/* Is it an event of other runs? */
static bool counts(const LockMerge *merge, const TraceEvent *event) {
  return !is_handover(event) || sync_has_handovers(merge->options.sync);
}

static uint32_t life_of(LockMerge *merge, uint32_t thread, uint32_t life) {
  const uint32_t number = pairs_add(merge->heap, &merge->lives, thread, life);
  const MergeLife fresh = {.thread = thread, .life = life};
  if (number == merge->counts.n) vec_push(merge->heap, &merge->counts, fresh);
  return number;
}

/* An object that was not freed yet is the same in all runs; else it is one of its own, as is each group of signals. */
static void rename_object(LockMerge *merge, uint32_t run, TraceEvent *event, MergeFact *fact) {
  MergeObject *object = &merge->objects.at[event->object];
  if (event->op == TRACE_FREE || (event->op == TRACE_SIGNAL && (object->waited || !object->count))) object->count++;
  if (is_handover(event)) object->waited = event->op == TRACE_WAIT;
  if (event->op == TRACE_FREE || (!is_handover(event) && !object->count)) return;
  const uint32_t number =
      pairs_add(merge->heap, &merge->renamed, event->object, (uint32_t)hash_join(run, object->count));
  if (number >= merge->groups.n) vec_resize_zeroed(merge->heap, &merge->groups, number + 1);
  merge->groups.at[number].signals += event->op == TRACE_SIGNAL;
  event->object = merge->n_objects + number;
  if (is_handover(event)) fact->other = number;
}

static void study_event(LockMerge *merge, uint32_t run, uint32_t i) {
  TraceEvent *event = &merge->events.at[i];
  MergeThread *thread = &merge->threads.at[event->thread];
  MergeFact fact = {thread->life, NONE};
  const TraceSort sort = TRACE_SORT[event->op];
  if (sort == TRACE_ON_VARIABLE || sort == TRACE_ON_HANDOVER) rename_object(merge, run, event, &fact);
  if (event->op == TRACE_BEGIN) thread->depth++;
  if (event->op == TRACE_END && thread->depth) thread->depth--;
  if (event->op == TRACE_EXIT) thread->depth = 0;
  if (is_relation(event)) {
    MergeThread *other = &merge->threads.at[event->object];
    fact.other = life_of(merge, event->object, other->life);
    if (event->op == TRACE_FORK) pairs_add(merge->heap, &merge->forked, fact.other, run);
    else if (other->depth == 0) other->life++;
  }
  vec_push(merge->heap, &merge->facts, fact);
  if (!counts(merge, event)) return;
  if (event->op == TRACE_FREE) event->op = TRACE_START; /* what comes after has another number */
  Lane *lane = &merge->lanes[run * merge->n_threads + event->thread];
  vec_push(merge->heap, &lane->events, i);
  lane->hash = hash_join(lane->hash, (uint64_t)event->object << 32 | event->location);
  lane->hash = hash_join(lane->hash, event->op);
}

static uint32_t end_of(const LockMerge *merge, uint32_t run) {
  return run + 1 < merge->starts.n ? merge->starts.at[run + 1] : merge->events.n;
}

static void study(LockMerge *merge) {
  Heap *heap = merge->heap;
  merge->lanes =
      heap_zeroed(heap, heap_product(heap, heap_product(heap, merge->starts.n, merge->n_threads), sizeof(Lane)));
  for (uint32_t run = 0; run < merge->starts.n; run++) {
    vec_clear(&merge->threads);
    vec_clear(&merge->objects);
    vec_resize_zeroed(heap, &merge->threads, merge->n_threads);
    vec_resize_zeroed(heap, &merge->objects, merge->n_objects);
    for (uint32_t i = merge->starts.at[run]; i < end_of(merge, run); i++) study_event(merge, run, i);
  }
}

/* Runs in which a thread does the same are one choice. */
static void list_choices(LockMerge *merge) {
  Heap *heap = merge->heap;
  merge->choices = heap_zeroed(heap, heap_product(heap, merge->n_threads, sizeof *merge->choices));
  for (uint32_t t = 0; t < merge->n_threads; t++)
    for (uint32_t run = 0; run < merge->starts.n; run++) {
      bool known = false;
      for (uint32_t i = 0; i < merge->choices[t].n && !known; i++)
        known = merge->lanes[merge->choices[t].at[i] * merge->n_threads + t].hash ==
                merge->lanes[run * merge->n_threads + t].hash;
      if (!known) vec_push(heap, &merge->choices[t], run);
    }
}

/* ---- a run of chosen threads ---- */

static uint32_t run_of(const LockMerge *merge, uint32_t thread) {
  return merge->choices[thread].at[merge->chosen.at[thread]];
}

static const Lane *lane_of(const LockMerge *merge, uint32_t thread) {
  return &merge->lanes[run_of(merge, thread) * merge->n_threads + thread];
}

/* Counts what is chosen, and puts nothing down yet. */
static void begin(LockMerge *merge) {
  for (uint32_t i = 0; i < merge->counts.n; i++)
    merge->counts.at[i] = (MergeLife){.thread = merge->counts.at[i].thread, .life = merge->counts.at[i].life};
  for (uint32_t i = 0; i < merge->groups.n; i++) merge->groups.at[i].chosen = merge->groups.at[i].done = 0;
  vec_clear(&merge->next);
  vec_clear(&merge->joined);
  vec_resize_zeroed(merge->heap, &merge->next, merge->n_threads);
  vec_resize_zeroed(merge->heap, &merge->joined, merge->n_threads);
  vec_clear(&merge->origin);
  for (uint32_t t = 0; t < merge->n_threads; t++)
    for (uint32_t i = 0; i < lane_of(merge, t)->events.n; i++) {
      const uint32_t e = lane_of(merge, t)->events.at[i], other = merge->facts.at[e].other;
      const TraceEvent *event = &merge->events.at[e];
      if (is_relation(event) && event->op == TRACE_FORK) merge->counts.at[other].forks++;
      if (is_relation(event) && event->op == TRACE_JOIN) merge->counts.at[other].joins++;
      if (event->op == TRACE_SIGNAL) merge->groups.at[other].chosen++;
    }
  for (uint32_t i = 0; i < merge->counts.n; i++)
    merge->several |= merge->counts.at[i].forks > 1 || merge->counts.at[i].joins > 1;
}

/* Has the thread number done all of the lives before this one? */
static bool is_past(const LockMerge *merge, uint32_t thread, uint32_t life) {
  const U32Vec *events = &lane_of(merge, thread)->events;
  const uint32_t next = merge->next.at[thread];
  return next == events->n || merge->facts.at[events->at[next]].life >= life;
}

/* Was the life forked, if it is in its own run, and the one before joined? */
static bool is_begun(const LockMerge *merge, uint32_t thread, uint32_t life) {
  uint32_t number, before;
  if (pairs_find(&merge->lives, thread, life, &number)) {
    const MergeLife *it = &merge->counts.at[number];
    if (it->forks_done < it->forks) return false;
    if (!it->forks && pairs_have(&merge->forked, number, run_of(merge, thread))) return false;
  }
  if (life == 0) return true;
  if (!pairs_find(&merge->lives, thread, life - 1, &before)) return false;
  return merge->counts.at[before].joins && merge->counts.at[before].joins_done == merge->counts.at[before].joins;
}

static bool may_relate(const LockMerge *merge, const TraceEvent *event, uint32_t other) {
  const MergeLife *it = &merge->counts.at[other];
  uint32_t before;
  if (event->op == TRACE_JOIN) return it->forks_done == it->forks && is_past(merge, it->thread, it->life + 1);
  if (!is_past(merge, it->thread, it->life)) return false;
  if (it->life == 0 || !pairs_find(&merge->lives, it->thread, it->life - 1, &before)) return true;
  return merge->counts.at[before].joins_done == merge->counts.at[before].joins;
}

static bool may_come(const LockMerge *merge, uint32_t e) {
  const TraceEvent *event = &merge->events.at[e];
  const MergeFact *fact = &merge->facts.at[e];
  if (!is_begun(merge, event->thread, fact->life)) return false;
  if (is_relation(event)) return may_relate(merge, event, fact->other);
  if (event->op != TRACE_WAIT) return true;
  const MergeGroup *group = &merge->groups.at[fact->other];
  return group->done == group->signals;
}

static void put_down(LockMerge *merge, uint32_t e) {
  const TraceEvent *event = &merge->events.at[e];
  const uint32_t other = merge->facts.at[e].other;
  vec_push(merge->heap, &merge->origin, e);
  merge->next.at[event->thread]++;
  if (event->op == TRACE_SIGNAL) merge->groups.at[other].done++;
  if (!is_relation(event)) return;
  /* in the run that is put together it has to be about the life that it was about */
  merge->several |= merge->joined.at[event->object] != merge->counts.at[other].life;
  if (event->op == TRACE_FORK) merge->counts.at[other].forks_done++;
  else merge->counts.at[other].joins_done++, merge->joined.at[event->object]++;
}

/* Thread by thread, as far as each can come. */
static void put_together(LockMerge *merge) {
  begin(merge);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t t = 0; t < merge->n_threads; t++) {
      const U32Vec *events = &lane_of(merge, t)->events;
      while (merge->next.at[t] < events->n && may_come(merge, events->at[merge->next.at[t]])) {
        put_down(merge, events->at[merge->next.at[t]]);
        again = true;
      }
    }
  }
}

/* ---- predicting ---- */

static uint64_t place_of(const LockMerge *merge, const Cycle *cycle) {
  uint64_t least = UINT64_MAX;
  for (uint32_t turn = 0; turn < cycle->n; turn++) {
    uint64_t hash = cycle->n;
    for (uint32_t i = 0; i < cycle->n; i++) {
      const CycleVisit *visit = &cycle->visits[(turn + i) % cycle->n];
      hash = hash_join(hash, merge->events.at[visit->in].location);
      hash = hash_join(hash, (uint64_t)merge->events.at[visit->out].location << 1 | (visit->out < visit->in));
    }
    if (hash < least) least = hash;
  }
  return least;
}

/* In the numbers of all runs. */
static void take(LockMerge *merge, const Cycle *found, const Schedule *run) {
  Heap *heap = merge->heap;
  Cycle cycle = {found->n, heap_alloc(heap, found->n * sizeof *cycle.visits)};
  Schedule schedule = {0};
  for (uint32_t i = 0; i < found->n; i++)
    cycle.visits[i] = (CycleVisit){found->visits[i].thread, merge->origin.at[found->visits[i].in],
                                   merge->origin.at[found->visits[i].out]};
  if (!hashes_add(heap, &merge->places, place_of(merge, &cycle))) {
    heap_release(heap, cycle.visits);
    return;
  }
  for (uint32_t i = 0; i < run->n; i++) {
    const ScheduleStep step = {run->at[i].thread, merge->origin.at[run->at[i].until]};
    vec_push(heap, &schedule, step);
  }
  vec_push(heap, &merge->cycles, cycle);
  vec_push(heap, &merge->schedules, schedule);
}

static void feed(const LockMerge *merge, LockPrediction *prediction,
                 void (*see)(LockPrediction *prediction, const TraceEvent *events, uint32_t n)) {
  for (uint32_t i = 0; i < merge->origin.n; i++) see(prediction, &merge->events.at[merge->origin.at[i]], 1);
}

static void note_count(LockMerge *merge, const LockPredictCount *count, bool first) {
  LockPredictCount *sum = &merge->count;
  sum->events += count->events;
  sum->steps += count->steps;
  sum->decided += count->decided;
  sum->undecided += count->undecided;
  if (first || count->length < sum->length) sum->length = count->length;
  if (first || count->clear < sum->clear) sum->clear = count->clear;
  sum->complete = (first || sum->complete) && count->complete;
}

/* True if other choices are to be tried. */
static bool predict(LockMerge *merge, bool first) {
  LockPrediction *prediction = lock_predict_new(merge->heap, &merge->options);
  uint32_t n;
  const bool several = merge->several;
  merge->several = false;
  put_together(merge);
  if (merge->several) merge->origin.n = 0; /* nothing is known of this choice */
  merge->several |= several;
  feed(merge, prediction, lock_predict_survey);
  feed(merge, prediction, lock_predict_feed);
  lock_predict_finish(prediction);
  const Cycle *cycles = lock_predict_cycles(prediction, &n);
  for (uint32_t i = 0; i < n; i++) take(merge, &cycles[i], &lock_predict_schedules(prediction)[i]);
  const LockPredictCount count = lock_predict_count(prediction);
  note_count(merge, &count, first);
  lock_predict_free(prediction);
  return (merge->options.all || !n) && heap_asked(merge->heap) == STOP_NOT;
}

/* False after the last choice. */
static bool choose_next(LockMerge *merge) {
  for (uint32_t t = 0; t < merge->n_threads; t++) {
    if (++merge->chosen.at[t] < merge->choices[t].n) return true;
    merge->chosen.at[t] = 0;
  }
  return false;
}

Verdict lock_merge_finish(LockMerge *merge) {
  study(merge);
  list_choices(merge);
  vec_resize_zeroed(merge->heap, &merge->chosen, merge->n_threads);
  bool more = true, next = true;
  for (uint32_t i = 0; more && next; i++) {
    merge->many = i == LOCK_MERGE_CHOICES;
    more = !merge->many && predict(merge, i == 0);
    if (more) next = choose_next(merge);
  }
  merge->count.complete &= !next && !merge->several;
  if (!merge->count.complete && (next || merge->several)) merge->count.length = merge->count.clear = 1;
  if (merge->cycles.n) return VERDICT_VIOLATED;
  return merge->count.complete ? VERDICT_HOLDS : VERDICT_UNKNOWN;
}

const Cycle *lock_merge_cycles(const LockMerge *merge, uint32_t *n) {
  *n = merge->cycles.n;
  return merge->cycles.at;
}

const Schedule *lock_merge_schedules(const LockMerge *merge) { return merge->schedules.at; }

LockPredictCount lock_merge_count(const LockMerge *merge) { return merge->count; }

uint64_t lock_merge_choices(const LockMerge *merge) {
  uint64_t product = 1;
  for (uint32_t t = 0; t < merge->n_threads; t++)
    if (__builtin_mul_overflow(product, merge->choices[t].n, &product)) return UINT64_MAX;
  return product;
}

const char *lock_merge_gap(const LockMerge *merge) {
  if (merge->many) return "there are too many ways to take each thread from one of the runs";
  if (merge->several) return "the runs fork or join a thread in different ways";
  return NULL;
}
