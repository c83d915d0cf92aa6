/* Which functions are atomic in a run, by serial/calls.h, and by asking about each one alone: of the other engines, and
 * of the definition. */
#include "serial/calls.h"

#include "serial/monitor.h"
#include "tests/oracle/serial_runs.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

enum { THREADS = 8, LABELS = 4, DEPTH = SERIAL_MAX };

typedef struct {
  bool kept[THREADS][DEPTH];
  uint32_t depth[THREADS];
} Stacks;

/* Does the begin, or the end, belong to a call of the function? `only`: to the one that begins there, if that is not
 * UINT32_MAX. */
static bool is_of(Stacks *stacks, const TraceEvent *event, uint32_t index, uint32_t label, uint32_t only) {
  const uint32_t t = event->thread;
  if (event->op == TRACE_EXIT) stacks->depth[t] = 0;
  if (event->op == TRACE_BEGIN)
    return stacks->kept[t][stacks->depth[t]++] = event->object == label && (only == UINT32_MAX || only == index);
  if (event->op != TRACE_END) return true;
  return stacks->depth[t] > 0 && stacks->kept[t][--stacks->depth[t]];
}

/* The run without the calls of other functions. */
static uint32_t alone(const TraceEvent *events, uint32_t n, uint32_t label, uint32_t only, TraceEvent *to) {
  Stacks stacks = {0};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++)
    if (is_of(&stacks, &events[i], i, label, only)) to[kept++] = events[i];
  return kept;
}

static bool is_violated(const TraceEvent *events, uint32_t n, bool locks, MonitorEngine engine) {
  Heap *heap = heap_new(0);
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){engine, MONITOR_CAUSAL, locks, false});
  monitor_feed(monitor, events, n);
  const bool found = monitor_finish(monitor);
  monitor_free(monitor);
  heap_free(heap);
  return found;
}

static bool is_split_by_definition(const TraceEvent *events, uint32_t n, bool locks) {
  static SerialRun run;
  serial_study(&run, events, n, locks);
  return !serial_causal(&run, events);
}

/* Three times; all must say the same. */
static bool ask(const TraceEvent *events, uint32_t n, bool locks, bool *same) {
  const bool scg = is_violated(events, n, locks, MONITOR_SCG), vc = is_violated(events, n, locks, MONITOR_VC);
  if (scg != vc || (n <= SERIAL_MAX && is_split_by_definition(events, n, locks) != scg)) *same = false;
  return scg;
}

static void fill(Calls *calls, const TraceEvent *events, uint32_t n, bool locks) {
  Monitor *monitor = monitor_of_calls(calls->heap, locks, calls);
  for (uint32_t i = 0; i < n; i++) monitor_feed(monitor, &events[i], 1);
  monitor_finish(monitor);
  monitor_free(monitor);
}

/* Where the call ends, or the run. */
static uint32_t end_of(const TraceEvent *events, uint32_t n, uint32_t begin) {
  uint32_t depth = 0, i = begin;
  for (; i < n; i++) {
    if (events[i].thread != events[begin].thread) continue;
    if (events[i].op == TRACE_BEGIN) depth++;
    if (events[i].op == TRACE_EXIT || (events[i].op == TRACE_END && --depth == 0)) return i;
  }
  return i;
}

static bool relates(const TraceEvent *event, uint32_t thread) {
  return event->thread == thread && event->object != thread && TRACE_SORT[event->op] == TRACE_ON_THREAD;
}

/* Where its thread first forks or joins in the call; n: nowhere. */
static uint32_t relation_of(const TraceEvent *events, uint32_t n, uint32_t begin) {
  const uint32_t end = end_of(events, n, begin);
  for (uint32_t i = begin + 1; i < end; i++)
    if (relates(&events[i], events[begin].thread)) return i;
  return n;
}

