/* Conditions on few small integers: what is shown to be impossible has no solution among all of them. */
#include "frontend/c/linear.h"

#include <CUnit/CUnit.h>

enum { UNKNOWNS = 4, LEAST = -3, MOST = 3 };

static uint64_t state = 88172645463325252;

static int64_t draw(int64_t least, int64_t most) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return least + (int64_t)((state >> 11) % (uint64_t)(most - least + 1));
}

static LinearSum random_sum(void) {
  LinearSum sum = linear_constant(draw(-6, 6));
  for (uint32_t i = 0; i < UNKNOWNS; i++) {
    const LinearSum unknown = linear_unknown(i);
    if (draw(0, 2)) CU_ASSERT_TRUE_FATAL(linear_add(&sum, &unknown, draw(-4, 4)));
  }
  return sum;
}

static int64_t value_of(const LinearSum *sum, const int64_t *values) {
  int64_t value = sum->constant;
  for (uint32_t i = 0; i < sum->n; i++) value += sum->terms[i].factor * values[sum->terms[i].unknown];
  return value;
}

static bool holds(const LinearRows *least, const LinearRows *zero, const int64_t *values) {
  for (uint32_t i = 0; i < least->n; i++)
    if (value_of(&least->at[i], values) < 0) return false;
  for (uint32_t i = 0; i < zero->n; i++)
    if (value_of(&zero->at[i], values) != 0) return false;
  return true;
}

static bool has_solution(const LinearRows *least, const LinearRows *zero) {
  int64_t values[UNKNOWNS];
  for (values[0] = LEAST; values[0] <= MOST; values[0]++)
    for (values[1] = LEAST; values[1] <= MOST; values[1]++)
      for (values[2] = LEAST; values[2] <= MOST; values[2]++)
        for (values[3] = LEAST; values[3] <= MOST; values[3]++)
          if (holds(least, zero, values)) return true;
  return false;
}

/* Each unknown is in the range. */
static void add_range(Heap *heap, LinearRows *least) {
  for (uint32_t i = 0; i < UNKNOWNS; i++) {
    const LinearSum unknown = linear_unknown(i);
    LinearSum below = linear_constant(MOST), above = linear_constant(-LEAST);
    linear_add(&below, &unknown, -1);
    linear_add(&above, &unknown, 1);
    vec_push(heap, least, below);
    vec_push(heap, least, above);
  }
}

static void what_is_impossible_has_no_solution(void) {
  Heap *heap = heap_new(0);
  LinearMemo memo;
  linear_memo_init(&memo, heap);
  uint32_t n_shown = 0, n_none = 0;
  for (int round = 0; round < 4000; round++) {
    LinearRows least = {0}, zero = {0};
    add_range(heap, &least);
    for (int64_t i = draw(0, 4); i > 0; i--) vec_push(heap, &least, random_sum());
    for (int64_t i = draw(0, 2); i > 0; i--) vec_push(heap, &zero, random_sum());
    const bool shown = linear_is_impossible(&memo, &least, &zero, true), solved = has_solution(&least, &zero);
    CU_ASSERT(!shown || !solved);
    n_shown += shown;
    n_none += !solved;
    vec_fini(heap, &least);
    vec_fini(heap, &zero);
  }
  CU_ASSERT(n_none > 400 && n_shown * 10 > n_none * 9);
  linear_memo_fini(&memo);
  heap_free(heap);
}

/* 2x - 2y = 1; and 1 <= 4x + 4y <= 3. */
static void halves_are_none(void) {
  Heap *heap = heap_new(0);
  LinearMemo memo;
  linear_memo_init(&memo, heap);
  LinearRows least = {0}, zero = {0};
  const LinearSum odd = {.constant = -1, .n = 2, .terms = {{0, 2}, {1, -2}}};
  const LinearSum above = {.constant = -1, .n = 2, .terms = {{0, 4}, {1, 4}}};
  const LinearSum below = {.constant = 3, .n = 2, .terms = {{0, -4}, {1, -4}}};
  vec_push(heap, &zero, odd);
  CU_ASSERT(linear_is_impossible(&memo, &least, &zero, true));
  vec_clear(&zero);
  vec_push(heap, &least, above);
  CU_ASSERT(!linear_is_impossible(&memo, &least, &zero, true));
  vec_push(heap, &least, below);
  CU_ASSERT(linear_is_impossible(&memo, &least, &zero, true));
  vec_fini(heap, &least);
  vec_fini(heap, &zero);
  linear_memo_fini(&memo);
  heap_free(heap);
}

