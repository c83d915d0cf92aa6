/* A number for each key, in the order of their coming, however many there are. */
#include "base/keys.h"

#include "base/hash.h"

#include <CUnit/CUnit.h>

enum { MANY = 20000 };

/* Keys that come again between new ones; 0 and the largest word are keys like any other. */
static uint64_t key_of(uint32_t i) { return i < 2 ? i - UINT64_C(1) : i % 3 ? i * UINT64_C(4096) : hash_word(i); }

static void test_numbers(void) {
  Heap *heap = heap_new(0);
  Keys keys = {0};
  bool is_new;
  CU_ASSERT_EQUAL(keys_find(&keys, 0), KEYS_NONE);
  for (uint32_t i = 0; i < MANY; i++) {
    CU_ASSERT_EQUAL(keys_find(&keys, key_of(i)), KEYS_NONE);
    CU_ASSERT_EQUAL(keys_add(heap, &keys, key_of(i), &is_new), i);
    CU_ASSERT_TRUE(is_new);
    CU_ASSERT_EQUAL(keys_find(&keys, key_of(i)), i);
    CU_ASSERT_EQUAL(keys_add(heap, &keys, key_of(i / 2), &is_new), i / 2);
    CU_ASSERT_FALSE(is_new);
    CU_ASSERT_EQUAL(keys.n, i + 1);
    CU_ASSERT_TRUE(keys.n <= keys.n_slots / 2);
  }
  for (uint32_t i = 0; i < MANY; i++) CU_ASSERT_EQUAL(keys_find(&keys, key_of(i)), i);
  CU_ASSERT_EQUAL(keys_find(&keys, key_of(MANY)), KEYS_NONE);
  keys_fini(heap, &keys);
  CU_ASSERT_EQUAL(keys_find(&keys, 0), KEYS_NONE);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_keys(void);
void suite_keys(void) {
  CU_pSuite suite = CU_add_suite("keys", NULL, NULL);
  CU_add_test(suite, "numbers in the order of their coming", test_numbers);
}
