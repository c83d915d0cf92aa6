/* Prediction with locks against all runs of the threads. */
#include "ask/split_calls.h"
#include "base/hash.h"
#include "predict/locks/lock_merge.h"
#include "predict/locks/lock_predict.h"
#include "serial/monitor.h"
#include "tests/unit/random_run.h"
#include "tests/unit/replay.h"
#include "tests/unit/threads_oracle.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const OPS[] = {"r",    "w",    "acq", "rel",  "fork", "join", "begin", "end", "start",
                                  "exit", "free", "rmw", "sacq", "srel", "try",  "stry",  "sig", "wait"};

static void show(const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    printf("%3u T%u|%s(%d)\n", i, events[i].thread, OPS[events[i].op], (int)events[i].object);
}

/* ---- random runs ---- */

typedef struct {
  uint32_t threads, variables, locks, events;
  bool nested;  /* locks are released in the order in which they were not acquired */
  bool valid;   /* no two threads hold a lock at once */
  bool relates; /* forks and joins, mostly where they make sense */
  uint32_t weight[TRACE_OPS];
  uint32_t rounds; /* one event of so many is a barrier that all threads reach; 0: none */
  bool loops;      /* threads do again, some times, what they have done since they last held no lock */
} Shape;

typedef struct {
  uint64_t state;
  const Shape *shape;
  uint32_t held[8][32], n_held[8];
  uint32_t depth[8];
  bool forked[8], begun[8], joined[8];
  TraceEvent block[8][8];
  uint32_t n_block[8];           /* 9: too many */
  uint32_t barrier[8], n_rounds; /* that the thread has reached, and not left; 0: none */
} Making;

static uint32_t pick(Making *m, uint32_t below) { return (uint32_t)(hash_word(++m->state) >> 33) % below; }

static bool is_shared(const TraceEvent *event) {
  return event->op == TRACE_SHARED_ACQUIRE || event->op == TRACE_SHARED_RELEASE || event->op == TRACE_SHARED_TRY;
}

static bool acquires(const TraceEvent *event) {
  return TRACE_SORT[event->op] == TRACE_ON_LOCK && event->op != TRACE_RELEASE && event->op != TRACE_SHARED_RELEASE;
}

static bool releases(const TraceEvent *event) {
  return event->op == TRACE_RELEASE || event->op == TRACE_SHARED_RELEASE;
}

/* Does another thread hold what the acquire may not have? */
static bool is_taken(const Making *m, const TraceEvent *event) {
  for (uint32_t u = 0; u < m->shape->threads; u++)
    for (uint32_t i = 0; i < m->n_held[u]; i++)
      if (u != event->thread && m->held[u][i] / 2 == event->object && !(is_shared(event) && m->held[u][i] % 2))
        return true;
  return false;
}

static bool is_sensible(Making *m, TraceEvent *event) {
  const uint32_t t = event->thread, n = m->n_held[t];
  if (acquires(event)) return n < 32 && !(m->shape->valid && is_taken(m, event));
  if (releases(event)) {
    if (!m->shape->nested || n == 0) return n > 0 || !m->shape->nested;
    event->object = m->held[t][n - 1] / 2;
    event->op = m->held[t][n - 1] % 2 ? TRACE_SHARED_RELEASE : TRACE_RELEASE;
    return true;
  }
  if (event->op == TRACE_END) return m->depth[t] > 0;
  if (event->op == TRACE_FORK) return event->object != t && !m->begun[event->object];
  if (event->op == TRACE_JOIN)
    return event->object != t && m->depth[event->object] == 0 && m->n_held[event->object] == 0;
  return true;
}

static void drop(Making *m, uint32_t t, uint32_t part) {
  for (uint32_t i = m->n_held[t]; i-- > 0;)
    if (m->held[t][i] == part) {
      memmove(&m->held[t][i], &m->held[t][i + 1], (m->n_held[t] - i - 1) * sizeof m->held[t][0]);
      m->n_held[t]--;
      return;
    }
}

static void note(Making *m, const TraceEvent *event) {
  const uint32_t t = event->thread, part = 2 * event->object + is_shared(event);
  m->begun[t] = true;
  if (event->op == TRACE_BEGIN) m->depth[t]++;
  if (event->op == TRACE_END && m->depth[t]) m->depth[t]--;
  if (acquires(event)) m->held[t][m->n_held[t]++] = part;
  if (releases(event)) drop(m, t, part);
  if (event->op == TRACE_JOIN && m->depth[event->object] == 0)
    m->n_held[event->object] = 0, m->begun[event->object] = false;
}

