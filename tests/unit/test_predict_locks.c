/* Prediction with locks against all runs of the threads. */
#include "base/hash.h"
#include "predict/lock_predict.h"
#include "tests/unit/locks_oracle.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const TraceEvent *events, uint32_t n) {
  static const char *const ops[] = {"r", "w", "acq", "rel", "fork", "join", "begin", "end", "start", "exit", "free"};
  for (uint32_t i = 0; i < n; i++) printf("%3u T%u|%s(%d)\n", i, events[i].thread, ops[events[i].op], (int)events[i].object);
}

/* ---- random runs ---- */

typedef struct {
  uint32_t threads, variables, locks, events;
  bool nested;  /* locks are released in the order in which they were not acquired */
  bool valid;   /* no two threads hold a lock at once */
  bool relates; /* forks and joins, mostly where they make sense */
  uint32_t weight[TRACE_OPS];
} Shape;

typedef struct {
  uint64_t state;
  const Shape *shape;
  uint32_t held[8][32], n_held[8];
  uint32_t depth[8];
  bool forked[8], begun[8], joined[8];
} Making;

static uint32_t pick(Making *m, uint32_t below) { return (uint32_t)(hash_word(++m->state) >> 33) % below; }

static uint32_t held_by(const Making *m, uint32_t thread, uint32_t lock) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->n_held[thread]; i++) n += m->held[thread][i] == lock;
  return n;
}

static bool is_sensible(Making *m, TraceEvent *event) {
  const uint32_t t = event->thread, n = m->n_held[t];
  switch ((TraceOp)event->op) {
  case TRACE_ACQUIRE:
    for (uint32_t u = 0; u < m->shape->threads; u++)
      if (m->shape->valid && u != t && held_by(m, u, event->object)) return false;
    return n < 32;
  case TRACE_RELEASE:
    if (!m->shape->nested || n == 0) return n > 0 || !m->shape->nested;
    event->object = m->held[t][n - 1];
    return true;
  case TRACE_END: return m->depth[t] > 0;
  case TRACE_FORK: return event->object != t && !m->begun[event->object];
  case TRACE_JOIN: return event->object != t && m->depth[event->object] == 0 && m->n_held[event->object] == 0;
  default: return true;
  }
}

static void drop(Making *m, uint32_t t, uint32_t lock) {
  for (uint32_t i = m->n_held[t]; i-- > 0;)
    if (m->held[t][i] == lock) {
      memmove(&m->held[t][i], &m->held[t][i + 1], (m->n_held[t] - i - 1) * sizeof m->held[t][0]);
      m->n_held[t]--;
      return;
    }
}

static void note(Making *m, const TraceEvent *event) {
  const uint32_t t = event->thread;
  m->begun[t] = true;
  if (event->op == TRACE_BEGIN) m->depth[t]++;
  if (event->op == TRACE_END && m->depth[t]) m->depth[t]--;
  if (event->op == TRACE_ACQUIRE) m->held[t][m->n_held[t]++] = event->object;
  if (event->op == TRACE_RELEASE) drop(m, t, event->object);
  if (event->op == TRACE_JOIN && m->depth[event->object] == 0) m->n_held[event->object] = 0, m->begun[event->object] = false;
}

static TraceEvent pick_event(Making *m) {
  uint32_t sum = 0, op = 0;
  for (uint32_t i = 0; i < TRACE_OPS; i++) sum += m->shape->weight[i];
  uint32_t at = pick(m, sum);
  while (at >= m->shape->weight[op]) at -= m->shape->weight[op++];
  TraceEvent event = {pick(m, m->shape->threads), TRACE_NONE, TRACE_NONE, (uint8_t)op};
  if (!m->begun[event.thread] && pick(m, 3)) return event.op = TRACE_BEGIN, event;
  if (op <= TRACE_WRITE || op == TRACE_FREE) event.object = pick(m, m->shape->variables);
  else if (op <= TRACE_RELEASE) event.object = 10 + pick(m, m->shape->locks);
  else if (op <= TRACE_JOIN) event.object = pick(m, m->shape->threads);
  return event;
}

static uint32_t random_run(uint64_t seed, const Shape *shape, TraceEvent *events) {
  Making m = {.state = hash_word(seed), .shape = shape};
  const uint32_t n = 4 + pick(&m, shape->events - 3);
  for (uint32_t i = 0; i < n; i++) {
    TraceEvent event = pick_event(&m);
    for (uint32_t tries = 0; tries < 30 && !is_sensible(&m, &event); tries++) event = pick_event(&m);
    if (!is_sensible(&m, &event)) event = (TraceEvent){0, 0, TRACE_NONE, TRACE_READ};
    note(&m, &event);
    event.location = i;
    events[i] = event;
  }
  return n;
}

/* ---- against all runs ---- */

typedef struct {
  uint32_t runs, violated, unknown, longer, cycles;
} Tally;

