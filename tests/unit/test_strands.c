/* What comes before what by fork and join, against vector clocks, whatever is asked first. */
#include "base/hash.h"
#include "predict/strands.h"

#include <CUnit/CUnit.h>

#include <string.h>

enum { MOST_STRANDS = 5, STEPS = 60, ROUNDS = 2000 };

static uint64_t dice;
static uint32_t roll(uint32_t below) { return (uint32_t)(hash_word(++dice) >> 33) % below; }

/* Strands, and for each point how many of each strand come before it. */
typedef struct {
  Strands strands;
  uint32_t n, points[MOST_STRANDS], past[MOST_STRANDS][STEPS][MOST_STRANDS];
  uint32_t hub, hub_past[MOST_STRANDS]; /* the last hub, + 1, and what comes before it */
} Random;

/* What comes before a point, and the point itself, is added. */
static void come_after(const Random *r, uint32_t *past, uint32_t strand, uint32_t at) {
  for (uint32_t i = 0; i < r->n; i++)
    if (r->past[strand][at][i] > past[i]) past[i] = r->past[strand][at][i];
  if (at + 1 > past[strand]) past[strand] = at + 1;
}

/* Of the last points of some strands. */
static void add_hub(Random *r) {
  r->hub = strands_add_hub(&r->strands) + 1;
  memset(r->hub_past, 0, sizeof r->hub_past);
  for (uint32_t s = 0; s < r->n; s++) {
    if (!r->points[s] || roll(3) == 0) continue;
    strands_join_hub(&r->strands, r->hub - 1, (StrandPoint){s, r->points[s] - 1, 0});
    come_after(r, r->hub_past, s, r->points[s] - 1);
  }
}

/* The next point of a strand, perhaps after the last one of others, or after the hub. */
static void add_point(Random *r, uint32_t strand, uint32_t sparse) {
  const uint32_t at = r->points[strand]++;
  uint32_t *past = r->past[strand][at];
  if (at) memcpy(past, r->past[strand][at - 1], sizeof r->past[strand][at]);
  past[strand] = at;
  if (r->hub && roll(sparse) == 0) {
    strands_add_edge(&r->strands, strand, &(StrandEdge){at, 0, {STRANDS_HUB, r->hub - 1, 0}});
    for (uint32_t i = 0; i < r->n; i++)
      if (i != strand && r->hub_past[i] > past[i]) past[i] = r->hub_past[i];
  }
  while (roll(sparse) == 0) {
    const uint32_t other = roll(r->n);
    if (other == strand || !r->points[other]) continue;
    const uint32_t last = r->points[other] - 1;
    strands_add_edge(&r->strands, strand, &(StrandEdge){at, 0, {other, last, 0}});
    come_after(r, past, other, last);
    past[strand] = at;
  }
}

static uint32_t ask(Random *r) {
  const uint32_t strand = roll(r->n), at = r->points[strand] ? roll(r->points[strand]) : 0, other = roll(r->n);
  return r->points[strand] && strands_before(&r->strands, strand, at, other) != r->past[strand][at][other];
}

static void orders_are_those_of_clocks(void) {
  Heap *heap = heap_new(0);
  uint32_t wrong = 0;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    Random r = {.strands.heap = heap, .n = 1 + roll(MOST_STRANDS)};
    const uint32_t sparse = 2 + roll(5), asked = 1 + roll(100);
    for (uint32_t i = 0; i < r.n; i++) strands_add(&r.strands);
    for (uint32_t i = 0; i < STEPS; i++) {
      add_point(&r, roll(r.n), sparse);
      if (roll(4 * sparse) == 0) add_hub(&r);
    }
    for (uint32_t i = 0; i < asked; i++) wrong += ask(&r);
    for (uint32_t s = 0; s < r.n; s++)
      for (uint32_t at = 0; round % 2 && at < r.points[s]; at++)
        for (uint32_t i = 0; i < r.n; i++) wrong += strands_before(&r.strands, s, at, i) != r.past[s][at][i];
    strands_fini(&r.strands);
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_strands(void) {
  CU_pSuite suite = CU_add_suite("strands", NULL, NULL);
  CU_ADD_TEST(suite, orders_are_those_of_clocks);
}
