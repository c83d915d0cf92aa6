#include "tests/oracle/all_traces.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_YET = 0xff };

/* All that two traces must have in common to be one. */
typedef struct {
  uint8_t at[ALL_TRACES_THREADS];     /* events done, per thread */
  uint8_t last[ALL_TRACES_OBJECTS];   /* per variable: its last write, as an event + 1 */
  uint8_t read_from[ALL_TRACES_MOST]; /* per read: that event + 1 */
} State;

typedef struct {
  const TraceEvent *events;
  uint8_t own[ALL_TRACES_THREADS][ALL_TRACES_MOST]; /* the events of each thread */
  uint8_t n_own[ALL_TRACES_THREADS];
  uint32_t shared[ALL_TRACES_THREADS][ALL_TRACES_MOST + 1]; /* as `held`, for what is shared */
  uint64_t signals[ALL_TRACES_MOST];                        /* of a wait: the signals of its group, as bits */
  uint32_t held[ALL_TRACES_THREADS][ALL_TRACES_MOST + 1];   /* a bit per lock: after so many events of the thread */
  uint8_t forks[ALL_TRACES_THREADS][ALL_TRACES_THREADS];    /* of a thread, by another one: events up to the last */
  uint8_t transaction[ALL_TRACES_MOST];                     /* of each read and write */
  uint8_t n_transactions, thread_of[ALL_TRACES_MOST];       /* per transaction */
  State *seen;                                              /* an open table; at[0] of a free place is NOT_YET */
  size_t n_places, n_seen;
  AllTraces answer;
} Study;

static bool is_access(uint32_t op) { return op == TRACE_READ || op == TRACE_WRITE || op == TRACE_UPDATE; }

/* The signals after the last signal that follows a wait. */
static void find_signals(Study *s, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    bool waited = false;
    for (uint32_t j = 0; s->events[i].op == TRACE_WAIT && j < i; j++) {
      if (s->events[j].object != s->events[i].object) continue;
      if (s->events[j].op == TRACE_SIGNAL)
        s->signals[i] = (waited ? 0 : s->signals[i]) | (uint64_t)1 << j, waited = false;
      if (s->events[j].op == TRACE_WAIT) waited = true;
    }
  }
}

static void divide(Study *s, uint32_t n) {
  uint8_t depth[ALL_TRACES_THREADS] = {0}, now[ALL_TRACES_THREADS] = {0};
  for (uint32_t i = 0; i < n; i++) {
    const TraceEvent *event = &s->events[i];
    const uint32_t t = event->thread;
    s->own[t][s->n_own[t]++] = (uint8_t)i;
    const bool access = is_access(event->op);
    if ((event->op == TRACE_BEGIN && depth[t]++ == 0) || (access && depth[t] == 0))
      now[t] = s->n_transactions, s->thread_of[s->n_transactions++] = (uint8_t)t;
    if (event->op == TRACE_END && depth[t]) depth[t]--;
    if (access) s->transaction[i] = now[t];
    if (event->op == TRACE_FORK && event->object != t) s->forks[event->object][t] = s->n_own[t];
  }
}

static void find_held(Study *s) {
  for (uint32_t t = 0; t < ALL_TRACES_THREADS; t++) {
    uint8_t count[ALL_TRACES_OBJECTS] = {0}, shares[ALL_TRACES_OBJECTS] = {0};
    for (uint32_t k = 0; k < s->n_own[t]; k++) {
      const TraceEvent *event = &s->events[s->own[t][k]];
      if (event->op == TRACE_ACQUIRE || event->op == TRACE_TRY) count[event->object]++;
      else if (event->op == TRACE_RELEASE && count[event->object]) count[event->object]--;
      else if (event->op == TRACE_SHARED_ACQUIRE || event->op == TRACE_SHARED_TRY) shares[event->object]++;
      else if (event->op == TRACE_SHARED_RELEASE && shares[event->object]) shares[event->object]--;
      for (uint32_t l = 0; l < ALL_TRACES_OBJECTS; l++) {
        s->held[t][k + 1] |= (uint32_t)(count[l] > 0) << l;
        s->shared[t][k + 1] |= (uint32_t)(shares[l] > 0) << l;
      }
    }
  }
}

/* ---- serial orders ---- */

static void run_transaction(const Study *s, uint32_t transaction, State *state) {
  const uint32_t t = s->thread_of[transaction];
  for (uint32_t k = 0; k < s->n_own[t]; k++) {
    const uint32_t i = s->own[t][k];
    const TraceEvent *event = &s->events[i];
    if (!is_access(event->op) || s->transaction[i] != transaction) continue;
    if (event->op != TRACE_WRITE) state->read_from[i] = state->last[event->object];
    if (event->op != TRACE_READ) state->last[event->object] = (uint8_t)(i + 1);
  }
}

static bool same_view(const Study *s, const State *a, const State *b, uint64_t done) {
  for (uint32_t t = 0; t < ALL_TRACES_THREADS; t++)
    for (uint32_t k = 0; k < s->n_own[t]; k++) {
      const uint32_t i = s->own[t][k];
      if ((s->events[i].op == TRACE_READ || s->events[i].op == TRACE_UPDATE) && (done >> s->transaction[i] & 1) &&
          a->read_from[i] != b->read_from[i])
        return false;
    }
  return true;
}