static TraceEvent pick_event(Making *m) {
  uint32_t sum = 0, op = 0;
  for (uint32_t i = 0; i < TRACE_OPS; i++) sum += m->shape->weight[i];
  uint32_t at = pick(m, sum);
  while (at >= m->shape->weight[op]) at -= m->shape->weight[op++];
  TraceEvent event = {pick(m, m->shape->threads), TRACE_NONE, TRACE_NONE, (uint8_t)op};
  if (!m->begun[event.thread] && pick(m, 3)) return event.op = TRACE_BEGIN, event;
  const TraceSort sort = TRACE_SORT[op];
  if (sort == TRACE_ON_VARIABLE) event.object = pick(m, m->shape->variables);
  if (sort == TRACE_ON_LOCK) event.object = 10 + pick(m, m->shape->locks);
  if (sort == TRACE_ON_THREAD) event.object = pick(m, m->shape->threads);
  if (sort == TRACE_ON_HANDOVER) event.object = 20 + pick(m, 2);
  return event;
}

static TraceEvent pick_sensible(Making *m) {
  TraceEvent event = pick_event(m);
  for (uint32_t tries = 0; tries < 30 && !is_sensible(m, &event); tries++) event = pick_event(m);
  if (!is_sensible(m, &event)) event = (TraceEvent){0, 0, TRACE_NONE, TRACE_READ};
  return event;
}

/* All threads reach the barrier, or all but one; those in transactions, mostly, end them first. */
static uint32_t reach_barrier(Making *m, TraceEvent *events, uint32_t most) {
  const uint32_t object = 20 + m->n_rounds++ % 2, absent = pick(m, 6 * m->shape->threads);
  const bool inside = pick(m, 5) == 0;
  uint32_t n = 0;
  for (uint32_t t = 0; t < m->shape->threads; t++) {
    if (t == absent || m->barrier[t]) continue;
    if (!inside && m->depth[t] == 1 && n < most) events[n++] = (TraceEvent){t, TRACE_NONE, TRACE_NONE, TRACE_END};
    if (n == most) break;
    events[n++] = (TraceEvent){t, object, TRACE_NONE, TRACE_SIGNAL};
    m->barrier[t] = object;
  }
  return n;
}

/* Who has reached a barrier leaves it before it does something else, mostly. */
static TraceEvent pick_with_barriers(Making *m) {
  const TraceEvent event = pick_sensible(m);
  const uint32_t t = event.thread, object = m->barrier[t];
  m->barrier[t] = 0;
  return object && pick(m, 12) ? (TraceEvent){t, object, TRACE_NONE, TRACE_WAIT} : event;
}

/* What the thread has done since it was last outside of transactions and held no lock, once more and more. */
static uint32_t loop(Making *m, const TraceEvent *event, TraceEvent *events, uint32_t most) {
  const uint32_t t = event->thread;
  uint32_t n = 0;
  if (m->n_block[t] < 8) m->block[t][m->n_block[t]] = *event;
  if (m->n_block[t] < 9) m->n_block[t]++;
  if (TRACE_SORT[event->op] == TRACE_ON_THREAD) m->n_block[t] = 9;
  if (m->depth[t] || m->n_held[t]) return 0;
  const uint32_t length = m->n_block[t], times = pick(m, 2) ? 2 + pick(m, 3) : 0;
  m->n_block[t] = 0;
  for (uint32_t i = 0; length > 1 && length <= 8 && i < times && n + length <= most; i++, n += length)
    memcpy(events + n, m->block[t], length * sizeof *events);
  return n;
}

static uint32_t random_run(uint64_t seed, const Shape *shape, TraceEvent *events) {
  Making m = {.state = hash_word(seed), .shape = shape};
  const uint32_t n = 4 + pick(&m, shape->events - 3);
  for (uint32_t i = 0; i < n; i++) {
    if (shape->rounds && pick(&m, shape->rounds) == 0) {
      const uint32_t more = reach_barrier(&m, events + i, n - i);
      for (uint32_t end = i + more; i < end; i++) note(&m, &events[i]), events[i].location = i;
      if (i == n) break;
    }
    TraceEvent event = pick_with_barriers(&m);
    note(&m, &event);
    event.location = seed % 2 ? i : pick(&m, 2);
    events[i] = event;
    if (shape->loops) i += loop(&m, &event, events + i + 1, n - i - 1);
  }
  return n;
}

/* ---- against all runs ---- */

typedef struct {
  uint32_t runs, violated, unknown, longer, cycles, serial;
} Tally;

static LockPrediction *predicted(Heap *heap, const TraceEvent *events, uint32_t n, bool all, uint64_t budget,
                                 Verdict *verdict) {
  LockPrediction *prediction = lock_predict_new(heap, &(PredictOptions){.all = all, .budget = budget});
  lock_predict_survey(prediction, events, n);
  for (uint32_t i = 0, piece = 1 + n / 3; i < n; i += piece)
    lock_predict_feed(prediction, events + i, n - i < piece ? n - i : piece);
  *verdict = lock_predict_finish(prediction);
  return prediction;
}

