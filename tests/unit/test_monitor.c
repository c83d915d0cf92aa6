/* The engines against each other, and against what is true by definition; what they find against the run. */
#include "base/hash.h"
#include "check/run_judge.h"
#include "serial/monitor.h"
#include "tests/oracle/serial_runs.h"
#include "tests/unit/random_run.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Feeds the run in pieces of that size. */
static Monitor *monitored(Heap *heap, const MonitorOptions *options, const TraceEvent *events, uint32_t n,
                          uint32_t piece) {
  Monitor *monitor = monitor_new(heap, options);
  Err err;
  for (uint32_t i = 0; i < n; i += piece) {
    monitor_feed(monitor, events + i, n - i < piece ? n - i : piece);
    const bool sound = monitor_audit(monitor, &err);
    if (!sound) printf("%s\n", err.text);
    CU_ASSERT_TRUE(sound);
  }
  monitor_finish(monitor);
  return monitor;
}

static void show(const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    printf("%3u T%u|%s(%d)\n", i, events[i].thread, RUN_OPS[events[i].op], (int)events[i].object);
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
  case MONITOR_HANDOVER:
    return same_event(events, &edge->from) && same_event(events, &edge->to) && events[i].op == TRACE_SIGNAL;
  case MONITOR_GAP: return false;
  }
  return false;
}

/* The transaction of an event: in causal runs only the block that is looked at has more than one. */
static uint64_t transaction_of(const SerialRun *run, const MonitorFinding *finding, uint64_t event, bool causal) {
  const uint32_t first = run->transaction[event];
  return causal && first != finding->transactions[0].first ? event : first;
}

/* Its last event so far, or at least its last access; or its end. What is no block is one event. */
static bool has_right_end(const SerialRun *run, const TraceEvent *events, const MonitorFinding *finding,
                          const MonitorTransaction *it, bool causal) {
  if (causal && it->first != finding->transactions[0].first) return it->last == it->first && !it->open;
  uint64_t last = it->first, access = it->first;
  uint32_t depth = 0;
  for (uint64_t i = it->first; i <= finding->event; i++) {
    if (run->transaction[i] != it->first) continue;
    last = i;
    if (events[i].op <= TRACE_WRITE || events[i].op == TRACE_UPDATE) access = i;
    if (i == finding->event) continue; /* was that an end, it was found before */
    if (events[i].op == TRACE_BEGIN) depth++;
    if (events[i].op == TRACE_END && depth) depth--;
    if (events[i].op == TRACE_EXIT) depth = 0;
  }
  if (it->open != (depth > 0) || run->transaction[it->last] != it->first) return false;
  return it->last <= last && it->last >= (it->open ? access : last);
}

static bool finding_is_true(const SerialRun *run, const TraceEvent *events, const MonitorFinding *finding,
                            bool causal) {
  if (finding->n < 2) return false;
  for (uint32_t i = 0; i < finding->n; i++) {
    const MonitorTransaction *from = &finding->transactions[i], *to = &finding->transactions[(i + 1) % finding->n];
    const MonitorEdge *edge = &finding->edges[i];
    if (!edge_is_true(run, events, edge) || !has_right_end(run, events, finding, from, causal)) return false;
    if (transaction_of(run, finding, edge->from.event, causal) != from->first) return false;
    if (transaction_of(run, finding, edge->to.event, causal) != to->first) return false;
    if (events[from->first].thread != from->thread || from->last < edge->from.event || to->first == from->first)
      return false;
  }
  return true;
}

/* ---- random runs ---- */

typedef struct {
  uint32_t runs, violated, causally_violated;
} Tally;

static bool all_true(const Monitor *monitor, const SerialRun *run, const TraceEvent *events, bool causal) {
  uint32_t n;
  const MonitorFinding *findings = monitor_findings(monitor, &n);
  for (uint32_t i = 0; i < n; i++)
    if (!finding_is_true(run, events, &findings[i], causal)) return false;
  return true;
}

