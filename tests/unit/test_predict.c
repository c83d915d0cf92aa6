/* Prediction against brute force; each run that is predicted is replayed, and must be seen by the monitor. */
#include "base/hash.h"
#include "predict/combine.h"
#include "predict/profiles/predict.h"
#include "serial/monitor.h"
#include "tests/oracle/serial_runs.h"
#include "tests/unit/random_run.h"
#include "tests/unit/replay.h"
#include "tests/unit/threads_oracle.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const ThreadRuns *runs) {
  for (uint32_t i = 0, run = 0; i < runs->n; i++) {
    if (i == runs->ends[run]) puts("---"), run++;
    printf("%3u T%u|%s(%d)\n", i, runs->events[i].thread, RUN_OPS[runs->events[i].op], (int)runs->events[i].object);
  }
}

static void show_found(const Prediction *p) {
  uint32_t n;
  const Cycle *cycles = predict_cycles(p, &n);
  for (uint32_t c = 0; c < n; c++) {
    for (uint32_t i = 0; i < cycles[c].n; i++)
      printf("T%u: in %u, out %u; ", cycles[c].visits[i].thread, (unsigned)cycles[c].visits[i].in,
             (unsigned)cycles[c].visits[i].out);
    const Schedule *schedule = predict_schedule(p, c);
    for (uint32_t i = 0; i < schedule->n; i++)
      printf(" T%u to %u", schedule->at[i].thread, (unsigned)schedule->at[i].until);
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

static Prediction *predicted(Heap *heap, const ThreadRuns *runs, How how, Verdict *verdict) {
  Prediction *p = predict_new(heap, &(PredictOptions){.all = how.all, .budget = how.budget});
  if (how.survey) feed_runs(p, runs, predict_survey);
  if (how.survey) predict_next_run(p);
  feed_runs(p, runs, predict_feed);
  *verdict = predict_finish(p);
  return p;
}

/* ---- a schedule, and its cycle ---- */

/* Is the cycle in the run? */
static bool cycle_is_there(const ThreadRuns *runs, const Cycle *cycle, const uint32_t *order, uint32_t n) {
  for (uint32_t i = 0; i < cycle->n; i++) {
    const CycleVisit *visit = &cycle->visits[i], *next = &cycle->visits[(i + 1) % cycle->n];
    const int64_t out = replay_place(order, n, visit->out), in = replay_place(order, n, next->in);
    if (out < 0 || in < 0 || out >= in) return false;
    if (runs->events[visit->out].thread != visit->thread || runs->events[visit->in].thread != visit->thread)
      return false;
  }
  const CycleVisit *split = &cycle->visits[0];
  return cycle->n >= 2 && split->out < split->in &&
         threads_transaction(runs, (uint32_t)split->out) == threads_transaction(runs, (uint32_t)split->in);
}

static bool has_relations(const ThreadRuns *runs) {
  for (uint32_t i = 0; i < runs->n; i++)
    if (TRACE_SORT[runs->events[i].op] == TRACE_ON_THREAD || runs->events[i].op == TRACE_WAIT) return true;
  return false;
}

static bool schedule_is_true(const ThreadRuns *runs, const Cycle *cycle, const Schedule *schedule) {
  uint32_t order[THREADS_EVENTS];
  const int64_t n = replay_schedule(runs, schedule, order);
  if (n < 0 || !threads_can_run(runs, order, (uint32_t)n) || !cycle_is_there(runs, cycle, order, (uint32_t)n))
    return false;
  if (!has_relations(runs) && schedule->at[schedule->n - 1].until != cycle->visits[0].in) return false;
  return replay_is_violated(runs, order, (uint32_t)n, MONITOR_CG) &&
         replay_is_violated(runs, order, (uint32_t)n, MONITOR_SCG);
}

static bool all_true(const ThreadRuns *runs, const Prediction *p, Verdict verdict) {
  uint32_t n;
  const Cycle *cycles = predict_cycles(p, &n);
  if ((n > 0) != (verdict == VERDICT_VIOLATED)) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!schedule_is_true(runs, &cycles[i], predict_schedule(p, i))) return false;
  return true;
}

/* ---- tiny random runs ---- */

typedef struct {
  uint32_t runs, violated, observed, longer, unknown, shorter;
} Tally;

static bool is_observed(const ThreadRuns *runs) {
  uint32_t order[THREADS_EVENTS];
  for (uint32_t i = 0; i < runs->n; i++) order[i] = i;
  return runs->n_runs == 1 && replay_is_violated(runs, order, runs->n, MONITOR_CG);
}

/* How many events the schedules have. */
static int64_t count_played(const ThreadRuns *runs, const Prediction *p) {
  uint32_t n, order[THREADS_EVENTS];
  int64_t played = 0;
  predict_cycles(p, &n);
  for (uint32_t i = 0; i < n; i++) played += replay_schedule(runs, predict_schedule(p, i), order);
  return played;
}

/* What is said after another look at the events is true, too, and no longer. */
static bool nearer_are_true(const ThreadRuns *runs, Prediction *p, Verdict verdict, Tally *tally) {
  const int64_t before = count_played(runs, p);
  if (predict_seek(p, runs->events, runs->n / 2)) predict_seek(p, runs->events + runs->n / 2, runs->n - runs->n / 2);
  predict_sought(p);
  const int64_t after = count_played(runs, p);
  tally->shorter += after < before;
  return after <= before && all_true(runs, p, verdict);
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
    Verdict verdict;
    Prediction *p = predicted(heap, runs, (How){how & 1, how >> 1 & 1, 0}, &verdict);
    uint32_t n;
    const Cycle *cycles = predict_cycles(p, &n);
    tally->longer += how == 0 && n == 1 && cycles[0].n > 2;
    tally->unknown += how == 0 && verdict == VERDICT_UNKNOWN;
    if (verdict == VERDICT_UNKNOWN) good &= may_be_unknown && (predict_is_partial(p) || predict_has_refused(p));
    else good &= (verdict == VERDICT_VIOLATED) == violated;
    good &= all_true(runs, p, verdict) && nearer_are_true(runs, p, verdict, tally);
    if (how & 1) good &= n == 0 || verdict == VERDICT_VIOLATED;
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
  printf(
      "(%u runs, %u violated, %u of them as they were, %u by more than two threads, %u unknown, %u shorter at second sight) ",
      tally->runs, tally->violated, tally->observed, tally->longer, tally->unknown, tally->shorter);
}

/*                                              r  w  acq rel fork join begin end start exit free */
static const SerialShape PLAIN = {3, 2, 2, 12, {6, 6, 0, 0, 0, 0, 4, 2, 0, 0, 0}, true};
static const SerialShape SPARSE = {4, 4, 2, 16, {8, 6, 0, 0, 0, 0, 3, 2, 0, 0, 0}, true};
static const SerialShape PROPER = {4, 2, 2, 16, {6, 6, 1, 1, 2, 2, 3, 2, 1, 1, 0}, true};
static const SerialShape WILD = {4, 2, 2, 14, {6, 6, 1, 1, 1, 1, 4, 1, 1, 1, 1}, false};

/* With all operations, the older ones first: rmw sacq srel try stry sig wait */
static const SerialShape HANDED = {3, 2, 2, 14, {5, 5, 0, 0, 0, 0, 4, 2, 0, 0, 0, 3, 0, 0, 0, 0, 4, 4}, true};
static const SerialShape HANDED_MANY = {4, 4, 2, 16, {6, 6, 1, 1, 0, 0, 3, 2, 0, 0, 1, 2, 1, 1, 1, 1, 2, 2}, true};
static const SerialShape HANDED_PROPER = {4, 2, 2, 16, {5, 5, 0, 0, 2, 2, 3, 2, 1, 1, 0, 2, 0, 0, 0, 0, 3, 3}, true};
static const SerialShape HANDED_WILD = {4, 2, 2, 14, {6, 6, 1, 1, 1, 1, 4, 1, 1, 1, 1, 2, 0, 0, 0, 0, 3, 3}, false};

static void with_updates_and_handovers(void) {
  Tally tally = {0};
  random_runs(&HANDED, 800000, 2500, &tally);
  random_runs(&HANDED_MANY, 900000, 2500, &tally);
  random_runs(&HANDED_PROPER, 1000000, 2500, &tally);
  random_runs(&HANDED_WILD, 1100000, 2500, &tally);
  print_tally(&tally);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 20 && tally.longer > 6);
}