/* Is the call, by itself, violated by what it does before it forks or joins? */
static bool is_split_before(const TraceEvent *events, uint32_t n, uint32_t begin, bool locks, bool *same) {
  TraceEvent some[SERIAL_MAX + 1], cut[SERIAL_MAX + 2];
  const uint32_t m = alone(events, n, events[begin].object, begin, some), thread = events[begin].thread;
  uint32_t n_cut = 0;
  bool open = false;
  for (uint32_t i = 0; i < m; i++) {
    const bool cuts = open && relates(&some[i], thread);
    if (cuts) cut[n_cut++] = (TraceEvent){thread, TRACE_NONE, TRACE_NONE, TRACE_END};
    open = !cuts && (open || some[i].op == TRACE_BEGIN);
    cut[n_cut++] = some[i];
  }
  return ask(cut, n_cut, locks, same);
}

/* Is a call inside of the call violated, that begins before it forks or joins? */
static bool has_split_inside(const TraceEvent *events, uint32_t n, uint32_t begin, bool locks, uint32_t callee,
                             bool *same) {
  const uint32_t end = end_of(events, n, begin), relation = relation_of(events, n, begin);
  for (uint32_t i = begin + 1; i < end && i < relation; i++) {
    if (events[i].op != TRACE_BEGIN || events[i].thread != events[begin].thread) continue;
    if (callee != UINT32_MAX && events[i].object != callee) continue;
    if (is_split_before(events, n, i, locks, same)) return true;
  }
  return false;
}

static CallsKind kind_of(const CallsRow *row) {
  if (row->split) return CALLS_SPLIT;
  return row->inherit ? CALLS_INHERIT : row->threads ? CALLS_THREADS : CALLS_ATOMIC;
}

/* What is said of the first call of its kind. */
static bool row_is_true(const CallsRow *row, const TraceEvent *events, uint32_t n, bool locks) {
  TraceEvent some[SERIAL_MAX];
  bool same = true;
  uint64_t count = 0, violated = 0, before = 0, plain = 0; /* plain: nothing inside is violated */
  for (uint32_t i = 0; i < n; i++) {
    if (events[i].op != TRACE_BEGIN || events[i].object != row->label) continue;
    const bool is = ask(some, alone(events, n, row->label, i, some), locks, &same);
    const bool cut = is_split_before(events, n, i, locks, &same);
    count++;
    violated += is;
    before += cut;
    plain += cut && !has_split_inside(events, n, i, locks, UINT32_MAX, &same);
    if (cut && !is) return false;
    if (i == row->first && (is != (row->kind != CALLS_ATOMIC) || cut != (row->kind >= CALLS_INHERIT))) return false;
  }
  const bool any = ask(some, alone(events, n, row->label, UINT32_MAX, some), locks, &same);
  if (!same || count != row->calls || violated != before + row->threads || before != row->inherit + row->split)
    return false;
  if (any != (violated > 0) || row->kind != kind_of(row) || plain > row->split) return false;
  return row->kind != CALLS_INHERIT || has_split_inside(events, n, (uint32_t)row->first, locks, row->callee, &same);
}

typedef struct {
  uint64_t runs, kinds[CALLS_SPLIT + 1];
} Tally;

static bool agrees(const TraceEvent *events, uint32_t n, bool locks, Tally *tally) {
  Heap *heap = heap_new(0);
  Calls calls = {.heap = heap};
  fill(&calls, events, n, locks);
  bool good = true;
  for (uint32_t i = 0; good && i < calls.rows.n; i++) {
    good = row_is_true(&calls.rows.at[i], events, n, locks);
    tally->kinds[calls.rows.at[i].kind]++;
  }
  tally->runs++;
  calls_fini(&calls);
  heap_free(heap);
  return good;
}