/* The index at which the first violation was found, or -1. Findings are checked where the engine knows cycles. */
static int64_t verdict(Heap *heap, MonitorOptions options, const SerialRun *run, const TraceEvent *events, uint32_t n,
                       bool *good) {
  Monitor *monitor = monitored(heap, &options, events, n, 1 + n / 3);
  uint32_t found;
  const MonitorFinding *findings = monitor_findings(monitor, &found);
  const int64_t at = found ? (int64_t)findings[0].event : -1;
  if (run && options.engine != MONITOR_VC && !all_true(monitor, run, events, options.notion == MONITOR_CAUSAL))
    *good = false;
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
  const int64_t scg =
      verdict(heap, (MonitorOptions){MONITOR_SCG, MONITOR_SERIALIZABLE, locks, false}, run, events, n, &good);
  const int64_t cg =
      verdict(heap, (MonitorOptions){MONITOR_CG, MONITOR_SERIALIZABLE, locks, false}, run, events, n, &good);
  const int64_t vc =
      verdict(heap, (MonitorOptions){MONITOR_VC, MONITOR_SERIALIZABLE, locks, false}, run, events, n, &good);
  const int64_t all =
      verdict(heap, (MonitorOptions){MONITOR_SCG, MONITOR_SERIALIZABLE, locks, true}, run, events, n, &good);
  const int64_t scg2 =
      verdict(heap, (MonitorOptions){MONITOR_SCG, MONITOR_CAUSAL, locks, false}, run, events, n, &good);
  const int64_t vc2 = verdict(heap, (MonitorOptions){MONITOR_VC, MONITOR_CAUSAL, locks, false}, run, events, n, &good);
  const int64_t all2 = verdict(heap, (MonitorOptions){MONITOR_SCG, MONITOR_CAUSAL, locks, true}, run, events, n, &good);
  tally->runs++;
  tally->violated += !serial;
  tally->causally_violated += !causal;
  good = good && (scg < 0) == serial && cg == scg && all == scg && (vc < 0) == serial;
  good = good && (scg2 < 0) == causal && vc2 == scg2 && all2 == scg2;
  if (!good)
    printf("serial %d: scg %d cg %d vc %d all %d; causal %d: scg %d vc %d all %d; locks %d\n", serial, (int)scg,
           (int)cg, (int)vc, (int)all, causal, (int)scg2, (int)vc2, (int)all2, locks);
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
/* With all operations, the older ones first: rmw sacq srel try stry sig wait */
static const SerialShape HANDED = {4, 2, 2, 40, {5, 4, 1, 1, 1, 1, 6, 6, 0, 1, 1, 2, 1, 1, 1, 1, 4, 4}, false};
static const SerialShape ALL = {5, 2, 2, 60, {5, 2, 2, 2, 1, 1, 5, 5, 0, 0, 1, 2, 2, 2, 1, 1, 3, 3}, true};
static const SerialShape LONG = {6, 8, 3, 100, {12, 5, 1, 1, 1, 1, 5, 5, 0, 0, 1}, true};

static void by_definition(void) {
  Tally tally = {0};
  random_runs(&TINY, 1, 8000, &tally);
  random_runs(&SMALL, 100000, 5000, &tally);
  random_runs(&WILD, 200000, 5000, &tally);
  random_runs(&LONG, 300000, 2000, &tally);
  random_runs(&HANDED, 400000, 5000, &tally);
  random_runs(&ALL, 500000, 3000, &tally);
  printf("(%u runs, %u not serializable, %u not causally atomic) ", tally.runs, tally.violated,
         tally.causally_violated);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 10 && tally.violated < tally.runs / 10 * 9);
}

/* ---- longer runs: the engines against each other, the findings before the judge ---- */