static void by_brute_force(void) {
  Tally tally = {0};
  random_runs(&PLAIN, 1, 2500, &tally);
  random_runs(&SPARSE, 100000, 2500, &tally);
  print_tally(&tally);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 10 && tally.violated < tally.runs / 10 * 9 && tally.longer > 6);
}

static void with_fork_and_join(void) {
  Tally tally = {0};
  random_runs(&PROPER, 200000, 2500, &tally);
  random_runs(&WILD, 300000, 2500, &tally);
  print_tally(&tally);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 10 && tally.violated < tally.runs / 10 * 9);
}

/* ---- longer cycles ---- */

/* Threads in a ring: each uses an object that it shares with the one before, and one that it shares with the next,
 * mostly once and in one transaction. So most cycles go through all of them. */
static uint32_t ring_run(uint64_t seed, bool relations, TraceEvent *events) {
  const uint32_t k = 3 + (uint32_t)(hash_word(seed) % 3), n = 4 * k;
  uint32_t depth[8] = {0}, used[8] = {0};
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t random = hash_join(seed, i);
    const uint32_t t = (uint32_t)(random % k), what = (uint32_t)(random >> 8 & 15);
    const uint32_t object = used[t] < 2 || what == 1 ? (t + used[t]++ + (uint32_t)(seed >> 3 & 1)) % k : 10 + t;
    TraceEvent event = {t, object, i, random >> 17 & 3 ? TRACE_WRITE : TRACE_READ};
    if (depth[t] == 0 && what < 14) event.op = TRACE_BEGIN, event.object = t, depth[t]++;
    else if (depth[t] && what == 0) event.op = TRACE_END, event.object = TRACE_NONE, depth[t]--;
    else if (relations && what == 2)
      event.op = random >> 30 & 1 ? TRACE_FORK : TRACE_JOIN, event.object = (uint32_t)(random >> 20) % k;
    if (event.op > TRACE_WRITE && object < 10) used[t]--;
    events[i] = event;
  }
  return n;
}

