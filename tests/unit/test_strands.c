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
} Random;

/* The next point of a strand, perhaps after the last one of others. */
static void add_point(Random *r, uint32_t strand, uint32_t sparse) {
  const uint32_t at = r->points[strand]++;
  uint32_t *past = r->past[strand][at];
  if (at) memcpy(past, r->past[strand][at - 1], sizeof r->past[strand][at]);
  past[strand] = at;
  while (roll(sparse) == 0) {
    const uint32_t other = roll(r->n);
    if (other == strand || !r->points[other]) continue;
    const uint32_t last = r->points[other] - 1;
    strands_add_edge(&r->strands, strand, &(StrandEdge){at, 0, {other, last, 0}, NULL});
    for (uint32_t i = 0; i < r->n; i++)
      if (i != strand && r->past[other][last][i] > past[i]) past[i] = r->past[other][last][i];
    if (last + 1 > past[other]) past[other] = last + 1;
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
    for (uint32_t i = 0; i < STEPS; i++) add_point(&r, roll(r.n), sparse);
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