/* What becomes too large is left out. */
static void large_numbers_show_nothing(void) {
  Heap *heap = heap_new(0);
  LinearMemo memo;
  linear_memo_init(&memo, heap);
  LinearRows least = {0}, zero = {0};
  LinearSum sum = linear_constant(INT64_MAX);
  const LinearSum one = linear_constant(1);
  CU_ASSERT(!linear_add(&sum, &one, 1) && sum.constant == INT64_MAX);
  sum.constant = INT64_MIN;
  vec_push(heap, &least, sum);
  CU_ASSERT(!linear_is_impossible(&memo, &least, &zero, true));
  vec_fini(heap, &least);
  linear_memo_fini(&memo);
  heap_free(heap);
}

/* x >= 0, y >= 0, x + y < w, and x >= w: it takes what is said of the word. */
static void words_are_left_out(void) {
  Heap *heap = heap_new(0);
  LinearMemo memo;
  linear_memo_init(&memo, heap);
  LinearRows least = {0}, zero = {0};
  const LinearSum below = {.constant = -1, .n = 3, .terms = {{LINEAR_WORD, 1}, {1, -1}, {2, -1}}};
  const LinearSum above = {.n = 2, .terms = {{LINEAR_WORD, -1}, {1, 1}}};
  vec_push(heap, &least, linear_unknown(1));
  vec_push(heap, &least, linear_unknown(2));
  vec_push(heap, &least, below);
  CU_ASSERT(!linear_is_impossible(&memo, &least, &zero, true));
  vec_push(heap, &least, above);
  CU_ASSERT(!linear_is_impossible(&memo, &least, &zero, false));
  CU_ASSERT(linear_is_impossible(&memo, &least, &zero, true));
  vec_fini(heap, &least);
  vec_fini(heap, &zero);
  linear_memo_fini(&memo);
  heap_free(heap);
}

/* One of some thousand: more than are kept. */
static void draw_small(Heap *heap, LinearRows *least, LinearRows *zero) {
  vec_clear(least);
  vec_clear(zero);
  for (int64_t i = draw(0, 3); i > 0; i--) {
    LinearSum sum = linear_constant(draw(-3, 3));
    const LinearSum unknown = linear_unknown((uint32_t)draw(LINEAR_WORD, 2));
    CU_ASSERT_TRUE_FATAL(linear_add(&sum, &unknown, draw(-2, 2)));
    LinearRows *rows = draw(0, 1) ? least : zero;
    vec_push(heap, rows, sum);
  }
}

static void what_was_asked_is_answered_alike(void) {
  Heap *heap = heap_new(0);
  LinearMemo memo;
  LinearRows least = {0}, zero = {0};
  linear_memo_init(&memo, heap);
  for (int round = 0; round < 30000; round++) {
    LinearMemo fresh;
    draw_small(heap, &least, &zero);
    const bool all = draw(0, 1);
    linear_memo_init(&fresh, heap);
    CU_ASSERT(linear_is_impossible(&memo, &least, &zero, all) == linear_is_impossible(&fresh, &least, &zero, all));
    linear_memo_fini(&fresh);
  }
  vec_fini(heap, &least);
  vec_fini(heap, &zero);
  linear_memo_fini(&memo);
  heap_free(heap);
}

void suite_linear(void) {
  CU_pSuite suite = CU_add_suite("linear", NULL, NULL);
  CU_ADD_TEST(suite, what_is_impossible_has_no_solution);
  CU_ADD_TEST(suite, what_was_asked_is_answered_alike);
  CU_ADD_TEST(suite, halves_are_none);
  CU_ADD_TEST(suite, words_are_left_out);
  CU_ADD_TEST(suite, large_numbers_show_nothing);
}
