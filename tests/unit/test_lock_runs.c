/* Runs with locks, and that their audit names faults. */
#include "predict/locks/lock_runs.h"
#include "tests/unit/audited.h"

static LockRun *read_run(Heap *heap, const TraceEvent *events, uint32_t n) {
  LockSurvey *survey = lock_survey_new(heap, true);
  lock_survey_feed(survey, events, n);
  lock_survey_close(survey);
  LockReader *reader = lock_reader_new(heap, survey);
  lock_reader_feed(reader, events, n);
  CU_ASSERT_TRUE(lock_survey_is_of(survey, reader));
  LockRun *run = lock_run_new(reader);
  lock_reader_free(reader);
  lock_survey_free(survey);
  return run;
}

static void runs_with_locks_stand_their_audit(void) {
  uint64_t steps = 0, edges = 0;
  for (uint64_t seed = 1; seed <= AUDITED_RUNS; seed++) {
    Heap *heap = heap_new(0);
    TraceEvent events[SERIAL_MAX];
    Err err;
    LockRun *run = read_run(heap, events, audited_run(seed, events));
    expect_sound(lock_run_audit(run, &err), &err, seed);
    for (uint32_t t = 0; t < run->n_threads; t++) steps += run->threads[t].n;
    edges += run->n_edges;
    lock_run_free(run);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(steps > 10000 && edges > 1000);
}

/* T0 begin, acquire 5, fork T1, write 0, release 5, read 0, end; T1 acquire 5, write 0, release 5; T0 join T1. */
static const TraceEvent LOCKED[] = {{0, 1, 0, TRACE_BEGIN},        {0, 5, 0, TRACE_ACQUIRE}, {0, 1, 0, TRACE_FORK},
                                    {0, 0, 0, TRACE_WRITE},        {0, 5, 0, TRACE_RELEASE}, {0, 0, 0, TRACE_READ},
                                    {0, TRACE_NONE, 0, TRACE_END}, {1, 5, 0, TRACE_ACQUIRE}, {1, 0, 0, TRACE_WRITE},
                                    {1, 5, 0, TRACE_RELEASE},      {0, 1, 0, TRACE_JOIN}};
enum { N_LOCKED = sizeof LOCKED / sizeof *LOCKED };

/* T0 shares 5, T1 shares 5, T1 acquires 5. */
static const TraceEvent SHARED[] = {
    {0, 5, 0, TRACE_SHARED_ACQUIRE}, {1, 5, 0, TRACE_SHARED_ACQUIRE}, {1, 5, 0, TRACE_ACQUIRE}};

static bool is_valid(const TraceEvent *events, uint32_t n) {
  Heap *heap = heap_new(0);
  LockRun *run = read_run(heap, events, n);
  const bool valid = run->valid;
  lock_run_free(run);
  heap_free(heap);
  return valid;
}

static void a_lock_that_another_one_holds_is_seen(void) {
  CU_ASSERT_TRUE(is_valid(SHARED, 2));
  CU_ASSERT_TRUE(is_valid(SHARED + 1, 2));
  CU_ASSERT_FALSE(is_valid(SHARED, 3));
  CU_ASSERT_TRUE(is_valid(LOCKED, N_LOCKED));
}

static uint32_t *number(const uint32_t *at) { return (uint32_t *)at; }

static void held_at_first(LockRun *r) { number(r->threads[0].held)[0] = 1; }
static void held_anyway(LockRun *r) { number(r->threads[0].held)[2] = 0; }
static void event_order(LockRun *r) { r->threads[0].steps[1].event = 0; }
static void transaction_order(LockRun *r) { r->threads[0].steps[0].transaction = 9; }
static void no_object(LockRun *r) { r->threads[0].steps[2].object = 1; }
static void no_such_lock(LockRun *r) { r->threads[0].steps[0].object = 2; }
static void for_nothing(LockRun *r) { r->threads[0].steps[1].stop = false; }
static void no_kind(LockRun *r) { r->threads[0].steps[1].op = 9; }
static void idle_later(LockRun *r) { number(r->threads[0].idle)[1] = 1; }
static void idle_never(LockRun *r) { number(r->threads[0].next_idle)[0] = TRACE_NONE; }
static void fewer_stops(LockRun *r) { r->threads[0].n_stops--; }
static void edge_back(LockRun *r) {
  const LockPlace from = r->edges[0].from;
  r->edges[0].from = r->edges[0].to;
  r->edges[0].to = from;
}
static void edge_nowhere(LockRun *r) { r->edges[0].to.step = 99; }
static void edge_between(LockRun *r) { r->edges[0].from.step = 2; }
static void no_conflict(LockRun *r) { r->edges[0].conflict = false; }
static void plain(LockRun *r) { r->plain = true; }
static void other_class(LockRun *r) { number(r->groups[0].steps)[0] = 0; }
static void no_set(LockRun *r) { number(r->groups[0].sets)[0] = 77; }
static void shorter_group(LockRun *r) { r->groups[0].n = 0; }
static void unknown_group(LockRun *r) { r->thread_groups[r->groups[0].thread][0] = 99; }
static void hidden_group(LockRun *r) { r->groups[0].thread = 1; }
static void odd_set(LockRun *r) { r->sets.at[1].rest = 1; }

static void the_audit_of_runs_names_faults(void) {
  const struct {
    void (*edit)(LockRun *run);
    const char *what;
  } edits[] = {
      {held_at_first, "locks held at the start (number 0)"},
      {held_anyway, "the locks that are held (number 1)"},
      {event_order, "events out of order (number 1)"},
      {transaction_order, "transactions out of order (number 1)"},
      {no_object, "no such object (number 2)"},
      {no_such_lock, "no such lock (number 0)"},
      {for_nothing, "a step for nothing (number 1)"},
      {no_kind, "a step of no kind (number 1)"},
      {idle_later, "the last position without locks (number 1)"},
      {idle_never, "the next position without locks (number 0)"},
      {fewer_stops, "a stage (number 5)"},
      {edge_back, "an edge back (number 0)"},
      {edge_nowhere, "an end that is no step (number 0)"},
      {edge_between, "an end that is no stop (number 0)"},
      {no_conflict, "an edge that is no object, or one that should not be (number 0)"},
      {plain, "whether locks are held at edges (number 1)"},
      {other_class, "a group with a step of another class (number 0)"},
      {no_set, "a group without a set (number 0)"},
      {shorter_group, "an empty group (number 0)"},
      {unknown_group, "a group that its thread does not know (number 0)"},
      {hidden_group, "a group"},
      {odd_set, "a set of locks (number 1)"},
  };
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    Heap *heap = heap_new(0);
    Err err;
    LockRun *run = read_run(heap, LOCKED, N_LOCKED);
    expect_sound(lock_run_audit(run, &err), &err, 0);
    edits[i].edit(run);
    expect_fault(lock_run_audit(run, &err), &err, edits[i].what);
    heap_free(heap);
  }
}

void suite_lock_runs(void) {
  CU_pSuite suite = CU_add_suite("lock runs", NULL, NULL);
  CU_ADD_TEST(suite, runs_with_locks_stand_their_audit);
  CU_ADD_TEST(suite, a_lock_that_another_one_holds_is_seen);
  CU_ADD_TEST(suite, the_audit_of_runs_names_faults);
}