static void of_many_threads(void) {
  Tally tally = {0};
  TraceEvent events[THREADS_EVENTS];
  for (uint64_t seed = 700000; seed < 702000; seed++) {
    const uint32_t end = ring_run(seed, seed & 1, events);
    const ThreadRuns runs = {events, end, 1, &end, false};
    if (agree(&runs, &tally)) continue;
    printf("seed %llu:\n", (unsigned long long)seed);
    show(&runs);
    CU_FAIL("prediction and brute force disagree");
    break;
  }
  print_tally(&tally);
  CU_ASSERT_TRUE(tally.longer > 100);
}

/* ---- several runs ---- */

static void merged_runs(const SerialShape *shape, uint64_t first, uint32_t n, Tally *tally) {
  TraceEvent events[3 * THREADS_EVENTS];
  for (uint64_t seed = first; seed < first + n; seed++) {
    uint32_t ends[3], n_runs = seed % 5 ? 2 : 3, end = 0;
    for (uint32_t run = 0; run < n_runs; run++) ends[run] = end += random_run(3 * seed + run, shape, events + end);
    const ThreadRuns runs = {events, end, n_runs, ends, false};
    if (agree(&runs, tally)) continue;
    printf("seed %llu:\n", (unsigned long long)seed);
    show(&runs);
    CU_FAIL("prediction and brute force disagree");
    return;
  }
}

/*                                                   r  w  acq rel fork join begin end start exit free */
static const SerialShape SHORT = {3, 3, 2, 9, {6, 6, 0, 0, 0, 0, 4, 2, 0, 0, 1}, true};
static const SerialShape SHORT_PROPER = {3, 2, 2, 10, {6, 6, 0, 0, 2, 2, 3, 2, 1, 1, 0}, true};

static const SerialShape SHORT_HANDED = {3, 2, 2, 10, {6, 6, 0, 0, 0, 0, 3, 2, 0, 0, 0, 2, 0, 0, 0, 0, 2, 2}, true};
static const SerialShape SHORT_ALL = {3, 2, 2, 10, {6, 6, 0, 0, 1, 1, 3, 2, 1, 1, 0, 2, 0, 0, 0, 0, 1, 1}, true};

