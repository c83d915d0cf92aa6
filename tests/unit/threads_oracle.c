#include "tests/unit/threads_oracle.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 10 }; /* of threads */

/* ---- what is true of an event ---- */

typedef struct {
  uint32_t run, thread, life; /* how often it was joined before, outside of transactions */
  uint32_t other_life;        /* a fork or join: of the other thread */
  uint32_t transaction;       /* its first event */
  uint32_t object;            /* read or written: with the number of times it was freed before; or with the group */
  uint32_t group;             /* of a signal or wait, in its run, from 1; 0: none */
} Fact;

/* Signals of an object since the last one that follows a wait are a group, from 1; of a wait, the current one. */
static uint32_t group_of(const ThreadRuns *runs, uint32_t from, uint32_t i) {
  uint32_t group = 0;
  bool waited = true;
  if (runs->events[i].op != TRACE_SIGNAL && runs->events[i].op != TRACE_WAIT) return 0;
  for (uint32_t k = from; k <= i; k++) {
    if (runs->events[k].object != runs->events[i].object) continue;
    if (runs->events[k].op == TRACE_SIGNAL) group += waited, waited = false;
    if (runs->events[k].op == TRACE_WAIT) waited = true;
  }
  return group;
}

/* i signals what j waits for. */
static bool hands_over(const ThreadRuns *runs, const Fact *facts, uint32_t i, uint32_t j) {
  return runs->events[i].op == TRACE_SIGNAL && runs->events[j].op == TRACE_WAIT && facts[i].run == facts[j].run &&
         runs->events[i].object == runs->events[j].object && facts[i].group == facts[j].group;
}

static bool is_access(const TraceEvent *event) { return event->op <= TRACE_WRITE || event->op == TRACE_UPDATE; }

static bool is_relation(const TraceEvent *event) {
  return (event->op == TRACE_FORK || event->op == TRACE_JOIN) && event->object != event->thread;
}

/* From the first event of a run on. */
static void study_run(const ThreadRuns *runs, uint32_t run, uint32_t from, uint32_t to, Fact *facts) {
  uint32_t life[NUMBERS] = {0}, depth[NUMBERS] = {0}, transaction[NUMBERS] = {0};
  for (uint32_t i = from; i < to; i++) {
    const TraceEvent *event = &runs->events[i];
    const uint32_t t = event->thread;
    uint32_t freed = 0;
    for (uint32_t j = from; j < i; j++)
      freed += runs->events[j].op == TRACE_FREE && runs->events[j].object == event->object;
    if (event->op == TRACE_BEGIN && depth[t]++ == 0) transaction[t] = i;
    const uint32_t group = group_of(runs, from, i), count = group ? group : freed;
    const uint32_t object = event->object + 1000 * count + (count ? 100000 * run : 0);
    facts[i] = (Fact){run, t, life[t], 0, depth[t] ? transaction[t] : i, object, group};
    if (event->op == TRACE_END && depth[t]) depth[t]--;
    if (event->op == TRACE_EXIT) depth[t] = 0;
    if (!is_relation(event)) continue;
    facts[i].other_life = life[event->object];
    if (event->op == TRACE_JOIN && depth[event->object] == 0) life[event->object]++;
  }
}

static void study(const ThreadRuns *runs, Fact *facts) {
  for (uint32_t run = 0, from = 0; run < runs->n_runs; from = runs->ends[run++])
    study_run(runs, run, from, runs->ends[run], facts);
}

/* Is it an event, a fork or a join of that thread? */
static bool concerns(const TraceEvent *event, uint32_t thread) {
  return event->thread == thread || (is_relation(event) && event->object == thread);
}

bool threads_ordered(const ThreadRuns *runs, uint32_t i, uint32_t j) {
  const TraceEvent *a = &runs->events[i], *b = &runs->events[j];
  if (i >= j) return false;
  if (a->op == TRACE_SIGNAL && b->op == TRACE_WAIT && a->object == b->object &&
      group_of(runs, 0, i) == group_of(runs, 0, j))
    return true;
  return concerns(b, a->thread) || concerns(a, b->thread) ||
         (is_relation(a) && is_relation(b) && a->object == b->object);
}

uint32_t threads_object(const ThreadRuns *runs, uint32_t event) {
  Fact facts[THREADS_EVENTS];
  study(runs, facts);
  return facts[event].object;
}

uint32_t threads_transaction(const ThreadRuns *runs, uint32_t event) {
  Fact facts[THREADS_EVENTS];
  study(runs, facts);
  return facts[event].transaction;
}

/* ---- other runs ---- */

typedef struct {
  const ThreadRuns *runs;
  Fact facts[THREADS_EVENTS];
  uint32_t n_threads;
  uint32_t source[NUMBERS]; /* the run that a thread is of, in which it may do nothing */
  uint32_t own[NUMBERS][THREADS_EVENTS], n_own[NUMBERS];
  uint32_t next[NUMBERS];          /* how many of its events it has done */
  uint32_t after[THREADS_EVENTS];  /* per transaction (its first event), as bits: those after it, by their numbers */
  uint32_t number[THREADS_EVENTS]; /* of a transaction */
} World;

