#include "tests/oracle/serial_runs.h"

#include "base/hash.h"

#include <string.h>

/* ---- random runs ---- */

typedef struct {
  uint64_t state;
  const SerialShape *shape;
  uint32_t depth[SERIAL_THREADS];
  bool forked[SERIAL_THREADS], joined[SERIAL_THREADS], begun[SERIAL_THREADS], ended[SERIAL_THREADS];
} Making;

static uint32_t pick(Making *m, uint32_t below) { return (uint32_t)(hash_word(++m->state) >> 33) % below; }

static TraceOp pick_op(Making *m) {
  uint32_t sum = 0;
  for (uint32_t op = 0; op < TRACE_OPS; op++) sum += m->shape->weight[op];
  uint32_t at = pick(m, sum), op = 0;
  while (at >= m->shape->weight[op]) at -= m->shape->weight[op++];
  return (TraceOp)op;
}

static TraceEvent pick_event(Making *m) {
  const TraceOp op = pick_op(m);
  TraceEvent event = {.thread = pick(m, m->shape->threads), .object = TRACE_NONE, .op = (uint8_t)op};
  if (op == TRACE_FORK || op == TRACE_JOIN) event.object = pick(m, m->shape->threads);
  else if (TRACE_SORT[op] <= TRACE_ON_HANDOVER)
    event.object = pick(m, m->shape->objects) + (TRACE_SORT[op] == TRACE_ON_HANDOVER) * m->shape->objects;
  else if (op == TRACE_BEGIN && m->shape->labels) event.object = pick(m, m->shape->labels);
  return event;
}

/* Does it make sense, if the run is to? */
static bool is_proper(const Making *m, const TraceEvent *event) {
  const uint32_t t = event->thread, other = event->object;
  if (m->ended[t] || m->joined[t]) return false;
  if (event->op == TRACE_START) return !m->begun[t];
  if (event->op == TRACE_END) return m->depth[t] > 0;
  if (event->op == TRACE_FORK) return other != t && !m->forked[other] && !m->begun[other];
  if (event->op == TRACE_JOIN) return other != t && !m->joined[other] && m->depth[other] == 0;
  return true;
}

static void note(Making *m, const TraceEvent *event) {
  m->begun[event->thread] = true;
  if (event->op == TRACE_BEGIN) m->depth[event->thread]++;
  if (event->op == TRACE_END && m->depth[event->thread] > 0) m->depth[event->thread]--;
  if (event->op == TRACE_FORK) m->forked[event->object] = true;
  if (event->op == TRACE_JOIN) m->joined[event->object] = true;
  if (event->op == TRACE_EXIT) m->ended[event->thread] = true, m->depth[event->thread] = 0;
}

void serial_random(uint64_t seed, const SerialShape *shape, TraceEvent *events) {
  Making making = {.state = hash_word(seed), .shape = shape};
  for (uint32_t i = 0; i < shape->events; i++) {
    TraceEvent event = pick_event(&making);
    for (uint32_t tries = 0; shape->proper && tries < 20 && !is_proper(&making, &event); tries++)
      event = pick_event(&making);
    if (shape->proper && !is_proper(&making, &event)) event = (TraceEvent){.op = TRACE_READ};
    note(&making, &event);
    event.location = i;
    events[i] = event;
  }
}

/* ---- the definition ---- */

typedef struct {
  uint32_t depth, transaction;
  uint32_t life; /* a number for each thread that a thread number has stood for */
} Reading;

static bool is_object_op(uint8_t op, bool locks) {
  if (op == TRACE_READ || op == TRACE_WRITE || op == TRACE_UPDATE) return true;
  return locks && (op == TRACE_ACQUIRE || op == TRACE_RELEASE || op == TRACE_TRY || op == TRACE_SHARED_ACQUIRE ||
                   op == TRACE_SHARED_RELEASE || op == TRACE_SHARED_TRY);
}

static bool only_reads(uint8_t op) {
  return op == TRACE_READ || op == TRACE_SHARED_ACQUIRE || op == TRACE_SHARED_RELEASE || op == TRACE_SHARED_TRY;
}

/* The number of the object with all its lives before: what is freed is another one afterwards. */
static uint32_t object_life(const TraceEvent *events, uint32_t i) {
  uint32_t lives = 0;
  for (uint32_t j = 0; j < i; j++) lives += events[j].op == TRACE_FREE && events[j].object == events[i].object;
  return lives;
}

static bool conflict(const TraceEvent *events, uint32_t i, uint32_t j, bool locks) {
  const TraceEvent *a = &events[i], *b = &events[j];
  if (!is_object_op(a->op, locks) || !is_object_op(b->op, locks)) return false;
  if (a->object != b->object || (only_reads(a->op) && only_reads(b->op))) return false;
  return object_life(events, i) == object_life(events, j);
}

/* A signal, and a wait, between which there is no wait for it that is followed by a signal. */
static bool hands_over(const TraceEvent *events, uint32_t i, uint32_t j) {
  if (events[i].op != TRACE_SIGNAL || events[j].op != TRACE_WAIT || events[i].object != events[j].object) return false;
  bool waited = false;
  for (uint32_t k = i + 1; k < j; k++) {
    if (events[k].object != events[i].object || (events[k].op != TRACE_WAIT && events[k].op != TRACE_SIGNAL)) continue;
    if (waited && events[k].op == TRACE_SIGNAL) return false;
    waited |= events[k].op == TRACE_WAIT;
  }
  return true;
}

