/* Groups of violations: whatever they are made by, no violation is lost; and what is read before it is written, against
 * an event by event look at the run. */
#include "base/hash.h"
#include "predict/alike.h"
#include "predict/profiles/predict.h"
#include "tests/unit/replay.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

enum { EVENTS = THREADS_EVENTS, RUNS = 5000, OBJECTS = 4, THREADS = 3 };

/* ---- random runs ---- */

/* Blocks of a few places and labels, accesses outside, and now and then a free; in runs of so many events. */
static uint32_t make_runs(uint64_t seed, uint32_t n, TraceEvent *events) {
  bool inside[THREADS] = {0};
  for (uint32_t i = 0; i < EVENTS; i++) {
    if (i % n == 0) memset(inside, 0, sizeof inside);
    const uint64_t random = hash_word(seed * EVENTS + i);
    const uint32_t thread = (uint32_t)random % THREADS, place = (uint32_t)(random >> 8) % 5,
                   what = (uint32_t)(random >> 16) % 16, object = (uint32_t)(random >> 24) % OBJECTS;
    TraceEvent event = {thread, object, place, what & 1 ? TRACE_WRITE : TRACE_READ};
    if (what == 0) event.op = TRACE_FREE;
    if (what == 1) event.op = TRACE_UPDATE;
    if (what > 11 && inside[thread]) event = (TraceEvent){thread, TRACE_NONE, place, TRACE_END};
    else if (what > 11) event = (TraceEvent){thread, object % 2, place, TRACE_BEGIN};
    if (what > 11) inside[thread] = !inside[thread];
    events[i] = event;
  }
  return EVENTS;
}

/* ---- by definition ---- */

static bool reads(const TraceEvent *event) { return event->op == TRACE_READ || event->op == TRACE_UPDATE; }
static bool writes(const TraceEvent *event) { return event->op == TRACE_WRITE || event->op == TRACE_UPDATE; }

/* Was the object written among the events order[0 .. n - 1]? */
static bool is_written(const ThreadRuns *runs, const uint32_t *order, uint32_t n, uint32_t object) {
  for (uint32_t i = 0; i < n; i++)
    if (writes(&runs->events[order[i]]) && threads_object(runs, order[i]) == object) return true;
  return false;
}

/* Is one of its reads, as recorded, before all writes of that run? */
static bool is_given(const ThreadRuns *runs, const uint32_t *recorded, uint32_t object) {
  for (uint32_t i = 0, run = 0; i < runs->n; i++) {
    run += i == runs->ends[run];
    const uint32_t from = run ? runs->ends[run - 1] : 0;
    if (reads(&runs->events[i]) && threads_object(runs, i) == object &&
        !is_written(runs, recorded + from, i - from, object))
      return true;
  }
  return false;
}

static bool reads_unwritten(const ThreadRuns *runs, const Schedule *schedule) {
  uint32_t order[REPLAY_MOST], recorded[EVENTS];
  const int64_t n = replay_schedule(runs, schedule, order);
  for (uint32_t i = 0; i < runs->n; i++) recorded[i] = i;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t object = threads_object(runs, order[i]);
    if (reads(&runs->events[order[i]]) && !is_written(runs, order, i, object) && !is_given(runs, recorded, object))
      return true;
  }
  return false;
}

/* ---- groups ---- */

static bool add_up(const AlikeGroups *groups, uint32_t count, uint32_t splits) {
  uint32_t violations = 0, ways = 0;
  bool good = true;
  for (uint32_t i = 0; i < groups->n; i++) {
    violations += groups->at[i].count;
    ways += groups->at[i].splits;
    good &= groups->at[i].count >= groups->at[i].splits && groups->at[i].best < count;
    good &= i == 0 || groups->at[i - 1].rank <= groups->at[i].rank;
  }
  return good && violations == count && ways == splits;
}

typedef struct {
  uint32_t found, splits, transactions, unwritten, ranks[8];
} Tally;