/* ---- a schedule, and its cycle ---- */

/* Two accesses to an object, one of which writes; or an order of fork and join. */
static bool is_edge(const ThreadRuns *runs, uint32_t i, uint32_t j) {
  const TraceEvent *a = &runs->events[i], *b = &runs->events[j];
  const bool access = TRACE_SORT[a->op] == TRACE_ON_VARIABLE && TRACE_SORT[b->op] == TRACE_ON_VARIABLE;
  if (!access || threads_object(runs, i) != threads_object(runs, j))
    return threads_ordered(runs, i, j) && (a->op == TRACE_FORK || b->op == TRACE_JOIN || b->op == TRACE_WAIT);
  return a->op != TRACE_READ || b->op != TRACE_READ;
}

static bool cycle_is_there(const ThreadRuns *runs, const Cycle *cycle, const uint32_t *order, uint32_t n) {
  for (uint32_t i = 0; i < cycle->n; i++) {
    const CycleVisit *visit = &cycle->visits[i], *next = &cycle->visits[(i + 1) % cycle->n];
    const uint32_t in = threads_transaction(runs, (uint32_t)visit->in),
                   out = threads_transaction(runs, (uint32_t)visit->out);
    const int64_t from = replay_place(order, n, visit->out), to = replay_place(order, n, next->in);
    if (from < 0 || to < 0 || from >= to || !is_edge(runs, (uint32_t)visit->out, (uint32_t)next->in)) return false;
    if (runs->events[visit->out].thread != visit->thread || runs->events[visit->in].thread != visit->thread)
      return false;
    if (in > out || (i == 0 && (in != out || visit->out >= visit->in))) return false;
  }
  return cycle->n >= 2;
}

static bool all_true(const ThreadRuns *runs, const LockPrediction *prediction, Tally *tally) {
  uint32_t n_cycles, order[THREADS_EVENTS];
  const Cycle *cycles = lock_predict_cycles(prediction, &n_cycles);
  const Schedule *schedules = lock_predict_schedules(prediction);
  for (uint32_t i = 0; i < n_cycles; i++) {
    const int64_t n = replay_schedule(runs, &schedules[i], order);
    tally->cycles++;
    tally->longer += cycles[i].n > 2;
    if (n < 0 || !threads_can_run(runs, order, (uint32_t)n) || !cycle_is_there(runs, &cycles[i], order, (uint32_t)n) ||
        !replay_is_violated(runs, order, (uint32_t)n, MONITOR_CG))
      return false;
  }
  return true;
}

/* At most so many: one that goes on after it was joined is taken for another one. */
static uint32_t count_threads(const TraceEvent *events, uint32_t n) {
  uint32_t threads = 0, joins = 0;
  for (uint32_t i = 0; i < n; i++) {
    joins += events[i].op == TRACE_JOIN;
    if (events[i].thread >= threads) threads = events[i].thread + 1;
  }
  return threads + joins;
}

static bool agrees(const ThreadRuns *runs, bool all, uint64_t budget, bool violated, Tally *tally) {
  Heap *heap = heap_new(0);
  Verdict verdict;
  LockPrediction *prediction = predicted(heap, runs->events, runs->n, all, budget, &verdict);
  const LockPredictCount count = lock_predict_count(prediction);
  bool good = all_true(runs, prediction, tally);
  tally->unknown += verdict == VERDICT_UNKNOWN;
  if (verdict == VERDICT_UNKNOWN) good &= budget != 0 && count.clear < count_threads(runs->events, runs->n);
  else good &= (verdict == VERDICT_VIOLATED) == violated;
  if (verdict == VERDICT_HOLDS) good &= count.complete && count.undecided == 0;
  lock_predict_free(prediction);
  good &= heap_used(heap) == 0;
  heap_free(heap);
  return good;
}

/* Has some call two events that could conflict? */
static bool could_split(const TraceEvent *events, uint32_t n) {
  Heap *heap = heap_new(0);
  SplitCalls calls;
  uint64_t most = 0;
  split_calls_init(&calls, heap);
  split_calls_survey(&calls, events, n);
  split_calls_survey(&calls, events, 0);
  split_calls_count(&calls, events, n);
  split_calls_count(&calls, events, 0);
  for (uint32_t i = 0; i <= n; i++) {
    const uint64_t here = split_calls_most(&calls, i < n ? events[i].object : TRACE_NONE);
    if (here > most) most = here;
  }
  split_calls_fini(&calls);
  heap_free(heap);
  return most > 1;
}

