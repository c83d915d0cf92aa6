#include "predict/profiles/predict.h"

#include "base/hash.h"
#include "predict/combine.h"
#include "predict/profiles/lives.h"
#include "predict/profiles/nearer.h"
#include "predict/pairs.h"
#include "predict/profiles/profiles.h"

#define NONE UINT32_MAX
#define PASSED (UINT32_MAX - 1) /* an object that does not count */

typedef enum { NEW, SURVEYED, FED } Phase;

/* A thread number in this run. After a join it stands for another player, in the same strand. */
typedef struct {
  bool attention; /* its next event begins a stage, or is the first one, of the strand or of the player */
  bool started;   /* has done anything in this run */
  bool active;    /* its player has done anything */
  bool ended;     /* its next event begins a stage */
  bool waiting;   /* it does, and comes after `baton` */
  uint32_t strand, player;
  uint32_t life; /* of the player: how often it had been joined before */
  uint32_t stage;
  uint64_t stage_begin;  /* the first event of the stage */
  uint64_t last;         /* event */
  uint32_t depth, label; /* of transactions */
  bool forked;           /* its player was, before it did anything */
  StrandPoint baton;     /* the last fork or join of it */
  U32Vec forks;          /* objects: of odd forks, since it did anything */
  ProfileOpen open;
} Thread;

typedef struct {
  uint32_t now, first; /* what it stands for now, and at the begin of a run; NONE: nothing yet */
  bool freed;          /* in this run */
} Object;

/* The current group of signals. After a wait, a signal begins another one. */
typedef struct {
  VEC(StrandPoint) signals;
  bool waited;
} Handover;

/* The event that leaves a visit of a cycle may be a nearer one: that of number i in Prediction.nearer. */
typedef struct {
  uint32_t cycle, visit;
} Wanted;

/* What the first look at an object has found. */
typedef struct {
  uint32_t owner;
  bool used, shared, written;
} Survey;

struct Prediction {
  Heap *heap;
  PredictOptions options;
  Phase phase;
  uint64_t n_events;
  uint32_t run;
  VEC(Thread) threads;
  VEC(Object) objects;
  VEC(Handover) handovers; /* per object, in this run */
  U32Vec numbers; /* per object of the profiles: its number in the run, NONE for those that stand for forks and joins */
  uint32_t n_versions; /* objects, each time after it was freed another one */
  VEC(Survey) surveys; /* per version */
  U32Vec owners;       /* per thread: a number for it, another one after it was joined */
  uint32_t n_owners;
  Profiles profiles;
  Lives lives;
  Pairs places, kinds; /* label and location */
  Pairs life_names;    /* thread and life */
  U32Vec life_objects; /* per life: an object that its fork writes; the next one is written by its last event */
  /* the answer */
  Arena arena;
  ProfileTable table;
  CombineOrder order;
  Combine *combine;
  VEC(Cycle) cycles;
  VEC(Schedule) schedules;
  VEC(uint32_t *) players; /* per cycle: of its visits */
  VEC(Wanted) wanted;      /* what `nearer` looks for */
  Nearer nearer;
};

/* ---- lifetime ---- */

Prediction *predict_new(Heap *heap, const PredictOptions *options) {
  Prediction *p = heap_zeroed(heap, sizeof *p);
  p->heap = p->lives.order.heap = heap;
  p->options = *options;
  profiles_init(&p->profiles, heap, options->all);
  arena_init(&p->arena, heap);
  nearer_init(&p->nearer, heap);
  return p;
}

static void free_handovers(Prediction *p) {
  for (uint32_t i = 0; i < p->handovers.n; i++) vec_fini(p->heap, &p->handovers.at[i].signals);
  vec_fini(p->heap, &p->handovers);
}

static void free_threads(Prediction *p) {
  for (uint32_t t = 0; t < p->threads.n; t++) {
    vec_fini(p->heap, &p->threads.at[t].forks);
    profiles_open_fini(&p->profiles, &p->threads.at[t].open);
  }
  vec_fini(p->heap, &p->threads);
}