static bool judged(Heap *heap, const MonitorFinding *finding, const TraceEvent *events, uint32_t n,
                   const JudgeOptions *rules, Err *err) {
  uint64_t *transactions = heap_alloc(heap, finding->n * sizeof *transactions);
  JudgeEdge *edges = heap_alloc(heap, finding->n * sizeof *edges);
  for (uint32_t i = 0; i < finding->n; i++) {
    transactions[i] = finding->transactions[i].first;
    edges[i] =
        (JudgeEdge){(JudgeReason)finding->edges[i].kind, finding->edges[i].from.event, finding->edges[i].to.event};
  }
  const JudgeCycle cycle = {finding->n, transactions, edges};
  RunJudge *judge = run_judge_new(heap, &cycle, 1, rules);
  for (uint32_t i = 0; i < n; i++)
    if (!run_judge_see(judge, &(JudgeEvent){events[i].thread, events[i].object, (JudgeOp)events[i].op})) break;
  const bool good = run_judge_decide(judge, err);
  run_judge_free(judge);
  heap_release(heap, transactions);
  heap_release(heap, edges);
  return good;
}

/* The first finding's event, or -1; all findings are judged. */
static int64_t judged_verdict(MonitorOptions options, const TraceEvent *events, uint32_t n) {
  Err err;
  Heap *heap = heap_new(0);
  Monitor *monitor = monitored(heap, &options, events, n, 1000);
  uint32_t found;
  const MonitorFinding *findings = monitor_findings(monitor, &found);
  const int64_t at = found ? (int64_t)findings[0].event : -1;
  const JudgeOptions rules = {options.lock_conflicts, options.notion == MONITOR_CAUSAL};
  for (uint32_t i = 0; i < found && options.engine != MONITOR_VC; i++)
    if (!judged(heap, &findings[i], events, n, &rules, &err)) {
      printf("%s\n", err.text);
      CU_FAIL("the judge does not agree");
    }
  heap_free(heap);
  return at;
}

static bool agree_long(const TraceEvent *events, uint32_t n, bool locks, Tally *tally) {
  const int64_t scg = judged_verdict((MonitorOptions){MONITOR_SCG, MONITOR_SERIALIZABLE, locks, false}, events, n);
  const int64_t cg = judged_verdict((MonitorOptions){MONITOR_CG, MONITOR_SERIALIZABLE, locks, false}, events, n);
  const int64_t vc = judged_verdict((MonitorOptions){MONITOR_VC, MONITOR_SERIALIZABLE, locks, false}, events, n);
  const int64_t all = judged_verdict((MonitorOptions){MONITOR_SCG, MONITOR_SERIALIZABLE, locks, true}, events, n);
  const int64_t all_cg = judged_verdict((MonitorOptions){MONITOR_CG, MONITOR_SERIALIZABLE, locks, true}, events, n);
  const int64_t scg2 = judged_verdict((MonitorOptions){MONITOR_SCG, MONITOR_CAUSAL, locks, true}, events, n);
  const int64_t vc2 = judged_verdict((MonitorOptions){MONITOR_VC, MONITOR_CAUSAL, locks, false}, events, n);
  tally->runs++;
  tally->violated += scg >= 0;
  tally->causally_violated += scg2 >= 0;
  return scg == cg && all == scg && all_cg == scg && (vc < 0) == (scg < 0) && scg2 == vc2;
}

static void long_runs(const SerialShape *shape, uint64_t first, uint32_t n) {
  TraceEvent *events = malloc(shape->events * sizeof *events);
  Tally tally = {0};
  for (uint64_t seed = first; seed < first + n; seed++) {
    serial_random(seed, shape, events);
    if (agree_long(events, shape->events, seed & 1, &tally)) continue;
    printf("seed %llu:\n", (unsigned long long)seed);
    CU_FAIL("the engines disagree");
    break;
  }
  printf("(%u runs, %u not serializable, %u not causally atomic) ", tally.runs, tally.violated,
         tally.causally_violated);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 20 && tally.violated < tally.runs);
  free(events);
}

/*                                              r   w  acq rel fork join begin end start exit free */
static const SerialShape SPARSE = {20, 3000, 4, 1000, {40, 8, 1, 1, 1, 1, 3, 6, 0, 0, 3}, true};
static const SerialShape CROWDED = {200, 300, 4, 1500, {12, 4, 1, 1, 1, 1, 12, 2, 0, 1, 1}, true};

