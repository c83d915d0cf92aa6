/* Prediction against brute force; each run that is predicted is replayed, and must be seen by the monitor. */
#include "base/hash.h"
#include "predict/predict.h"
#include "serial/monitor.h"
#include "tests/oracle/serial_runs.h"
#include "tests/unit/threads_oracle.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const ThreadRuns *runs) {
  static const char *const ops[] = {"r", "w", "acq", "rel", "fork", "join", "begin", "end", "start", "exit", "free"};
  for (uint32_t i = 0, run = 0; i < runs->n; i++) {
    if (i == runs->ends[run]) puts("---"), run++;
    printf("%3u T%u|%s(%d)\n", i, runs->events[i].thread, ops[runs->events[i].op], (int)runs->events[i].object);
  }
}

static void show_found(const Prediction *p) {
  uint32_t n;
  const Cycle *cycles = predict_cycles(p, &n);
  for (uint32_t c = 0; c < n; c++) {
    for (uint32_t i = 0; i < cycles[c].n; i++)
      printf("T%u: in %u, out %u; ", cycles[c].visits[i].thread, (unsigned)cycles[c].visits[i].in, (unsigned)cycles[c].visits[i].out);
    const Schedule *schedule = predict_schedule(p, c);
    for (uint32_t i = 0; i < schedule->n; i++) printf(" T%u to %u", schedule->at[i].thread, (unsigned)schedule->at[i].until);
    puts("");
  }
}

/* ---- predicting ---- */

static void feed_runs(Prediction *p, const ThreadRuns *runs, void (*feed)(Prediction *, const TraceEvent *, uint32_t)) {
  for (uint32_t run = 0, from = 0; run < runs->n_runs; from = runs->ends[run++]) {
    const uint32_t n = runs->ends[run] - from, half = n / 2;
    if (run) predict_next_run(p);
    feed(p, runs->events + from, half);
    feed(p, runs->events + from + half, n - half);
  }
}

typedef struct {
  bool all, survey;
  uint64_t budget;
} How;

static Prediction *predicted(Heap *heap, const ThreadRuns *runs, How how, PredictVerdict *verdict) {
  Prediction *p = predict_new(heap, &(PredictOptions){how.all, how.budget});
  if (how.survey) feed_runs(p, runs, predict_survey);
  if (how.survey) predict_next_run(p);
  feed_runs(p, runs, predict_feed);
  *verdict = predict_finish(p);
  return p;
}

/* ---- a schedule, and its cycle ---- */

/* The events that the schedule has, in its order; their number, or -1 if a step makes no sense. */
static int64_t replay(const ThreadRuns *runs, const Schedule *schedule, uint32_t *order) {
  uint32_t n = 0;
  bool done[THREADS_EVENTS * 100] = {false};
  for (uint32_t s = 0; s < schedule->n; s++) {
    const ScheduleStep *step = &schedule->at[s];
    if (step->until >= runs->n || runs->events[step->until].thread != step->thread || done[step->until]) return -1;
    uint32_t first = 0;
    for (uint32_t run = 0; runs->ends[run] <= step->until; run++) first = runs->ends[run];
    for (uint32_t i = first; i <= step->until; i++)
      if (runs->events[i].thread == step->thread && !done[i]) done[i] = true, order[n++] = i;
  }
  return n;
}

static bool monitor_sees(const ThreadRuns *runs, const uint32_t *order, uint32_t n, MonitorEngine engine) {
  Heap *heap = heap_new(0);
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){engine, MONITOR_SERIALIZABLE, false, false});
  for (uint32_t i = 0; i < n; i++) {
    TraceEvent event = runs->events[order[i]];
    if (event.op <= TRACE_WRITE) event.object = threads_object(runs, order[i]);
    if (event.op == TRACE_FREE) event = (TraceEvent){event.thread, TRACE_NONE, event.location, TRACE_START};
    monitor_feed(monitor, &event, 1);
  }
  const bool sees = monitor_finish(monitor);
  heap_free(heap);
  return sees;
}

static int64_t place_in(const uint32_t *order, uint32_t n, uint64_t event) {
  for (uint32_t i = 0; i < n; i++)
    if (order[i] == event) return i;
  return -1;
}

/* Is the cycle in the run? */
static bool cycle_is_there(const ThreadRuns *runs, const Cycle *cycle, const uint32_t *order, uint32_t n) {
  for (uint32_t i = 0; i < cycle->n; i++) {
    const CycleVisit *visit = &cycle->visits[i], *next = &cycle->visits[(i + 1) % cycle->n];
    const int64_t out = place_in(order, n, visit->out), in = place_in(order, n, next->in);
    if (out < 0 || in < 0 || out >= in) return false;
    if (runs->events[visit->out].thread != visit->thread || runs->events[visit->in].thread != visit->thread) return false;
  }
  const CycleVisit *split = &cycle->visits[0];
  return cycle->n >= 2 && split->out < split->in &&
         threads_transaction(runs, (uint32_t)split->out) == threads_transaction(runs, (uint32_t)split->in);
}

static bool has_relations(const ThreadRuns *runs) {
  for (uint32_t i = 0; i < runs->n; i++)
    if (runs->events[i].op == TRACE_FORK || runs->events[i].op == TRACE_JOIN) return true;
  return false;
}