void predict_free(Prediction *p) {
  if (!p) return;
  Heap *heap = p->heap;
  free_threads(p);
  free_handovers(p);
  for (uint32_t i = 0; i < p->schedules.n; i++) vec_fini(heap, &p->schedules.at[i]);
  vec_fini(heap, &p->schedules), vec_fini(heap, &p->cycles);
  for (uint32_t i = 0; i < p->players.n; i++) heap_release(heap, p->players.at[i]);
  vec_fini(heap, &p->players), vec_fini(heap, &p->wanted), vec_fini(heap, &p->numbers);
  nearer_fini(&p->nearer);
  combine_free(p->combine);
  arena_fini(&p->arena);
  pairs_fini(heap, &p->places), pairs_fini(heap, &p->kinds), pairs_fini(heap, &p->life_names);
  vec_fini(heap, &p->life_objects);
  lives_fini(heap, &p->lives);
  profiles_fini(&p->profiles);
  vec_fini(heap, &p->owners), vec_fini(heap, &p->surveys), vec_fini(heap, &p->objects);
  heap_release(heap, p);
}

/* ---- objects ---- */

static uint32_t new_version(Prediction *p) {
  const uint32_t version = p->n_versions++;
  if (version >= NONE / 2) heap_give_up(p->heap);
  if (p->phase == SURVEYED) {
    vec_push(p->heap, &p->surveys, (Survey){0});
    return version;
  }
  const bool counts = version >= p->surveys.n || (p->surveys.at[version].shared && p->surveys.at[version].written);
  return counts ? profiles_add_object(&p->profiles) : PASSED;
}

static Object *object_at(Prediction *p, uint32_t number) {
  if (number >= p->objects.n) {
    const uint32_t n = p->objects.n;
    vec_resize_zeroed(p->heap, &p->objects, number + 1);
    for (uint32_t i = n; i <= number; i++) p->objects.at[i] = (Object){NONE, NONE, false};
  }
  return &p->objects.at[number];
}

/* What the object stands for, when that is not known. */
static uint32_t name_object(Prediction *p, uint32_t number) {
  Object *object = object_at(p, number);
  if (object->freed) object->now = new_version(p);
  else if (object->first == NONE) object->first = object->now = new_version(p);
  else object->now = object->first;
  if (object->now != PASSED && p->phase == FED) {
    while (p->numbers.n <= object->now) vec_push(p->heap, &p->numbers, NONE);
    p->numbers.at[object->now] = number;
  }
  return object->now;
}

static inline uint32_t find_object(Prediction *p, uint32_t number) {
  const uint32_t now = number < p->objects.n ? p->objects.at[number].now : NONE;
  return now != NONE ? now : name_object(p, number);
}

/* A run begins: objects have not been freed in it. */
static void reset_objects(Prediction *p) {
  for (uint32_t i = 0; i < p->objects.n; i++) p->objects.at[i].now = NONE, p->objects.at[i].freed = false;
}

static void free_object(Prediction *p, uint32_t number) {
  Object *object = object_at(p, number);
  object->now = NONE;
  object->freed = true;
}

/* ---- the first look ---- */

static uint32_t owner_of(Prediction *p, uint32_t thread) {
  for (uint32_t n = p->owners.n; n <= thread; n++) vec_push(p->heap, &p->owners, n);
  return p->owners.at[thread];
}

static void renew_owner(Prediction *p, uint32_t thread) {
  owner_of(p, thread);
  p->owners.at[thread] = NONE - ++p->n_owners;
}

/* An update is a write here: it conflicts with all that a read of it would, and there is nothing between the two. */
static inline bool is_access(const TraceEvent *event) { return event->op <= TRACE_WRITE || event->op == TRACE_UPDATE; }

static void survey_access(Prediction *p, const TraceEvent *event) {
  const uint32_t owner = owner_of(p, event->thread), version = find_object(p, event->object);
  Survey *survey = &p->surveys.at[version];
  survey->shared |= survey->used && survey->owner != owner;
  survey->used = true;
  survey->owner = owner;
  survey->written |= event->op != TRACE_READ;
}