static void of_several_runs(void) {
  Tally tally = {0};
  merged_runs(&SHORT_HANDED, 1200000, 700, &tally);
  merged_runs(&SHORT_ALL, 1300000, 700, &tally);
  merged_runs(&SHORT, 400000, 1200, &tally);
  merged_runs(&SHORT_PROPER, 500000, 1200, &tally);
  print_tally(&tally);
  CU_ASSERT_TRUE(tally.violated > tally.runs / 10 && tally.violated < tally.runs / 10 * 9 &&
                 tally.unknown < tally.runs / 25);
}

/* ---- all pairs ---- */

static bool conflict(const ThreadRuns *runs, uint64_t i, uint64_t j) {
  const TraceEvent *a = &runs->events[i], *b = &runs->events[j];
  return a->op <= TRACE_WRITE && b->op <= TRACE_WRITE && (a->op == TRACE_WRITE || b->op == TRACE_WRITE) &&
         threads_object(runs, (uint32_t)i) == threads_object(runs, (uint32_t)j);
}

/* Is it a pair by definition? Thread 0 is split, thread 1 goes through one transaction, or an earlier and a later one.
 */
static bool is_pair(const ThreadRuns *runs, const uint32_t *e) {
  const uint32_t out = e[0], in = e[1], other_in = e[2], other_out = e[3];
  const TraceEvent *events = runs->events;
  if (out >= in || events[out].thread != events[in].thread || events[out].thread == events[other_in].thread)
    return false;
  if (events[other_in].thread != events[other_out].thread || !conflict(runs, out, other_in)) return false;
  if (!conflict(runs, other_out, in) || threads_transaction(runs, out) != threads_transaction(runs, in)) return false;
  return threads_transaction(runs, other_in) <= threads_transaction(runs, other_out);
}

typedef struct {
  uint64_t low, high;
} Pair;

static Pair pair_of(const uint32_t *e) {
  const uint64_t a = (uint64_t)e[1] << 32 | e[0], b = (uint64_t)e[2] << 32 | e[3];
  return a < b ? (Pair){a, b} : (Pair){b, a};
}

static bool add_pair(Pair *pairs, uint32_t *n, Pair pair) {
  for (uint32_t i = 0; i < *n; i++)
    if (pairs[i].low == pair.low && pairs[i].high == pair.high) return false;
  pairs[(*n)++] = pair;
  return true;
}

static uint32_t pairs_by_definition(const ThreadRuns *runs, Pair *pairs) {
  uint32_t found = 0, e[4];
  for (e[0] = 0; e[0] < runs->n; e[0]++)
    for (e[1] = e[0] + 1; e[1] < runs->n; e[1]++)
      for (e[2] = 0; e[2] < runs->n; e[2]++)
        for (e[3] = 0; e[3] < runs->n && conflict(runs, e[0], e[2]); e[3]++)
          if (is_pair(runs, e)) add_pair(pairs, &found, pair_of(e));
  return found;
}

/* Each event has a place of its own in a random run, so each pair of visits is to be found, once. */
static void all_pairs(void) {
  static Pair pairs[THREADS_EVENTS * THREADS_EVENTS * THREADS_EVENTS];
  TraceEvent events[THREADS_EVENTS];
  uint32_t total = 0;
  for (uint64_t seed = 600000; seed < 601000; seed++) {
    const uint32_t end = random_run(seed, &PLAIN, events);
    const ThreadRuns runs = {events, end, 1, &end, false};
    Heap *heap = heap_new(0);
    Verdict verdict;
    Prediction *p = predicted(heap, &runs, (How){.all = true}, &verdict);
    const uint32_t expected = pairs_by_definition(&runs, pairs);
    uint32_t n, n_pairs = 0, known = expected;
    const Cycle *cycles = predict_cycles(p, &n);
    for (uint32_t i = 0; i < n; i++) {
      const CycleVisit *v = cycles[i].visits;
      if (cycles[i].n > 2) continue;
      n_pairs++;
      const uint32_t e[] = {(uint32_t)v[0].out, (uint32_t)v[0].in, (uint32_t)v[1].in, (uint32_t)v[1].out};
      add_pair(pairs, &known, pair_of(e));
    }
    if (n_pairs != expected || known != expected) {
      printf("seed %llu: %u pairs, %u by definition\n", (unsigned long long)seed, n_pairs, expected);
      show(&runs);
      show_found(p);
      CU_FAIL("other pairs than by definition");
      seed = UINT64_MAX - 1;
    }
    total += expected;
    heap_free(heap);
  }
  printf("(%u pairs) ", total);
  CU_ASSERT_TRUE(total > 1000);
}