static const SerialShape MANY_HANDED = {30,  2000, 4, 1000, {80, 8, 1, 1, 1, 1, 3, 6, 0, 0, 3, 2, 2, 2, 1, 1, 4, 4},
                                        true};

static void many_events(void) {
  long_runs(&SPARSE, 1, 150);
  long_runs(&MANY_HANDED, 5000, 50);
}
static void more_than_64_open_transactions(void) {
  SerialShape shape = CROWDED; /* few objects: each is many transactions' */
  long_runs(&CROWDED, 1000, 150);
  shape.objects = 30;
  shape.weight[TRACE_READ] = 300;
  shape.weight[TRACE_WRITE] = 1;
  shape.weight[TRACE_ACQUIRE] = shape.weight[TRACE_RELEASE] = 0;
  long_runs(&shape, 6000, 100);
}

/* ---- runs with a story ---- */

/* "T1 begin; T1 w x; T2 r x": threads T0 to T9, objects of one letter, forks and joins of thread numbers. */
static uint32_t parse(const char *text, TraceEvent *events) {
  uint32_t n = 0;
  char op[10], object = 0;
  for (unsigned thread; text; text = strchr(text, ';') ? strchr(text, ';') + 1 : NULL, n++) {
    const int fields = sscanf(text, " T%u %9[a-z] %c", &thread, op, &object);
    TraceEvent event = {.thread = thread, .object = TRACE_NONE, .location = n, .op = TRACE_OPS};
    for (uint8_t i = 0; i < TRACE_OPS; i++)
      if (strcmp(RUN_OPS[i], op) == 0) event.op = i;
    CU_ASSERT_NOT_EQUAL(event.op, TRACE_OPS);
    if (fields == 3 && event.op != TRACE_BEGIN) event.object = (uint32_t)(object >= 'a' ? object - 'a' : object - '0');
    events[n] = event;
  }
  return n;
}

typedef struct {
  const char *run;
  bool serializable, atomic; /* the second: causally */
  bool locks;
} Story;

static const Story STORIES[] = {
    /* CAV 2008, section 3: removing the completed transaction of T2 would lose the cycle */
    {"T1 begin; T1 r x; T2 begin; T2 w x; T2 r z; T3 begin; T3 w z; T2 end; T1 w x", false, false, false},
    /* only the accesses of ended transactions that come after T1 tell of this one: own C */
    {"T1 begin; T1 w x; T2 r x; T2 w y; T1 r y; T1 end", false, false, false},
    /* the published optimised vector clocks miss this one */
    {"T1 begin; T1 w a; T0 r a; T0 begin; T0 r b; T0 end; T1 w b; T1 end", false, false, false},
    /* edges in an order in which clocks learn of the cycle late */
    {"T2 begin; T3 begin; T1 begin; T2 w a; T3 r a; T1 w b; T2 r b; T3 w c; T1 r c; T1 end; T2 end; T3 end", false,
     true, false},
    /* the same, and nothing ends */
    {"T2 begin; T3 begin; T1 begin; T2 w a; T3 r a; T1 w b; T2 r b; T3 w c; T1 r c", false, true, false},
    /* CAV 2006, Figure 1: each block is atomic against single events, all together are not serializable */
    {"T1 begin; T3 begin; T3 w z; T1 w x; T4 r z; T4 w t; T1 r t; T1 end; T2 r x; T2 w y; T3 r y; T3 end", false, true,
     false},
    /* a block that waits for a thread of its own, or only for one that does nothing */
    {"T1 begin; T1 fork 2; T2 r x; T1 join 2; T1 end", false, false, false},
    {"T1 begin; T1 fork 2; T1 join 2; T1 end", true, true, false},
    {"T1 begin; T1 fork 2; T2 start; T1 join 2; T1 end", false, false, false},
    {"T1 begin; T1 fork 2; T1 end; T2 r x; T2 begin; T2 w x; T2 end; T1 begin; T1 join 2; T1 end", true, true, false},
    {"T1 begin; T1 fork 2; T3 begin; T3 join 2; T3 w x; T1 r x; T3 end; T1 end", false, false, false},
    /* locks */
    {"T1 begin; T1 acq l; T1 rel l; T2 acq l; T2 rel l; T1 acq l; T1 rel l; T1 end", true, true, false},
    {"T1 begin; T1 acq l; T1 rel l; T2 acq l; T2 rel l; T1 acq l; T1 rel l; T1 end", false, false, true},
    {"T1 begin; T1 acq l; T1 w x; T1 rel l; T1 end; T2 begin; T2 acq l; T2 r x; T2 rel l; T2 end", true, true, true},
    /* nested transactions are one; reads do not conflict; what is freed is forgotten; a thread that has ended is no
     * transaction any more */
    {"T1 begin; T1 begin; T1 r x; T1 end; T2 w x; T1 begin; T1 r x; T1 end; T1 end", false, false, false},
    {"T1 begin; T1 r x; T1 end; T2 w x; T1 begin; T1 r x; T1 end", true, true, false},
    {"T1 begin; T1 r x; T2 r x; T1 r x; T1 end", true, true, false},
    {"T1 begin; T1 w x; T2 w x; T2 free x; T1 w x; T1 end", true, true, false},
    {"T1 begin; T1 w x; T2 w x; T1 exit; T1 w x", true, true, false},
    {"T1 end; T1 end; T1 w x; T2 w x; T1 w x", true, true, false},
    /* single events are a cycle of their own, whatever the first transaction knows already */
    {"T1 begin; T2 begin; T0 r q; T2 w x; T1 r x; T0 r x; T0 w z; T2 r z", false, false, false},
};