static LockPrediction *predicted(Heap *heap, const TraceEvent *events, uint32_t n, bool all, uint64_t budget,
                                 PredictVerdict *verdict) {
  LockPrediction *prediction = lock_predict_new(heap, &(LockPredictOptions){all, budget});
  for (uint32_t i = 0, piece = 1 + n / 3; i < n; i += piece)
    lock_predict_feed(prediction, events + i, n - i < piece ? n - i : piece);
  *verdict = lock_predict_finish(prediction);
  return prediction;
}

static bool all_true(const LockPrediction *prediction, const LockedRun *run, Tally *tally) {
  uint32_t n;
  const Cycle *cycles = lock_predict_cycles(prediction, &n);
  const Schedule *schedules = lock_predict_schedules(prediction);
  for (uint32_t i = 0; i < n; i++) {
    const char *why;
    tally->cycles++;
    tally->longer += cycles[i].n > 2;
    if (locked_judge(run, &cycles[i], &schedules[i], &why)) continue;
    printf("\n%s\n", why);
    for (uint32_t v = 0; v < cycles[i].n; v++)
      printf("T%u in %d out %d; ", cycles[i].visits[v].thread, (int)cycles[i].visits[v].in, (int)cycles[i].visits[v].out);
    for (uint32_t s = 0; s < schedules[i].n; s++) printf("T%u to %d, ", schedules[i].at[s].thread, (int)schedules[i].at[s].until);
    return false;
  }
  return true;
}

static bool agrees(const TraceEvent *events, uint32_t n, bool all, uint64_t budget, bool violated, const LockedRun *run,
                   Tally *tally) {
  Heap *heap = heap_new(0);
  PredictVerdict verdict;
  LockPrediction *prediction = predicted(heap, events, n, all, budget, &verdict);
  bool good = all_true(prediction, run, tally);
  tally->unknown += verdict == PREDICT_UNKNOWN;
  if (verdict == PREDICT_UNKNOWN) good &= budget != 0;
  else good &= (verdict == PREDICT_FOUND) == violated;
  const LockPredictCount count = lock_predict_count(prediction);
  if (verdict == PREDICT_NONE) good &= count.complete && count.undecided == 0;
  lock_predict_free(prediction);
  good &= heap_used(heap) == 0;
  heap_free(heap);
  return good;
}

static void compare(const Shape *shape, uint64_t first, uint32_t n_runs, Tally *tally) {
  TraceEvent events[LOCKS_MAX];
  LockedRun *run = malloc(sizeof *run);
  for (uint64_t seed = first; seed < first + n_runs; seed++) {
    const uint32_t n = random_run(seed, shape, events);
    locked_study(run, events, n);
    const bool violated = locked_violated(run);
    tally->runs++;
    tally->violated += violated;
    if (agrees(events, n, false, 0, violated, run, tally) && agrees(events, n, true, 0, violated, run, tally) &&
        agrees(events, n, seed & 1, 1 + seed % 60, violated, run, tally))
      continue;
    printf("\nseed %llu, violated %d\n", (unsigned long long)seed, violated);
    show(events, n);
    CU_FAIL("not what all runs say");
    break;
  }
  free(run);
}

/*                                                          r  w  a  r  f  j  b  e  s  x  free */
static const Shape TWO = {2, 2, 2, 16, true, true, false, {4, 6, 4, 4, 0, 0, 2, 1, 0, 0, 0}};
static const Shape CROSSED = {2, 2, 3, 18, false, true, false, {3, 5, 6, 6, 0, 0, 2, 1, 0, 0, 0}};
static const Shape THREE = {3, 3, 2, 16, true, true, false, {3, 6, 3, 3, 0, 0, 1, 1, 0, 0, 0}};
static const Shape FOUR = {4, 4, 3, 16, false, true, false, {2, 5, 2, 2, 0, 0, 1, 0, 0, 0, 0}};
static const Shape FAMILY = {4, 2, 2, 16, true, true, true, {3, 6, 3, 3, 3, 3, 2, 1, 1, 1, 1}};
static const Shape WILD = {4, 2, 2, 16, false, false, true, {3, 6, 3, 3, 2, 2, 2, 1, 1, 1, 1}};

static void by_definition(void) {
  Tally tally = {0};
  compare(&TWO, 1, 6000, &tally);
  compare(&CROSSED, 100000, 6000, &tally);
  compare(&THREE, 200000, 4000, &tally);
  compare(&FOUR, 300000, 3000, &tally);
  compare(&FAMILY, 400000, 3000, &tally);
  compare(&WILD, 500000, 3000, &tally);
  printf("(%u runs, %u violated, %u unknown, %u cycles, %u through more than two) ", tally.runs, tally.violated, tally.unknown,
         tally.cycles, tally.longer);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 10 && tally.violated < tally.runs / 10 * 9 && tally.longer > 0);
}

void suite_predict_locks(void) {
  CU_pSuite suite = CU_add_suite("predict_locks", NULL, NULL);
  CU_ADD_TEST(suite, by_definition);
}