static void compare(const Shape *shape, uint64_t first, uint32_t n_runs, Tally *tally) {
  TraceEvent events[THREADS_EVENTS];
  for (uint64_t seed = first; seed < first + n_runs; seed++) {
    const uint32_t n = random_run(seed, shape, events);
    const ThreadRuns runs = {events, n, 1, &n, true};
    const bool violated = threads_violated(&runs);
    tally->runs++;
    tally->violated += violated;
    const bool serial = !could_split(events, n);
    tally->serial += serial;
    if (!(serial && violated) && agrees(&runs, false, 0, violated, tally) && agrees(&runs, true, 0, violated, tally) &&
        agrees(&runs, seed & 1, 1 + seed % 60, violated, tally))
      continue;
    printf("\nseed %llu, violated %d\n", (unsigned long long)seed, violated);
    show(events, n);
    CU_FAIL("not what all runs say");
    break;
  }
}

/*                                                          r  w  a  r  f  j  b  e  s  x  free */
static const Shape TWO = {2, 2, 2, 16, true, true, false, {4, 6, 4, 4, 0, 0, 2, 1, 0, 0, 0}, 0, false};
static const Shape CROSSED = {2, 2, 3, 18, false, true, false, {3, 5, 6, 6, 0, 0, 2, 1, 0, 0, 0}, 0, false};
static const Shape THREE = {3, 3, 2, 16, true, true, false, {3, 6, 3, 3, 0, 0, 1, 1, 0, 0, 0}, 0, false};
static const Shape FOUR = {4, 4, 3, 16, false, true, false, {2, 5, 2, 2, 0, 0, 1, 0, 0, 0, 0}, 0, false};
static const Shape FAMILY = {4, 2, 2, 16, true, true, true, {3, 6, 3, 3, 3, 3, 2, 1, 1, 1, 1}, 0, false};
static const Shape WILD = {4, 2, 2, 16, false, false, true, {3, 6, 3, 3, 2, 2, 2, 1, 1, 1, 1}, 0, false};

/* Readers and writers; updates, tries and hand-overs; all of it, with forks and joins. */
static const Shape SHARED = {2, 2,    2, 18, false, true, false, {3, 4, 2, 2, 0, 0, 2, 1, 0, 0, 0, 1, 4, 4, 1, 2},
                             0, false};
static const Shape READERS = {3, 3,    2, 16, true, true, false, {3, 4, 2, 2, 0, 0, 1, 1, 0, 0, 0, 0, 3, 3, 0, 0},
                              0, false};
static const Shape HANDED = {3, 3,    2, 16, false, true, false, {3, 4, 2, 2, 0, 0, 2, 1, 0, 0, 0, 1, 1, 1, 1, 1, 3, 3},
                             0, false};
static const Shape MIXED = {4, 2,    2, 16, false, true, true, {3, 5, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2},
                            0, false};

/* Barriers between transactions, and within them; with locks; with forks and joins. */
static const Shape ROUNDS = {2, 2, 1, 20, true, true, false, {4, 6, 0, 0, 0, 0, 4, 4}, 6, false};
static const Shape CROWDED = {3, 2, 1, 20, true, true, false, {4, 6, 1, 1, 0, 0, 4, 4}, 7, false};
static const Shape GROWING = {3, 2,    1, 20, false, true, true, {4, 6, 1, 1, 2, 2, 4, 4, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1},
                              8, false};
/* Four threads, most of which meet: their hand-overs go through relays. */
static const Shape MEETING = {
    4, 3, 2, 22, false, true, false, {3, 5, 1, 1, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2}, 5, false};

/* Loops, of blocks with a lock or without one. */
static const Shape LOOPS = {2, 2, 1, 24, true, true, false, {3, 5, 6, 8, 0, 0, 4, 6, 0, 0, 0}, 0, true};
static const Shape LOOPED = {3, 2, 2, 24, true, true, true, {3, 5, 6, 8, 1, 1, 4, 6, 0, 0, 0, 1, 2, 2}, 0, true};