static void stories(void) {
  TraceEvent events[SERIAL_MAX];
  for (size_t i = 0; i < sizeof STORIES / sizeof *STORIES; i++) {
    Tally tally = {0};
    const uint32_t n = parse(STORIES[i].run, events);
    CU_ASSERT_TRUE(agree(events, n, STORIES[i].locks, &tally));
    CU_ASSERT_EQUAL(tally.violated == 0, STORIES[i].serializable);
    CU_ASSERT_EQUAL(tally.causally_violated == 0, STORIES[i].atomic);
    if ((tally.violated == 0) != STORIES[i].serializable || (tally.causally_violated == 0) != STORIES[i].atomic)
      puts(STORIES[i].run);
  }
}

enum { CROWD = 200 };

/* The same with as many open transactions of others, which begin after the first event and do nothing. */
static void stories_in_a_crowd(void) {
  TraceEvent events[SERIAL_MAX + CROWD];
  for (size_t i = 0; i < sizeof STORIES / sizeof *STORIES; i++) {
    Tally tally = {0};
    const uint32_t n = parse(STORIES[i].run, events + CROWD);
    events[0] = events[CROWD];
    for (uint32_t j = 1; j <= CROWD; j++)
      events[j] = (TraceEvent){.thread = 9 + j, .object = TRACE_NONE, .location = SERIAL_MAX, .op = TRACE_BEGIN};
    CU_ASSERT_TRUE(agree_long(events, CROWD + n, STORIES[i].locks, &tally));
    CU_ASSERT_EQUAL(tally.violated == 0, STORIES[i].serializable);
    CU_ASSERT_EQUAL(tally.causally_violated == 0, STORIES[i].atomic);
  }
}

/* ---- what is held ---- */

/* Feeds n rounds in which each of k threads has a transaction that another one's overlaps; one transaction stays open
 * over all of it. */
static uint64_t bytes_after(MonitorNotion notion, uint32_t rounds, bool frees) {
  enum { K = 20 };
  Heap *heap = heap_new(0);
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){MONITOR_SCG, notion, true, false});
  const TraceEvent open = {K, 0, 0, TRACE_BEGIN}, read = {K, 0, 0, TRACE_READ}, fork = {K, 0, 0, TRACE_FORK};
  monitor_feed(monitor, (TraceEvent[]){open, read, fork}, 3);
  for (uint32_t i = 0; i < rounds; i++) {
    const uint32_t t = i % K, u = (i + 1) % K;
    const TraceEvent events[] = {{t, 0, 1, TRACE_BEGIN},     {t, t, 2, TRACE_READ},
                                 {t, u + 1, 3, TRACE_WRITE}, {u, t + 1, 4, TRACE_READ},
                                 {t, K, 5, TRACE_ACQUIRE},   {t, K, 6, TRACE_RELEASE},
                                 {t, 0, 7, TRACE_END},       {u, t + 1, 8, frees ? TRACE_FREE : TRACE_READ}};
    CU_ASSERT_FALSE(monitor_feed(monitor, events, sizeof events / sizeof *events));
  }
  const uint64_t bytes = heap_peak(heap);
  heap_free(heap);
  return bytes;
}