/* Each function of random runs by itself, as all engines and the definition say. */
static void random_runs(void) {
  Tally tally = {0};
  for (uint64_t seed = 1; seed <= 6000; seed++) {
    TraceEvent events[40];
    const uint32_t forks = seed % 2 ? 1 : 5; /* many: numbers, and what there is of them, are used again */
    const SerialShape shape = {.threads = 2 + (uint32_t)(seed % 3) + forks / 3,
                               .objects = 2 + (uint32_t)(seed / 2 % 2),
                               .labels = LABELS,
                               .events = 16 + (uint32_t)(seed % 25),
                               .weight = {5, 4, 1, 1, forks, forks, 6, 5, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                               .proper = true};
    serial_random(seed, &shape, events);
    if (!agrees(events, shape.events, seed / 4 % 2, &tally)) {
      CU_ASSERT(false);
      printf("seed %llu\n", (unsigned long long)seed);
      return;
    }
  }
  CU_ASSERT(tally.kinds[CALLS_ATOMIC] > 500);
  CU_ASSERT(tally.kinds[CALLS_THREADS] > 50);
  CU_ASSERT(tally.kinds[CALLS_INHERIT] > 100);
  CU_ASSERT(tally.kinds[CALLS_SPLIT] > 500);
}

/* ---- by hand ---- */

#define BEGIN(thread, label) \
  { thread, label, TRACE_NONE, TRACE_BEGIN }
#define END(thread) \
  { thread, TRACE_NONE, TRACE_NONE, TRACE_END }
#define READ(thread, object) \
  { thread, object, TRACE_NONE, TRACE_READ }
#define WRITE(thread, object) \
  { thread, object, TRACE_NONE, TRACE_WRITE }

#define FILL(calls, ...)                                           \
  do {                                                             \
    const TraceEvent events_[] = {__VA_ARGS__};                    \
    fill(calls, events_, sizeof events_ / sizeof *events_, false); \
  } while (0)

/* Serve{add{get; set}} inherits from add, and get and set are atomic. */
static void callees_explain(void) {
  Calls calls = {.heap = heap_new(0)};
  FILL(&calls, BEGIN(0, 0), BEGIN(0, 1), BEGIN(0, 2), READ(0, 0), END(0), WRITE(1, 0), BEGIN(0, 3), WRITE(0, 0), END(0),
       END(0), READ(0, 0), END(0));
  CU_ASSERT(calls.rows.n == 4);
  CU_ASSERT(calls.rows.at[0].kind == CALLS_INHERIT && calls.rows.at[0].callee == 1 && calls.rows.at[0].inherit == 1);
  CU_ASSERT(calls.rows.at[1].kind == CALLS_SPLIT && calls.rows.at[1].first == 1 && calls.rows.at[1].split == 1);
  CU_ASSERT(calls.rows.at[2].kind == CALLS_ATOMIC && calls.rows.at[3].kind == CALLS_ATOMIC);
  calls_fini(&calls);
  heap_free(calls.heap);
}

/* A function that calls itself is split in the inner call. */
static void recursion(void) {
  Calls calls = {.heap = heap_new(0)};
  FILL(&calls, BEGIN(0, 0), BEGIN(0, 0), READ(0, 0), WRITE(1, 0), READ(0, 0), END(0), END(0));
  CU_ASSERT(calls.rows.n == 1 && calls.rows.at[0].kind == CALLS_SPLIT);
  CU_ASSERT(calls.rows.at[0].calls == 2 && calls.rows.at[0].split == 1 && calls.rows.at[0].inherit == 1);
  CU_ASSERT(calls.rows.at[0].first == 1);
  calls_fini(&calls);
  heap_free(calls.heap);
}

/* A call is split beside what it inherits. */
static void split_and_inherits(void) {
  Calls calls = {.heap = heap_new(0)};
  FILL(&calls, BEGIN(0, 0), BEGIN(0, 1), READ(0, 0), WRITE(1, 0), READ(0, 0), END(0), WRITE(1, 0), READ(0, 0), END(0));
  CU_ASSERT(calls.rows.at[0].kind == CALLS_SPLIT && calls.rows.at[0].split == 1 && calls.rows.at[0].inherit == 0);
  CU_ASSERT(calls.rows.at[1].kind == CALLS_SPLIT);
  calls_fini(&calls);
  heap_free(calls.heap);
}

/* A join ends all calls of the thread, and surplus ends are nothing. */
static void joins_end_calls(void) {
  Calls calls = {.heap = heap_new(0)};
  FILL(&calls, END(1), BEGIN(1, 0), READ(1, 0), {0, 1, TRACE_NONE, TRACE_JOIN}, READ(1, 0), WRITE(0, 0), READ(1, 0),
       END(1), END(1));
  CU_ASSERT(calls.rows.n == 1 && calls.rows.at[0].kind == CALLS_ATOMIC);
  calls_fini(&calls);
  heap_free(calls.heap);
}

/* The number of a thread that was joined stands for another one, of which what is known says nothing of the first. */
static void numbers_come_again(void) {
  Calls calls = {.heap = heap_new(0)};
  FILL(&calls, BEGIN(0, 0), WRITE(0, 0), READ(1, 0), WRITE(1, 1), {2, 1, TRACE_NONE, TRACE_JOIN}, WRITE(1, 2),
       READ(0, 2), READ(0, 1), END(0));
  CU_ASSERT(calls.rows.n == 1 && calls.rows.at[0].kind == CALLS_SPLIT);
  CU_ASSERT(calls.rows.at[0].before == 1 && calls.rows.at[0].at == 7);
  calls_fini(&calls);
  heap_free(calls.heap);
}

/* Thread 3 is forked after thread 2 was joined, but not by one that knows that: who comes after it need not come after
 * the other one. */
static void what_is_forked_later_need_not_come_after(void) {
  Calls calls = {.heap = heap_new(0)};
  FILL(&calls, {0, 1, TRACE_NONE, TRACE_FORK}, BEGIN(4, 0), WRITE(4, 0), READ(2, 0), WRITE(2, 1),
       {0, 2, TRACE_NONE, TRACE_JOIN}, {1, 3, TRACE_NONE, TRACE_FORK}, WRITE(3, 2), READ(4, 2), READ(4, 1), END(4));
  CU_ASSERT(calls.rows.n == 1 && calls.rows.at[0].kind == CALLS_SPLIT);
  CU_ASSERT(calls.rows.at[0].before == 2 && calls.rows.at[0].at == 9);
  calls_fini(&calls);
  heap_free(calls.heap);
}

/* Of two calls that are split the first one is told. */
static void the_first_is_told(void) {
  Calls calls = {.heap = heap_new(0)};
  FILL(&calls, BEGIN(0, 0), READ(0, 0), WRITE(1, 0), READ(0, 0), END(0), BEGIN(0, 0), READ(0, 0), WRITE(1, 0),
       READ(0, 0), END(0));
  CU_ASSERT(calls.rows.at[0].split == 2 && calls.rows.at[0].first == 0 && calls.rows.at[0].at == 3);
  calls_fini(&calls);
  heap_free(calls.heap);
}

/* Without labels. */
static void without_labels(void) {
  Calls calls = {.heap = heap_new(0)};
  FILL(&calls, BEGIN(0, TRACE_NONE), READ(0, 0), WRITE(1, 0), READ(0, 0), END(0), BEGIN(0, TRACE_NONE), END(0));
  CU_ASSERT(calls.rows.n == 1 && calls.rows.at[0].label == TRACE_NONE && calls.rows.at[0].calls == 2);
  CU_ASSERT(calls.rows.at[0].kind == CALLS_SPLIT && calls.rows.at[0].split == 1);
  calls_fini(&calls);
  heap_free(calls.heap);
}

void suite_calls(void) {
  CU_pSuite suite = CU_add_suite("calls", NULL, NULL);
  CU_ADD_TEST(suite, random_runs);
  CU_ADD_TEST(suite, callees_explain);
  CU_ADD_TEST(suite, recursion);
  CU_ADD_TEST(suite, split_and_inherits);
  CU_ADD_TEST(suite, joins_end_calls);
  CU_ADD_TEST(suite, numbers_come_again);
  CU_ADD_TEST(suite, what_is_forked_later_need_not_come_after);
  CU_ADD_TEST(suite, the_first_is_told);
  CU_ADD_TEST(suite, without_labels);
}
