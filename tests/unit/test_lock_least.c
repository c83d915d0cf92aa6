/* The least numbers gone on with, against those found anew; and what is proved with them for long ways hand over hand.
 */
#include "base/hash.h"
#include "predict/locks/lock_least.h"
#include "predict/locks/lock_predict.h"
#include "predict/locks/lock_starts.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

enum { WANTED = 40, LOCKS = 6, CASES = 20000, LONG = 3000 };

static uint32_t pick(uint64_t *random, uint32_t below) { return (uint32_t)(hash_word(++*random) >> 33) % below; }

/* Where a run is put together. */
typedef struct {
  Heap *heap;
  VEC(TraceEvent) events;
} Making;

static void put(Making *m, uint32_t thread, TraceOp op, uint32_t object) {
  const TraceEvent event = {thread, object, m->events.n, (uint8_t)op};
  vec_push(m->heap, &m->events, event);
}

static LockRun *run_of(const Making *m) {
  LockSurvey *survey = lock_survey_new(m->heap, true);
  lock_survey_feed(survey, m->events.at, m->events.n);
  lock_survey_close(survey);
  LockReader *reader = lock_reader_new(m->heap, survey);
  lock_reader_feed(reader, m->events.at, m->events.n);
  LockRun *run = lock_run_new(reader);
  lock_reader_free(reader);
  lock_survey_free(survey);
  return run;
}

/* ---- numbers ---- */

/* One transaction of writes, acquires and releases; few locks are held at a time. */
static void put_thread(Making *m, uint32_t thread, uint64_t *random) {
  uint32_t held[LOCKS], n = 0;
  const uint32_t most = 1 + pick(random, 3);
  put(m, thread, TRACE_BEGIN, TRACE_NONE);
  for (uint32_t i = 0; i < WANTED; i++) {
    const uint32_t lock = pick(random, LOCKS), at = n ? pick(random, n) : 0;
    bool has = false;
    for (uint32_t k = 0; k < n; k++) has |= held[k] == lock;
    if (pick(random, 3) == 0) put(m, thread, TRACE_WRITE, 9);
    else if (!has && n < most) put(m, thread, TRACE_ACQUIRE, held[n++] = lock);
    else if (n) put(m, thread, TRACE_RELEASE, held[at]), held[at] = held[--n];
  }
  while (n && pick(random, 4)) put(m, thread, TRACE_RELEASE, held[--n]);
}

typedef struct {
  uint32_t never, gone_on, anew, wrong;
} Tally;

static bool is_access(const LockStep *step) { return step->op <= STEP_WRITE; }

static void compare_one(const LockLeast *least, LockClosure *closure, LockRaise raise, Tally *tally) {
  const LockDemand demand = {0, 0, raise.step, 1, 0, raise.count, 0, UINT32_MAX};
  const bool possible = lock_closure_solve(closure, &demand);
  uint32_t alive = 0;
  tally->never += !possible;
  tally->wrong += possible == least->never;
  for (uint32_t step = 0; step <= raise.step && possible && !least->never; step++) {
    tally->wrong += lock_closure_before(closure, step) != lock_least_at(least, step);
    alive += step < raise.step && lock_least_at(least, step) < least->limit.at[step];
  }
  tally->wrong += possible && alive != least->alive;
}

/* As one after another of A's accesses is the last one. */
static void compare(const LockRun *run, uint64_t *random, Tally *tally) {
  const LockThread *a = &run->threads[0], *b = &run->threads[1];
  LockClosure *closure = lock_closure_new(run);
  LockLeast least;
  LockRaise asked = {0, 0};
  lock_least_init(&least, closure);
  lock_least_set(&least, 0, 0, a->n - 1, 1, UINT64_MAX);
  for (uint32_t step = 0; step < a->n; step++) least.limit.at[step] = pick(random, 2) * pick(random, b->n + 1);
  for (uint32_t step = 0; step < a->n; step++) {
    if (!is_access(&a->steps[step])) continue;
    const LockRaise raise = {step, 1 + pick(random, b->n)};
    const bool on = least.last != UINT32_MAX && lock_least_asks(&least, asked, raise);
    if (!on) lock_least_begin(&least, step);
    tally->gone_on += on;
    tally->anew += !on;
    if (!least.never) {
      asked = raise;
      if (lock_least_extend(&least, step) && lock_least_ask(&least, raise)) lock_least_look(&least);
    }
    compare_one(&least, closure, raise, tally);
  }
  lock_least_fini(&least);
  lock_closure_free(closure);
}