static void memory_does_not_grow(void) {
  for (int notion = 0; notion < 2; notion++)
    for (int frees = 0; frees < 2; frees++)
      CU_ASSERT_EQUAL(bytes_after((MonitorNotion)notion, 2000, frees),
                      bytes_after((MonitorNotion)notion, 200000, frees));
}

/* A path over thousands of threads, each of which ends: the cycle is told with a gap, or whole if it is short. */
static void threads_come_and_go(void) {
  enum { K = 3000 };
  Heap *heap = heap_new(0);
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){MONITOR_SCG, MONITOR_SERIALIZABLE, false, false});
  monitor_feed(monitor, (TraceEvent[]){{0, 0, 0, TRACE_BEGIN}, {0, 0, 0, TRACE_WRITE}}, 2);
  for (uint32_t t = 1; t < K; t++)
    CU_ASSERT_FALSE(monitor_feed(
        monitor,
        (TraceEvent[]){{t, 0, 0, TRACE_BEGIN}, {t, t - 1, 0, TRACE_READ}, {t, t, 0, TRACE_WRITE}, {t, 0, 0, TRACE_END}},
        4));
  CU_ASSERT_TRUE(monitor_feed(monitor, (TraceEvent[]){{0, K - 1, 0, TRACE_READ}}, 1));
  uint32_t n, gaps = 0;
  const MonitorFinding *finding = monitor_findings(monitor, &n);
  for (uint32_t i = 0; i < finding->n; i++) gaps += finding->edges[i].kind == MONITOR_GAP;
  CU_ASSERT_TRUE(n == 1 && gaps > 0 && finding->n > 50 && finding->n < 600);
  heap_free(heap);
}

typedef struct {
  Heap *heap;
  const MonitorOptions *options;
  const TraceEvent *events;
} Feeding;

static void feed_all(void *argument) {
  const Feeding *feeding = argument;
  monitor_free(monitored(feeding->heap, feeding->options, feeding->events, 400, 150));
}

static void memory_runs_out(void) {
  TraceEvent events[400];
  SerialShape shape = CROWDED;
  shape.events = 400;
  serial_random(7, &shape, events);
  for (int engine = 0; engine < 3; engine++) {
    const MonitorOptions options = {(MonitorEngine)engine, MONITOR_SERIALIZABLE, true, true};
    bool done = false;
    for (uint64_t nth = 1; !done; nth += 1 + nth / 8) {
      Heap *heap = heap_new(0);
      const uint64_t before = heap_used(heap);
      heap_fail_at(heap, nth);
      done = heap_try(heap, feed_all, &(Feeding){heap, &options, events});
      if (done) CU_ASSERT_EQUAL(heap_used(heap), before);
      heap_free(heap);
    }
  }
}

/* ---- a run that is going on ---- */

enum { WHOLES = 8, LIVE_THREADS = 8, PARTS = 100 /* the first part of object 0 */, NOTED = 64 };

/* What is known of a run of which one does not know what comes: which objects are divided, which one thread alone has
 * accessed, and what was put aside of that. */
typedef struct {
  Monitor *monitor;
  bool divided[WHOLES], shared[WHOLES];
  uint32_t owner[WHOLES];       /* 1 + the thread; 0: nobody */
  uint32_t depth[LIVE_THREADS]; /* of open transactions, as far as they were fed */
  struct {
    TraceEvent event;
    uint64_t index;
  } aside[NOTED];
  uint32_t n_aside;
} Watched;

