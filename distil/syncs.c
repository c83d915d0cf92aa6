#include "distil/syncs.h"

#include "base/vec.h"
#include "base/keys.h"

#include <assert.h>

/* Of a semaphore from one SYNC_SEMAPHORE to the next. */
typedef struct {
  uint32_t holder; /* 1 + the thread that has taken it; 0: none */
  bool posted, no_lock;
} Life;

/* A thread that waits for a condition. */
typedef struct {
  uint32_t thread, part; /* part: 1 + that of the signal for it; 0: none yet */
  uint64_t since;
} Waiter;

/* A part: how many are to wait for it, or have arrived and not left; and when the signal came. */
typedef struct {
  uint32_t waits;
  uint64_t since;
} Part;

typedef struct {
  uint32_t life;                  /* 1 + its index; 0: none yet */
  uint32_t count, arrived, round; /* of a semaphore: takes that find what it began with; of a barrier: threads of a
                                     round, 0: unknown; of the round, and its part + 1 or 0 */
  uint32_t first;                 /* of `posts`, not yet taken */
  VEC(Part) parts;
  U32Vec spare;        /* parts that nobody waits for */
  U32Vec posts;        /* parts */
  VEC(Waiter) waiters; /* the longest first */
  uint64_t *passed;    /* bits of threads that have passed what is done once; or NULL */
} Sync;

struct Syncs {
  Heap *heap;
  Keys keys;       /* addresses */
  VEC(Sync) syncs; /* by the numbers of their addresses */
  uint32_t n_threads;
  VEC(Life) lives; /* in the order in which they begin, which is the same in both passes */
  uint32_t n_begun;
  uint32_t *part; /* of the barrier that a thread is in */
  uint64_t now;   /* counts events of the second pass */
  bool second_pass;
};

static void forget_all(Syncs *s) {
  for (uint32_t i = 0; i < s->syncs.n; i++) {
    vec_fini(s->heap, &s->syncs.at[i].parts);
    vec_fini(s->heap, &s->syncs.at[i].spare);
    vec_fini(s->heap, &s->syncs.at[i].posts);
    vec_fini(s->heap, &s->syncs.at[i].waiters);
    heap_release(s->heap, s->syncs.at[i].passed);
  }
  vec_fini(s->heap, &s->syncs);
  keys_fini(s->heap, &s->keys);
}

Syncs *syncs_new(Heap *heap, uint32_t n_threads) {
  Syncs *s = heap_zeroed(heap, sizeof *s);
  s->heap = heap;
  s->n_threads = n_threads;
  s->part = heap_zeroed(heap, heap_product(heap, n_threads + (size_t)1, sizeof *s->part));
  return s;
}

void syncs_free(Syncs *s) {
  if (!s) return;
  forget_all(s);
  vec_fini(s->heap, &s->lives);
  heap_release(s->heap, s->part);
  heap_release(s->heap, s);
}

static Sync *sync_of(Syncs *s, uint64_t address) {
  const uint32_t number = keys_add(s->heap, &s->keys, address, NULL);
  vec_resize_zeroed(s->heap, &s->syncs, s->keys.n);
  return &s->syncs.at[number];
}

/* --- semaphores that are locks --- */

static bool is_of_semaphore(const RawEvent *e) { return e->size >= SYNC_SEMAPHORE && e->size <= SYNC_TRY_TAKE; }

static bool is_beginning(const Sync *sync, const RawEvent *e) {
  return e->size == SYNC_SEMAPHORE || (e->size == SYNC_OPENED && !sync->life);
}

/* In the first pass it is made. One of which the beginning was not seen is no lock. */
static Life *life_of(Syncs *s, Sync *sync, const RawEvent *e) {
  const bool begins = is_beginning(sync, e);
  if (!sync->life || begins) {
    sync->life = ++s->n_begun;
    const Life life = {0, false, !begins || e->new != 1};
    if (!s->second_pass) vec_push(s->heap, &s->lives, life);
  }
  assert(sync->life <= s->lives.n);
  return &s->lives.at[sync->life - 1];
}

void syncs_note(Syncs *s, const RawEvent *e) {
  assert(!s->second_pass);
  if (!is_of_semaphore(e)) return;
  Life *life = life_of(s, sync_of(s, e->address), e);
  if (e->size == SYNC_SEMAPHORE || e->size == SYNC_OPENED) return;
  if (e->size == SYNC_POST) {
    if (life->holder != e->thread + 1) life->no_lock = true;
    life->holder = 0;
    life->posted = true;
  } else {
    if (life->holder) life->no_lock = true;
    life->holder = e->thread + 1;
  }
}

