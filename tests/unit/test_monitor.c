/* The engines against each other, and against what is true by definition; what they find against the run. */
#include "base/hash.h"
#include "serial/monitor.h"
#include "tests/oracle/serial_runs.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>


/* Feeds the run in pieces of that size. */
static Monitor *monitored(Heap *heap, const MonitorOptions *options, const TraceEvent *events, uint32_t n, uint32_t piece) {
  Monitor *monitor = monitor_new(heap, options);
  for (uint32_t i = 0; i < n; i += piece) monitor_feed(monitor, events + i, n - i < piece ? n - i : piece);
  monitor_finish(monitor);
  return monitor;
}

static void show(const TraceEvent *events, uint32_t n) {
  static const char *const ops[] = {"r", "w", "acq", "rel", "fork", "join", "begin", "end", "start", "exit", "free"};
  for (uint32_t i = 0; i < n; i++) printf("%3u T%u|%s(%d)\n", i, events[i].thread, ops[events[i].op], (int)events[i].object);
}

/* ---- findings ---- */

static bool same_event(const TraceEvent *events, const MonitorAccess *access) {
  return events[access->event].object == access->object && events[access->event].op == access->op;
}

static bool edge_is_true(const SerialRun *run, const TraceEvent *events, const MonitorEdge *edge) {
  const uint64_t i = edge->from.event, j = edge->to.event;
  if (i >= j || j >= run->n || !run->ordered[i][j]) return false;
  switch (edge->kind) {
  case MONITOR_CONFLICT: return same_event(events, &edge->from) && same_event(events, &edge->to);
  case MONITOR_ORDER: return run->thread[i] == run->thread[j];
  case MONITOR_FORK: return same_event(events, &edge->from) && events[i].op == TRACE_FORK;
  case MONITOR_JOIN: return same_event(events, &edge->to) && events[j].op == TRACE_JOIN;
  case MONITOR_GAP: return false;
  }
  return false;
}

/* The transaction of an event: in causal runs only the block that is looked at has more than one. */
static uint64_t transaction_of(const SerialRun *run, const MonitorFinding *finding, uint64_t event, bool causal) {
  const uint32_t first = run->transaction[event];
  return causal && first != finding->transactions[0].first ? event : first;
}

static bool finding_is_true(const SerialRun *run, const TraceEvent *events, const MonitorFinding *finding, bool causal) {
  if (finding->n < 2) return false;
  for (uint32_t i = 0; i < finding->n; i++) {
    const MonitorTransaction *from = &finding->transactions[i], *to = &finding->transactions[(i + 1) % finding->n];
    const MonitorEdge *edge = &finding->edges[i];
    if (!edge_is_true(run, events, edge)) return false;
    if (transaction_of(run, finding, edge->from.event, causal) != from->first) return false;
    if (transaction_of(run, finding, edge->to.event, causal) != to->first) return false;
    if (events[from->first].thread != from->thread || from->last < edge->from.event || to->first == from->first) return false;
  }
  return true;
}

static void tell(const MonitorFinding *finding) {
  for (uint32_t i = 0; i < finding->n; i++) {
    const MonitorTransaction *t = &finding->transactions[i];
    const MonitorEdge *edge = &finding->edges[i];
    printf("  T%u#%u %u..%u, %d (%d %d, %d %d): %u -> %u\n", t->thread, t->ordinal, (unsigned)t->first, (unsigned)t->last, edge->kind, edge->from.op, (int)edge->from.object, edge->to.op, (int)edge->to.object,
           (unsigned)edge->from.event, (unsigned)edge->to.event);
  }
}

/* ---- random runs ---- */

typedef struct {
  uint32_t runs, violated, causally_violated;
} Tally;

static bool all_true(const Monitor *monitor, const SerialRun *run, const TraceEvent *events, bool causal) {
  uint32_t n;
  const MonitorFinding *findings = monitor_findings(monitor, &n);
  for (uint32_t i = 0; i < n; i++)
    if (!finding_is_true(run, events, &findings[i], causal)) {
      tell(&findings[i]);
      return false;
    }
  return true;
}

/* The index at which the first violation was found, or -1. Findings are checked where the engine knows cycles. */
static int64_t verdict(Heap *heap, MonitorOptions options, const SerialRun *run, const TraceEvent *events, uint32_t n, bool *good) {
  Monitor *monitor = monitored(heap, &options, events, n, 1 + n / 3);
  uint32_t found;
  const MonitorFinding *findings = monitor_findings(monitor, &found);
  const int64_t at = found ? (int64_t)findings[0].event : -1;
  if (run && options.engine != MONITOR_VC && !all_true(monitor, run, events, options.notion == MONITOR_CAUSAL)) *good = false;
  monitor_free(monitor);
  return at;
}

