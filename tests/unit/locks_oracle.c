#include "tests/unit/locks_oracle.h"

#include "base/hash.h"
#include "serial/monitor.h"

#include <stdlib.h>
#include <string.h>

/* ---- the threads ---- */

static bool is_relation(const TraceEvent *event) {
  return (event->op == TRACE_FORK || event->op == TRACE_JOIN) && event->object != event->thread;
}

static void find_threads(LockedRun *run) {
  uint32_t life[SERIAL_THREADS], depth[SERIAL_THREADS] = {0};
  memset(life, 0xff, sizeof life);
  for (uint32_t i = 0; i < run->n; i++) {
    const TraceEvent *event = &run->events[i];
    if (life[event->thread] == TRACE_NONE) life[event->thread] = run->n_threads++;
    run->own[i] = life[event->thread];
    run->other[i] = TRACE_NONE;
    if (event->op == TRACE_BEGIN) depth[event->thread]++;
    if (event->op == TRACE_END && depth[event->thread]) depth[event->thread]--;
    if (event->op == TRACE_EXIT) depth[event->thread] = 0;
    if (!is_relation(event)) continue;
    if (life[event->object] == TRACE_NONE) life[event->object] = run->n_threads++;
    run->other[i] = life[event->object];
    if (event->op == TRACE_JOIN && depth[event->object] == 0) life[event->object] = TRACE_NONE;
  }
}

void locked_study(LockedRun *run, const TraceEvent *events, uint32_t n) {
  *run = (LockedRun){.events = events, .n = n};
  serial_study(&run->study, events, n, false);
  find_threads(run);
  uint32_t k = 0;
  for (uint32_t t = 0; t < run->n_threads; t++) {
    run->first[t] = k;
    for (uint32_t i = 0; i < n; i++)
      if (run->own[i] == t) run->order[k++] = i;
  }
  run->first[run->n_threads] = k;
}

/* Must i come before j, by program order, forks and joins? */
static bool must_precede(const LockedRun *run, uint32_t i, uint32_t j) {
  if (i >= j || !run->study.ordered[i][j]) return false;
  return run->own[i] == run->own[j] || run->other[i] != TRACE_NONE || run->other[j] != TRACE_NONE;
}

static bool related(const LockedRun *run, uint32_t i, uint32_t j) {
  return i < j ? run->study.ordered[i][j] : run->study.ordered[j][i];
}

/* ---- runs of the threads ---- */

typedef struct {
  uint8_t position[LOCKS_MAX];
  uint64_t after[LOCKS_MAX]; /* of a transaction, by its first event: those that come after it, as bits of first events */
} State;

/* How often does the thread hold the lock, after its first so many events? */
static int holds(const LockedRun *run, uint32_t thread, uint32_t done, uint32_t lock) {
  int count = 0;
  for (uint32_t k = run->first[thread]; k < run->first[thread] + done; k++) {
    const TraceEvent *event = &run->events[run->order[k]];
    if (event->object == lock && event->op == TRACE_ACQUIRE) count++;
    if (event->object == lock && event->op == TRACE_RELEASE && count > 0) count--;
  }
  return count;
}

static bool is_done(const LockedRun *run, const uint8_t *position, uint32_t event) {
  const uint32_t t = run->own[event];
  for (uint32_t k = run->first[t]; k < run->first[t] + position[t]; k++)
    if (run->order[k] == event) return true;
  return false;
}

static bool may_come(const LockedRun *run, const uint8_t *position, uint32_t event) {
  for (uint32_t i = 0; i < event; i++)
    if (must_precede(run, i, event) && !is_done(run, position, i)) return false;
  if (run->events[event].op != TRACE_ACQUIRE) return true;
  for (uint32_t t = 0; t < run->n_threads; t++)
    if (t != run->own[event] && holds(run, t, position[t], run->events[event].object)) return false;
  return true;
}

static void relate(uint64_t *after, uint32_t n, uint32_t from, uint32_t to) {
  const uint64_t news = after[to] | (uint64_t)1 << to;
  for (uint32_t t = 0; t < n; t++)
    if (t == from || after[t] >> from & 1) after[t] |= news;
}

/* The event comes next. True if there is a cycle then. */
static bool come(const LockedRun *run, State *state, uint32_t event) {
  const uint32_t own = run->study.transaction[event];
  for (uint32_t i = 0; i < run->n; i++)
    if (i != event && is_done(run, state->position, i) && related(run, i, event) && run->study.transaction[i] != own)
      relate(state->after, run->n, run->study.transaction[i], own);
  state->position[run->own[event]]++;
  return state->after[own] >> own & 1;
}

typedef struct {
  State *states;
  uint32_t *slots, n, cap, n_slots;
} Known;

static void rehash(Known *known) {
  known->n_slots = known->n_slots ? 2 * known->n_slots : 256;
  known->slots = realloc(known->slots, known->n_slots * sizeof *known->slots);
  memset(known->slots, 0, known->n_slots * sizeof *known->slots);
  for (uint32_t s = 0; s < known->n; s++) {
    uint32_t i = (uint32_t)hash_bytes(&known->states[s], sizeof(State));
    while (known->slots[i & (known->n_slots - 1)]) i++;
    known->slots[i & (known->n_slots - 1)] = s + 1;
  }
}

