/* schedule_judge.c: numbers the threads that the recorded run has, and then plays the order. */
#include "check/schedule_judge.h"

#include "base/vec.h"

#include <assert.h>

#define NONE UINT32_MAX

/* What a number of a thread stands for, in one run, until it is joined. Its events, those that count, are a list. */
typedef struct {
  uint32_t number, ordinal, run; /* ordinal: among those of the number in the run */
  uint32_t since;                /* the event of the recorded run with which it is first met */
  uint32_t first, last;          /* of its events */
  uint32_t first_fork, last_fork;
  uint32_t n_events; /* that it does in the recorded run */
  uint32_t n_done;   /* of them, in the order that is played */
  uint32_t event;    /* likewise: the next one; or NONE */
  uint32_t fork;     /* likewise: the first of its forks that need not have been played yet; or NONE */
  bool forked;       /* a fork of it was played, or of the one in its place in another run */
} Life;

typedef struct {
  uint32_t by, life; /* who forks whom */
  uint32_t others;   /* how many events the thread had done before */
  uint32_t next;     /* fork of the same thread, or NONE */
  bool done;
} Fork;

/* An event with something else than its thread: a fork's is `other` of the forks; a join is of life `other`, which had
 * done that many events in the recorded run; the group of a signal or wait, or NONE. */
typedef struct {
  uint32_t event, other, others;
} Link;

/* How many signals it has, and how many were played. */
typedef struct {
  uint64_t signals, played;
} Group;

/* The current group of an object in the recorded run, or NONE. */
typedef struct {
  uint32_t group;
  bool waited; /* then a signal begins another one */
} Handover;

/* By number: its present life in the recorded run, or NONE, and all of them. */
typedef struct {
  uint32_t life, depth, count;
  U32Vec lives; /* ascending, as they are met */
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
  VEC(ScheduleThread) threads;
  VEC(Hold) holds;
  VEC(Fork) forks;
  VEC(Group) groups;
  VEC(Handover) handovers; /* per object */
  VEC(Link) links;         /* ascending */
  uint32_t *next;          /* by event: the next one of its life, or NONE */
  Err *err;
};

/* ---- the recorded run ---- */

static ScheduleThread *thread_of(ScheduleJudge *p, uint32_t number) {
  while (p->threads.n <= number) vec_push(p->heap, &p->threads, ((ScheduleThread){NONE, 0, 0, {0}}));
  return &p->threads.at[number];
}

/* The present one, which event number `event` is of, or about. */
static uint32_t life_of(ScheduleJudge *p, uint32_t number, uint32_t run, uint32_t event) {
  ScheduleThread *thread = thread_of(p, number);
  if (thread->life != NONE) return thread->life;
  thread->life = p->lives.n;
  vec_push(p->heap, &thread->lives, p->lives.n);
  vec_push(
      p->heap, &p->lives,
      ((Life){
          .number = number, .ordinal = thread->count, .run = run, .since = event, .first = NONE, .first_fork = NONE}));
  return thread->life;
}

/* The one that has done the event of the number. */
static Life *life_at(ScheduleJudge *p, uint32_t number, uint32_t event) {
  const U32Vec *lives = &p->threads.at[number].lives;
  uint32_t from = 0, to = lives->n; /* it is one of these */
  while (to - from > 1) {
    const uint32_t middle = from + (to - from) / 2;
    if (p->lives.at[lives->at[middle]].since <= event) from = middle;
    else to = middle;
  }
  return &p->lives.at[lives->at[from]];
}

static JudgeEvent recorded(const ScheduleJudge *p, uint32_t event) { return p->run->event(p->run->source, event); }

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

static void add_event(ScheduleJudge *p, uint32_t life, uint32_t event) {
  Life *it = &p->lives.at[life];
  if (it->n_events++) p->next[it->last] = event;
  else it->first = event;
  it->last = event;
  p->next[event] = NONE;
}

static void add_fork(ScheduleJudge *p, uint32_t by, uint32_t life) {
  Life *it = &p->lives.at[life];
  if (it->first_fork == NONE) it->first_fork = p->forks.n;
  else p->forks.at[it->last_fork].next = p->forks.n;
  it->last_fork = p->forks.n;
  vec_push(p->heap, &p->forks, ((Fork){by, life, it->n_events, NONE, false}));
}

