/* Which accesses race, in small runs: with a lock for each pair, and with one for all. */
#include "base/hash.h"
#include "predict/analysis/access_index.h"
#include "predict/analysis/reduction.h"

#include <CUnit/CUnit.h>

enum { L = 8, M = 9 }; /* locks; objects are below */

static uint32_t count_races(const TraceEvent *events, uint32_t n, RaceTest test) {
  Heap *heap = heap_new(0);
  Shapes shapes;
  uint32_t races = 0;
  shapes_init(&shapes, heap, SYNC_ALL);
  shapes_see(&shapes, events, n);
  shapes_finish(&shapes);
  const uint32_t *found = reduction_find_races(&shapes, test);
  for (uint32_t a = 0; a < shapes.accesses.n; a++) races += found[a] != UINT32_MAX;
  heap_free(heap);
  return races;
}

#define RACES(events, pairs, common)                                                                  \
  do {                                                                                                \
    CU_ASSERT_EQUAL(count_races(events, sizeof events / sizeof *events, RACES_PAIRWISE), pairs);      \
    CU_ASSERT_EQUAL(count_races(events, sizeof events / sizeof *events, RACES_COMMON_LOCKS), common); \
  } while (0)

#define ACQUIRE(thread, lock) \
  { thread, lock, 0, TRACE_ACQUIRE }
#define RELEASE(thread, lock) \
  { thread, lock, 0, TRACE_RELEASE }

/* What comes before the fork needs no lock. */
static void initialization_does_not_count(void) {
  const TraceEvent events[] = {{0, 0, 0, TRACE_WRITE}, {0, 1, 0, TRACE_FORK}, ACQUIRE(0, L),
                               {0, 0, 0, TRACE_WRITE}, RELEASE(0, L),         ACQUIRE(1, L),
                               {1, 0, 0, TRACE_WRITE}, RELEASE(1, L)};
  RACES(events, 0, 0);
}

static void without_a_lock_all_race(void) {
  const TraceEvent events[] = {{0, 0, 0, TRACE_WRITE}, {1, 0, 0, TRACE_READ}};
  RACES(events, 2, 2);
}

static void reads_do_not_race(void) {
  const TraceEvent events[] = {{0, 0, 0, TRACE_READ}, {1, 0, 0, TRACE_READ}};
  RACES(events, 0, 2); /* no lock is common to them */
}

/* Each two of three threads have a lock in common, all three have none. */
static void pairs_are_protected_and_all_are_not(void) {
  const TraceEvent events[] = {ACQUIRE(0, L), ACQUIRE(0, M), {0, 0, 0, TRACE_WRITE}, RELEASE(0, M), RELEASE(0, L),
                               ACQUIRE(1, L), ACQUIRE(1, 7), {1, 0, 0, TRACE_WRITE}, RELEASE(1, 7), RELEASE(1, L),
                               ACQUIRE(2, M), ACQUIRE(2, 7), {2, 0, 0, TRACE_WRITE}, RELEASE(2, 7), RELEASE(2, M)};
  RACES(events, 0, 3);
}

/* ---- random runs, against the definitions ---- */

enum { THREADS = 4, OBJECTS = 3, LOCKS = 3, EVENTS = 60, RUNS = 3000 };

static uint32_t roll(uint64_t *dice, uint32_t below) { return (uint32_t)(hash_word(++*dice) >> 33) % below; }

static void see(Shapes *shapes, uint32_t thread, uint8_t op, uint32_t object) {
  shapes_see(shapes, &(TraceEvent){thread, object, 0, op}, 1);
}

/* An access under a lock that all share for reading, or hold alone. */
static void see_guarded(Shapes *shapes, uint32_t thread, uint8_t op, uint32_t object) {
  const bool shared = op == TRACE_READ && object == 0;
  see(shapes, thread, shared ? TRACE_SHARED_ACQUIRE : TRACE_ACQUIRE, OBJECTS + LOCKS);
  see(shapes, thread, op, object);
  see(shapes, thread, shared ? TRACE_SHARED_RELEASE : TRACE_RELEASE, OBJECTS + LOCKS);
}

/* Accesses, locks, shared ones too, and hand-overs. It need not be a run that can happen: whether two accesses race
 * depends on what is held at each. */
static void make_run(Shapes *shapes, uint64_t dice) {
  static const uint8_t OPS[] = {TRACE_READ,    TRACE_WRITE,          TRACE_READ,           TRACE_WRITE,  TRACE_ACQUIRE,
                                TRACE_RELEASE, TRACE_SHARED_ACQUIRE, TRACE_SHARED_RELEASE, TRACE_SIGNAL, TRACE_WAIT};
  const uint32_t n_guarded = roll(&dice, OBJECTS + 1); /* variables */
  for (uint32_t t = 1; t < THREADS; t++) see(shapes, 0, TRACE_FORK, t);
  for (uint32_t i = 0; i < EVENTS; i++) {
    const uint8_t op = OPS[roll(&dice, sizeof OPS)];
    const uint32_t thread = roll(&dice, THREADS), object = roll(&dice, OBJECTS), lock = OBJECTS + roll(&dice, LOCKS);
    if (op == TRACE_SIGNAL || op == TRACE_WAIT) see(shapes, thread, op, OBJECTS + LOCKS + 1);
    else if (op != TRACE_READ && op != TRACE_WRITE) see(shapes, thread, op, lock);
    else if (object < n_guarded) see_guarded(shapes, thread, op, object);
    else see(shapes, thread, op, object);
  }
  shapes_finish(shapes);
}