static bool agree(const TraceEvent *events, uint32_t n, bool locks, Tally *tally) {
  Heap *heap = heap_new(0);
  SerialRun *run = heap_alloc(heap, sizeof *run);
  bool good = true;
  serial_study(run, events, n, locks);
  const bool serial = serial_acyclic(run), causal = serial_causal(run, events);
  if (serial_count(run) <= 8) good = serial_exists(run) == serial;
  const int64_t scg = verdict(heap, (MonitorOptions){MONITOR_SCG, MONITOR_SERIALIZABLE, locks, false}, run, events, n, &good);
  const int64_t cg = verdict(heap, (MonitorOptions){MONITOR_CG, MONITOR_SERIALIZABLE, locks, false}, run, events, n, &good);
  const int64_t vc = verdict(heap, (MonitorOptions){MONITOR_VC, MONITOR_SERIALIZABLE, locks, false}, run, events, n, &good);
  const int64_t all = verdict(heap, (MonitorOptions){MONITOR_SCG, MONITOR_SERIALIZABLE, locks, true}, run, events, n, &good);
  const int64_t scg2 = verdict(heap, (MonitorOptions){MONITOR_SCG, MONITOR_CAUSAL, locks, false}, run, events, n, &good);
  const int64_t vc2 = verdict(heap, (MonitorOptions){MONITOR_VC, MONITOR_CAUSAL, locks, false}, run, events, n, &good);
  const int64_t all2 = verdict(heap, (MonitorOptions){MONITOR_SCG, MONITOR_CAUSAL, locks, true}, run, events, n, &good);
  tally->runs++;
  tally->violated += !serial;
  tally->causally_violated += !causal;
  good = good && (scg < 0) == serial && cg == scg && all == scg && (vc < 0) == serial;
  good = good && (scg2 < 0) == causal && vc2 == scg2 && all2 == scg2;
  if (!good)
    printf("serial %d: scg %d cg %d vc %d all %d; causal %d: scg %d vc %d all %d; locks %d\n", serial, (int)scg, (int)cg, (int)vc,
           (int)all, causal, (int)scg2, (int)vc2, (int)all2, locks);
  heap_free(heap);
  return good;
}

static void random_runs(const SerialShape *shape, uint64_t first, uint32_t n, Tally *tally) {
  TraceEvent events[SERIAL_MAX];
  for (uint64_t seed = first; seed < first + n; seed++) {
    SerialShape varied = *shape;
    varied.events = 2 + (uint32_t)(hash_word(seed) % (shape->events - 1));
    serial_random(seed, &varied, events);
    if (agree(events, varied.events, seed & 1, tally)) continue;
    printf("seed %llu:\n", (unsigned long long)seed);
    show(events, varied.events);
    CU_FAIL("the engines disagree");
    return;
  }
}

/*                                       r  w  acq rel fork join begin end start exit free */
static const SerialShape TINY = {3, 3, 2, 14, {6, 6, 1, 1, 0, 0, 6, 5, 0, 0, 0}, false};
static const SerialShape SMALL = {4, 3, 2, 30, {6, 6, 1, 1, 1, 1, 4, 4, 1, 1, 1}, true};
static const SerialShape WILD = {4, 3, 2, 40, {8, 6, 1, 1, 2, 2, 6, 6, 1, 1, 1}, false};
static const SerialShape LONG = {6, 8, 3, 100, {12, 5, 1, 1, 1, 1, 5, 5, 0, 0, 1}, true};

static void by_definition(void) {
  Tally tally = {0};
  random_runs(&TINY, 1, 8000, &tally);
  random_runs(&SMALL, 100000, 5000, &tally);
  random_runs(&WILD, 200000, 5000, &tally);
  random_runs(&LONG, 300000, 2000, &tally);
  printf("(%u runs, %u not serializable, %u not causally atomic) ", tally.runs, tally.violated, tally.causally_violated);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 10 && tally.violated < tally.runs / 10 * 9);
}

void suite_monitor(void) {
  CU_pSuite suite = CU_add_suite("monitor", NULL, NULL);
  CU_ADD_TEST(suite, by_definition);
}