/* Of which thread life is the event: own[i]; which one does it fork or join: other[i]. */
static void find_lives(const TraceEvent *events, uint32_t n, SerialRun *run, uint32_t *own, uint32_t *other) {
  Reading threads[SERIAL_THREADS] = {0};
  uint32_t n_lives = SERIAL_THREADS;
  for (uint32_t t = 0; t < SERIAL_THREADS; t++) threads[t].life = t;
  for (uint32_t i = 0; i < n; i++) {
    Reading *thread = &threads[events[i].thread];
    own[i] = thread->life;
    other[i] = UINT32_MAX;
    if (events[i].op == TRACE_BEGIN && thread->depth++ == 0) thread->transaction = i;
    run->transaction[i] = thread->depth > 0 ? thread->transaction : i;
    if (events[i].op == TRACE_END && thread->depth > 0) thread->depth--;
    if (events[i].op == TRACE_EXIT) thread->depth = 0;
    if ((events[i].op != TRACE_FORK && events[i].op != TRACE_JOIN) || events[i].object == events[i].thread) continue;
    Reading *target = &threads[events[i].object];
    other[i] = target->life;
    if (events[i].op == TRACE_JOIN && target->depth == 0) target->life = n_lives++;
  }
}

void serial_study(SerialRun *run, const TraceEvent *events, uint32_t n, bool lock_conflicts) {
  uint32_t own[SERIAL_MAX], other[SERIAL_MAX];
  memset(run, 0, sizeof *run);
  run->n = n;
  find_lives(events, n, run, own, other);
  for (uint32_t j = 0; j < n; j++) {
    run->ends[j] = events[j].op == TRACE_END;
    run->thread[j] = own[j];
    for (uint32_t i = 0; i < j; i++) {
      const bool forks =
          events[i].op == TRACE_FORK && (other[i] == own[j] || (events[j].op == TRACE_JOIN && other[i] == other[j]));
      const bool joins = events[j].op == TRACE_JOIN && other[j] == own[i];
      run->ordered[i][j] = own[i] == own[j] || conflict(events, i, j, lock_conflicts) ||
                           (lock_conflicts && hands_over(events, i, j)) || (other[i] != UINT32_MAX && forks) || joins;
    }
  }
}

/* May the transaction come when those that are placed have come? */
static bool may_come(const SerialRun *run, const bool *placed, uint32_t transaction) {
  for (uint32_t j = 0; j < run->n; j++)
    for (uint32_t i = 0; i < j && run->transaction[j] == transaction; i++)
      if (run->ordered[i][j] && run->transaction[i] != transaction && !placed[run->transaction[i]]) return false;
  for (uint32_t i = 0; i < run->n; i++)
    for (uint32_t j = i + 1; j < run->n && run->transaction[i] == transaction; j++)
      if (run->ordered[i][j] && placed[run->transaction[j]]) return false;
  return true;
}

static bool place_rest(const SerialRun *run, bool *placed, uint32_t left) {
  if (left == 0) return true;
  for (uint32_t t = 0; t < run->n; t++) {
    if (run->transaction[t] != t || placed[t] || !may_come(run, placed, t)) continue;
    placed[t] = true;
    if (place_rest(run, placed, left - 1)) return true;
    placed[t] = false;
  }
  return false;
}

uint32_t serial_count(const SerialRun *run) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < run->n; i++) n += run->transaction[i] == i;
  return n;
}

bool serial_exists(const SerialRun *run) {
  bool placed[SERIAL_MAX] = {false};
  return place_rest(run, placed, serial_count(run));
}

static void close_order(bool (*before)[SERIAL_MAX], uint32_t n) {
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; before[i][k] && j < n; j++) before[i][j] |= before[k][j];
}

bool serial_acyclic(const SerialRun *run) {
  bool before[SERIAL_MAX][SERIAL_MAX] = {{false}};
  for (uint32_t j = 0; j < run->n; j++)
    for (uint32_t i = 0; i < j; i++)
      if (run->ordered[i][j] && run->transaction[i] != run->transaction[j])
        before[run->transaction[i]][run->transaction[j]] = true;
  close_order(before, run->n);
  for (uint32_t t = 0; t < run->n; t++)
    if (before[t][t]) return false;
  return true;
}

bool serial_causal(const SerialRun *run, const TraceEvent *events) {
  bool before[SERIAL_MAX][SERIAL_MAX];
  memcpy(before, run->ordered, sizeof before);
  close_order(before, run->n);
  for (uint32_t b = 0; b < run->n; b++)
    for (uint32_t f = b + 1; f < run->n && events[b].op == TRACE_BEGIN && run->transaction[b] == b; f++)
      for (uint32_t e = f + 1; e < run->n && run->thread[f] != run->thread[b] && before[b][f]; e++)
        if (run->transaction[e] == b && before[f][e]) return false;
  return true;
}
