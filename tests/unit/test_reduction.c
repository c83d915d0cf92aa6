/* Which accesses race, in small runs: with a lock for each pair, and with one for all. */
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

void suite_reduction(void) {
  CU_pSuite suite = CU_add_suite("reduction", NULL, NULL);
  CU_ADD_TEST(suite, initialization_does_not_count);
  CU_ADD_TEST(suite, without_a_lock_all_race);
  CU_ADD_TEST(suite, reads_do_not_race);
  CU_ADD_TEST(suite, pairs_are_protected_and_all_are_not);
}