/* ---- the combination, given matrices ---- */

/* What a thread of the run can do, as of a program: its accesses, and both relations by definition. */
typedef struct {
  ThreadProfiles it;
  uint32_t events[THREADS_EVENTS]; /* per access */
  ProfileAccess accesses[THREADS_EVENTS];
  uint64_t before_bits[THREADS_EVENTS], split_bits[THREADS_EVENTS];
  uint64_t *before[THREADS_EVENTS], *split[THREADS_EVENTS];
} Matrices;

static void fill_matrices(const ThreadRuns *runs, uint32_t thread, Matrices *m) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < runs->n; i++) {
    const TraceEvent *event = &runs->events[i];
    if (event->thread != thread || event->op > TRACE_WRITE) continue;
    m->events[n] = i;
    m->before[n] = &m->before_bits[n];
    m->split[n] = &m->split_bits[n];
    m->accesses[n++] = (ProfileAccess){event->object, i, event->op == TRACE_WRITE};
  }
  for (uint32_t x = 0; x < n; x++)
    for (uint32_t y = 0; y < n; y++) {
      const uint32_t t = threads_transaction(runs, m->events[x]), u = threads_transaction(runs, m->events[y]);
      m->before_bits[x] |= (uint64_t)(t <= u) << y;
      m->split_bits[x] |= (uint64_t)(t == u && x < y) << y;
    }
  m->it = (ThreadProfiles){thread, n, m->accesses, m->before, m->split};
}

static Verdict combine_matrices(Heap *heap, const ThreadRuns *runs) {
  Matrices *matrices = heap_zeroed(heap, 4 * sizeof *matrices);
  CombinePlayer players[4];
  for (uint32_t t = 0; t < 4; t++) {
    fill_matrices(runs, t, &matrices[t]);
    players[t] = combine_player(heap, &matrices[t].it);
  }
  Combine *combine = combine_new(heap, players, 4, NULL, &(PredictOptions){0});
  const Verdict verdict = combine_run(combine);
  combine_free(combine);
  for (uint32_t t = 0; t < 4; t++) combine_player_release(heap, &players[t]);
  heap_release(heap, matrices);
  return verdict;
}

static void of_matrices(void) {
  TraceEvent events[THREADS_EVENTS];
  uint32_t found = 0;
  for (uint64_t seed = 800000; seed < 802000; seed++) {
    const uint32_t end = random_run(seed, &SPARSE, events);
    const ThreadRuns runs = {events, end, 1, &end, false};
    Heap *heap = heap_new(0);
    const uint64_t before = heap_used(heap);
    const Verdict verdict = combine_matrices(heap, &runs);
    const bool good = (verdict == VERDICT_VIOLATED) == threads_violated(&runs) && heap_used(heap) == before;
    found += verdict == VERDICT_VIOLATED;
    heap_free(heap);
    if (good) continue;
    printf("seed %llu:\n", (unsigned long long)seed);
    show(&runs);
    CU_FAIL("the combination and brute force disagree");
    break;
  }
  CU_ASSERT_TRUE(found > 200);
}

/* ---- runs with a story ---- */

/* "T1 begin; T1 w x; T2 r x": threads T0 to T9, objects of one letter, forks and joins of thread numbers. */
static uint32_t parse(const char *text, TraceEvent *events) {
  uint32_t n = 0;
  for (; text; text = strchr(text, ';') ? strchr(text, ';') + 1 : NULL, n++) {
    char op[10], object = 0;
    unsigned thread;
    const int fields = sscanf(text, " T%u %9[a-z] %c", &thread, op, &object);
    events[n] = (TraceEvent){.thread = thread, .object = TRACE_NONE, .location = n, .op = TRACE_OPS};
    for (uint8_t i = 0; i < TRACE_OPS; i++)
      if (strcmp(RUN_OPS[i], op) == 0) events[n].op = i;
    if (fields == 3 && object != ';') events[n].object = (uint32_t)(object >= 'a' ? object - 'a' : object - '0');
  }
  return n;
}

