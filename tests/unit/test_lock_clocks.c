/* Three to six threads with locks: what must come before what, against the search without it. */
#include "base/hash.h"
#include "predict/locks/lock_search.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 6, WANTED = 14, LOCKS = 4, CASES = 60000, BUDGET = 300 };

static uint32_t pick(uint64_t *random, uint32_t below) { return (uint32_t)(hash_word(++*random) >> 33) % below; }

/* Where a run is put together. */
typedef struct {
  uint64_t *random;
  TraceEvent events[MOST * (2 * WANTED + 2)];
  uint32_t n;
  bool nested, closed; /* are locks released in the order in which they were not acquired; all of them? */
} Making;

static void put(Making *m, uint32_t thread, TraceOp op, uint32_t object) {
  m->events[m->n] = (TraceEvent){thread, object, m->n, (uint8_t)op};
  m->n++;
}

/* One transaction, of writes, acquires and releases. */
static void put_thread(Making *m, uint32_t thread) {
  uint32_t held[WANTED], n = 0;
  put(m, thread, TRACE_BEGIN, TRACE_NONE);
  for (uint32_t i = 0; i < WANTED || (m->closed && n); i++) {
    const uint32_t what = i < WANTED ? pick(m->random, 3) : 2, lock = pick(m->random, LOCKS);
    bool has = false;
    for (uint32_t k = 0; k < n; k++) has |= held[k] == lock;
    if (what == 0) put(m, thread, TRACE_WRITE, 9);
    if (what == 1 && !has) put(m, thread, TRACE_ACQUIRE, held[n++] = lock);
    if (what != 2 || !n) continue;
    const uint32_t at = m->nested ? n - 1 : pick(m->random, n);
    put(m, thread, TRACE_RELEASE, held[at]);
    held[at] = held[--n];
  }
}

static LockRun *run_of(Heap *heap, const Making *m) {
  LockSurvey *survey = lock_survey_new(heap, true);
  lock_survey_feed(survey, m->events, m->n);
  lock_survey_close(survey);
  LockReader *reader = lock_reader_new(heap, survey);
  lock_reader_feed(reader, m->events, m->n);
  LockRun *run = lock_run_new(reader);
  lock_reader_free(reader);
  lock_survey_free(survey);
  return run;
}

/* Some access of the thread, or TRACE_NONE. */
static uint32_t pick_access(const LockRun *run, uint32_t thread, uint64_t *random) {
  const LockThread *it = &run->threads[thread];
  for (uint32_t tries = 0; tries < 40 && it->n; tries++) {
    const uint32_t step = pick(random, it->n);
    if (it->steps[step].op == STEP_WRITE) return step;
  }
  return TRACE_NONE;
}

static bool pick_visits(const LockRun *run, LockVisit *visits, uint64_t *random) {
  for (uint32_t t = 0; t < run->n_threads; t++) {
    const uint32_t a = pick_access(run, t, random), b = pick_access(run, t, random);
    if (a == TRACE_NONE || b == TRACE_NONE || (t == 0 && a == b)) return false;
    visits[t] = t == 0 ? (LockVisit){t, a > b ? a : b, a < b ? a : b} : (LockVisit){t, a, b};
  }
  return true;
}

typedef struct {
  uint32_t possible, impossible, refused, wrong;
  uint32_t short_before, short_now; /* undecided with a small budget */
} Tally;

static void compare(const LockRun *run, const LockVisit *visits, Tally *tally) {
  LockStart start;
  uint64_t all = UINT64_MAX, same = UINT64_MAX, few = BUDGET, few_now = BUDGET;
  const uint32_t n = run->n_threads;
  lock_start_init(&start, run);
  lock_start_find(&start, visits, n);
  LockSearch *search = lock_search_new(run, &start);
  LockClosure *closure = lock_closure_new(run);
  LockClocks *clocks = lock_clocks_new(closure);
  const LockAnswer answer = lock_search(search, visits, n, NULL, &all);
  const bool refused = !lock_clocks_solve(clocks, &start, visits, n);
  tally->possible += answer == LOCK_POSSIBLE;
  tally->impossible += answer == LOCK_IMPOSSIBLE;
  tally->refused += refused;
  tally->wrong += refused && answer == LOCK_POSSIBLE;
  tally->wrong += !refused && lock_search(search, visits, n, clocks, &same) != answer;
  tally->short_before += lock_search(search, visits, n, NULL, &few) == LOCK_UNDECIDED;
  tally->short_now += !refused && lock_search(search, visits, n, clocks, &few_now) == LOCK_UNDECIDED;
  lock_clocks_free(clocks);
  lock_closure_free(closure);
  lock_search_free(search);
  lock_start_fini(&start);
}

static void clocks_refuse_rightly(void) {
  uint64_t random = 7;
  Tally tally = {0};
  Heap *heap = heap_new(0);
  for (uint32_t i = 0; i < CASES; i++) {
    Making m = {.random = &random, .nested = i % 2, .closed = i % 3};
    LockVisit visits[MOST];
    for (uint32_t t = 0, n = 3 + i % 4; t < n; t++) put_thread(&m, t);
    LockRun *run = run_of(heap, &m);
    if (pick_visits(run, visits, &random)) compare(run, visits, &tally);
    lock_run_free(run);
  }
  printf("(%u possible, %u not, %u of these refused; with %u steps %u undecided, by search alone %u) ", tally.possible,
         tally.impossible, tally.refused, (unsigned)BUDGET, tally.short_now, tally.short_before);
  CU_ASSERT_EQUAL(tally.wrong, 0);
  CU_ASSERT_TRUE(tally.possible > CASES / 20 && tally.impossible > CASES / 20);
  CU_ASSERT_TRUE(tally.impossible - tally.refused < tally.impossible / 1000);
  CU_ASSERT_TRUE(tally.short_before > CASES / 20 && tally.short_now < tally.short_before / 30);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_lock_clocks(void) {
  CU_pSuite suite = CU_add_suite("lock_clocks", NULL, NULL);
  CU_ADD_TEST(suite, clocks_refuse_rightly);
}