/* Without those in whose run somebody reads what nobody has written, which come last of all. */
static bool check_likely(Heap *heap, const AlikeFound *found, const AlikeGroups *each) {
  AlikeGroups likely = {0}, splits = {0};
  uint32_t n = 0, count = 0;
  const uint32_t left_out = alike_groups(heap, found, ALIKE_EACH, true, &likely);
  bool good = left_out == alike_groups(heap, found, ALIKE_SPLITS, true, &splits);
  while (n < each->n && !(each->at[n].rank & ALIKE_UNWRITTEN)) n++;
  good &= likely.n == n && left_out == each->n - n;
  for (uint32_t i = 0; i < n && good; i++) good = likely.at[i].best == each->at[i].best;
  for (uint32_t i = 0; i < splits.n; i++) count += splits.at[i].count;
  vec_fini(heap, &likely);
  vec_fini(heap, &splits);
  return good && count == n;
}

static bool check_groups(Heap *heap, const AlikeFound *found, const ThreadRuns *runs, Tally *tally) {
  AlikeGroups each = {0}, splits = {0}, transactions = {0};
  uint32_t left_out = alike_groups(heap, found, ALIKE_EACH, false, &each);
  left_out += alike_groups(heap, found, ALIKE_SPLITS, false, &splits);
  left_out += alike_groups(heap, found, ALIKE_TRANSACTIONS, false, &transactions);
  bool good = left_out == 0 && check_likely(heap, found, &each);
  good &= each.n == found->n_cycles && add_up(&each, each.n, splits.n) && add_up(&splits, each.n, splits.n) &&
          add_up(&transactions, each.n, splits.n);
  good &= each.n == 0 || (each.at[0].best == splits.at[0].best && each.at[0].best == transactions.at[0].best);
  for (uint32_t i = 0; i < each.n; i++) {
    const bool unwritten = reads_unwritten(runs, found->schedules[each.at[i].best]);
    good &= unwritten == ((each.at[i].rank & ALIKE_UNWRITTEN) != 0);
    tally->unwritten += unwritten;
    tally->ranks[each.at[i].rank]++;
  }
  tally->found += each.n;
  tally->splits += splits.n;
  tally->transactions += transactions.n;
  vec_fini(heap, &each);
  vec_fini(heap, &splits);
  vec_fini(heap, &transactions);
  return good;
}

static bool check_run(uint64_t seed, Tally *tally) {
  TraceEvent events[EVENTS];
  const uint32_t n_runs = 1 + seed % 2, ends[] = {EVENTS / n_runs, EVENTS}, end = make_runs(seed, ends[0], events);
  const uint64_t second = ends[0];
  const ThreadRuns runs = {events, end, n_runs, ends, false};
  Heap *heap = heap_new(0);
  Prediction *p = predict_new(heap, &(PredictOptions){.all = true});
  predict_feed(p, events, ends[0]);
  if (n_runs > 1) predict_next_run(p);
  predict_feed(p, events + ends[0], end - ends[0]);
  predict_finish(p);
  AlikeFound found = {.events = events, .n = end, .runs = &second, .n_runs = n_runs};
  found.cycles = predict_cycles(p, &found.n_cycles);
  const Schedule **schedules = heap_alloc(heap, (found.n_cycles + 1) * sizeof *schedules);
  for (uint32_t i = 0; i < found.n_cycles; i++) schedules[i] = predict_schedule(p, i);
  found.schedules = schedules;
  const bool good = check_groups(heap, &found, &runs, tally);
  heap_release(heap, schedules);
  predict_free(p);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
  return good;
}

static void counts_add_up(void) {
  Tally tally = {0};
  bool good = true;
  for (uint64_t seed = 1; seed <= RUNS && good; seed++) {
    good = check_run(seed, &tally);
    if (!good) printf("seed %u\n", (unsigned)seed);
  }
  CU_ASSERT_TRUE(good);
  CU_ASSERT_TRUE(tally.found > tally.splits && tally.splits > tally.transactions && tally.transactions > 0);
  CU_ASSERT_TRUE(tally.unwritten > 100);
  for (uint32_t rank = 0; rank < 8; rank++) CU_ASSERT_TRUE(tally.ranks[rank] > 0);
}

void suite_alike(void) {
  CU_pSuite suite = CU_add_suite("alike", NULL, NULL);
  CU_ADD_TEST(suite, counts_add_up);
}