static bool race(const Shapes *shapes, uint32_t i, uint32_t j, bool any) {
  const ShapeAccess *a = &shapes->accesses.at[i], *b = &shapes->accesses.at[j];
  return a->variable == b->variable && fork_order_concurrent(&shapes->stages, a->stage, b->stage) &&
         (any || ((a->write || b->write) && locksets_disjoint(&shapes->locksets, a->held, b->held)));
}

/* Has each access a rival if and only if there is one, and races with it? */
static uint32_t wrong_races(const Shapes *shapes, const uint32_t *races) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < shapes->accesses.n; i++) {
    bool some = false;
    for (uint32_t j = 0; j < shapes->accesses.n; j++) some |= race(shapes, i, j, false);
    wrong += some != (races[i] != UINT32_MAX) || (some && !race(shapes, i, races[i], false));
  }
  return wrong;
}

/* With a common lock: all or none of those that are concurrent with some other have a rival, which is concurrent. */
static uint32_t wrong_common(const Shapes *shapes, const uint32_t *races, uint32_t *n) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < shapes->accesses.n; i++) {
    bool some = false, racing = false;
    for (uint32_t j = 0; j < shapes->accesses.n; j++)
      some |= race(shapes, i, j, true), racing |= race(shapes, i, j, false);
    wrong += (races[i] != UINT32_MAX && !race(shapes, i, races[i], true)) || (racing && races[i] == UINT32_MAX);
    for (uint32_t j = 0; j < i && some && races[i] == UINT32_MAX; j++)
      wrong += shapes->accesses.at[j].variable == shapes->accesses.at[i].variable && races[j] != UINT32_MAX;
    *n += races[i] != UINT32_MAX;
  }
  return wrong;
}

/* Are the places what their descriptions say, and no conflict where a guard is claimed? */
static uint32_t wrong_places(const AccessIndex *index, StageId stage, const AccessRun *run) {
  const ForkOrder *stages = &index->shapes->stages;
  const uint32_t after = access_index_after(index, run, stage), until = access_index_until(index, run, stage);
  uint32_t wrong = 0;
  for (uint32_t i = run->from; i < run->end; i++) {
    const ShapeAccess *f = access_index_at(index, i);
    wrong += fork_order_before(stages, f->stage, stage) != (i < after);
    wrong += fork_order_before(stages, stage, f->stage) != (i >= until);
    wrong += shapes_access_life(index->shapes, f) != run->life;
  }
  return wrong;
}

static uint32_t wrong_index(const AccessIndex *index, uint32_t *guarded) {
  const Shapes *shapes = index->shapes;
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < shapes->accesses.n; i++) {
    const ShapeAccess *a = &shapes->accesses.at[i];
    const bool guards = access_index_guards(index, a->variable, a->write, a->held);
    uint32_t n, n_accesses = 0;
    const AccessRun *runs = access_index_runs(index, a->variable, &n);
    for (uint32_t r = 0; r < n; r++) {
      n_accesses += runs[r].end - runs[r].from;
      if (runs[r].life != shapes_access_life(shapes, a)) wrong += wrong_places(index, a->stage, &runs[r]);
    }
    for (uint32_t f = shapes->variables.at[a->variable].accesses; f != UINT32_MAX; f = shapes->accesses.at[f].next) {
      n_accesses--;
      wrong += guards && race(shapes, i, f, false);
    }
    wrong += n_accesses != 0 || (access_index_is_guarded(index, a->variable) && !guards && a->write);
    *guarded += guards;
  }
  return wrong;
}

static void random_runs_agree_with_the_definitions(void) {
  uint32_t wrong = 0, guarded = 0, common = 0;
  for (uint64_t seed = 0; seed < RUNS; seed++) {
    Heap *heap = heap_new(0);
    Shapes shapes;
    AccessIndex index;
    shapes_init(&shapes, heap, SYNC_ALL);
    make_run(&shapes, seed << 32);
    wrong += wrong_races(&shapes, reduction_find_races(&shapes, RACES_PAIRWISE));
    wrong += wrong_common(&shapes, reduction_find_races(&shapes, RACES_COMMON_LOCKS), &common);
    access_index_init(&index, &shapes);
    wrong += wrong_index(&index, &guarded);
    access_index_fini(&index);
    heap_free(heap);
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_TRUE(guarded > RUNS && common > RUNS); /* both happen */
}

void suite_reduction(void) {
  CU_pSuite suite = CU_add_suite("reduction", NULL, NULL);
  CU_ADD_TEST(suite, initialization_does_not_count);
  CU_ADD_TEST(suite, without_a_lock_all_race);
  CU_ADD_TEST(suite, reads_do_not_race);
  CU_ADD_TEST(suite, pairs_are_protected_and_all_are_not);
  CU_ADD_TEST(suite, random_runs_agree_with_the_definitions);
}