static void feed_one(Watched *w, TraceEvent event) { monitor_feed(w->monitor, &event, 1); }

/* Notes, or drops, what was put aside of the object by the thread; WHOLES, LIVE_THREADS: of all. */
static void settle(Watched *w, uint32_t object, uint32_t thread, bool note) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->n_aside; i++) {
    const TraceEvent *e = &w->aside[i].event;
    const uint32_t whole = e->object < PARTS ? e->object : (e->object - PARTS) / 2;
    if ((object != WHOLES && whole != object) || (thread != LIVE_THREADS && e->thread != thread))
      w->aside[n++] = w->aside[i];
    else if (note) monitor_note(w->monitor, e, w->aside[i].index);
  }
  w->n_aside = n;
}

static void access_live(Watched *w, TraceEvent event, uint32_t whole) {
  const bool inside = w->depth[event.thread] > 0;
  bool open = false;
  for (uint32_t t = 0; t < LIVE_THREADS; t++) open |= w->depth[t] > 0;
  if (!w->owner[whole]) w->owner[whole] = event.thread + 1;
  if (w->owner[whole] != event.thread + 1) {
    settle(w, whole, LIVE_THREADS, true);
    w->shared[whole] = true;
  }
  if (!w->shared[whole] && !open) return;
  if (w->shared[whole] || !inside || w->n_aside == NOTED) {
    feed_one(w, event);
    return;
  }
  w->aside[w->n_aside].event = event;
  w->aside[w->n_aside++].index = monitor_events(w->monitor);
}

/* part: 0: the whole object; else one of two. */
static void access_part(Watched *w, TraceEvent event, uint32_t part) {
  const uint32_t whole = event.object;
  if (part && !w->divided[whole]) {
    w->divided[whole] = true;
    settle(w, whole, LIVE_THREADS, true);
    for (uint32_t i = 0; i < 2; i++) monitor_divide(w->monitor, whole, PARTS + 2 * whole + i);
  }
  for (uint32_t i = 0; i < 2; i++) {
    if (w->divided[whole] && part && part != i + 1) continue;
    if (!w->divided[whole] && i) continue;
    event.object = w->divided[whole] ? PARTS + 2 * whole + i : whole;
    access_live(w, event, whole);
  }
}

static void look_live(Watched *w, const TraceEvent *event, uint32_t part) {
  TraceEvent free = *event;
  switch (event->op) {
  case TRACE_READ:
  case TRACE_WRITE: access_part(w, *event, part); break;
  case TRACE_FREE:
    settle(w, event->object, LIVE_THREADS, false);
    feed_one(w, free);
    for (free.object = PARTS + 2 * event->object; free.object < PARTS + 2 * event->object + 2; free.object++)
      feed_one(w, free);
    break;
  case TRACE_BEGIN:
    feed_one(w, *event);
    w->depth[event->thread]++;
    break;
  case TRACE_END:
  case TRACE_EXIT:
    if (w->depth[event->thread] == 1 || event->op == TRACE_EXIT)
      settle(w, WHOLES, event->thread, w->depth[event->thread] && monitor_follows(w->monitor, event->thread));
    feed_one(w, *event);
    if (event->op == TRACE_EXIT) w->depth[event->thread] = 0;
    else if (w->depth[event->thread]) w->depth[event->thread]--;
    break;
  default: feed_one(w, *event);
  }
}

/* The same run, whose objects were divided from the start, and of which nothing is left out. */
static void look_whole(Monitor *monitor, const TraceEvent *event, uint32_t part) {
  const bool access = event->op == TRACE_READ || event->op == TRACE_WRITE || event->op == TRACE_FREE;
  TraceEvent one = *event;
  for (uint32_t i = 0; i < 2; i++) {
    if ((access && event->op != TRACE_FREE && part && part != i + 1) || (!access && i)) continue;
    if (access) one.object = PARTS + 2 * event->object + i;
    monitor_feed(monitor, &one, 1);
  }
}