static void choose(World *w) {
  for (uint32_t i = 0; i < w->runs->n; i++)
    if (w->runs->events[i].thread >= w->n_threads) w->n_threads = w->runs->events[i].thread + 1;
  memset(w->n_own, 0, sizeof w->n_own);
  memset(w->next, 0, sizeof w->next);
  memset(w->after, 0, sizeof w->after);
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->runs->n; i++) {
    const uint32_t t = w->runs->events[i].thread;
    if (w->facts[i].run != w->source[t]) continue;
    w->own[t][w->n_own[t]++] = i;
    w->number[i] = w->facts[i].transaction == i ? n++ : w->number[w->facts[i].transaction];
  }
}

static bool is_chosen(const World *w, uint32_t i) { return w->facts[i].run == w->source[w->facts[i].thread]; }

static bool is_done(const World *w, uint32_t i) {
  const uint32_t t = w->facts[i].thread;
  for (uint32_t k = 0; k < w->next[t]; k++)
    if (w->own[t][k] == i) return true;
  return false;
}

static bool forks(const World *w, uint32_t i, uint32_t thread, uint32_t life) {
  const TraceEvent *event = &w->runs->events[i];
  return is_relation(event) && event->op == TRACE_FORK && event->object == thread && w->facts[i].other_life == life;
}

static bool joins(const World *w, uint32_t i, uint32_t thread, uint32_t life) {
  const TraceEvent *event = &w->runs->events[i];
  return is_relation(event) && event->op == TRACE_JOIN && event->object == thread && w->facts[i].other_life == life;
}

/* Of threads of several runs: must i be done before j? A join waits for the thread and its fork; a thread for its fork,
 * and, if its number was joined before, for that; a fork for the thread that had the number before, and its join. */
static bool waits_for(const World *w, uint32_t j, uint32_t i) {
  const Fact *f = &w->facts[i], *g = &w->facts[j];
  const TraceEvent *event = &w->runs->events[j];
  if (forks(w, i, g->thread, g->life) || (g->life > 0 && joins(w, i, g->thread, g->life - 1))) return true;
  if (!is_relation(event)) return false;
  if (event->op == TRACE_JOIN && forks(w, i, event->object, g->other_life)) return true;
  if (event->op == TRACE_FORK && g->other_life > 0 && joins(w, i, event->object, g->other_life - 1)) return true;
  return f->thread == event->object && f->life + (event->op == TRACE_FORK) <= g->other_life;
}

/* A thread that was forked in its own run has to be forked by another that is taken; so with joins. */
static bool may_come_mixed(const World *w, uint32_t j) {
  const Fact *g = &w->facts[j];
  bool needs_fork = false, has_fork = false, has_join = g->life == 0;
  for (uint32_t i = 0; i < w->runs->n; i++) {
    if (hands_over(w->runs, w->facts, i, j) && (!is_chosen(w, i) || !is_done(w, i))) return false;
    needs_fork |= w->facts[i].run == g->run && forks(w, i, g->thread, g->life);
    if (!is_chosen(w, i)) continue;
    if (waits_for(w, j, i) && !is_done(w, i)) return false;
    has_fork |= forks(w, i, g->thread, g->life);
    has_join |= g->life > 0 && joins(w, i, g->thread, g->life - 1);
  }
  return has_join && (has_fork || !needs_fork);
}

static bool may_come(const World *w, uint32_t j) {
  if (w->runs->n_runs > 1) return may_come_mixed(w, j);
  for (uint32_t i = 0; i < j; i++)
    if (threads_ordered(w->runs, i, j) && !is_done(w, i)) return false;
  return true;
}

/* How often does the thread hold the lock, alone or shared? */
static uint32_t holds(const World *w, uint32_t thread, uint32_t lock, bool shared) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < w->next[thread]; k++) {
    const TraceEvent *event = &w->runs->events[w->own[thread][k]];
    if (event->object != lock) continue;
    const TraceOp acquire = shared ? TRACE_SHARED_ACQUIRE : TRACE_ACQUIRE, try = shared ? TRACE_SHARED_TRY : TRACE_TRY;
    if (event->op == acquire || event->op == try) n++;
    if (event->op == (shared ? TRACE_SHARED_RELEASE : TRACE_RELEASE) && n) n--;
  }
  return n;
}

static bool lock_is_free(const World *w, uint32_t j) {
  const TraceEvent *event = &w->runs->events[j];
  const bool shared = event->op == TRACE_SHARED_ACQUIRE || event->op == TRACE_SHARED_TRY;
  if (!w->runs->locks || (!shared && event->op != TRACE_ACQUIRE && event->op != TRACE_TRY)) return true;
  for (uint32_t t = 0; t < NUMBERS; t++)
    if (t != event->thread && (holds(w, t, event->object, false) || (!shared && holds(w, t, event->object, true))))
      return false;
  return true;
}

/* ---- cycles ---- */

