/* schedule_judge.c: numbers the threads that the recorded run has, and then plays the order. */
#include "check/schedule_judge.h"

#include "base/vec.h"

#define NONE UINT32_MAX

/* What a number of a thread stands for, in one run, until it is joined. */
typedef struct {
  uint32_t number, ordinal, run; /* ordinal: among those of the number in the run */
  uint64_t n_events;             /* that it does in the recorded run */
  uint64_t n_done;               /* of them, in the order that is played */
  U32Vec forks;                  /* of it, in the order of the recorded run */
  uint32_t next;                 /* of these forks: the first that need not have been played yet */
  bool forked;                   /* a fork of it was played, or of the one in its place in another run */
} Life;

typedef struct {
  uint64_t event, others; /* of the fork; how many events the thread had done before it */
} Fork;

/* Of an event: whose it is, the how manieth of its thread; of fork and join, whom it is about, and how many events that
 * one had done in the recorded run; of a signal or wait, its group in `other`. */
typedef struct {
  uint32_t life, other;
  uint64_t ordinal, others;
} Place;

/* How many signals it has, and how many were played. */
typedef struct {
  uint64_t signals, played;
} Group;

/* The current group of an object in the recorded run, or NONE. */
typedef struct {
  uint32_t group;
  bool waited; /* then a signal begins another one */
} Handover;

typedef struct {
  uint32_t life, depth, count;
} ScheduleThread;

/* Who holds a lock, alone or with others: count is how often. */
typedef struct {
  uint32_t lock, life;
  bool shared;
  uint32_t count;
} Hold;

struct ScheduleJudge {
  Heap *heap;
  const RecordedRun *run;
  VEC(Life) lives;
  VEC(ScheduleThread) threads; /* by number: its life, or NONE */
  VEC(Hold) holds;
  VEC(Fork) forks;
  VEC(Group) groups;
  VEC(Handover) handovers; /* per object */
  Place *places;           /* by event */
  bool *done;              /* by event */
  Err *err;
};

/* ---- the recorded run ---- */

static ScheduleThread *thread_of(ScheduleJudge *p, uint32_t number) {
  while (p->threads.n <= number) vec_push(p->heap, &p->threads, ((ScheduleThread){NONE, 0, 0}));
  return &p->threads.at[number];
}

static uint32_t life_of(ScheduleJudge *p, uint32_t number, uint32_t run) {
  ScheduleThread *thread = thread_of(p, number);
  if (thread->life != NONE) return thread->life;
  thread->life = p->lives.n;
  vec_push(p->heap, &p->lives, ((Life){.number = number, .ordinal = thread->count, .run = run}));
  return thread->life;
}

static bool is_handover(const JudgeEvent *event) { return event->op == JUDGE_SIGNAL || event->op == JUDGE_WAIT; }

/* Is it an event at all? */
static bool counts(const ScheduleJudge *p, const JudgeEvent *event) {
  return event->op != JUDGE_FREE && (p->run->handovers || !is_handover(event));
}

static uint32_t group_of(ScheduleJudge *p, const JudgeEvent *event) {
  while (p->handovers.n <= event->object) vec_push(p->heap, &p->handovers, ((Handover){NONE, true}));
  Handover *handover = &p->handovers.at[event->object];
  if (event->op == JUDGE_SIGNAL && handover->waited) {
    handover->group = p->groups.n;
    vec_push(p->heap, &p->groups, (Group){0});
  }
  handover->waited = event->op == JUDGE_WAIT;
  if (event->op == JUDGE_SIGNAL) p->groups.at[handover->group].signals++;
  return handover->group;
}

static void place_event(ScheduleJudge *p, uint64_t i, uint32_t run) {
  const JudgeEvent *event = &p->run->events[i];
  Place *place = &p->places[i];
  place->life = life_of(p, event->thread, run);
  place->other = is_handover(event) ? group_of(p, event) : NONE;
  place->ordinal = counts(p, event) ? p->lives.at[place->life].n_events++ : UINT64_MAX;
  ScheduleThread *thread = thread_of(p, event->thread);
  if (event->op == JUDGE_BEGIN) thread->depth++;
  if (event->op == JUDGE_END && thread->depth) thread->depth--;
  if (event->op == JUDGE_EXIT) thread->depth = 0;
  if ((event->op != JUDGE_FORK && event->op != JUDGE_JOIN) || event->object == event->thread) return;
  place->other = life_of(p, event->object, run);
  place->others = p->lives.at[place->other].n_events;
  if (event->op == JUDGE_FORK) {
    vec_push(p->heap, &p->lives.at[place->other].forks, p->forks.n);
    vec_push(p->heap, &p->forks, ((Fork){i, place->others}));
  }
  ScheduleThread *other = thread_of(p, event->object);
  if (event->op == JUDGE_JOIN && other->depth == 0) other->life = NONE, other->count++;
}

