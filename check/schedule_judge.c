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
 * one had done in the recorded run. */
typedef struct {
  uint32_t life, other;
  uint64_t ordinal, others;
} Place;

typedef struct {
  uint32_t life, depth, count;
} ScheduleThread;

typedef struct {
  uint32_t holder, count;
} Lock;

struct ScheduleJudge {
  Heap *heap;
  const RecordedRun *run;
  VEC(Life) lives;
  VEC(ScheduleThread) threads; /* by number: its life, or NONE */
  VEC(Lock) locks;
  VEC(Fork) forks;
  Place *places; /* by event */
  bool *done;    /* by event */
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

static void place_event(ScheduleJudge *p, uint64_t i, uint32_t run) {
  const JudgeEvent *event = &p->run->events[i];
  Place *place = &p->places[i];
  place->life = life_of(p, event->thread, run);
  place->other = NONE;
  place->ordinal = event->op == JUDGE_FREE ? UINT64_MAX : p->lives.at[place->life].n_events++;
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
    for (; run + 1 < p->run->n_runs && i == p->run->runs[run]; run++) vec_clear(&p->threads);
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

static bool play_lock(ScheduleJudge *p, const JudgeEvent *event, uint32_t life) {
  while (p->locks.n <= event->object) vec_push(p->heap, &p->locks, ((Lock){NONE, 0}));
  Lock *lock = &p->locks.at[event->object];
  const bool own = lock->count && lock->holder == life;
  if (event->op == JUDGE_RELEASE) lock->count -= own;
  else if (lock->count && !own) return false;
  else *lock = (Lock){life, lock->count + 1};
  return true;
}

static bool play_event(ScheduleJudge *p, uint64_t event) {
  if (event >= p->run->n) return fault(p, event, "was not recorded");
  const JudgeEvent *it = &p->run->events[event];
  const Place *place = &p->places[event];
  Life *life = &p->lives.at[place->life];
  if (it->op == JUDGE_FREE) return true;
  if (place->ordinal != life->n_done) return fault(p, event, "is not the next one of its thread");
  if (!life->n_done && !is_alone(p, life)) return fault(p, event, "belongs to a thread that takes another path");
  if (!is_forked(p, life)) return fault(p, event, "comes before the fork of its thread");
  if (it->op == JUDGE_JOIN && place->other != NONE && !is_through(p, place))
    return fault(p, event, "joins a thread that has not ended");
  if (p->run->locks && (it->op == JUDGE_ACQUIRE || it->op == JUDGE_RELEASE) && !play_lock(p, it, place->life))
    return fault(p, event, "acquires a lock that another thread holds");
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
  vec_clear(&p->locks);
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
  vec_fini(p->heap, &p->locks);
  vec_fini(p->heap, &p->forks);
  heap_release(p->heap, p->places);
  heap_release(p->heap, p->done);
  heap_release(p->heap, p);
}