/* RUNS=100000 make unit SUITE=predict_locks: so many random runs, and others than those of `make check`. */
static void by_definition(void) {
  const char *asked = getenv("RUNS");
  const uint32_t n = asked ? (uint32_t)strtoul(asked, NULL, 10) : 40000, first = asked ? 1000000000 : 0, share = n / 80;
  Tally tally = {0};
  compare(&TWO, first + 1, 12 * share, &tally);
  compare(&CROSSED, first + 100000, 12 * share, &tally);
  CU_ASSERT_EQUAL(tally.unknown, 0); /* two threads are always decided */
  compare(&THREE, first + 200000, 8 * share, &tally);
  compare(&FOUR, first + 300000, 6 * share, &tally);
  compare(&FAMILY, first + 400000, 6 * share, &tally);
  compare(&WILD, first + 500000, 6 * share, &tally);
  compare(&SHARED, first + 600000, 5 * share, &tally);
  compare(&READERS, first + 700000, 5 * share, &tally);
  compare(&HANDED, first + 800000, 5 * share, &tally);
  compare(&MIXED, first + 900000, 5 * share, &tally);
  compare(&ROUNDS, first + 1000000, 4 * share, &tally);
  compare(&CROWDED, first + 1100000, 3 * share, &tally);
  compare(&GROWING, first + 1200000, 3 * share, &tally);
  compare(&MEETING, first + 1300000, 4 * share, &tally);
  compare(&LOOPS, first + 1400000, 8 * share, &tally);
  compare(&LOOPED, first + 1500000, 8 * share, &tally);
  printf("(%u runs, %u violated, %u with nothing to split, %u unknown, %u cycles, %u through more than two) ",
         tally.runs, tally.violated, tally.serial, tally.unknown, tally.cycles, tally.longer);
  CU_ASSERT_TRUE(tally.serial > tally.runs / 10);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 10 && tally.violated < tally.runs / 10 * 9 && tally.longer > 0);
}

/* ---- several runs ---- */

/* A thread is forked before it does anything, once, and joined outside of transactions. */
static bool is_proper(const TraceEvent *events, uint32_t n) {
  uint32_t depth[10] = {0};
  bool begun[10] = {false};
  for (uint32_t i = 0; i < n; i++) {
    const TraceEvent *event = &events[i];
    const bool relates = TRACE_SORT[event->op] == TRACE_ON_THREAD && event->object != event->thread;
    begun[event->thread] = true;
    if (event->op == TRACE_BEGIN) depth[event->thread]++;
    if (event->op == TRACE_END && depth[event->thread]) depth[event->thread]--;
    if (event->op == TRACE_EXIT) depth[event->thread] = 0;
    if (!relates) continue;
    if (event->op == TRACE_FORK ? begun[event->object] : depth[event->object] > 0) return false;
    begun[event->object] = event->op == TRACE_FORK;
  }
  return true;
}

static Verdict merged(Heap *heap, const ThreadRuns *runs, bool all, LockMerge **merge) {
  *merge = lock_merge_new(heap, &(PredictOptions){.all = all});
  for (uint32_t run = 0, from = 0; run < runs->n_runs; from = runs->ends[run++])
    lock_merge_feed(*merge, run, runs->events + from, runs->ends[run] - from);
  return lock_merge_finish(*merge);
}

static bool merged_agree(const ThreadRuns *runs, bool all, bool violated, Tally *tally) {
  Heap *heap = heap_new(0);
  LockMerge *merge;
  uint32_t n_cycles, order[THREADS_EVENTS];
  const Verdict verdict = merged(heap, runs, all, &merge);
  bool good = verdict == VERDICT_UNKNOWN ? lock_merge_gap(merge) != NULL : (verdict == VERDICT_VIOLATED) == violated;
  tally->unknown += verdict == VERDICT_UNKNOWN;
  lock_merge_cycles(merge, &n_cycles);
  for (uint32_t i = 0; i < n_cycles && good; i++) {
    const int64_t n = replay_schedule(runs, &lock_merge_schedules(merge)[i], order);
    good =
        n >= 0 && threads_can_run(runs, order, (uint32_t)n) && replay_is_violated(runs, order, (uint32_t)n, MONITOR_CG);
    tally->cycles++;
  }
  lock_merge_free(merge);
  good &= heap_used(heap) == 0;
  heap_free(heap);
  return good;
}

static void merge_some(const Shape *shape, uint64_t first, uint32_t n_runs, Tally *tally) {
  for (uint64_t seed = first; seed < first + n_runs; seed++) {
    TraceEvent events[THREADS_EVENTS];
    uint32_t ends[3], end = 0, n = seed % 4 ? 2 : 3;
    bool proper = true;
    for (uint32_t run = 0; run < n; run++) {
      const uint32_t from = end;
      ends[run] = end += random_run(3 * seed + run, shape, events + end);
      proper &= is_proper(events + from, end - from);
    }
    if (!proper) continue;
    const ThreadRuns runs = {events, end, n, ends, true};
    const bool violated = threads_violated(&runs);
    tally->runs++;
    tally->violated += violated;
    if (merged_agree(&runs, seed & 1, violated, tally)) continue;
    printf("\nseed %llu, violated %d, ends %u %u\n", (unsigned long long)seed, violated, ends[0], ends[1]);
    show(events, end);
    CU_FAIL("not what all merged runs say");
    return;
  }
}

