/* Which shapes have cycles through them, as far as summaries tell. */
#include "predict/analysis/cycles.h"

#include <CUnit/CUnit.h>

enum { X, Y, Z, A, B }; /* variables and locks */

/* T0 has locks A and B at x, B alone at y. T1 reads x with A, and comes before T2, which reads y with B. */
static const TraceEvent EVENTS[] = {
    {0, 0, 0, TRACE_BEGIN},   {0, A, 0, TRACE_ACQUIRE}, {0, B, 0, TRACE_ACQUIRE}, {0, X, 0, TRACE_WRITE},
    {0, A, 0, TRACE_RELEASE}, {0, Y, 0, TRACE_WRITE},   {0, B, 0, TRACE_RELEASE}, {0, TRACE_NONE, 0, TRACE_END},
    {1, A, 0, TRACE_ACQUIRE}, {1, X, 0, TRACE_READ},    {1, A, 0, TRACE_RELEASE}, {1, Z, 0, TRACE_WRITE},
    {2, Z, 0, TRACE_READ},    {2, B, 0, TRACE_ACQUIRE}, {2, Y, 0, TRACE_READ},    {2, B, 0, TRACE_RELEASE}};

/* Of the only shape. */
static CycleKind kind_of(const bool *movable) {
  Heap *heap = heap_new(0);
  Shapes shapes;
  Blocks blocks;
  Cycles cycles;
  shapes_init(&shapes, heap, SYNC_ALL);
  shapes_see(&shapes, EVENTS, sizeof EVENTS / sizeof *EVENTS);
  shapes_finish(&shapes);
  CU_ASSERT_EQUAL(shapes.shapes.n, 1);
  blocks_init(&blocks, &shapes, movable, 1000000);
  cycles_find(&cycles, &blocks);
  const CycleKind kind = cycles.shapes[0].kind;
  heap_free(heap);
  return kind;
}

/* Locks are not followed through several threads, so there may be a cycle; but not where reduction has a proof. */
static void what_can_be_moved_is_not_looked_at(void) {
  CU_ASSERT_EQUAL(kind_of(NULL), CYCLE_MAYBE);
  CU_ASSERT_EQUAL(kind_of((const bool[]){false}), CYCLE_MAYBE);
  CU_ASSERT_EQUAL(kind_of((const bool[]){true}), CYCLE_NONE);
}

void suite_cycles(void) {
  CU_pSuite suite = CU_add_suite("cycles", NULL, NULL);
  CU_ADD_TEST(suite, what_can_be_moved_is_not_looked_at);
}