static bool schedule_is_true(const ThreadRuns *runs, const Cycle *cycle, const Schedule *schedule) {
  uint32_t order[THREADS_EVENTS];
  const int64_t n = replay(runs, schedule, order);
  if (n < 0 || !threads_can_run(runs, order, (uint32_t)n) || !cycle_is_there(runs, cycle, order, (uint32_t)n)) return false;
  if (!has_relations(runs) && schedule->at[schedule->n - 1].until != cycle->visits[0].in) return false;
  return monitor_sees(runs, order, (uint32_t)n, MONITOR_CG) && monitor_sees(runs, order, (uint32_t)n, MONITOR_SCG);
}

static bool all_true(const ThreadRuns *runs, const Prediction *p, PredictVerdict verdict) {
  uint32_t n;
  const Cycle *cycles = predict_cycles(p, &n);
  if ((n > 0) != (verdict == PREDICT_FOUND)) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!schedule_is_true(runs, &cycles[i], predict_schedule(p, i))) return false;
  return true;
}

/* ---- tiny random runs ---- */

typedef struct {
  uint32_t runs, violated, observed, longer, unknown;
} Tally;

static bool is_observed(const ThreadRuns *runs) {
  uint32_t order[THREADS_EVENTS];
  for (uint32_t i = 0; i < runs->n; i++) order[i] = i;
  return runs->n_runs == 1 && monitor_sees(runs, order, runs->n, MONITOR_CG);
}

static bool agree(const ThreadRuns *runs, Tally *tally) {
  const bool violated = threads_violated(runs), observed = is_observed(runs);
  const bool may_be_unknown = runs->n_runs > 1 && has_relations(runs);
  bool good = !observed || violated;
  tally->runs++;
  tally->violated += violated;
  tally->observed += observed;
  for (uint32_t how = 0; how < 4; how++) {
    Heap *heap = heap_new(0);
    PredictVerdict verdict;
    Prediction *p = predicted(heap, runs, (How){how & 1, how >> 1 & 1, 0}, &verdict);
    uint32_t n;
    const Cycle *cycles = predict_cycles(p, &n);
    tally->longer += how == 0 && n == 1 && cycles[0].n > 2;
    tally->unknown += how == 0 && verdict == PREDICT_UNKNOWN;
    if (verdict == PREDICT_UNKNOWN) good &= may_be_unknown && predict_is_partial(p);
    else good &= (verdict == PREDICT_FOUND) == violated;
    good &= all_true(runs, p, verdict);
    if (how & 1) good &= n == 0 || verdict == PREDICT_FOUND;
    else good &= n <= 1;
    if (!good) printf("violated %d, predicted %d, cycles %u, how %u\n", violated, verdict, n, how), show_found(p);
    predict_free(p);
    heap_free(heap);
    if (!good) break;
  }
  return good;
}

/* A run of up to `shape->events` events. */
static uint32_t random_run(uint64_t seed, const SerialShape *shape, TraceEvent *events) {
  SerialShape varied = *shape;
  varied.events = 3 + (uint32_t)(hash_word(seed) % (shape->events - 2));
  varied.threads = 2 + (uint32_t)(hash_word(~seed) % (shape->threads - 1));
  serial_random(seed, &varied, events);
  return varied.events;
}

static void random_runs(const SerialShape *shape, uint64_t first, uint32_t n, Tally *tally) {
  TraceEvent events[THREADS_EVENTS];
  for (uint64_t seed = first; seed < first + n; seed++) {
    const uint32_t end = random_run(seed, shape, events);
    const ThreadRuns runs = {events, end, 1, &end, false};
    if (agree(&runs, tally)) continue;
    printf("seed %llu:\n", (unsigned long long)seed);
    show(&runs);
    CU_FAIL("prediction and brute force disagree");
    return;
  }
}

static void print_tally(const Tally *tally) {
  printf("(%u runs, %u violated, %u of them as they were, %u by more than two threads, %u unknown) ", tally->runs,
         tally->violated, tally->observed, tally->longer, tally->unknown);
}

/*                                              r  w  acq rel fork join begin end start exit free */
static const SerialShape PLAIN = {3, 2, 2, 12, {6, 6, 0, 0, 0, 0, 4, 2, 0, 0, 0}, true};
static const SerialShape SPARSE = {4, 4, 2, 16, {8, 6, 0, 0, 0, 0, 3, 2, 0, 0, 0}, true};
static const SerialShape PROPER = {4, 2, 2, 16, {6, 6, 1, 1, 2, 2, 3, 2, 1, 1, 0}, true};
static const SerialShape WILD = {4, 2, 2, 14, {6, 6, 1, 1, 1, 1, 4, 1, 1, 1, 1}, false};

static void by_brute_force(void) {
  Tally tally = {0};
  random_runs(&PLAIN, 1, 6000, &tally);
  random_runs(&SPARSE, 100000, 6000, &tally);
  print_tally(&tally);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 10 && tally.violated < tally.runs / 10 * 9 && tally.longer > 20);
}

static void with_fork_and_join(void) {
  Tally tally = {0};
  random_runs(&PROPER, 200000, 6000, &tally);
  random_runs(&WILD, 300000, 6000, &tally);
  print_tally(&tally);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 10 && tally.violated < tally.runs / 10 * 9);
}

void suite_predict(void) {
  CU_pSuite suite = CU_add_suite("predict", NULL, NULL);
  CU_ADD_TEST(suite, by_brute_force);
  CU_ADD_TEST(suite, with_fork_and_join);
}