typedef struct {
  const char *run;
  uint32_t threads; /* of a shortest cycle; 0: there is none */
} Story;

static const Story STORIES[] = {
    /* the lost update, which did not happen */
    {"T1 begin; T1 r x; T1 w x; T1 end; T2 begin; T2 r x; T2 w x; T2 end", 2},
    {"T1 begin; T1 r x; T1 w x; T1 end; T2 w x", 2},
    {"T1 begin; T1 r x; T1 end; T1 begin; T1 w x; T1 end; T2 w x", 0},
    /* locks are nothing */
    {"T1 begin; T1 acq l; T1 r x; T1 w x; T1 rel l; T1 end; T2 acq l; T2 w x; T2 rel l", 2},
    /* reads do not conflict; one thread alone; what is freed is another object */
    {"T1 begin; T1 r x; T1 r x; T1 end; T2 r x", 0},
    {"T1 begin; T1 r x; T1 w x; T1 end; T1 w x", 0},
    {"T1 begin; T1 w x; T1 free x; T1 w x; T1 end; T2 w x", 0},
    {"T1 begin; T1 w x; T1 w x; T1 end; T1 free x; T2 w x", 0},
    {"T2 w x; T1 begin; T1 w x; T1 w x; T1 free x; T1 end", 2},
    /* an earlier transaction of T2, and a later one */
    {"T1 begin; T1 r x; T1 r y; T1 end; T2 w x; T2 w y", 2},
    {"T1 begin; T1 r x; T1 r y; T1 end; T2 w y; T2 w x", 0},
    {"T1 begin; T1 r x; T1 r y; T1 end; T2 begin; T2 w y; T2 w x", 2},
    /* three threads, and not the same one twice */
    {"T1 begin; T1 w x; T1 r z; T1 end; T2 r x; T2 w y; T3 r y; T3 w z", 3},
    {"T1 begin; T1 w x; T1 r z; T1 end; T2 r x; T2 w y; T3 r y; T3 w a; T2 r a; T2 w z", 2},
    {"T1 begin; T1 w x; T1 r z; T1 end; T2 w z; T2 r x; T2 w y; T3 r y; T3 w a; T2 r a", 0},
    {"T1 begin; T1 w x; T1 r z; T1 end; T2 r a; T2 w z; T2 r x; T2 w y; T3 r y; T3 w a", 0},
    {"T1 begin; T1 w x; T1 r z; T1 end; T2 r x; T2 w y; T3 r y; T3 w a; T4 r a; T4 w z", 4},
    /* fork and join keep what is before and after; within a transaction they are the violation */
    {"T1 w x; T1 begin; T1 r x; T1 w x; T1 end; T1 fork 2; T2 w x", 0},
    {"T1 fork 2; T2 w x; T1 join 2; T1 begin; T1 r x; T1 w x", 0},
    {"T1 fork 2; T2 w x; T1 begin; T1 r x; T1 w x; T1 end; T1 join 2", 2},
    {"T1 begin; T1 fork 2; T2 r x; T1 join 2; T1 end", 2},
    {"T1 begin; T1 fork 2; T1 join 2; T1 end", 0},
    {"T1 begin; T1 r x; T1 fork 2; T2 w x; T1 end", 0},
    {"T1 begin; T1 r x; T1 fork 2; T2 w x; T1 w x; T1 end", 2},
    {"T1 begin; T1 w x; T1 fork 2; T1 r x; T1 end; T2 w y; T3 r y; T3 w x", 2},
    /* T1 and T3 must be split, both, or the cycle has five: T2 and T4 wait for each other between the two events of
       each */
    {"T1 begin; T1 w a; T1 r d; T1 end; T3 begin; T3 w c; T3 r b; T3 end; T2 r a; T2 fork 5; T5 fork 6; T6 fork 7; T7 start;"
     "T4 r c; T4 fork 0; T0 fork 8; T8 fork 9; T9 start; T2 join 9; T4 join 7; T2 w b; T4 w d",
     4},
    /* a joined number stands for another thread, which comes later */
    {"T1 begin; T1 r x; T1 w x; T1 end; T1 fork 2; T2 r y; T1 join 2; T2 w x", 0},
    {"T2 r y; T1 join 2; T2 w x; T1 begin; T1 r x; T1 w x; T1 end", 2},
};