static bool agree_live(uint64_t seed, const TraceEvent *events, uint32_t n, uint32_t *violated) {
  Heap *heap = heap_new(0);
  Watched w = {.monitor = monitor_new(heap, &(MonitorOptions){.all = false})};
  Monitor *whole = monitor_new(heap, &(MonitorOptions){.all = false});
  uint32_t live = 0, then = 0;
  Err err;
  bool good = true;
  for (uint32_t i = 0; i < n && good && !live; i++) {
    const uint32_t part = (uint32_t)(hash_word(seed * 1000 + i) % 3);
    look_live(&w, &events[i], part);
    look_whole(whole, &events[i], part);
    monitor_findings(w.monitor, &live);
    monitor_findings(whole, &then);
    good = live == then && monitor_audit(w.monitor, &err);
  }
  *violated += live > 0;
  heap_free(heap);
  return good;
}

static void what_is_not_known_yet_makes_no_difference(void) {
  /*                          r  w  acq rel fork join begin end start exit free */
  const SerialShape shape = {4, 5, 1, 60, {9, 7, 0, 0, 1, 1, 5, 4, 0, 1, 1}, true};
  TraceEvent events[SERIAL_MAX];
  uint32_t violated = 0;
  for (uint64_t seed = 1; seed <= 4000; seed++) {
    serial_random(seed, &shape, events);
    if (agree_live(seed, events, shape.events, &violated)) continue;
    printf("seed %llu:\n", (unsigned long long)seed);
    show(events, shape.events);
    CU_FAIL("it does");
    break;
  }
  CU_ASSERT_TRUE(violated > 500 && violated < 3900);
  printf("(%u of 4000 runs live not serializable) ", violated);
}

/* ---- the judge ---- */

static void the_judge_accepts_no_other_cycle(void) {
  TraceEvent events[SERIAL_MAX];
  const uint32_t n = parse("T1 begin; T1 w x; T2 r x; T2 w y; T2 free z; T1 r y; T1 end; T1 r x; T3 fork 1", events);
  Heap *heap = heap_new(0);
  Err err;
  const uint64_t transactions[] = {0, 2, 3};
  const JudgeEdge edges[] = {{JUDGE_BY_CONFLICT, 1, 2}, {JUDGE_BY_ORDER, 2, 3}, {JUDGE_BY_CONFLICT, 3, 5}};
  uint32_t accepted = 0;
  for (uint32_t change = 0; change < 9 * 10; change++) {
    uint64_t firsts[3];
    JudgeEdge links[3];
    memcpy(firsts, transactions, sizeof firsts);
    memcpy(links, edges, sizeof links);
    uint64_t *const places[] = {&firsts[0],     &firsts[1],   &firsts[2],     &links[0].from, &links[0].to,
                                &links[1].from, &links[1].to, &links[2].from, &links[2].to};
    *places[change / 10] = change % 10;
    const JudgeCycle cycle = {3, firsts, links};
    RunJudge *judge = run_judge_new(heap, &cycle, 1, &(JudgeOptions){false, false});
    for (uint32_t i = 0; i < n; i++)
      run_judge_see(judge, &(JudgeEvent){events[i].thread, events[i].object, (JudgeOp)events[i].op});
    accepted += run_judge_decide(judge, &err);
    run_judge_free(judge);
  }
  CU_ASSERT_EQUAL(accepted, 9);
  heap_free(heap);
}

void suite_monitor(void) {
  CU_pSuite suite = CU_add_suite("monitor", NULL, NULL);
  CU_ADD_TEST(suite, stories);
  CU_ADD_TEST(suite, stories_in_a_crowd);
  CU_ADD_TEST(suite, by_definition);
  CU_ADD_TEST(suite, many_events);
  CU_ADD_TEST(suite, more_than_64_open_transactions);
  CU_ADD_TEST(suite, memory_does_not_grow);
  CU_ADD_TEST(suite, threads_come_and_go);
  CU_ADD_TEST(suite, memory_runs_out);
  CU_ADD_TEST(suite, what_is_not_known_yet_makes_no_difference);
  CU_ADD_TEST(suite, the_judge_accepts_no_other_cycle);
}