static bool serial_exists_from(const Study *s, const State *trace, const State *serial, uint64_t done) {
  if (!same_view(s, serial, trace, done)) return false;
  bool all = true;
  for (uint32_t x = 0; x < s->n_transactions; x++) {
    if (done >> x & 1) continue;
    all = false;
    bool first = true;
    for (uint32_t y = 0; y < x; y++) first = first && (s->thread_of[y] != s->thread_of[x] || (done >> y & 1));
    if (!first) continue;
    State next = *serial;
    run_transaction(s, x, &next);
    if (serial_exists_from(s, trace, &next, done | (uint64_t)1 << x)) return true;
  }
  return all && memcmp(serial->last, trace->last, sizeof trace->last) == 0;
}

/* ---- traces ---- */

static void put(Study *s, const State *state) {
  size_t i = (size_t)hash_bytes(state, sizeof *state) & (s->n_places - 1);
  while (s->seen[i].at[0] != NOT_YET) i = (i + 1) & (s->n_places - 1);
  s->seen[i] = *state;
}

static void grow(Study *s) {
  State *old = s->seen;
  const size_t n = s->n_places;
  s->n_places = n ? 2 * n : 64;
  s->seen = malloc(s->n_places * sizeof *s->seen);
  memset(s->seen, NOT_YET, s->n_places * sizeof *s->seen);
  for (size_t i = 0; i < n; i++)
    if (old[i].at[0] != NOT_YET) put(s, &old[i]);
  free(old);
}

static bool is_new(Study *s, const State *state) {
  if (s->n_seen >= s->n_places / 2) grow(s);
  size_t i = (size_t)hash_bytes(state, sizeof *state) & (s->n_places - 1);
  for (; s->seen[i].at[0] != NOT_YET; i = (i + 1) & (s->n_places - 1))
    if (memcmp(&s->seen[i], state, sizeof *state) == 0) return false;
  s->seen[i] = *state;
  s->n_seen++;
  return true;
}

static bool was_forked(const Study *s, const State *state, uint32_t t) {
  for (uint32_t u = 0; u < ALL_TRACES_THREADS; u++)
    if (state->at[u] < s->forks[t][u]) return false;
  return true;
}

/* Are the signals done that the wait comes after? */
static bool were_signalled(const Study *s, const State *state, uint32_t wait) {
  for (uint32_t u = 0; u < ALL_TRACES_THREADS; u++)
    for (uint32_t k = state->at[u]; k < s->n_own[u]; k++)
      if (s->signals[wait] >> s->own[u][k] & 1) return false;
  return true;
}

static bool is_enabled(const Study *s, const State *state, uint32_t t) {
  if (state->at[t] == s->n_own[t] || !was_forked(s, state, t)) return false;
  const TraceEvent *event = &s->events[s->own[t][state->at[t]]];
  if (event->op == TRACE_JOIN) return state->at[event->object] == s->n_own[event->object];
  if (event->op == TRACE_WAIT) return were_signalled(s, state, s->own[t][state->at[t]]);
  const bool alone = event->op == TRACE_ACQUIRE || event->op == TRACE_TRY;
  if (!alone && event->op != TRACE_SHARED_ACQUIRE && event->op != TRACE_SHARED_TRY) return true;
  for (uint32_t u = 0; u < ALL_TRACES_THREADS; u++) {
    const uint32_t locks = s->held[u][state->at[u]] | (alone ? s->shared[u][state->at[u]] : 0);
    if (u != t && (locks >> event->object & 1)) return false;
  }
  return true;
}

static State after(const Study *s, const State *state, uint32_t t) {
  State next = *state;
  const uint32_t i = s->own[t][next.at[t]++];
  const TraceEvent *event = &s->events[i];
  if (event->op == TRACE_READ || event->op == TRACE_UPDATE) next.read_from[i] = next.last[event->object];
  if (event->op == TRACE_WRITE || event->op == TRACE_UPDATE) next.last[event->object] = (uint8_t)(i + 1);
  return next;
}

static void explore(Study *s, const State *state) {
  bool done = true, stuck = true;
  if (!is_new(s, state)) return;
  for (uint32_t t = 0; t < ALL_TRACES_THREADS; t++) {
    done = done && state->at[t] == s->n_own[t];
    if (!is_enabled(s, state, t)) continue;
    stuck = false;
    const State next = after(s, state, t);
    explore(s, &next);
  }
  const State start = {0};
  if (done) s->answer.atomic = s->answer.atomic && serial_exists_from(s, state, &start, 0);
  else if (stuck) s->answer.deadlock = true;
}

AllTraces all_traces_study(const TraceEvent *events, uint32_t n) {
  Study *s = calloc(1, sizeof *s);
  const State start = {0};
  s->events = events;
  s->answer.atomic = true;
  divide(s, n);
  find_signals(s, n);
  find_held(s);
  explore(s, &start);
  const AllTraces answer = {s->answer.atomic, s->answer.deadlock, s->n_seen};
  free(s->seen);
  free(s);
  return answer;
}
