/* Which accesses have a rival, of things that many threads touch, against a look at all of them. */
#include "base/hash.h"
#include "predict/locks/lock_rivals.h"

#include <CUnit/CUnit.h>

#include <stdio.h>

enum { LIVES = 60, THINGS = 3, ROUNDS = 300, STAGES = 8 };

static uint64_t dice;
static uint32_t roll(uint32_t below) { return (uint32_t)(hash_word(++dice) >> 33) % below; }

/* Threads that fork and join each other, and what they touch. */
typedef struct {
  Strands order;
  LockRivals rivals;
  uint32_t n, stages[LIVES];
  bool over[LIVES];
  RivalSpan any[THINGS][LIVES], writes[THINGS][LIVES];
} Random;

static const RivalSpan NEVER = {UINT32_MAX, 0};

static void add_edge(Random *r, uint32_t from, uint32_t to) {
  const StrandEdge edge = {r->stages[to], 0, {from, r->stages[from], 0}};
  strands_add_edge(&r->order, to, &edge);
}

static uint32_t fork_one(Random *r, uint32_t parent) {
  const uint32_t child = r->n++;
  r->stages[child] = 0;
  r->over[child] = false;
  for (uint32_t i = 0; i < THINGS; i++) r->any[i][child] = r->writes[i][child] = NEVER;
  strands_add(&r->order);
  if (parent != child) add_edge(r, parent, child), r->stages[parent]++;
  return child;
}

static void widen(RivalSpan *span, RivalSpan by) {
  if (by.first < span->first) span->first = by.first;
  if (by.last > span->last) span->last = by.last;
}

static void touch(Random *r, uint32_t life) {
  const uint32_t thing = roll(THINGS), stage = r->stages[life];
  const bool write = roll(3) == 0;
  const RivalSpan span = {stage, stage};
  widen(&r->any[thing][life], span);
  if (write) widen(&r->writes[thing][life], span);
  lock_rivals_note(&r->rivals, thing, life, span, write);
}

static void do_something(Random *r, uint32_t joins) {
  const uint32_t life = roll(r->n), other = roll(r->n);
  if (r->over[life] || r->stages[life] >= STAGES) return;
  touch(r, life);
  if (roll(3) == 0 && r->n < LIVES) fork_one(r, life);
  if (other == life || r->over[other] || other == 0 || roll(3) >= joins) return;
  r->stages[life]++;
  add_edge(r, other, life);
  r->over[other] = true;
}

static bool are_concurrent(Random *r, uint32_t a, uint32_t x, uint32_t b, uint32_t y) {
  return a != b && strands_before(&r->order, a, x, b) <= y && strands_before(&r->order, b, y, a) <= x;
}

static bool has_rival(Random *r, uint32_t thing, uint32_t life, uint32_t stage, bool write) {
  for (uint32_t other = 0; other < r->n; other++) {
    const RivalSpan span = write ? r->any[thing][other] : r->writes[thing][other];
    for (uint32_t s = span.first; s <= span.last; s++)
      if (are_concurrent(r, life, stage, other, s)) return true;
  }
  return false;
}

typedef struct {
  uint32_t wrong, rivals, none, lanes, lives;
} Told;

static void ask_all(Random *r, Told *told) {
  for (uint32_t thing = 0; thing < THINGS; thing++)
    for (uint32_t life = 0; life < r->n; life++)
      for (uint32_t k = 0; k < 2 && r->any[thing][life].first <= r->any[thing][life].last; k++) {
        const bool write = roll(2) == 0, has = has_rival(r, thing, life, r->any[thing][life].first, write);
        told->wrong += lock_rivals_has(&r->rivals, &r->order, thing, life, r->any[thing][life].first, write) != has;
        if (has) told->rivals++;
        else told->none++;
      }
}