static void place_all(ScheduleJudge *p) {
  uint32_t run = 0;
  for (uint64_t i = 0; i < p->run->n; i++) {
    for (; run + 1 < p->run->n_runs && i == p->run->runs[run]; run++) vec_clear(&p->threads), vec_clear(&p->handovers);
    place_event(p, i, run);
  }
}

/* ---- the order ---- */

static bool fault(const ScheduleJudge *p, uint64_t event, const char *what) {
  return err_set(p->err, ERR_CHECK, "the predicted run is invalid: event %llu %s", (unsigned long long)event, what);
}

/* Are they the same, or is one in the place of the other in another run? */
static bool stands_for(const Life *a, const Life *b) {
  return a == b || (a->run != b->run && a->number == b->number && a->ordinal == b->ordinal);
}

/* Has no thread of the same number, in another run, done anything? */
static bool is_alone(const ScheduleJudge *p, const Life *life) {
  for (uint32_t i = 0; i < p->lives.n; i++) {
    const Life *other = &p->lives.at[i];
    if (other->number == life->number && other->run != life->run && other->n_done) return false;
  }
  return true;
}

/* Have the forks been played that come before the next event of the thread? One by a thread that goes the way of
 * another run need not. */
static bool is_forked(ScheduleJudge *p, Life *life) {
  for (; life->next < life->forks.n && p->forks.at[life->forks.at[life->next]].others <= life->n_done; life->next++) {
    const uint64_t fork = p->forks.at[life->forks.at[life->next]].event;
    if (!p->done[fork] && (!life->forked || is_alone(p, &p->lives.at[p->places[fork].life]))) return false;
  }
  return true;
}

static void play_fork(ScheduleJudge *p, uint64_t event) {
  const Life *other = &p->lives.at[p->places[event].other];
  for (uint32_t i = 0; i < p->lives.n; i++) p->lives.at[i].forked |= stands_for(&p->lives.at[i], other);
}

/* Has the thread that is joined, or what goes in its place, done all that it does before? */
static bool is_through(const ScheduleJudge *p, const Place *place) {
  const Life *other = &p->lives.at[place->other];
  if (is_alone(p, other)) return other->n_done >= place->others;
  for (uint32_t i = 0; i < p->lives.n; i++) {
    const Life *life = &p->lives.at[i];
    if (stands_for(life, other) && life->n_done && life->n_done < life->n_events) return false;
  }
  return true;
}

static Hold *find_hold(ScheduleJudge *p, uint32_t lock, uint32_t life, bool shared) {
  for (uint32_t i = 0; i < p->holds.n; i++) {
    Hold *hold = &p->holds.at[i];
    if (hold->lock == lock && hold->life == life && hold->shared == shared) return hold;
  }
  return NULL;
}

static void release(ScheduleJudge *p, uint32_t lock, uint32_t life, bool shared) {
  Hold *hold = find_hold(p, lock, life, shared);
  if (!hold || --hold->count) return;
  *hold = vec_last(&p->holds);
  p->holds.n--;
}

static bool acquire(ScheduleJudge *p, uint32_t lock, uint32_t life, bool shared) {
  for (uint32_t i = 0; i < p->holds.n; i++) {
    const Hold *hold = &p->holds.at[i];
    if (hold->lock == lock && hold->life != life && !(hold->shared && shared)) return false;
  }
  Hold *own = find_hold(p, lock, life, shared);
  if (own) own->count++;
  else vec_push(p->heap, &p->holds, ((Hold){lock, life, shared, 1}));
  return true;
}