/* --- parts --- */

/* Each step is an event of the log on a part, or nothing. */
typedef struct {
  TraceOp op;
  uint32_t part;
  bool some;
} Step;

static const Step NOTHING;

static Step step(TraceOp op, uint32_t part) { return (Step){op, part, true}; }

/* One that nobody waits for, for so many. */
static uint32_t take_part(Syncs *s, Sync *sync, uint32_t waits) {
  const Part part = {waits, s->now};
  if (!sync->spare.n) {
    vec_push(s->heap, &sync->parts, part);
    return sync->parts.n - 1;
  }
  const uint32_t number = sync->spare.at[--sync->spare.n];
  sync->parts.at[number] = part;
  return number;
}

/* One less waits for it. Where there is none the memory has become something else meanwhile. */
static void leave_part(Syncs *s, Sync *sync, uint32_t part) {
  if (part >= sync->parts.n || !sync->parts.at[part].waits) return;
  if (--sync->parts.at[part].waits == 0) vec_push(s->heap, &sync->spare, part);
}

static void forget_parts(Sync *sync) {
  sync->parts.n = sync->spare.n = sync->posts.n = sync->waiters.n = 0;
  sync->first = sync->arrived = sync->round = sync->count = 0;
}

/* --- semaphores --- */

static Step step_lock(const RawEvent *e) {
  return step(e->size == SYNC_POST ? TRACE_RELEASE : e->size == SYNC_TAKE ? TRACE_ACQUIRE : TRACE_TRY, 0);
}

static Step post(Syncs *s, Sync *sync) {
  const uint32_t part = take_part(s, sync, 1);
  vec_push(s->heap, &sync->posts, part);
  return step(TRACE_SIGNAL, part);
}

static Step take(Syncs *s, Sync *sync) {
  if (sync->count) {
    sync->count--;
    return NOTHING;
  }
  if (sync->first == sync->posts.n) return NOTHING; /* another process has posted it */
  const uint32_t part = sync->posts.at[sync->first++];
  if (sync->first == sync->posts.n) sync->first = sync->posts.n = 0;
  leave_part(s, sync, part);
  return step(TRACE_WAIT, part);
}

static Step step_semaphore(Syncs *s, Sync *sync, const RawEvent *e) {
  const bool begins = is_beginning(sync, e);
  const Life *life = life_of(s, sync, e);
  if (begins) {
    forget_parts(sync);
    sync->count = e->new;
  }
  if (e->size == SYNC_SEMAPHORE || e->size == SYNC_OPENED) return NOTHING;
  if (life->posted && !life->no_lock) return step_lock(e);
  return e->size == SYNC_POST ? post(s, sync) : take(s, sync);
}

/* --- barriers --- */

/* A round is over when all have arrived. Those who have may still be there when the next one begins. */
static Step arrive(Syncs *s, Sync *sync, uint32_t thread) {
  if (!sync->round) {
    sync->round = take_part(s, sync, 0) + 1;
    sync->arrived = 0;
  }
  const uint32_t part = sync->round - 1;
  sync->parts.at[part].waits++;
  s->part[thread] = part;
  if (++sync->arrived == sync->count) sync->round = 0;
  return step(TRACE_SIGNAL, part);
}

static Step leave(Syncs *s, Sync *sync, uint32_t thread) {
  const uint32_t part = s->part[thread];
  if (part >= sync->parts.n || !sync->parts.at[part].waits) return NOTHING;
  if (sync->round == part + 1) sync->round = 0; /* of a barrier whose beginning was not seen */
  leave_part(s, sync, part);
  return step(TRACE_WAIT, part);
}

static Step begin_barrier(Sync *sync, uint32_t count) {
  forget_parts(sync);
  sync->count = count;
  return NOTHING;
}

/* --- condition variables --- */

static Step begin_waiting(Syncs *s, Sync *sync, uint32_t thread) {
  const Waiter waiter = {thread, 0, s->now};
  vec_push(s->heap, &sync->waiters, waiter);
  return NOTHING;
}

/* The first one that is not signalled, and has waited then; or NULL. */
static Waiter *next_waiter(const Sync *sync, uint64_t then) {
  for (uint32_t i = 0; i < sync->waiters.n && sync->waiters.at[i].since < then; i++)
    if (!sync->waiters.at[i].part) return &sync->waiters.at[i];
  return NULL;
}

