/* Parts of granules against a table of bytes: each byte in one object, which no access has had a part of. */
#include "distil/parts.h"

#include "base/hash.h"

#include <CUnit/CUnit.h>
#include <string.h>

enum { FROM = 4096 - 64, BYTES = 128, STEPS = 400 };

/* By byte: 1 + its object; 0: none. */
static uint32_t object_of[BYTES];

static void divide(const PartsFound *found) {
  const uint32_t each = found->n_old ? found->n_new / found->n_old : 0;
  for (uint32_t i = 0; i < found->n_old; i++) {
    uint32_t n = 0, had = 0;
    for (uint32_t at = 0; at < BYTES; at++) {
      if (object_of[at] != found->old + i + 1) continue;
      object_of[at] = 0;
      had++;
    }
    for (uint32_t at = 0; at < BYTES; at++)
      for (uint32_t k = 0; k < each; k++) n += object_of[at] == found->new + i *each + k + 1;
    CU_ASSERT_EQUAL(n, 0);
    CU_ASSERT_TRUE(had == 0 || had == 8 / found->n_old);
  }
}

static void one_access(Parts *parts, uint64_t address, uint32_t size) {
  const PartsFound found = parts_find(parts, address, size);
  divide(&found);
  uint32_t at = (uint32_t)(address - FROM), bytes;
  for (uint32_t i = 0; i < found.n; i++) {
    CU_ASSERT_EQUAL(parts_address(parts, found.first + i, &bytes), FROM + at);
    for (uint32_t k = 0; k < bytes; k++, at++) {
      CU_ASSERT_TRUE(object_of[at] == 0 || object_of[at] == found.first + i + 1);
      object_of[at] = found.first + i + 1;
    }
  }
  CU_ASSERT_EQUAL(at, address + size - FROM); /* no more than that was accessed */
  const uint32_t known = parts_known(parts, address, size);
  CU_ASSERT_TRUE(known == PARTS_NONE || (found.n == 1 && known == found.first));
  CU_ASSERT_TRUE(known != PARTS_NONE || found.n > 1 || address % size);
}

static void all_of_it_ends(Parts *parts) {
  uint64_t at = FROM;
  uint32_t first, n, granules = 0;
  while (parts_end(parts, &at, FROM + BYTES, &first, &n)) granules++;
  for (uint32_t i = 0; i < BYTES; i += 8) {
    bool any = false;
    for (uint32_t k = i; k < i + 8; k++) any = any || object_of[k];
    granules -= any;
  }
  CU_ASSERT_EQUAL(granules, 0);
  at = FROM;
  CU_ASSERT_FALSE(parts_end(parts, &at, FROM + BYTES, &first, &n));
}

static void test_bytes(void) {
  for (uint64_t seed = 0; seed < 200; seed++) {
    Heap *heap = heap_new(0);
    Parts *parts = parts_new(heap);
    memset(object_of, 0, sizeof object_of);
    for (uint64_t i = 0; i < STEPS; i++) {
      const uint64_t draw = hash_word(seed << 32 | i), granule = draw % (BYTES / 8),
                     from = draw >> 8 & (seed % 2 ? 7 : 4);
      one_access(parts, FROM + granule * 8 + from, 1 + (uint32_t)((draw >> 16) % (8 - from)));
    }
    all_of_it_ends(parts);
    CU_ASSERT_TRUE(parts_count(parts) <= BYTES / 8 * (1 + 2 + 4 + 8));
    parts_free(parts);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
}

static void test_many_pages(void) {
  Heap *heap = heap_new(0);
  Parts *parts = parts_new(heap);
  uint32_t size;
  for (uint64_t i = 0; i < 5000; i++) CU_ASSERT_EQUAL(parts_find(parts, i << 14, 8).first, i);
  for (uint64_t i = 0; i < 5000; i++) {
    CU_ASSERT_EQUAL(parts_find(parts, i << 14, 8).first, i);
    CU_ASSERT_EQUAL(parts_address(parts, (uint32_t)i, &size), i << 14);
    CU_ASSERT_EQUAL(size, 8);
  }
  parts_free(parts);
  heap_free(heap);
}

void suite_parts(void);
void suite_parts(void) {
  CU_pSuite suite = CU_add_suite("parts", NULL, NULL);
  CU_add_test(suite, "bytes, one by one", test_bytes);
  CU_add_test(suite, "many pages", test_many_pages);
}