static const Shape MERGED_TWO = {2, 2, 2, 10, false, true, false, {3, 5, 4, 4, 0, 0, 2, 1, 0, 0, 0}, 0, false};
static const Shape MERGED_THREE = {
    3, 2, 2, 9, false, true, false, {3, 5, 2, 2, 0, 0, 2, 1, 0, 0, 1, 1, 1, 1, 1, 0, 2, 2}, 0, false};
static const Shape MERGED_FAMILY = {3, 2, 2, 10, true, true, true, {3, 6, 2, 2, 3, 2, 2, 1, 0, 0, 1}, 0, false};

static void by_definition_merged(void) {
  Tally tally = {0};
  merge_some(&MERGED_TWO, 1, 3000, &tally);
  CU_ASSERT_EQUAL(tally.unknown, 0);
  merge_some(&MERGED_THREE, 100000, 2000, &tally);
  merge_some(&MERGED_FAMILY, 200000, 4000, &tally);
  printf("(%u merged runs, %u violated, %u unknown, %u cycles) ", tally.runs, tally.violated, tally.unknown,
         tally.cycles);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 10 && tally.unknown < tally.runs / 4);
}

/* ---- runs with a story ---- */

/* "0 begin; 0 w x; 1 r x": threads, objects of one letter, forks and joins of thread numbers. */
static uint32_t parse(const char *text, TraceEvent *events) {
  uint32_t n = 0;
  char op[10], object = 0;
  for (unsigned thread; text; text = strchr(text, ';') ? strchr(text, ';') + 1 : NULL, n++) {
    const int fields = sscanf(text, " %u %9[a-z] %c", &thread, op, &object);
    TraceEvent event = {.thread = thread, .object = TRACE_NONE, .location = 0, .op = TRACE_OPS};
    for (uint8_t i = 0; i < TRACE_OPS; i++)
      if (strcmp(RUN_OPS[i], op) == 0) event.op = i;
    CU_ASSERT_NOT_EQUAL(event.op, TRACE_OPS);
    if (fields == 3) event.object = (uint32_t)(object >= 'a' ? object - 'a' : object - '0');
    events[n] = event;
  }
  return n;
}

typedef struct {
  const char *run;
  bool violated;
} Story;