void predict_survey(Prediction *p, const TraceEvent *events, uint32_t n) {
  p->phase = SURVEYED;
  for (uint32_t i = 0; i < n; i++) {
    if (is_access(&events[i])) survey_access(p, &events[i]);
    if (events[i].op == TRACE_FREE) free_object(p, events[i].object);
    if (events[i].op == TRACE_JOIN) renew_owner(p, events[i].object);
  }
}

/* The events come again, from the first run on. */
static void end_survey(Prediction *p) {
  vec_clear(&p->objects);
  p->n_versions = 0;
  p->phase = FED;
}

/* ---- threads ---- */

static uint32_t code_of(Prediction *p, const Thread *t, uint32_t object, bool write, uint32_t location) {
  if (!p->options.all) return profiles_code(&p->profiles, object, write, 0);
  const uint32_t label = t->depth > 0 ? t->label : NONE;
  return profiles_code(&p->profiles, object, write, pairs_add(p->heap, &p->places, label, location));
}

static Thread *thread_at(Prediction *p, uint32_t number) {
  if (number >= p->threads.n) {
    const uint32_t n = p->threads.n;
    vec_resize_zeroed(p->heap, &p->threads, number + 1);
    for (uint32_t i = n; i <= number; i++) p->threads.at[i].attention = true, p->threads.at[i].strand = NONE;
  }
  Thread *t = &p->threads.at[number];
  if (t->strand == NONE) {
    t->strand = strands_add(&p->lives.order);
    vec_push(p->heap, &p->lives.strand_runs, p->run);
    vec_push(p->heap, &p->lives.strand_threads, number);
  }
  return t;
}

static inline void put(Prediction *p, Thread *t, uint32_t code, uint64_t event) {
  if (t->depth > 0) profiles_step(&p->profiles, &t->open, code, event);
  else profiles_single(&p->profiles, t->player, t->stage, code, event);
}

/* A thread's player and those who fork and join it use two objects of its own, to order their transactions. */
static uint32_t life_object(Prediction *p, uint32_t thread, uint32_t life, bool end) {
  const uint32_t number = pairs_add(p->heap, &p->life_names, thread, life);
  if (number == p->life_objects.n) {
    const uint32_t object = profiles_add_object(&p->profiles);
    profiles_add_object(&p->profiles);
    vec_push(p->heap, &p->life_objects, object);
  }
  return p->life_objects.at[number] + end;
}

/* What it does first comes after its forks. */
static void begin_life(Prediction *p, uint32_t number, uint32_t location) {
  Thread *t = thread_at(p, number);
  if (p->lives.players.at[t->player].first == p->n_events)
    put(p, t, code_of(p, t, life_object(p, number, t->life, false), false, location), p->n_events);
  for (uint32_t i = 0; i < t->forks.n; i++) put(p, t, code_of(p, t, t->forks.at[i], false, location), p->n_events);
  vec_clear(&t->forks);
}

/* What it does last comes before its join, perhaps in another run. */
static void end_life(Prediction *p, uint32_t number) {
  Thread *t = thread_at(p, number);
  if (!t->active) return;
  put(p, t, code_of(p, t, life_object(p, number, t->life, true), true, TRACE_NONE), t->last);
  p->lives.players.at[t->player].last = t->last;
}

static void begin_stage(Prediction *p, Thread *t) {
  if (t->started && t->stage_begin != p->n_events) {
    t->stage++;
    if (t->depth > 0) profiles_step(&p->profiles, &t->open, PROFILE_STAGE, p->n_events);
  }
  t->started = true;
  t->stage_begin = p->n_events;
  t->ended = false;
}

/* The thread's event comes after that of another one. */
static void wait_for(Prediction *p, Thread *t, const StrandPoint *from) {
  if (from->strand == t->strand) return;
  begin_stage(p, t);
  strands_add_edge(&p->lives.order, t->strand, &(StrandEdge){t->stage, p->n_events, *from});
}

/* Before an event that needs attention. */
static void arrive(Prediction *p, uint32_t number) {
  Thread *t = thread_at(p, number);
  if (!t->started || t->ended || t->waiting) begin_stage(p, t);
  if (t->waiting) wait_for(p, t, &t->baton);
  t->waiting = false;
  if (t->active) return;
  const Player player = {number, t->life, p->run, t->strand, p->n_events, p->n_events, t->forked};
  t->active = true;
  t->player = p->lives.players.n;
  vec_push(p->heap, &p->lives.players, player);
}