static Step signal_waiters(Syncs *s, Sync *sync, bool all) {
  Waiter *waiter = next_waiter(sync, s->now);
  if (!waiter) return NOTHING;
  const uint32_t part = take_part(s, sync, 1);
  waiter->part = part + 1;
  while (all && (waiter = next_waiter(sync, s->now))) {
    waiter->part = part + 1;
    sync->parts.at[part].waits++;
  }
  return step(TRACE_SIGNAL, part);
}

/* Takes the thread out of those who wait; the part of its signal + 1, or 0. */
static uint32_t stop_waiting(Sync *sync, uint32_t thread) {
  uint32_t i = 0, part = 0;
  while (i < sync->waiters.n && sync->waiters.at[i].thread != thread) i++;
  if (i == sync->waiters.n) return 0;
  part = sync->waiters.at[i].part;
  for (; i + 1 < sync->waiters.n; i++) sync->waiters.at[i] = sync->waiters.at[i + 1];
  sync->waiters.n--;
  return part;
}

/* Where it has woken without a signal it has that of the first who has one; if there is none it has woken for no
 * reason. */
static Step wake(Syncs *s, Sync *sync, uint32_t thread) {
  uint32_t part = stop_waiting(sync, thread);
  for (uint32_t i = 0; !part && i < sync->waiters.n; i++) {
    part = sync->waiters.at[i].part;
    sync->waiters.at[i].part = 0;
  }
  if (!part) return NOTHING;
  leave_part(s, sync, part - 1);
  return step(TRACE_WAIT, part - 1);
}

/* A signal for who has given up was another one's. */
static Step give_up(Syncs *s, Sync *sync, uint32_t thread) {
  const uint32_t part = stop_waiting(sync, thread);
  if (!part) return NOTHING;
  Waiter *other = next_waiter(sync, sync->parts.at[part - 1].since);
  if (other) other->part = part;
  else leave_part(s, sync, part - 1);
  return NOTHING;
}

/* --- once --- */

static bool pass(Sync *sync, uint32_t thread) {
  const uint64_t bit = UINT64_C(1) << thread % 64;
  if (!sync->passed || sync->passed[thread / 64] & bit) return false;
  sync->passed[thread / 64] |= bit;
  return true;
}

/* Who has done it, and who has passed before, need not wait. */
static Step done(Syncs *s, Sync *sync, uint32_t thread) {
  heap_release(s->heap, sync->passed);
  sync->passed = NULL;
  sync->passed = heap_zeroed(s->heap, (s->n_threads / 64 + (size_t)1) * sizeof *sync->passed);
  pass(sync, thread);
  return step(TRACE_SIGNAL, 0);
}

bool syncs_is_done(const Syncs *s, uint64_t address) {
  const uint32_t number = keys_find(&s->keys, address);
  return number != KEYS_NONE && s->syncs.at[number].passed;
}

/* --- all --- */

static void begin_second_pass(Syncs *s) {
  s->second_pass = true;
  s->n_begun = 0;
  forget_all(s);
}

static Step step_of(Syncs *s, Sync *sync, const RawEvent *e) {
  switch ((RawSync)e->size) {
  case SYNC_SEMAPHORE:
  case SYNC_OPENED:
  case SYNC_POST:
  case SYNC_TAKE:
  case SYNC_TRY_TAKE: return step_semaphore(s, sync, e);
  case SYNC_BARRIER: return begin_barrier(sync, e->new);
  case SYNC_ARRIVE: return arrive(s, sync, e->thread);
  case SYNC_LEAVE: return leave(s, sync, e->thread);
  case SYNC_WAITING: return begin_waiting(s, sync, e->thread);
  case SYNC_SIGNAL: return signal_waiters(s, sync, false);
  case SYNC_BROADCAST: return signal_waiters(s, sync, true);
  case SYNC_WOKEN: return wake(s, sync, e->thread);
  case SYNC_GONE: return give_up(s, sync, e->thread);
  case SYNC_DONE: return done(s, sync, e->thread);
  case SYNC_PASSED: return pass(sync, e->thread) ? step(TRACE_WAIT, 0) : NOTHING;
  case SYNC_NOTHING:
  case SYNCS: break;
  }
  return NOTHING;
}

bool syncs_step(Syncs *s, const RawEvent *e, TraceOp *op, uint32_t *part) {
  if (!s->second_pass) begin_second_pass(s);
  s->now++;
  const Step found = step_of(s, sync_of(s, e->address), e);
  *op = found.op;
  *part = found.part;
  return found.some;
}