static const Story STORIES[] = {
    /* the lock is given back between; it is not, by an inner release; it is not, as another one is held */
    {"0 begin; 0 acq l; 0 r x; 0 rel l; 0 acq l; 0 w x; 0 rel l; 0 end; 1 acq l; 1 w x; 1 rel l", true},
    {"0 begin; 0 acq l; 0 acq l; 0 r x; 0 rel l; 0 acq l; 0 w x; 0 rel l; 0 end; 1 acq l; 1 w x; 1 rel l", false},
    {"0 begin; 0 acq m; 0 acq l; 0 r x; 0 rel l; 0 acq l; 0 w x; 0 rel m; 1 acq m; 1 acq l; 1 w x", false},
    /* another thread that does not take the lock; one that gives back what it does not hold */
    {"0 begin; 0 acq l; 0 r x; 0 w x; 0 rel l; 0 end; 1 w x", true},
    {"1 rel l; 1 acq l; 1 w x; 1 rel l; 0 rel l; 0 begin; 0 acq l; 0 r x; 0 w x; 0 rel l; 0 end", false},
    /* a lock that is never given back: all that needs it comes before, or not at all */
    {"0 begin; 0 w x; 0 acq l; 0 w x; 0 rel l; 0 end; 1 acq l; 1 w x", false},
    {"0 begin; 0 w x; 0 acq m; 0 w x; 0 rel m; 0 acq l; 0 w x; 0 end; 1 acq l; 1 w x", true},
    /* the thread that forks holds the lock until it has joined */
    {"0 begin; 0 acq l; 0 w x; 0 fork 1; 1 w x; 0 join 1; 0 w x; 0 rel l", true},
    {"0 acq l; 0 fork 1; 0 rel l; 1 begin; 1 acq l; 1 w x; 1 rel l; 1 acq l; 1 w x; 1 rel l; 2 acq l; 2 w x; 2 rel l",
     true},
    {"0 fork 1; 1 begin; 1 w x; 1 w x; 1 end; 0 join 1; 0 w x", false},
    /* who is forked meets the lock only where the one that forks holds it still */
    {"0 acq l; 0 fork 1; 0 begin; 0 w x; 0 w x; 0 end; 0 rel l; 1 r y; 1 acq l; 1 w x; 1 rel l", false},
    {"0 acq l; 0 fork 1; 0 rel l; 0 begin; 0 w x; 0 w x; 0 end; 1 r y; 1 acq l; 1 w x; 1 rel l", true},
    /* the run does what the locks forbid: the join never comes */
    {"0 acq l; 0 fork 1; 1 acq l; 1 rel l; 0 join 1; 0 rel l; 0 begin; 0 w x; 2 w x; 0 w x; 0 end", false},
    {"0 acq l; 1 acq l; 1 rel l; 0 rel l; 0 begin; 0 w x; 1 w x; 0 w x; 0 end", true},
    /* joined in the middle of a transaction: what comes after it is not what was before, though it looks the same */
    {"1 begin; 1 w x; 0 join 1; 1 w x; 0 begin; 0 w x; 0 r y; 0 end; 1 w y", true},
    {"1 begin; 1 w x; 0 join 1; 0 w x; 1 w x", true},
    /* what is freed is another one afterwards; so is a thread that was joined */
    {"0 begin; 0 w x; 1 free x; 1 w x; 0 w x; 0 end", false},
    {"0 fork 1; 1 begin; 1 w x; 1 end; 0 join 1; 0 w x; 0 fork 1; 1 w x; 1 end", false},
    /* the lock is taken before the fork, and held beyond it */
    {"0 acq l; 0 fork 1; 0 begin; 0 w x; 0 w x; 0 end; 0 rel l; 1 r z; 1 acq l; 1 w x; 1 rel l", false},
    /* a wait is for the signals of its own group alone; two waits in a row for the same */
    {"0 begin; 0 w x; 0 w x; 0 end; 0 sig s; 1 wait s; 2 sig s; 3 wait s; 3 w x", true},
    {"0 begin; 0 w x; 0 w x; 0 end; 0 sig s; 1 wait s; 3 wait s; 3 w x", false},
    /* what a thread does between its signal and its wait is not before other waits; nor is an open transaction */
    {"0 sig s; 0 w x; 0 wait s; 1 wait s; 1 begin; 1 w x; 1 w x; 1 end", true},
    {"0 begin; 0 w x; 0 sig s; 0 r y; 0 end; 1 wait s; 1 begin; 1 r x; 1 w y; 1 end", true},
    /* the signals of three others come before both waits, one of them within a transaction */
    {"0 sig s; 1 begin; 1 w x; 1 sig s; 2 sig s; 3 wait s; 1 wait s; 1 w x; 1 end; 3 w x", true},
    {"0 sig s; 1 begin; 1 w x; 1 w x; 1 sig s; 1 end; 2 sig s; 0 wait s; 3 wait s; 3 w x; 0 w x", false},
    {"0 begin; 0 w x; 0 sig s; 1 sig s; 2 sig s; 2 wait s; 0 wait s; 0 w y; 0 end; 1 begin; 1 r y; 1 w x; 1 end", true},
    /* two groups, each after one and the same, but not one after the other */
    {"0 sig s; 1 sig s; 2 sig s; 0 wait s; 1 wait s; 1 sig t; 1 sig u; 2 sig u; 0 sig u; 2 sig t; 3 begin; 3 w x; 3 w x; "
     "3 sig t; 3 end; 2 wait t; 1 wait t; 2 wait u; 0 wait u; 0 w x",
     true},
    /* one after the other, the other thread's turns suffice for two of these, not for three */
    {"1 w x; 1 acq a; 1 rel a; 1 acq b; 1 rel b; 1 acq a; 1 rel a; 1 acq b; 1 rel b; 1 w y; 0 begin; 0 acq b; 0 w x; 0 acq a; 0 rel b; 0 acq b; 0 rel a; 0 acq a; 0 rel b; 0 w y; 0 rel a; 0 end",
     true},
    {"1 w x; 1 acq a; 1 rel a; 1 acq b; 1 rel b; 1 acq a; 1 rel a; 1 acq b; 1 rel b; 1 acq a; 1 rel a; 1 acq b; 1 rel b; 1 w y; 0 begin; 0 acq b; 0 w x; 0 acq a; 0 rel b; 0 acq b; 0 rel a; 0 acq a; 0 rel b; 0 w y; 0 rel a; 0 end",
     false},
    /* from the first copy to the second one */
    {"0 begin; 0 r u; 0 w z; 0 end; 1 r a; 1 r b; 1 r z; 1 w u; 1 r z; 1 w u; 2 w a; 2 w b", true},
    /* who only reads need not get the lock again yet */
    {"0 begin; 0 acq l; 0 r u; 0 rel l; 0 acq l; 0 w z; 0 rel l; 0 end; 1 r z; 1 acq l; 1 w u; 1 rel l; 1 r z; 1 acq l; 1 w u; 1 rel l; 1 r z; 1 acq l; 1 w u; 1 rel l; 1 r z; 1 acq l; 1 w u; 1 rel l",
     true},
    /* equal accesses, one after the other */
    {"0 begin; 0 w x; 0 w x; 1 w x", true},
    /* three threads; with a lock around it each one is by itself */
    {"0 begin; 0 w a; 0 w b; 1 begin; 1 w b; 1 w c; 2 begin; 2 w c; 2 w a", true},
    {"0 begin; 0 acq l; 0 w a; 0 w b; 0 rel l; 1 begin; 1 acq l; 1 w b; 1 w c; 1 rel l; 2 begin; 2 acq l; 2 w c; 2 w a",
     false},
    /* by three locks in a ring, each transaction two-phase; and not */
    {"0 begin; 0 acq a; 0 w a; 0 acq b; 0 rel a; 0 w b; 0 rel b; 1 begin; 1 acq a; 1 acq b; 1 w b; 1 rel b; 1 w a",
     false},
    {"0 begin; 0 acq a; 0 w a; 0 rel a; 0 acq b; 0 w b; 0 rel b; 1 begin; 1 acq a; 1 acq b; 1 w b; 1 rel b; 1 w a",
     true},
};