static void add_state(Known *known, const State *state) {
  if (2 * known->n >= known->n_slots) rehash(known);
  for (uint32_t i = (uint32_t)hash_bytes(state, sizeof *state);; i++) {
    uint32_t *slot = &known->slots[i & (known->n_slots - 1)];
    if (*slot && memcmp(&known->states[*slot - 1], state, sizeof *state) == 0) return;
    if (*slot) continue;
    *slot = known->n + 1;
    break;
  }
  if (known->n == known->cap) {
    known->cap = known->cap ? 2 * known->cap : 128;
    known->states = realloc(known->states, known->cap * sizeof *known->states);
  }
  known->states[known->n++] = *state;
}

bool locked_violated(const LockedRun *run) {
  Known known = {0};
  bool violated = false;
  add_state(&known, &(State){{0}, {0}});
  for (uint32_t s = 0; s < known.n && !violated; s++)
    for (uint32_t t = 0; t < run->n_threads && !violated; t++) {
      State next = known.states[s];
      const uint32_t k = run->first[t] + next.position[t];
      if (k == run->first[t + 1] || !may_come(run, next.position, run->order[k])) continue;
      violated = come(run, &next, run->order[k]);
      add_state(&known, &next);
    }
  free(known.states);
  free(known.slots);
  return violated;
}

/* ---- what was predicted ---- */

static uint32_t object_life(const LockedRun *run, uint32_t event) {
  uint32_t lives = 0;
  for (uint32_t i = 0; i < event; i++)
    lives += run->events[i].op == TRACE_FREE && run->events[i].object == run->events[event].object;
  return run->events[event].object * LOCKS_MAX + lives;
}

/* Threads and objects have a number for each life; what is freed is told by that, and freeing it is nothing more than an
 * event. */
static TraceEvent renamed(const LockedRun *run, uint32_t i) {
  TraceEvent event = run->events[i];
  event.thread = run->own[i];
  if (event.op == TRACE_FREE) event = (TraceEvent){event.thread, TRACE_NONE, event.location, TRACE_START};
  const uint32_t other = run->other[i] == TRACE_NONE ? run->own[i] : run->other[i];
  if (event.op == TRACE_FORK || event.op == TRACE_JOIN) event.object = other;
  if (event.op <= TRACE_WRITE) event.object = object_life(run, i);
  return event;
}

static bool monitor_agrees(const LockedRun *run, const uint32_t *come_to, uint32_t n) {
  Heap *heap = heap_new(0);
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){MONITOR_CG, MONITOR_SERIALIZABLE, false, false});
  for (uint32_t k = 0; k < n; k++) {
    const TraceEvent event = renamed(run, come_to[k]);
    monitor_feed(monitor, &event, 1);
  }
  const bool violated = monitor_finish(monitor);
  heap_free(heap);
  return violated;
}

/* Does a thread run on after it was joined? */
static bool has_odd_join(const LockedRun *run) {
  for (uint32_t i = 0; i < run->n; i++)
    for (uint32_t j = i + 1; j < run->n; j++)
      if (run->events[i].op == TRACE_JOIN && run->other[i] == run->own[j]) return true;
  return false;
}

static bool is_cycle(const LockedRun *run, const Cycle *cycle, const uint32_t *when) {
  for (uint32_t i = 0; i < cycle->n; i++) {
    const CycleVisit *visit = &cycle->visits[i], *next = &cycle->visits[(i + 1) % cycle->n];
    const uint32_t in = (uint32_t)visit->in, out = (uint32_t)visit->out;
    if (run->own[in] != run->own[out] || run->events[in].thread != visit->thread) return false;
    if (run->study.transaction[in] > run->study.transaction[out]) return false;
    if (i == 0 && (run->study.transaction[in] != run->study.transaction[out] || out >= in)) return false;
    if (when[out] >= when[next->in] || when[next->in] == TRACE_NONE) return false;
    if (run->own[out] == run->own[next->in] || !related(run, out, (uint32_t)next->in)) return false;
  }
  return cycle->n >= 2;
}

bool locked_judge(const LockedRun *run, const Cycle *cycle, const Schedule *schedule, const char **why) {
  State state = {{0}, {0}};
  uint32_t when[LOCKS_MAX], come_to[LOCKS_MAX], n = 0;
  bool violated = false;
  memset(when, 0xff, sizeof when);
  for (uint32_t s = 0; s < schedule->n; s++) {
    const uint32_t until = (uint32_t)schedule->at[s].until, t = run->own[until];
    if (run->events[until].thread != schedule->at[s].thread) return *why = "another thread", false;
    if (is_done(run, state.position, until)) return *why = "a step to nowhere", false;
    while (!is_done(run, state.position, until)) {
      const uint32_t event = run->order[run->first[t] + state.position[t]];
      if (!may_come(run, state.position, event)) return *why = "an event that cannot come", false;
      violated |= come(run, &state, event);
      when[event] = n;
      come_to[n++] = event;
    }
  }
  if (!is_cycle(run, cycle, when)) return *why = "no such cycle", false;
  if (!violated) return *why = "a serializable run", false;
  if (!has_odd_join(run) && !monitor_agrees(run, come_to, n)) return *why = "the monitor sees nothing", false;
  return true;
}