static void as_found_anew(void) {
  uint64_t random = 1;
  Tally tally = {0};
  Heap *heap = heap_new(0);
  for (uint32_t i = 0; i < CASES; i++) {
    Making m = {.heap = heap};
    for (uint32_t t = 0; t < 2; t++) put_thread(&m, t, &random);
    LockRun *run = run_of(&m);
    if (run->n_threads == 2 && run->threads[0].n && run->threads[1].n) compare(run, &random, &tally);
    lock_run_free(run);
    vec_fini(heap, &m.events);
  }
  printf("(%u gone on, %u anew, %u never) ", tally.gone_on, tally.anew, tally.never);
  CU_ASSERT_EQUAL(tally.wrong, 0);
  CU_ASSERT_TRUE(tally.gone_on > CASES && tally.anew > CASES && tally.never > CASES / 4);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* ---- hand over hand ---- */

/* From one end of a list to the other, writing each node, in one transaction; at the node `gap` nothing is held for a
 * moment. */
static void put_walk(Making *m, uint32_t thread, bool back, uint32_t gap) {
  put(m, thread, TRACE_BEGIN, TRACE_NONE);
  for (uint32_t i = 0, last = 0; i < LONG; i++) {
    const uint32_t node = back ? LONG - 1 - i : i;
    if (i && i == gap) put(m, thread, TRACE_RELEASE, LONG + last);
    put(m, thread, TRACE_ACQUIRE, LONG + node);
    if (i && i != gap) put(m, thread, TRACE_RELEASE, LONG + last);
    put(m, thread, TRACE_WRITE, last = node);
  }
  put(m, thread, TRACE_RELEASE, LONG + (back ? 0 : LONG - 1));
  put(m, thread, TRACE_END, TRACE_NONE);
}

static bool starts_prove(const Making *m) {
  LockRun *run = run_of(m);
  LockClosure *closure = lock_closure_new(run);
  const bool proved = lock_starts_prove(closure, (uint64_t)1000 * LONG);
  lock_closure_free(closure);
  lock_run_free(run);
  return proved;
}

static Verdict predict(const Making *m) {
  LockPrediction *prediction = lock_predict_new(m->heap, &(PredictOptions){0});
  lock_predict_survey(prediction, m->events.at, m->events.n);
  lock_predict_feed(prediction, m->events.at, m->events.n);
  const Verdict verdict = lock_predict_finish(prediction);
  lock_predict_free(prediction);
  return verdict;
}

static void walk(uint32_t threads, bool back, uint32_t gap, Verdict verdict) {
  Heap *heap = heap_new(0);
  Making m = {.heap = heap};
  for (uint32_t t = 0; t < threads; t++) put_walk(&m, t, back && t % 2, t == 0 ? gap : 0);
  CU_ASSERT_EQUAL(starts_prove(&m), verdict == VERDICT_HOLDS);
  CU_ASSERT_EQUAL(predict(&m), verdict);
  vec_fini(heap, &m.events);
  heap_free(heap);
}

static void hand_over_hand(void) {
  for (uint32_t threads = 2; threads <= 4; threads++) {
    walk(threads, false, 0, VERDICT_HOLDS);
    walk(threads, true, 0, VERDICT_HOLDS);
    walk(threads, false, LONG / 2, VERDICT_VIOLATED);
    walk(threads, true, LONG / 3, VERDICT_VIOLATED);
  }
}

void suite_lock_least(void) {
  CU_pSuite suite = CU_add_suite("lock_least", NULL, NULL);
  CU_ADD_TEST(suite, as_found_anew);
  CU_ADD_TEST(suite, hand_over_hand);
}