static void place_relation(ScheduleJudge *p, uint32_t event, JudgeOp op, uint32_t life, uint32_t other) {
  Link link = {event, other, p->lives.at[other].n_events};
  ScheduleThread *thread = thread_of(p, p->lives.at[other].number);
  if (op == JUDGE_FORK) link.other = p->forks.n, add_fork(p, life, other);
  else if (thread->depth == 0) thread->life = NONE, thread->count++;
  vec_push(p->heap, &p->links, link);
}

static void place_event(ScheduleJudge *p, uint32_t event, uint32_t run) {
  const JudgeEvent it = recorded(p, event);
  const uint32_t life = life_of(p, it.thread, run, event);
  if (is_handover(&it)) vec_push(p->heap, &p->links, ((Link){event, group_of(p, &it), 0}));
  if (counts(p, &it)) add_event(p, life, event);
  ScheduleThread *thread = thread_of(p, it.thread);
  if (it.op == JUDGE_BEGIN) thread->depth++;
  if (it.op == JUDGE_END && thread->depth) thread->depth--;
  if (it.op == JUDGE_EXIT) thread->depth = 0;
  if ((it.op == JUDGE_FORK || it.op == JUDGE_JOIN) && it.object != it.thread)
    place_relation(p, event, it.op, life, life_of(p, it.object, run, event));
}

/* Nothing that was met before is meant in the next run. */
static void begin_run(ScheduleJudge *p) {
  for (uint32_t i = 0; i < p->threads.n; i++) {
    ScheduleThread *thread = &p->threads.at[i];
    thread->life = NONE;
    thread->depth = thread->count = 0;
  }
  vec_clear(&p->handovers);
}

static void place_all(ScheduleJudge *p) {
  uint32_t run = 0;
  for (uint32_t i = 0; i < p->run->n; i++) {
    for (; run + 1 < p->run->n_runs && i == p->run->runs[run]; run++) begin_run(p);
    place_event(p, i, run);
  }
}

/* ---- the order ---- */

static bool fault(const ScheduleJudge *p, uint32_t event, const char *what) {
  return err_set(p->err, ERR_CHECK, "the predicted run is invalid: event %u %s", event, what);
}

/* Of a fork, join, signal or wait; of any other event, and where a thread forks or joins itself, NULL. */
static const Link *link_of(const ScheduleJudge *p, uint32_t event, JudgeOp op) {
  uint32_t from = 0, to = p->links.n;
  if (op != JUDGE_FORK && op != JUDGE_JOIN && op != JUDGE_SIGNAL && op != JUDGE_WAIT) return NULL;
  while (from < to) {
    const uint32_t middle = from + (to - from) / 2;
    if (p->links.at[middle].event < event) from = middle + 1;
    else to = middle;
  }
  return from < p->links.n && p->links.at[from].event == event ? &p->links.at[from] : NULL;
}

/* Are they the same, or is one in the place of the other in another run? */
static bool stands_for(const Life *a, const Life *b) {
  return a == b || (a->run != b->run && a->number == b->number && a->ordinal == b->ordinal);
}

/* Has no thread of the same number, in another run, done anything? */
static bool is_alone(const ScheduleJudge *p, const Life *life) {
  const U32Vec *lives = &p->threads.at[life->number].lives;
  if (p->run->n_runs == 1) return true;
  for (uint32_t i = 0; i < lives->n; i++) {
    const Life *other = &p->lives.at[lives->at[i]];
    if (other->run != life->run && other->n_done) return false;
  }
  return true;
}

/* Have the forks been played that come before the next event of the thread? One by a thread that goes the way of
 * another run need not. */
static bool is_forked(ScheduleJudge *p, Life *life) {
  while (life->fork != NONE && p->forks.at[life->fork].others <= life->n_done) {
    const Fork *fork = &p->forks.at[life->fork];
    if (!fork->done && (!life->forked || is_alone(p, &p->lives.at[fork->by]))) return false;
    life->fork = fork->next;
  }
  return true;
}

