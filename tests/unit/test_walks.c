/* What other threads do to a variable meanwhile, against a look at all accesses, where many threads come and go. */
#include "base/hash.h"
#include "predict/analysis/access_index.h"

#include <CUnit/CUnit.h>

#include <stdio.h>

enum { THREADS = 10, VARIABLES = 3, EVENTS = 600, ROUNDS = 300 };

static uint64_t dice;
static uint32_t roll(uint32_t below) { return (uint32_t)(hash_word(++dice) >> 33) % below; }

/* Threads fork others, which join some of theirs, or none. */
static uint32_t make_run(TraceEvent *events, uint32_t joins) {
  bool lives[THREADS] = {true};
  uint32_t n = 0;
  while (n < EVENTS) {
    const uint32_t thread = roll(THREADS), other = roll(THREADS), what = roll(12);
    if (!lives[thread]) continue;
    if (what == 0 && !lives[other]) {
      events[n++] = (TraceEvent){thread, other, TRACE_NONE, TRACE_FORK};
      lives[other] = true;
    } else if (what == 1 && other && other != thread && lives[other] && roll(3) < joins) {
      events[n++] = (TraceEvent){thread, other, TRACE_NONE, TRACE_JOIN};
      lives[other] = false;
    } else if (what > 1) {
      events[n++] = (TraceEvent){thread, roll(VARIABLES), TRACE_NONE, what > 8 ? TRACE_WRITE : TRACE_READ};
    }
  }
  return n;
}

/* The access of that place, of a stage or two of one life: is it neither before nor after these? */
static bool is_between(const Shapes *shapes, const AccessIndex *index, uint32_t place, StageId first, StageId last) {
  const StageId stage = access_index_at(index, place)->stage;
  return fork_order_life(&shapes->stages, stage) != fork_order_life(&shapes->stages, first) &&
         !fork_order_before(&shapes->stages, stage, first) && !fork_order_before(&shapes->stages, last, stage);
}

typedef struct {
  uint64_t places, walks, wrong;
} Told;

/* Each place that is between is in one part, and no other one. */
static void walk(const Shapes *shapes, const AccessIndex *index, uint32_t variable, StageId first, StageId last,
                 Told *told) {
  AccessWalk walk = access_index_walk(index, variable, first, last);
  AccessRun part;
  uint32_t n, all = 0, found = 0;
  const AccessRun *runs = access_index_runs(index, variable, &n);
  for (uint32_t r = 0; r < n; r++)
    for (uint32_t i = runs[r].from; i < runs[r].end; i++) all += is_between(shapes, index, i, first, last);
  while (access_walk_next(&walk, &part)) {
    told->wrong += part.from >= part.end;
    for (uint32_t i = part.from; i < part.end; i++, found++) told->wrong += !is_between(shapes, index, i, first, last);
  }
  told->wrong += found != all;
  told->places += all;
  told->walks++;
}

static void walk_all(const Shapes *shapes, const AccessIndex *index, Told *told) {
  for (uint32_t a = 0; a < shapes->accesses.n; a++) {
    const StageId first = shapes->accesses.at[a].stage;
    const uint32_t other = roll(shapes->accesses.n);
    const StageId last = shapes->accesses.at[other].stage;
    const bool one = fork_order_life(&shapes->stages, first) == fork_order_life(&shapes->stages, last);
    for (uint32_t v = 0; v < shapes->variables.n; v++)
      walk(shapes, index, v, first, one && first.v < last.v ? last : first, told);
  }
}

static void walks_find_what_comes_between(void) {
  Heap *heap = heap_new(0);
  Told told = {0};
  for (uint32_t round = 0; round < ROUNDS; round++) {
    TraceEvent events[EVENTS];
    Shapes shapes;
    AccessIndex index;
    shapes_init(&shapes, heap, SYNC_ALL);
    shapes_see(&shapes, events, make_run(events, 1 + round % 3));
    shapes_finish(&shapes);
    access_index_init(&index, &shapes);
    walk_all(&shapes, &index, &told);
    access_index_fini(&index);
    shapes_fini(&shapes);
  }
  CU_ASSERT_EQUAL(told.wrong, 0);
  CU_ASSERT(told.walks > 10000);
  printf("(%llu walks, %llu accesses) ", (unsigned long long)told.walks, (unsigned long long)told.places);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_walks(void) {
  CU_pSuite suite = CU_add_suite("walks", NULL, NULL);
  CU_ADD_TEST(suite, walks_find_what_comes_between);
}