/* ---- transactions ---- */

static void begin(Prediction *p, Thread *t, const TraceEvent *event) {
  t->label = event->object;
  t->open.player = t->player;
  t->open.stage = t->stage;
  t->open.kind = p->options.all ? 1 + pairs_add(p->heap, &p->kinds, event->object, event->location) : 0;
  t->open.begin = p->n_events;
}

static void end(Prediction *p, Thread *t) {
  if (t->depth > 0) profiles_close(&p->profiles, &t->open);
  t->depth = 0;
}

static inline void access(Prediction *p, Thread *t, const TraceEvent *event) {
  const uint32_t object = find_object(p, event->object);
  if (object != PASSED) put(p, t, code_of(p, t, object, event->op != TRACE_READ, event->location), p->n_events);
}

/* ---- hand-overs ---- */

static Handover *handover_at(Prediction *p, uint32_t number) {
  if (number == NONE) heap_give_up(p->heap);
  if (number >= p->handovers.n) vec_resize_zeroed(p->heap, &p->handovers, number + 1);
  return &p->handovers.at[number];
}

/* What comes after a signal is in another stage. */
static void signal_waits(Prediction *p, Thread *t, const TraceEvent *event) {
  Handover *handover = handover_at(p, event->object);
  const StrandPoint signal = {t->strand, t->stage, p->n_events};
  if (handover->waited) vec_clear(&handover->signals);
  handover->waited = false;
  vec_push(p->heap, &handover->signals, signal);
  t->ended = t->attention = true;
}

static void wait_for_signals(Prediction *p, Thread *t, const TraceEvent *event) {
  Handover *handover = handover_at(p, event->object);
  handover->waited = true;
  for (uint32_t i = 0; i < handover->signals.n; i++) {
    const StrandPoint *from = &handover->signals.at[i];
    if (from->strand == t->strand) continue;
    wait_for(p, t, from);
    const Handing handing = {t->strand, p->n_events, *from};
    vec_push(p->heap, &p->lives.handings, handing);
  }
}

/* ---- fork and join ---- */

/* t does something to the other thread: it comes after all that this one did, and that was done to it. */
static void take_turn(Prediction *p, Thread *t, Thread *other) {
  const StrandPoint own = {other->strand, other->stage, other->last};
  if (other->waiting) wait_for(p, t, &other->baton);
  else if (other->started) wait_for(p, t, &own);
  other->baton = (StrandPoint){t->strand, t->stage, p->n_events};
  other->waiting = other->attention = true;
  t->ended = t->attention = true;
}

static void fork_thread(Prediction *p, Thread *t, const TraceEvent *event, bool odd) {
  Thread *other = &p->threads.at[event->object];
  const uint32_t object = odd ? profiles_add_object(&p->profiles) : life_object(p, event->object, other->life, false);
  put(p, t, code_of(p, t, object, true, event->location), p->n_events);
  if (odd) vec_push(p->heap, &other->forks, object);
  if (!other->active) other->forked = true;
}

/* Of a thread that is in a transaction: it goes on. */
static void join_odd(Prediction *p, Thread *t, Thread *other, uint32_t location) {
  const uint32_t object = profiles_add_object(&p->profiles);
  put(p, other, code_of(p, other, object, true, TRACE_NONE), other->last);
  put(p, t, code_of(p, t, object, false, location), p->n_events);
}

/* Comes after the forks, too. */
static void join_thread(Prediction *p, Thread *t, const TraceEvent *event, bool odd) {
  Thread *other = &p->threads.at[event->object];
  for (uint32_t i = 0; i < other->forks.n; i++)
    put(p, t, code_of(p, t, other->forks.at[i], false, event->location), p->n_events);
  if (odd) {
    join_odd(p, t, other, event->location);
    return;
  }
  end_life(p, event->object);
  for (uint32_t end = 0; end < 2; end++)
    put(p, t, code_of(p, t, life_object(p, event->object, other->life, end), false, event->location), p->n_events);
  vec_clear(&other->forks);
  other->active = other->forked = false;
  other->life++;
}