static void play_fork(ScheduleJudge *p, Fork *fork) {
  Life *forked = &p->lives.at[fork->life];
  const U32Vec *lives = &p->threads.at[forked->number].lives;
  fork->done = true;
  forked->forked = true;
  if (p->run->n_runs == 1) return;
  for (uint32_t i = 0; i < lives->n; i++) {
    Life *life = &p->lives.at[lives->at[i]];
    life->forked |= stands_for(life, forked);
  }
}

/* Has the thread that is joined, or what goes in its place, done all that it does before? */
static bool is_through(const ScheduleJudge *p, const Link *join) {
  const Life *other = &p->lives.at[join->other];
  const U32Vec *lives = &p->threads.at[other->number].lives;
  if (is_alone(p, other)) return other->n_done >= join->others;
  for (uint32_t i = 0; i < lives->n; i++) {
    const Life *life = &p->lives.at[lives->at[i]];
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
static bool play_handover(ScheduleJudge *p, const JudgeEvent *event, uint32_t number) {
  if (number == NONE) return true;
  Group *group = &p->groups.at[number];
  if (event->op == JUDGE_SIGNAL) group->played++;
  return event->op == JUDGE_SIGNAL || group->played == group->signals;
}

static void done(ScheduleJudge *p, Life *life, uint32_t event) {
  life->n_done++;
  life->event = p->next[event];
}

static bool play_event(ScheduleJudge *p, uint32_t event) {
  if (event >= p->run->n) return fault(p, event, "was not recorded");
  const JudgeEvent it = recorded(p, event);
  const Link *link = link_of(p, event, it.op);
  Life *life = life_at(p, it.thread, event);
  if (!counts(p, &it)) return true;
  if (life->event != event) return fault(p, event, "is not the next one of its thread");
  if (!life->n_done && !is_alone(p, life)) return fault(p, event, "belongs to a thread that takes another path");
  if (!is_forked(p, life)) return fault(p, event, "comes before the fork of its thread");
  if (it.op == JUDGE_JOIN && link && !is_through(p, link)) return fault(p, event, "joins a thread that has not ended");
  if (p->run->locks && !play_lock(p, &it, (uint32_t)(life - p->lives.at)))
    return fault(p, event, "acquires a lock that another thread holds");
  if (is_handover(&it) && !play_handover(p, &it, link->other))
    return fault(p, event, "waits for what was not signalled");
  if (it.op == JUDGE_FORK && link) play_fork(p, &p->forks.at[link->other]);
  done(p, life, event);
  return true;
}

/* ---- all of it ---- */

/* Nothing has been done. */
static void begin_order(ScheduleJudge *p) {
  for (uint32_t i = 0; i < p->lives.n; i++) {
    Life *life = &p->lives.at[i];
    life->n_done = 0;
    life->event = life->first;
    life->fork = life->first_fork;
    life->forked = false;
  }
  for (uint32_t i = 0; i < p->forks.n; i++) p->forks.at[i].done = false;
  for (uint32_t i = 0; i < p->groups.n; i++) p->groups.at[i].played = 0;
  vec_clear(&p->holds);
}

bool schedule_judge(ScheduleJudge *p, const uint32_t *order, uint32_t n, Err *err) {
  uint32_t i = 0;
  p->err = err;
  begin_order(p);
  while (i < n && play_event(p, order[i])) i++;
  return i == n;
}

ScheduleJudge *schedule_judge_new(Heap *heap, const RecordedRun *run) {
  ScheduleJudge *p = heap_zeroed(heap, sizeof *p);
  assert(run->n < NONE);
  p->heap = heap;
  p->run = run;
  p->next = heap_alloc(heap, heap_product(heap, (size_t)run->n + 1, sizeof *p->next));
  place_all(p);
  return p;
}

void schedule_judge_free(ScheduleJudge *p) {
  if (!p) return;
  for (uint32_t i = 0; i < p->threads.n; i++) vec_fini(p->heap, &p->threads.at[i].lives);
  vec_fini(p->heap, &p->lives);
  vec_fini(p->heap, &p->threads);
  vec_fini(p->heap, &p->holds);
  vec_fini(p->heap, &p->groups);
  vec_fini(p->heap, &p->handovers);
  vec_fini(p->heap, &p->forks);
  vec_fini(p->heap, &p->links);
  heap_release(p->heap, p->next);
  heap_release(p->heap, p);
}