/* False if it acquires what another one holds. */
static bool play_lock(ScheduleJudge *p, const JudgeEvent *event, uint32_t life) {
  switch (event->op) {
  case JUDGE_ACQUIRE:
  case JUDGE_TRY: return acquire(p, event->object, life, false);
  case JUDGE_SHARED_ACQUIRE:
  case JUDGE_SHARED_TRY: return acquire(p, event->object, life, true);
  case JUDGE_RELEASE: release(p, event->object, life, false); break;
  case JUDGE_SHARED_RELEASE: release(p, event->object, life, true); break;
  case JUDGE_READ:
  case JUDGE_WRITE:
  case JUDGE_UPDATE:
  case JUDGE_FORK:
  case JUDGE_JOIN:
  case JUDGE_BEGIN:
  case JUDGE_END:
  case JUDGE_START:
  case JUDGE_EXIT:
  case JUDGE_FREE:
  case JUDGE_SIGNAL:
  case JUDGE_WAIT: break;
  }
  return true;
}

/* False if it waits for what was not signalled. */
static bool play_handover(ScheduleJudge *p, const JudgeEvent *event, const Place *place) {
  if (place->other == NONE) return true;
  Group *group = &p->groups.at[place->other];
  if (event->op == JUDGE_SIGNAL) group->played++;
  return event->op == JUDGE_SIGNAL || group->played == group->signals;
}

static bool play_event(ScheduleJudge *p, uint64_t event) {
  if (event >= p->run->n) return fault(p, event, "was not recorded");
  const JudgeEvent *it = &p->run->events[event];
  const Place *place = &p->places[event];
  Life *life = &p->lives.at[place->life];
  if (!counts(p, it)) return true;
  if (place->ordinal != life->n_done) return fault(p, event, "is not the next one of its thread");
  if (!life->n_done && !is_alone(p, life)) return fault(p, event, "belongs to a thread that takes another path");
  if (!is_forked(p, life)) return fault(p, event, "comes before the fork of its thread");
  if (it->op == JUDGE_JOIN && place->other != NONE && !is_through(p, place))
    return fault(p, event, "joins a thread that has not ended");
  if (p->run->locks && !play_lock(p, it, place->life))
    return fault(p, event, "acquires a lock that another thread holds");
  if (is_handover(it) && !play_handover(p, it, place)) return fault(p, event, "waits for what was not signalled");
  if (it->op == JUDGE_FORK && place->other != NONE) play_fork(p, event);
  life->n_done++;
  p->done[event] = true;
  return true;
}

/* ---- all of it ---- */

/* Nothing of the last order is left. */
static void begin_again(ScheduleJudge *p, const uint64_t *order, uint64_t n) {
  for (uint32_t i = 0; i < p->lives.n; i++) {
    p->lives.at[i].n_done = 0;
    p->lives.at[i].next = 0;
    p->lives.at[i].forked = false;
  }
  for (uint64_t i = 0; i < n; i++)
    if (order[i] < p->run->n) p->done[order[i]] = false;
  for (uint32_t i = 0; i < p->groups.n; i++) p->groups.at[i].played = 0;
  vec_clear(&p->holds);
}

bool schedule_judge(ScheduleJudge *p, const uint64_t *order, uint64_t n, Err *err) {
  uint64_t i = 0;
  p->err = err;
  while (i < n && play_event(p, order[i])) i++;
  begin_again(p, order, n);
  return i == n;
}

ScheduleJudge *schedule_judge_new(Heap *heap, const RecordedRun *run) {
  ScheduleJudge *p = heap_zeroed(heap, sizeof *p);
  p->heap = heap;
  p->run = run;
  p->places = heap_zeroed(heap, heap_product(heap, run->n + 1, sizeof *p->places));
  p->done = heap_zeroed(heap, heap_product(heap, run->n + 1, sizeof *p->done));
  place_all(p);
  return p;
}

void schedule_judge_free(ScheduleJudge *p) {
  if (!p) return;
  for (uint32_t i = 0; i < p->lives.n; i++) vec_fini(p->heap, &p->lives.at[i].forks);
  vec_fini(p->heap, &p->lives);
  vec_fini(p->heap, &p->threads);
  vec_fini(p->heap, &p->holds);
  vec_fini(p->heap, &p->groups);
  vec_fini(p->heap, &p->handovers);
  vec_fini(p->heap, &p->forks);
  heap_release(p->heap, p->places);
  heap_release(p->heap, p->done);
  heap_release(p->heap, p);
}
