/* Call stacks out of the raw log, against a model that keeps all that was said. */
#include "distil/stacks.h"
#include "tests/unit/raw_log.h"

#include <CUnit/CUnit.h>

#include <string.h>

enum { THREADS = 2, CODES = 600, NUMBERS = 5, STEPS = 20000 };

typedef struct {
  uint32_t n;
  uint64_t callers[RAW_ALLOC_CALLERS];
} Model;

static Stacks *stacks;
static uint64_t state;
static Model numbered[THREADS][NUMBERS], at[THREADS][RAW_TOLD + 1];
static uint64_t code_at[THREADS][RAW_TOLD + 1]; /* 0: nothing was said */

/* A RAW_STACK for the code; what it stands for is said now, or was before. */
static void say(uint32_t thread, uint64_t code) {
  const uint32_t number = draw(&state, NUMBERS);
  Model *model = &numbered[thread][number];
  const bool defines = number && (!model->n || !draw(&state, 3));
  if (defines) {
    model->n = 1 + draw(&state, draw(&state, 2) ? 3 : RAW_ALLOC_CALLERS);
    const uint32_t broken = draw(&state, 4) ? 0 : draw(&state, model->n); /* a handler has jumped out after these */
    for (uint32_t i = 0; i < broken; i++)
      stacks_note(stacks, &(RawEvent){.kind = RAW_CALLER, .thread = thread, .code = i, .address = 99});
    for (uint32_t i = 0; i < model->n; i++) {
      model->callers[i] = 1 + draw(&state, 3);
      stacks_note(stacks, &(RawEvent){.kind = RAW_CALLER,
                                      .thread = thread,
                                      .code = 7 << RAW_CODE_BITS | i,
                                      .address = model->callers[i]});
    }
  }
  stacks_note(stacks, &(RawEvent){.kind = RAW_STACK, .thread = thread, .code = code, .address = number * 2 + defines});
  at[thread][code & RAW_TOLD] = *model;
  code_at[thread][code & RAW_TOLD] = code;
}

static bool is_right(uint32_t thread, uint64_t code) {
  uint32_t n;
  const uint32_t stack = stacks_at(stacks, thread, code);
  const uint64_t *callers = stacks_callers(stacks, stack, &n);
  const Model *model = &at[thread][code & RAW_TOLD];
  if (code_at[thread][code & RAW_TOLD] != code) return !stack && !n;
  return n == model->n && (!n || memcmp(callers, model->callers, n * sizeof *callers) == 0) && !stack == !n;
}

static void test_random(void) {
  Heap *heap = heap_new(0);
  uint32_t wrong = 0;
  stacks = stacks_open(heap, THREADS);
  for (uint32_t i = 0; i < STEPS; i++) {
    const uint32_t thread = draw(&state, THREADS);
    wrong += !is_right(thread, 1 + draw(&state, CODES));
    say(thread, 1 + draw(&state, CODES));
    wrong += !is_right(thread, 1 + draw(&state, CODES));
  }
  CU_ASSERT_EQUAL(wrong, 0);
  stacks_close(stacks);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* The same callers are one stack. */
static void test_one(void) {
  Heap *heap = heap_new(0);
  stacks = stacks_open(heap, THREADS);
  for (uint32_t thread = 0; thread < THREADS; thread++) {
    stacks_note(stacks, &(RawEvent){.kind = RAW_CALLER, .thread = thread, .code = 0, .address = 5});
    stacks_note(stacks, &(RawEvent){.kind = RAW_STACK, .thread = thread, .code = 40 + thread, .address = 3});
  }
  CU_ASSERT(stacks_at(stacks, 0, 40) > 0);
  CU_ASSERT_EQUAL(stacks_at(stacks, 0, 40), stacks_at(stacks, 1, 41));
  stacks_note(stacks, &(RawEvent){.kind = RAW_STACK, .thread = 0, .code = 40, .address = 2 * RAW_STACKS});
  CU_ASSERT_EQUAL(stacks_at(stacks, 0, 40), 0);
  stacks_close(stacks);
  heap_free(heap);
}

void suite_stacks(void);
void suite_stacks(void) {
  CU_pSuite suite = CU_add_suite("stacks", NULL, NULL);
  CU_add_test(suite, "as they were logged", test_random);
  CU_add_test(suite, "the same", test_one);
}