static void relate(Prediction *p, const TraceEvent *event) {
  if (event->object == event->thread) return;
  thread_at(p, event->object);
  Thread *t = thread_at(p, event->thread), *other = thread_at(p, event->object);
  const bool joins = event->op == TRACE_JOIN;
  const bool odd = joins ? other->depth > 0 : other->active || other->forked;
  vec_push(p->heap, &p->lives.relations, ((Relation){t->strand, event->object, other->life, p->n_events, joins, odd}));
  take_turn(p, t, other);
  if (joins) join_thread(p, t, event, odd);
  else fork_thread(p, t, event, odd);
}

/* ---- events ---- */

/* Any event but a read or write of a thread that needs no attention. */
static void look(Prediction *p, const TraceEvent *event) {
  const bool attention = event->thread >= p->threads.n || p->threads.at[event->thread].attention;
  if (attention) arrive(p, event->thread);
  Thread *t = &p->threads.at[event->thread];
  if (event->op == TRACE_BEGIN && t->depth++ == 0) begin(p, t, event);
  if (attention) begin_life(p, event->thread, event->location), t->attention = false;
  t->last = p->n_events;
  switch ((TraceOp)event->op) {
  case TRACE_READ:
  case TRACE_WRITE:
  case TRACE_UPDATE: access(p, t, event); break;
  case TRACE_SIGNAL:
    if (sync_has_handovers(p->options.sync)) signal_waits(p, t, event);
    break;
  case TRACE_WAIT:
    if (sync_has_handovers(p->options.sync)) wait_for_signals(p, t, event);
    break;
  case TRACE_FORK:
  case TRACE_JOIN: relate(p, event); break;
  case TRACE_END:
    if (t->depth > 1) t->depth--;
    else end(p, t);
    break;
  case TRACE_EXIT: end(p, t); break;
  case TRACE_FREE: free_object(p, event->object); break;
  case TRACE_ACQUIRE:
  case TRACE_RELEASE:
  case TRACE_SHARED_ACQUIRE:
  case TRACE_SHARED_RELEASE:
  case TRACE_TRY:
  case TRACE_SHARED_TRY:
  case TRACE_BEGIN:
  case TRACE_START: break;
  }
}

void predict_feed(Prediction *p, const TraceEvent *events, uint32_t n) {
  if (p->phase != FED) end_survey(p);
  for (uint32_t i = 0; i < n; i++, p->n_events++) {
    const TraceEvent *event = &events[i];
    if (is_access(event) && event->thread < p->threads.n && !p->threads.at[event->thread].attention) {
      Thread *t = &p->threads.at[event->thread];
      t->last = p->n_events;
      access(p, t, event);
    } else {
      look(p, event);
    }
  }
}

static void end_run(Prediction *p) {
  for (uint32_t i = 0; i < p->threads.n; i++) {
    end_life(p, i);
    end(p, &p->threads.at[i]);
  }
}

void predict_next_run(Prediction *p) {
  reset_objects(p);
  vec_clear(&p->owners);
  if (p->phase != FED) return;
  end_run(p);
  free_threads(p);
  free_handovers(p);
  p->run++;
}

/* ---- the answer ---- */

static Cycle cycle_of(Prediction *p, const CombineCycle *found) {
  Cycle cycle = {found->n, arena_alloc(&p->arena, found->n * sizeof *cycle.visits)};
  for (uint32_t i = 0; i < found->n; i++) {
    const CombineVisit *visit = &found->visits[i];
    const ProfileEvents *events = p->table.rows[visit->player].events;
    CycleVisit *to = &cycle.visits[i];
    to->thread = p->lives.players.at[visit->player].thread;
    to->in = events[visit->in].first;
    to->out = visit->in == visit->out ? to->in : events[visit->out].last;
    if (visit->block == COMBINE_NONE) continue;
    to->in = profiles_event(&p->profiles, &p->table, visit->player, visit->block, visit->in, true);
    to->out = profiles_event(&p->profiles, &p->table, visit->player, visit->block, visit->out, false);
  }
  return cycle;
}