static void stories(void) {
  TraceEvent events[THREADS_EVENTS];
  for (size_t i = 0; i < sizeof STORIES / sizeof *STORIES; i++) {
    Tally tally = {0};
    const uint32_t end = parse(STORIES[i].run, events);
    const ThreadRuns runs = {events, end, 1, &end, false};
    Heap *heap = heap_new(0);
    Verdict verdict;
    uint32_t n;
    const Cycle *cycles = predict_cycles(predicted(heap, &runs, (How){0}, &verdict), &n);
    const uint32_t threads = n ? cycles[0].n : 0;
    CU_ASSERT_EQUAL(threads, STORIES[i].threads);
    CU_ASSERT_TRUE(agree(&runs, &tally));
    if (threads != STORIES[i].threads) printf("%u: %s\n", threads, STORIES[i].run);
    heap_free(heap);
  }
}

/* ---- large ones ---- */

/* k threads that use the same n objects, all of them in one transaction each; a thread reads where it is first, so
 * there is no pair and no longer cycle. With `late`, thread k writes the last object first, and the first one last,
 * each by itself: a cycle for each. */
static void feed_large(Prediction *p, uint32_t k, uint32_t n, bool late) {
  for (uint32_t t = 0; t < k; t++) {
    predict_feed(p, &(TraceEvent){t, 0, 1, TRACE_BEGIN}, 1);
    for (uint32_t x = 0; x < n; x++) predict_feed(p, &(TraceEvent){t, x, 2, TRACE_READ}, 1);
    predict_feed(p, &(TraceEvent){t, TRACE_NONE, 3, TRACE_END}, 1);
  }
  predict_feed(p, &(TraceEvent){k, late ? 0 : n - 1, 4, TRACE_WRITE}, 1);
  predict_feed(p, &(TraceEvent){k, late ? n - 1 : 0, 5, TRACE_WRITE}, 1);
}

static void large_transactions(void) {
  for (uint32_t how = 0; how < 4; how++) {
    Heap *heap = heap_new(0);
    uint32_t n;
    Prediction *p = predict_new(heap, &(PredictOptions){.all = how & 2});
    feed_large(p, 50, 10000, how & 1);
    CU_ASSERT_EQUAL(predict_finish(p), how & 1 ? VERDICT_VIOLATED : VERDICT_HOLDS);
    const Cycle *cycles = predict_cycles(p, &n);
    CU_ASSERT_EQUAL(n, how & 1);
    if (n) CU_ASSERT_TRUE(cycles[0].n == 2 && cycles[0].visits[0].thread < 50 && cycles[0].visits[1].thread == 50);
    heap_free(heap);
  }
}

/* A ring of k threads, each with many objects: the only cycle goes through all of them. */
static void large_ring(void) {
  enum { K = 50, N = 200 };
  Heap *heap = heap_new(0);
  Prediction *p = predict_new(heap, &(PredictOptions){0});
  for (uint32_t t = 0; t < K; t++) {
    predict_feed(p, &(TraceEvent){t, 0, 1, TRACE_BEGIN}, 1);
    for (uint32_t x = 0; x < N; x++) predict_feed(p, &(TraceEvent){t, K + x, 2, TRACE_READ}, 1);
    predict_feed(p, &(TraceEvent){t, t, 3, TRACE_WRITE}, 1);
    predict_feed(p, &(TraceEvent){t, (t + 1) % K, 4, TRACE_WRITE}, 1);
  }
  uint32_t n;
  CU_ASSERT_EQUAL(predict_finish(p), VERDICT_VIOLATED);
  const Cycle *cycles = predict_cycles(p, &n);
  CU_ASSERT_TRUE(n == 1 && cycles[0].n == K);
  heap_free(heap);
}

/* The same transactions again and again. */
static uint64_t bytes_after(uint32_t rounds) {
  Heap *heap = heap_new(0);
  Prediction *p = predict_new(heap, &(PredictOptions){0});
  for (uint32_t i = 0; i < rounds; i++)
    for (uint32_t t = 0; t < 4; t++) {
      predict_feed(p, &(TraceEvent){t, 0, 1, TRACE_BEGIN}, 1);
      for (uint32_t x = 0; x < 20 + hash_word(i) % 20; x++)
        predict_feed(p, &(TraceEvent){t, (t + x) % 10, 2, x & 1}, 1);
      predict_feed(p, &(TraceEvent){t, TRACE_NONE, 3, TRACE_END}, 1);
      predict_feed(p, &(TraceEvent){t, 5, 4, TRACE_READ}, 1);
    }
  const uint64_t bytes = heap_peak(heap);
  heap_free(heap);
  return bytes;
}