static void stories(void) {
  TraceEvent events[THREADS_EVENTS];
  for (size_t i = 0; i < sizeof STORIES / sizeof *STORIES; i++) {
    Tally tally = {0};
    const uint32_t n = parse(STORIES[i].run, events);
    const ThreadRuns runs = {events, n, 1, &n, true};
    const bool violated = threads_violated(&runs), good = agrees(&runs, i % 2, 0, violated, &tally);
    CU_ASSERT_EQUAL(violated, STORIES[i].violated);
    CU_ASSERT_TRUE(good);
    if (!good || violated != STORIES[i].violated) printf("\n%s: %d\n", STORIES[i].run, violated);
  }
}

/* Jobs are written before they are published under a lock, and read under it: that needs no search. */
static void made_before_they_are_published(void) {
  static const char RUN[] =
      "0 w j; 0 begin; 0 acq l; 0 w q; 0 rel l; 0 end; 1 begin; 1 acq l; 1 r q; 1 r j; 1 w q; 1 rel l; 1 end;"
      "0 w k; 0 begin; 0 acq l; 0 w q; 0 rel l; 0 end; 2 begin; 2 acq l; 2 r q; 2 r k; 2 w q; 2 rel l; 2 end";
  TraceEvent events[THREADS_EVENTS];
  const uint32_t n = parse(RUN, events);
  Heap *heap = heap_new(0);
  Verdict verdict;
  predicted(heap, events, n, false, 1, &verdict);
  CU_ASSERT_EQUAL(verdict, VERDICT_HOLDS);
  heap_free(heap);
}

/* ---- limits ---- */

/* Three threads, each of which leaves a transaction open between two variables: only all three of them make a cycle. */
static const TraceEvent RING[] = {{0, 0, 0, TRACE_BEGIN}, {0, 0, 1, TRACE_WRITE}, {0, 1, 2, TRACE_WRITE},
                                  {1, 0, 3, TRACE_BEGIN}, {1, 1, 4, TRACE_WRITE}, {1, 2, 5, TRACE_WRITE},
                                  {2, 0, 6, TRACE_BEGIN}, {2, 2, 7, TRACE_WRITE}, {2, 0, 8, TRACE_WRITE}};

static void budgets_end_it(void) {
  uint32_t unknown = 0, clear_of_pairs = 0;
  Verdict verdict = VERDICT_UNKNOWN;
  for (uint64_t budget = 1; verdict == VERDICT_UNKNOWN; budget++) {
    Heap *heap = heap_new(0);
    const LockPrediction *prediction = predicted(heap, RING, sizeof RING / sizeof *RING, false, budget, &verdict);
    const LockPredictCount count = lock_predict_count(prediction);
    unknown += verdict == VERDICT_UNKNOWN;
    clear_of_pairs += verdict == VERDICT_UNKNOWN && count.clear == 2;
    CU_ASSERT_FALSE(verdict == VERDICT_UNKNOWN && count.complete);
    heap_free(heap);
  }
  CU_ASSERT_EQUAL(verdict, VERDICT_VIOLATED);
  CU_ASSERT_TRUE(unknown > 10 && clear_of_pairs > 0);
}

void suite_predict_locks(void) {
  CU_pSuite suite = CU_add_suite("predict_locks", NULL, NULL);
  CU_ADD_TEST(suite, by_definition);
  CU_ADD_TEST(suite, by_definition_merged);
  CU_ADD_TEST(suite, stories);
  CU_ADD_TEST(suite, made_before_they_are_published);
  CU_ADD_TEST(suite, budgets_end_it);
}