static uint32_t stages_of_player_before(void *state, uint32_t player, uint32_t stage, uint32_t other) {
  Prediction *p = state;
  return strands_before(&p->lives.order, p->lives.players.at[player].strand, stage, p->lives.players.at[other].strand);
}

/* The thread is left by the last access of its kind: a nearer one would do. */
static void want_nearer(Prediction *p, const CombineVisit *visit, uint32_t i) {
  const uint32_t cycle = p->cycles.n - 1;
  const CycleVisit *it = &p->cycles.at[cycle].visits[i];
  const CombineAccess *access = &p->table.players[visit->player].accesses[visit->out];
  const uint32_t number = access->object < p->numbers.n ? p->numbers.at[access->object] : NONE;
  if (visit->block != COMBINE_NONE || it->in == it->out || number == NONE) return;
  const uint32_t location = p->options.all ? p->places.all.at[access->place].b : NONE;
  nearer_add(&p->nearer, &(Sought){.in = it->in,
                                   .out = it->out,
                                   .thread = it->thread,
                                   .object = number,
                                   .location = location,
                                   .write = access->write,
                                   .at_location = p->options.all,
                                   .final = p->run == 0 && !p->objects.at[number].freed});
  vec_push(p->heap, &p->wanted, ((Wanted){cycle, i}));
}

/* Makes its schedule, if there is one. */
static bool take_cycle(void *state, const CombineCycle *found) {
  Prediction *p = state;
  const Cycle cycle = cycle_of(p, found);
  uint32_t *players = heap_alloc(p->heap, found->n * sizeof *players);
  Schedule schedule = {0};
  for (uint32_t i = 0; i < found->n; i++) players[i] = found->visits[i].player;
  const bool good = lives_schedule(p->heap, &p->lives, &cycle, players, &schedule);
  if (!good) {
    vec_fini(p->heap, &schedule);
    heap_release(p->heap, players);
    return false;
  }
  vec_push(p->heap, &p->cycles, cycle);
  vec_push(p->heap, &p->schedules, schedule);
  vec_push(p->heap, &p->players, players);
  for (uint32_t i = 1; i < found->n; i++) want_nearer(p, &found->visits[i], i);
  return true;
}

Verdict predict_finish(Prediction *p) {
  end_run(p);
  profiles_table(&p->profiles, &p->arena, p->lives.players.n, &p->table);
  for (uint32_t i = 0; i < p->lives.players.n; i++) {
    p->table.players[i].name = p->lives.players.at[i].thread;
    p->table.players[i].run = p->lives.players.at[i].run;
  }
  p->order =
      (CombineOrder){p, p->lives.relations.n || p->lives.handings.n ? stages_of_player_before : NULL, take_cycle};
  p->combine = combine_new(p->heap, p->table.players, p->lives.players.n, &p->order, &p->options);
  return combine_run(p->combine);
}

bool predict_seek(Prediction *p, const TraceEvent *events, uint32_t n) { return nearer_feed(&p->nearer, events, n); }

void predict_sought(Prediction *p) {
  for (uint32_t i = 0; i < p->wanted.n; i++)
    p->cycles.at[p->wanted.at[i].cycle].visits[p->wanted.at[i].visit].out = p->nearer.all.at[i].found;
  for (uint32_t i = 0; i < p->cycles.n; i++) {
    Schedule schedule = {0};
    if (!lives_schedule(p->heap, &p->lives, &p->cycles.at[i], p->players.at[i], &schedule)) continue;
    vec_fini(p->heap, &p->schedules.at[i]);
    p->schedules.at[i] = schedule;
  }
}

const Cycle *predict_cycles(const Prediction *p, uint32_t *n) {
  *n = p->cycles.n;
  return p->cycles.at;
}

const Schedule *predict_schedule(const Prediction *p, uint32_t i) { return &p->schedules.at[i]; }
bool predict_is_partial(const Prediction *p) { return combine_is_partial(p->combine); }

bool predict_has_refused(const Prediction *p) { return combine_has_refused(p->combine); }
uint64_t predict_events(const Prediction *p) { return p->n_events; }
uint64_t predict_transactions(const Prediction *p) { return p->profiles.records.n; }