static void memory_does_not_grow(void) { CU_ASSERT_EQUAL(bytes_after(1000), bytes_after(100000)); }

/* An open transaction of any length, with few objects. */
static void long_transaction(void) {
  Heap *heap = heap_new(0);
  Prediction *p = predict_new(heap, &(PredictOptions){0});
  predict_feed(p, &(TraceEvent){0, 0, 1, TRACE_BEGIN}, 1);
  for (uint32_t i = 0; i < 1000000; i++)
    predict_feed(p, &(TraceEvent){0, (uint32_t)(hash_word(i) % 100), 2, TRACE_READ}, 1);
  predict_feed(p, (TraceEvent[]){{0, 200, 3, TRACE_READ}, {1, 200, 4, TRACE_WRITE}, {1, 7, 5, TRACE_READ}}, 3);
  CU_ASSERT_TRUE(heap_peak(heap) < 1000000);
  CU_ASSERT_EQUAL(predict_finish(p), VERDICT_HOLDS);
  predict_free(p);
  heap_free(heap);
}

/* ---- limits ---- */

static void budget_is_a_limit(void) {
  TraceEvent events[THREADS_EVENTS];
  const uint32_t end = parse(STORIES[17 - 1].run, events);
  const ThreadRuns runs = {events, end, 1, &end, false};
  for (uint64_t budget = 1; budget < 3; budget++) {
    Heap *heap = heap_new(0);
    Verdict verdict;
    Prediction *p = predicted(heap, &runs, (How){.budget = budget}, &verdict);
    CU_ASSERT_EQUAL(verdict, VERDICT_UNKNOWN);
    CU_ASSERT_TRUE(predict_is_partial(p));
    heap_free(heap);
  }
}

typedef struct {
  Heap *heap;
  const ThreadRuns *runs;
  How how;
} Task;

static void predict_task(void *argument) {
  const Task *task = argument;
  Verdict verdict;
  predict_free(predicted(task->heap, task->runs, task->how, &verdict));
}

static void memory_runs_out(void) {
  TraceEvent events[2 * THREADS_EVENTS];
  for (uint64_t seed = 1; seed < 7; seed++) {
    uint32_t ends[2], end = 0;
    for (uint32_t run = 0; run < 2; run++)
      ends[run] = end += random_run(900000 + 2 * seed + run, &SHORT_PROPER, events + end);
    if (seed & 1) end = ends[0] = ring_run(700000 + seed, seed & 2, events);
    const ThreadRuns runs = {events, end, seed & 1 ? 1 : 2, ends, false};
    bool done = false;
    for (uint64_t nth = 1; !done; nth++) {
      Heap *heap = heap_new(0);
      const uint64_t before = heap_used(heap);
      heap_fail_at(heap, nth);
      done = heap_try(heap, predict_task, &(Task){heap, &runs, {seed & 2, seed & 4, 0}});
      if (done) CU_ASSERT_EQUAL(heap_used(heap), before);
      heap_free(heap);
    }
  }
}

void suite_predict(void) {
  CU_pSuite suite = CU_add_suite("predict", NULL, NULL);
  CU_ADD_TEST(suite, stories);
  CU_ADD_TEST(suite, of_matrices);
  CU_ADD_TEST(suite, large_transactions);
  CU_ADD_TEST(suite, large_ring);
  CU_ADD_TEST(suite, memory_does_not_grow);
  CU_ADD_TEST(suite, long_transaction);
  CU_ADD_TEST(suite, budget_is_a_limit);
  CU_ADD_TEST(suite, memory_runs_out);
  CU_ADD_TEST(suite, of_many_threads);
  CU_ADD_TEST(suite, of_several_runs);
  CU_ADD_TEST(suite, all_pairs);
  CU_ADD_TEST(suite, by_brute_force);
  CU_ADD_TEST(suite, with_fork_and_join);
  CU_ADD_TEST(suite, with_updates_and_handovers);
}