/* i was done before j: must its transaction come first? */
static bool orders(const World *w, uint32_t i, uint32_t j) {
  const TraceEvent *a = &w->runs->events[i], *b = &w->runs->events[j];
  const Fact *f = &w->facts[i], *g = &w->facts[j];
  if (f->thread == g->thread && f->life == g->life) return true;
  const bool reads = a->op == TRACE_READ && b->op == TRACE_READ;
  if (is_access(a) && is_access(b) && f->object == g->object && !reads) return true;
  if (forks(w, i, g->thread, g->life) || joins(w, j, f->thread, f->life)) return true;
  return is_relation(a) && is_relation(b) && forks(w, i, b->object, g->other_life) &&
         joins(w, j, b->object, g->other_life);
}

/* False if that closes a cycle. */
static bool add_order(World *w, uint32_t a, uint32_t b) {
  if (a == b || w->after[a] >> b & 1) return true;
  for (uint32_t t = 0; t < THREADS_EVENTS; t++)
    if (t == a || w->after[t] >> a & 1) w->after[t] |= w->after[b] | 1u << b;
  return !(w->after[a] >> a & 1);
}

/* The thread's next event. False if there is a cycle then. */
static bool go(World *w, uint32_t thread) {
  const uint32_t j = w->own[thread][w->next[thread]];
  bool good = true;
  for (uint32_t t = 0; t < NUMBERS; t++)
    for (uint32_t k = 0; k < w->next[t]; k++)
      if (orders(w, w->own[t][k], j)) good &= add_order(w, w->number[w->own[t][k]], w->number[j]);
  w->next[thread]++;
  return good;
}

/* ---- all of them ---- */

typedef struct {
  uint32_t next[NUMBERS], after[THREADS_EVENTS];
} State;

/* The states that were seen; what can follow is the same each time. */
typedef struct {
  State *states;
  uint32_t *slots, n_slots, n;
} Seen;

static bool add_state(Seen *seen, const World *w) {
  State state;
  memcpy(state.next, w->next, sizeof state.next);
  memcpy(state.after, w->after, sizeof state.after);
  if (2 * seen->n >= seen->n_slots) {
    seen->n_slots = seen->n_slots ? 2 * seen->n_slots : 1024;
    seen->states = realloc(seen->states, seen->n_slots * sizeof *seen->states);
    free(seen->slots);
    seen->slots = calloc(seen->n_slots, sizeof *seen->slots);
    for (uint32_t s = 0; s < seen->n; s++) {
      uint32_t i = (uint32_t)hash_bytes(&seen->states[s], sizeof state) & (seen->n_slots - 1);
      while (seen->slots[i]) i = (i + 1) & (seen->n_slots - 1);
      seen->slots[i] = s + 1;
    }
  }
  uint32_t i = (uint32_t)hash_bytes(&state, sizeof state) & (seen->n_slots - 1);
  for (; seen->slots[i]; i = (i + 1) & (seen->n_slots - 1))
    if (memcmp(&seen->states[seen->slots[i] - 1], &state, sizeof state) == 0) return false;
  seen->states[seen->n++] = state;
  seen->slots[i] = seen->n;
  return true;
}

static bool explore(World *w, Seen *seen) {
  if (!add_state(seen, w)) return false;
  for (uint32_t t = 0; t < NUMBERS; t++) {
    if (w->next[t] == w->n_own[t]) continue;
    const uint32_t j = w->own[t][w->next[t]];
    if (!may_come(w, j) || !lock_is_free(w, j)) continue;
    uint32_t after[THREADS_EVENTS];
    memcpy(after, w->after, sizeof after);
    if (!go(w, t) || explore(w, seen)) return true;
    memcpy(w->after, after, sizeof after);
    w->next[t]--;
  }
  return false;
}

/* The next choice of runs, for the threads that do anything in some; false after the last. */
static bool choose_next(World *w) {
  for (uint32_t t = 0; t < w->n_threads; t++) {
    if (++w->source[t] < w->runs->n_runs) return true;
    w->source[t] = 0;
  }
  return false;
}

bool threads_violated(const ThreadRuns *runs) {
  World w = {.runs = runs};
  Seen seen = {0};
  bool found = false;
  study(runs, w.facts);
  do {
    choose(&w);
    seen.n = 0;
    if (seen.n_slots) memset(seen.slots, 0, seen.n_slots * sizeof *seen.slots);
    found = explore(&w, &seen);
  } while (!found && choose_next(&w));
  free(seen.states);
  free(seen.slots);
  return found;
}

bool threads_can_run(const ThreadRuns *runs, const uint32_t *order, uint32_t n) {
  World w = {.runs = runs};
  study(runs, w.facts);
  do {
    choose(&w);
    uint32_t i = 0;
    for (; i < n; i++) {
      const uint32_t t = w.facts[order[i]].thread;
      if (!is_chosen(&w, order[i]) || w.next[t] == w.n_own[t] || w.own[t][w.next[t]] != order[i]) break;
      if (!may_come(&w, order[i]) || !lock_is_free(&w, order[i])) break;
      w.next[t]++;
    }
    if (i == n) return true;
  } while (choose_next(&w));
  return false;
}