static void rivals_are_found_by_lanes(void) {
  Heap *heap = heap_new(0);
  Told told = {0};
  for (uint32_t round = 0; round < ROUNDS; round++) {
    Random r = {.order.heap = heap, .rivals.heap = heap};
    fork_one(&r, 0);
    for (uint32_t i = 0; i < 400; i++) do_something(&r, 1 + round % 3);
    strands_limit(&r.order, round % 10 ? UINT64_MAX : 0);
    ask_all(&r, &told);
    told.lanes += r.order.lanes.n;
    told.lives += r.n;
    lock_rivals_fini(&r.rivals);
    strands_fini(&r.order);
  }
  CU_ASSERT_EQUAL(told.wrong, 0);
  CU_ASSERT(told.rivals > 1000 && told.none > 1000);
  CU_ASSERT(told.lanes < told.lives);
  printf("(%u with a rival, %u without, %u lives in %u lanes) ", told.rivals, told.none, told.lives, told.lanes);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* A thread for each request: one lane for the threads, one for who forks them. */
static void ended_threads_share_a_lane(void) {
  enum { THREADS = 1000, AT_A_TIME = 4 };
  Heap *heap = heap_new(0);
  Strands order = {.heap = heap};
  uint32_t at = 0;
  strands_add(&order);
  for (uint32_t i = 1; i <= THREADS; i++) {
    strands_add(&order);
    strands_add_edge(&order, i, &(StrandEdge){0, 0, {0, at++, 0}});
    if (i >= AT_A_TIME) strands_add_edge(&order, 0, &(StrandEdge){at++, 0, {i - AT_A_TIME + 1, 5, 0}});
  }
  CU_ASSERT(strands_room(&order) < UINT64_C(2) * THREADS * (AT_A_TIME + 2));
  CU_ASSERT_EQUAL(order.lanes.n, AT_A_TIME + 1);
  CU_ASSERT_EQUAL(strands_before(&order, THREADS, 0, 1), 6);
  CU_ASSERT_EQUAL(strands_before(&order, THREADS, 0, THREADS - AT_A_TIME + 1), 0);
  CU_ASSERT_EQUAL(strands_before(&order, THREADS, 0, THREADS - AT_A_TIME), 6);
  CU_ASSERT_EQUAL(strands_before(&order, 7, 5, 8), 0);
  strands_fini(&order);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* Each request has a thread that has one of its own. */
static void lanes_are_handed_on(void) {
  enum { REQUESTS = 100 };
  Heap *heap = heap_new(0);
  Strands order = {.heap = heap};
  uint32_t at = 0;
  strands_add(&order);
  for (uint32_t i = 0; i < REQUESTS; i++) {
    const uint32_t outer = strands_add(&order), inner = strands_add(&order);
    strands_add_edge(&order, outer, &(StrandEdge){0, 0, {0, at++, 0}});
    strands_add_edge(&order, inner, &(StrandEdge){0, 0, {outer, 0, 0}});
    strands_add_edge(&order, outer, &(StrandEdge){1, 0, {inner, 0, 0}});
    strands_add_edge(&order, 0, &(StrandEdge){at++, 0, {outer, 1, 0}});
  }
  CU_ASSERT_EQUAL(strands_before(&order, 2 * REQUESTS, 0, 2), 1);
  CU_ASSERT_EQUAL(order.lanes.n, 3);
  strands_fini(&order);
  heap_free(heap);
}

/* A join that is told of first is not before a fork that happens earlier. */
static void what_is_told_first_need_not_be_before(void) {
  Heap *heap = heap_new(0);
  Strands order = {.heap = heap};
  for (uint32_t i = 0; i < 3; i++) strands_add(&order);
  strands_add_edge(&order, 0, &(StrandEdge){5, 0, {1, 3, 0}});
  strands_add_edge(&order, 2, &(StrandEdge){0, 0, {0, 2, 0}});
  CU_ASSERT_EQUAL(strands_before(&order, 2, 0, 1), 0);
  CU_ASSERT_EQUAL(strands_before(&order, 0, 5, 1), 4);
  strands_fini(&order);
  heap_free(heap);
}

void suite_rivals(void) {
  CU_pSuite suite = CU_add_suite("rivals", NULL, NULL);
  CU_ADD_TEST(suite, rivals_are_found_by_lanes);
  CU_ADD_TEST(suite, ended_threads_share_a_lane);
  CU_ADD_TEST(suite, lanes_are_handed_on);
  CU_ADD_TEST(suite, what_is_told_first_need_not_be_before);
}
