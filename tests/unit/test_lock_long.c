/* Prediction with locks from long runs, and where memory runs out. */
#include "base/hash.h"
#include "predict/locks/lock_predict.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

/* ---- long runs ---- */

typedef struct {
  LockPrediction *prediction;
  bool survey;
  uint64_t random;
  TraceEvent events[64];
  uint32_t n;
} Long;

static void put(Long *run, uint32_t thread, TraceOp op, uint32_t object) {
  run->events[run->n++] = (TraceEvent){thread, object, (uint32_t)op, (uint8_t)op};
}

static void flush(Long *run) {
  if (run->survey) lock_predict_survey(run->prediction, run->events, run->n);
  else lock_predict_feed(run->prediction, run->events, run->n);
  run->n = 0;
}

/* A transaction that takes two locks, one within the other, and writes what they protect; `gap`: releases between. */
static void put_transaction(Long *run, uint32_t thread, bool gap) {
  run->random = hash_word(run->random);
  const uint32_t x = (uint32_t)(run->random % 10), y = (uint32_t)(10 + run->random / 16 % 10);
  put(run, thread, TRACE_BEGIN, 0);
  put(run, thread, TRACE_ACQUIRE, 100 + x);
  put(run, thread, TRACE_READ, x);
  if (gap) put(run, thread, TRACE_RELEASE, 100 + x), put(run, thread, TRACE_ACQUIRE, 100 + x);
  put(run, thread, TRACE_ACQUIRE, 100 + y);
  put(run, thread, TRACE_WRITE, y);
  put(run, thread, TRACE_RELEASE, 100 + y);
  put(run, thread, TRACE_WRITE, x);
  put(run, thread, TRACE_RELEASE, 100 + x);
  put(run, thread, TRACE_END, TRACE_NONE);
  flush(run);
}

enum { THREADS = 6 };

/* A thread writes all, forks others, joins them and reads all; one transaction in the middle may have a gap. */
static void put_run(Long *run, bool survey, uint32_t rounds, bool gap) {
  run->survey = survey;
  run->random = 0;
  for (uint32_t x = 0; x < 20; x++) put(run, THREADS, TRACE_WRITE, x);
  for (uint32_t t = 0; t < THREADS; t++) put(run, THREADS, TRACE_FORK, t);
  for (uint32_t i = 0; i < rounds; i++) put_transaction(run, i % THREADS, gap && i == rounds / 2);
  for (uint32_t t = 0; t < THREADS; t++) put(run, THREADS, TRACE_JOIN, t);
  for (uint32_t x = 0; x < 20; x++) put(run, THREADS, TRACE_READ, x);
  flush(run);
}

static Verdict long_run(Heap *heap, uint32_t rounds, bool gap, bool all, uint64_t budget, uint32_t *n_cycles) {
  Long *run = heap_zeroed(heap, sizeof *run);
  run->prediction = lock_predict_new(heap, &(PredictOptions){.all = all, .budget = budget});
  for (uint32_t pass = 0; pass < 2; pass++) put_run(run, pass == 0, rounds, gap);
  const Verdict verdict = lock_predict_finish(run->prediction);
  lock_predict_cycles(run->prediction, n_cycles);
  lock_predict_free(run->prediction);
  heap_release(heap, run);
  return verdict;
}

static void many_events(void) {
  uint32_t n;
  Heap *heap = heap_new(0);
  CU_ASSERT_EQUAL(long_run(heap, 150000, false, false, 0, &n), VERDICT_HOLDS);
  CU_ASSERT_EQUAL(long_run(heap, 150000, true, false, 0, &n), VERDICT_VIOLATED);
  CU_ASSERT_EQUAL(long_run(heap, 15000, true, true, 10000000, &n), VERDICT_VIOLATED);
  printf("(%u cycles) ", n);
  CU_ASSERT_TRUE(n >= 1 && n < 20);
  heap_free(heap);
}

/* ---- limits ---- */

typedef struct {
  Heap *heap;
  bool gap;
} Job;

static void job_body(void *argument) {
  uint32_t n;
  const Job *job = argument;
  long_run(job->heap, 12, job->gap, true, 20000, &n);
}

static void memory_runs_out(void) {
  for (int gap = 0; gap < 2; gap++) {
    bool done = false;
    for (uint64_t nth = 1; !done; nth++) {
      Heap *heap = heap_new(0);
      heap_fail_at(heap, nth);
      done = heap_try(heap, job_body, &(Job){heap, gap});
      if (done) CU_ASSERT_EQUAL(heap_used(heap), 0);
      heap_free(heap);
    }
  }
}

void suite_lock_long(void) {
  CU_pSuite suite = CU_add_suite("lock_long", NULL, NULL);
  CU_ADD_TEST(suite, many_events);
  CU_ADD_TEST(suite, memory_runs_out);
}
